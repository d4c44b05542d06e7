/* Example 3: histogram equalisation of a photograph; before and after side by side as a PNG. */
#include "../common/host.h"
#include "picture.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIXELS = 64, LEVELS = 256, GROUP = 256 }; /* PIXELS and LEVELS as in equalise.cl */

struct plain_job {
  const unsigned char *picture;
  unsigned char *result;
  uint32_t num_pixels;
};

static void plain_equalise(void *context) {
  const struct plain_job *job = context;
  uint32_t counts[LEVELS] = {0}, sum = 0, darkest = 0;
  unsigned char map[LEVELS];
  for (uint32_t i = 0; i < job->num_pixels; i++) counts[job->picture[i]]++;
  for (int level = 0; level < LEVELS; level++) {
    sum += counts[level];
    if (darkest == 0) darkest = sum; /* pixels of the first level that occurs */
    uint32_t range = job->num_pixels > darkest ? job->num_pixels - darkest : 1;
    map[level] = (unsigned char)(((uint64_t)(sum - darkest) * 255 + range / 2) / range);
  }
  for (uint32_t i = 0; i < job->num_pixels; i++) job->result[i] = map[job->picture[i]];
}

static size_t round_up(size_t number, size_t multiple) {
  return (number + multiple - 1) / multiple * multiple;
}

/* Equalises with the kernels; returns the seconds of the best run. */
static double equalise(struct host *host, const unsigned char *picture, uint32_t num_pixels,
                       unsigned char *result, int runs) {
  cl_mem in = host_buffer(host, num_pixels, picture), out = host_buffer(host, num_pixels, NULL);
  cl_mem counts = host_buffer(host, LEVELS * sizeof(cl_uint), NULL);
  cl_mem map = host_buffer(host, LEVELS, NULL);
  cl_kernel clear = host_kernel(host, "clear"), histogram = host_kernel(host, "histogram"),
            mapping = host_kernel(host, "mapping"), apply = host_kernel(host, "apply");
  ARG(clear, 0, counts);
  ARG(histogram, 0, in);
  ARG(histogram, 1, num_pixels);
  ARG(histogram, 2, counts);
  ARG(mapping, 0, counts);
  ARG(mapping, 1, num_pixels);
  ARG(mapping, 2, map);
  ARG(apply, 0, in);
  ARG(apply, 1, num_pixels);
  ARG(apply, 2, map);
  ARG(apply, 3, out);

  size_t items = round_up(round_up(num_pixels, PIXELS) / PIXELS, GROUP);
  struct step steps[4] = {{clear, LEVELS, LEVELS},
                          {histogram, items, GROUP},
                          {mapping, LEVELS, LEVELS},
                          {apply, items, GROUP}};
  double seconds = host_time(host, steps, 4, runs);
  host_read(host, out, result, num_pixels);

  for (int i = 0; i < 4; i++) clReleaseKernel(steps[i].kernel);
  cl_mem buffers[4] = {in, out, counts, map};
  for (int i = 0; i < 4; i++) clReleaseMemObject(buffers[i]);
  return seconds;
}

static void check(const unsigned char *result, const unsigned char *expected, size_t count) {
  char label[128];
  size_t i = 0;
  while (i < count && result[i] == expected[i]) i++;
  snprintf(label, sizeof label, "all %s pixels equal to plain C's", with_commas(count));
  report_check(label, i == count, i);
}

static void write_before_and_after(const char *path, const struct picture *before,
                                   const unsigned char *after) {
  size_t width = before->width;
  struct picture both = {2 * before->width, before->height, malloc(2 * width * before->height)};
  if (!both.pixels) host_fail("out of memory");
  for (size_t y = 0; y < before->height; y++) {
    memcpy(both.pixels + 2 * width * y, before->pixels + width * y, width);
    memcpy(both.pixels + 2 * width * y + width, after + width * y, width);
  }
  picture_write(path, &both);
  free(both.pixels);
}

static void one_picture(struct host *host, const char *in, const char *out) {
  struct picture picture = picture_read(in);
  uint32_t num_pixels = picture.width * picture.height;
  unsigned char *result = malloc(num_pixels), *expected = malloc(num_pixels);
  if (!result || !expected) host_fail("out of memory");
  struct plain_job plain = {picture.pixels, expected, num_pixels};
  plain_equalise(&plain);
  equalise(host, picture.pixels, num_pixels, result, 1);
  const char *name = strrchr(in, '/');
  printf("   %s, %u x %u\n", name ? name + 1 : in, picture.width, picture.height);
  check(result, expected, num_pixels);
  write_before_and_after(out, &picture, result);
  printf("   before and after: %s\n", out);
  free(result);
  free(expected);
  free(picture.pixels);
}

/* Times need a picture that is not over in a moment: the same one, `tiles` times below itself. */
static void mosaic(struct host *host, const char *in, uint32_t tiles) {
  struct picture picture = picture_read(in);
  size_t tile = (size_t)picture.width * picture.height, size = tile * tiles;
  unsigned char *pixels = malloc(size), *result = malloc(size), *expected = malloc(size);
  if (size > UINT32_MAX - PIXELS * GROUP || !pixels || !result || !expected)
    host_fail("a mosaic of %u pictures is too large", tiles);
  for (size_t i = 0; i < tiles; i++) memcpy(pixels + i * tile, picture.pixels, tile);
  struct plain_job plain = {pixels, expected, (uint32_t)size};
  double loop = plain_time(plain_equalise, &plain, 5);
  double ours = equalise(host, pixels, (uint32_t)size, result, 5);
  printf("\n   a mosaic of %u of it\n", tiles);
  check(result, expected, size);
  report_times(host, ours, loop, 3.0 * (double)size); /* read twice, written once */
  free(picture.pixels);
  free(pixels);
  free(result);
  free(expected);
}

int main(int argc, char **argv) {
  struct host host;
  uint32_t tiles = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 0) : 256;
  if (argc < 3 || tiles == 0)
    host_fail("usage: example_equalise IN.png OUT.png [pictures in the mosaic]");
  host_open(&host, EXAMPLE_DIR "/equalise", "equalise.cl");
  one_picture(&host, argv[1], argv[2]);
  mosaic(&host, argv[1], tiles);
  host_close(&host);
  return 0;
}

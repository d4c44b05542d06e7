/* Writes a web server's log of a given size: the same bytes on every machine.
 *   make_log FILE MEGABYTES
 * A file of the right size is left alone. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static uint64_t state = 1;

static uint32_t random_below(uint32_t limit) { /* SplitMix64 */
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)(((z ^ (z >> 31)) >> 32) * limit >> 32);
}

#define PICK(array) (array)[random_below(sizeof(array) / sizeof *(array))]

static const char *const nets[] = {"192.0.2", "198.51.100", "203.0.113"};
static const char *const pages[] = {
    "/",          "/search?q=roof+tiles", "/cart",         "/login",
    "/style.css", "/img/logo.svg",        "/api/v2/stock", "/help/shipping"};
static const char *const agents[] = {
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15",
    "curl/7.88.1", "ExampleBot/1.2 (+https://example.org/bot)"};
static const int statuses[] = {200, 200, 200, 200, 200, 200, 304, 301, 404, 500};

/* One line in the combined log format. */
static int make_line(char *line, size_t room, time_t when) {
  char date[40], path[64];
  struct tm tm;
  strftime(date, sizeof date, "%d/%b/%Y:%H:%M:%S +0000", gmtime_r(&when, &tm));
  if (random_below(3) == 0)
    snprintf(path, sizeof path, "/item/%u", random_below(90000));
  else
    snprintf(path, sizeof path, "%s", PICK(pages));
  /* One after another: the order in which arguments are evaluated differs between compilers. */
  const char *net = PICK(nets), *agent = PICK(agents);
  const char *from = random_below(2) ? "-" : "https://example.org/";
  const char *method = random_below(12) ? "GET" : "POST";
  int status = PICK(statuses);
  uint32_t host = 1 + random_below(254), length = 180 + random_below(60000);
  return snprintf(line, room, "%s.%u - - [%s] \"%s %s HTTP/1.1\" %d %u \"%s\" \"%s\"\n", net, host,
                  date, method, path, status, length, from, agent);
}

static int write_log(FILE *file, size_t size) {
  time_t when = 1767225600; /* 1 January 2026 */
  size_t written = 0;
  while (written < size) {
    char line[512];
    when += random_below(3) == 0;
    size_t length = (size_t)make_line(line, sizeof line, when);
    if (length > size - written) { /* the last line is cut so that the size is exact */
      length = size - written;
      line[length - 1] = '\n';
    }
    if (fwrite(line, 1, length, file) != length) return -1;
    written += length;
  }
  return 0;
}

int main(int argc, char **argv) {
  size_t size = argc == 3 ? strtoull(argv[2], NULL, 0) << 20 : 0;
  char temporary[4096];
  struct stat info;
  if (size == 0) {
    fputs("usage: make_log FILE MEGABYTES\n", stderr);
    return 2;
  }
  if (stat(argv[1], &info) == 0 && (size_t)info.st_size == size) return 0;
  snprintf(temporary, sizeof temporary, "%s.part", argv[1]);
  FILE *file = fopen(temporary, "wb");
  if (!file || write_log(file, size) != 0 || fclose(file) != 0 || rename(temporary, argv[1]) != 0) {
    perror(argv[1]);
    remove(temporary);
    return 1;
  }
  return 0;
}

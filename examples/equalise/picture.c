#include "picture.h"

#include "../common/host.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

struct picture picture_read(const char *path) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_file(&image, path)) host_fail("%s: %s", path, image.message);
  image.format = PNG_FORMAT_GRAY;
  struct picture picture = {image.width, image.height, malloc(PNG_IMAGE_SIZE(image))};
  if (!picture.pixels || !png_image_finish_read(&image, NULL, picture.pixels, 0, NULL))
    host_fail("%s: %s", path, image.message);
  return picture;
}

void picture_write(const char *path, const struct picture *picture) {
  png_image image = {.version = PNG_IMAGE_VERSION,
                     .width = picture->width,
                     .height = picture->height,
                     .format = PNG_FORMAT_GRAY};
  if (!png_image_write_to_file(&image, path, 0, picture->pixels, 0, NULL))
    host_fail("%s: %s", path, image.message);
}

/* Grey pictures as PNG files. */
#ifndef EXAMPLES_PICTURE_H
#define EXAMPLES_PICTURE_H

struct picture {
  unsigned width, height;
  unsigned char *pixels; /* width * height levels, rows from the top; free() them */
};

struct picture picture_read(const char *path); /* ends the program if it cannot */
void picture_write(const char *path, const struct picture *);

#endif

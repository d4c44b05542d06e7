/* MANIPLE_DEVICE_TYPE: programs that look for one type of device find the CPU under it, and under
 * no other. */
#include "api.h"

static bool found(cl_device_type type) {
  cl_device_id one = NULL;
  cl_int error = clGetDeviceIDs(platform, type, 1, &one, NULL);
  CHECK(error == CL_SUCCESS || error == CL_DEVICE_NOT_FOUND);
  return error == CL_SUCCESS && one;
}

int main(int argc, char **argv) {
  static const struct {
    const char *word;
    cl_device_type type;
  } rows[] = {{"cpu", CL_DEVICE_TYPE_CPU},
              {"gpu", CL_DEVICE_TYPE_GPU},
              {"accelerator", CL_DEVICE_TYPE_ACCELERATOR}};
  const char *word = argc > 1 ? argv[1] : NULL; /* the CPU's; other devices have their own */
  if (word) setenv("MANIPLE_DEVICE_TYPE", word, 1);
  open_device();
  cl_device_type type = 0;
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    bool is_it = type == rows[i].type; /* another device of the platform may be of another type */
    CHECK(word ? found(rows[i].type) == is_it : !is_it || found(rows[i].type));
    CHECK(!word || is_it == !strcmp(word, rows[i].word));
  }
  CHECK(found(CL_DEVICE_TYPE_ALL) && found(CL_DEVICE_TYPE_DEFAULT));
  return finish();
}

/* MANIPLE_DEVICE_TYPE: programs that look for one type of device find the CPU under it, and under
 * no other.  Types joined are the union of what each finds, for contexts too. */
#include "api.h"

static bool found(cl_device_type type) {
  cl_device_id one = NULL;
  cl_int error = clGetDeviceIDs(platform, type, 1, &one, NULL);
  CHECK(error == CL_SUCCESS || error == CL_DEVICE_NOT_FOUND);
  return error == CL_SUCCESS && one;
}

/* Every device of the platform that has one of the bits, once and in its order; DEFAULT is the
 * first. */
static void check_union(cl_device_type asked) {
  enum { MOST = 64 };
  cl_device_id all[MOST], wanted[MOST] = {NULL}, got[MOST] = {NULL};
  cl_uint count = 0, expected = 0, found = 0, in_context = 0;
  EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST, all, &count));
  for (cl_uint i = 0; i < count; i++) {
    cl_device_type own = 0;
    EXPECT(CL_SUCCESS, clGetDeviceInfo(all[i], CL_DEVICE_TYPE, sizeof own, &own, NULL));
    if ((asked & own) || (i == 0 && asked & CL_DEVICE_TYPE_DEFAULT)) wanted[expected++] = all[i];
  }
  cl_int code = expected ? CL_SUCCESS : CL_DEVICE_NOT_FOUND, error;
  EXPECT(code, clGetDeviceIDs(platform, asked, MOST, got, &found));
  CHECK(found == expected && !memcmp(got, wanted, expected * sizeof *got));
  cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
  cl_context made = clCreateContextFromType(properties, asked, NULL, NULL, &error);
  EXPECT(code, error);
  if (!made) return;
  clGetContextInfo(made, CL_CONTEXT_NUM_DEVICES, sizeof in_context, &in_context, NULL);
  CHECK(in_context == expected);
  clReleaseContext(made);
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
  for (cl_device_type bits = 1; bits < 32; bits++) check_union(bits);
  cl_uint none;
  EXPECT(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 32 | CL_DEVICE_TYPE_CPU, 0, NULL, &none));
  return finish();
}

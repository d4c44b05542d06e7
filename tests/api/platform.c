/* Platform queries and their errors. */
#include "api.h"

int main(void) {
  char text[4096], il[256];
  size_t size;
  cl_uint count = 0;
  open_device();
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof il, il, NULL));
  unsigned minor = *il ? 1 : 0; /* 3.1 needs SPIR-V */
  EXPECT(CL_SUCCESS, clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof text, text, &size));
  CHECK(!strncmp(text, minor ? "OpenCL 3.1 " : "OpenCL 3.0 ", 11) && size == strlen(text) + 1);
  CHECK(!strncmp(text + 11, "maniple ", 8));
  EXPECT(CL_SUCCESS, clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text, text, NULL));
  CHECK(!strcmp(text, "maniple") || !strcmp(text, "maniple CUDA"));
  EXPECT(CL_SUCCESS, clGetPlatformInfo(platform, CL_PLATFORM_VENDOR, sizeof text, text, NULL));
  CHECK(!strcmp(text, "maniple project"));
  EXPECT(CL_SUCCESS, clGetPlatformInfo(platform, CL_PLATFORM_PROFILE, sizeof text, text, NULL));
  CHECK(!strcmp(text, "FULL_PROFILE"));
  EXPECT(CL_SUCCESS, clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, sizeof text, text, NULL));
  CHECK(strstr(text, "cl_khr_icd"));
  EXPECT(CL_SUCCESS, clGetPlatformInfo(platform, CL_PLATFORM_ICD_SUFFIX_KHR, sizeof text, text, 0));
  CHECK(!strcmp(text, "MPL"));
  cl_version version = 0;
  EXPECT(CL_SUCCESS,
         clGetPlatformInfo(platform, CL_PLATFORM_NUMERIC_VERSION, sizeof version, &version, NULL));
  CHECK(version == CL_MAKE_VERSION(3, minor, 0));
  static cl_name_version names[64];
  EXPECT(CL_SUCCESS, clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION, sizeof names,
                                       names, &size));
  for (size_t i = 0; i < size / sizeof *names; i++) {
    char word[80];
    snprintf(word, sizeof word, "%s ", names[i].name);
    EXPECT(CL_SUCCESS,
           clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, sizeof text, text, NULL));
    CHECK(strstr(text, word));
  }

  EXPECT(CL_INVALID_VALUE, clGetPlatformInfo(platform, CL_PLATFORM_NAME, 1, text, NULL));
  EXPECT(CL_INVALID_VALUE, clGetPlatformInfo(platform, 0x12345, sizeof text, text, NULL));
  EXPECT(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &device, NULL));
  EXPECT(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, NULL, NULL));
  EXPECT(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 0, 1, &device, NULL));
  EXPECT(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 1 << 20, 1, &device, NULL));
  EXPECT(CL_DEVICE_NOT_FOUND,
         clGetDeviceIDs(platform, CL_DEVICE_TYPE_ACCELERATOR, 1, &device, NULL));
  EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 0, NULL, &count));
  CHECK(count >= 1);
  EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 0, NULL, &count));
  CHECK(count == 1);
  EXPECT(CL_SUCCESS, clUnloadPlatformCompiler(platform));
  EXPECT(CL_SUCCESS, clUnloadCompiler());
  return finish();
}

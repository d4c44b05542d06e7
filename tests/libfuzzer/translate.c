/* OpenCL C++ as text: lines stay where they are. */
#include "toolchain/opencl_cpp/translate.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct mpl_cxx_names names = {0};
  size_t new_size;
  mpl_cxx_includes((const char *)data, size);
  char *text = mpl_cxx_translate((const char *)data, size, &new_size, &names);
  size_t lines = 0, new_lines = 0;
  for (size_t i = 0; i < size; i++) lines += data[i] == '\n';
  for (size_t i = 0; text && i < new_size; i++) new_lines += text[i] == '\n';
  MUST(!text || lines == new_lines);
  free(text);
  free(names.list);
  return 0;
}

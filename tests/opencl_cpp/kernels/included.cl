#include "check.h"
#include <opencl_memory>
#include <opencl_relational>
using namespace cl;
#define FILE_NAME "include/plain.h"
#include FILE_NAME

kernel void lines(uint *failed, int *data) {
  CHECK(line_of_plain == 9 && __LINE__ == 9);
}

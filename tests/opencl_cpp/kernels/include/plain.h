/* Found by -I: what it has of OpenCL C++'s own language is translated as the source's is. */
#include "deeper/names.h"
kernel void from_a_header(uint *failed, int *data) {
  size_t i = get_local_id(0);
  local<int> value(data[0] + 5);
  CHECK(value == 5 && from_deeper == 6 && all(both_of(bool4(false, true, true, false))));
  if (data[1] == 0) int wrong = here;
}
constant<int> line_of_plain{__LINE__};

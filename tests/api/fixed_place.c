/* A program that is loaded at a fixed place and takes the address of a function of libm: the address
 * is then the program's own (as Debian's python3 has it), and the driver finds libm all the same. */
#include <math.h>

#include "run/host.h"

int main(void) {
  double (*volatile function)(double) = sin; /* by an instruction: data might be relocated */
  host_open();
  if (function(0) != 0) return 1;
  cl_program program = host_build("kernel void k(global float *x) {\n"
                                  "  size_t i = get_global_id(0);\n"
                                  "  x[i] = exp(x[i]) + sin(x[i]) + lgamma(x[i]);\n"
                                  "}\n",
                                  "");
  CL(clReleaseProgram(program));
  return 0;
}

/* The fault is in the C library, where nothing can be given up: the process ends, but not without a
 * word. */
#include <string.h>

#include "mistake.h"

mpl_kernel(k, (int *)out) {
  const char *volatile wild = (const char *)(16 + get_local_id(0));
  out[get_local_id(0)] = (int)strlen(wild);
}

MAIN

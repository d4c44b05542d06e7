/* Atomic functions in the manner of C11 on a GPU. */
#include "order.h"

#include "../atomic_c11.cl"

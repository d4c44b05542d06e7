/* Memory fences on a GPU. */
#include "order.h"

#include "../fence.cl"

#include "cost_table.h"

const struct mpl_cost_row mpl_cost_table[] = {
#define MPL_COST(id, word, unit, each, bits, lanes, latency, item, item_latency)                   \
  {MPL_UNIT_##unit, MPL_EACH_##each, {lanes, bits}, latency, item, item_latency},
#include "tables/costs.def"
};

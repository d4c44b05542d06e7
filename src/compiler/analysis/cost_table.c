#include "cost_table.h"

#include "target_rows.h"

const struct mpl_cost_row mpl_cost_table[] = {
#define MPL_COST(id, word, unit, each, bits, lanes, latency, item, item_latency)                   \
  {MPL_UNIT_##unit, MPL_EACH_##each, {lanes, bits}, latency, item, item_latency},
#include "tables/costs.def"
};

unsigned mpl_cost_of_lanes(const struct mpl_target *target, enum mpl_cost cost) {
  static const struct {
    enum mpl_target_row target;
    enum mpl_cost cost;
    unsigned number;
  } others[] = {
#define MPL_COST_ON(target, id, number) {MPL_TARGET_##target, MPL_COST_##id, number},
#include "tables/costs.def"
  };
  for (unsigned k = 0; k < sizeof others / sizeof *others; k++)
    if (others[k].target == target->row && others[k].cost == cost) return others[k].number;
  return mpl_cost_table[cost].of[target->mask_bits];
}

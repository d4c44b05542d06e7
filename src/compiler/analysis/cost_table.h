/* Costs as rows of tables/costs.def, in sixteenths of a cycle: one unit for all choices. */
#ifndef MPL_COMPILER_COST_TABLE_H
#define MPL_COMPILER_COST_TABLE_H

#include "target.h"

enum mpl_cost {
#define MPL_COST(id, ...) MPL_COST_##id,
#include "tables/costs.def"
  MPL_NUM_COSTS
};
enum {
#define MPL_COST_GIVEN(id, number) MPL_GIVEN_##id = number,
#include "tables/costs.def"
};
enum mpl_cost_unit { MPL_UNIT_SCALAR, MPL_UNIT_ARITHMETIC, MPL_UNIT_MEMORY, MPL_NUM_UNITS };
struct mpl_cost_row {
  enum mpl_cost_unit unit;
  enum {
    MPL_EACH_CHUNK,
    MPL_EACH_REGISTER,
    MPL_EACH_LANE,
    MPL_EACH_DOUBLING,
    MPL_EACH_CONFLICT,
    MPL_EACH_ITEM
  } each;
  unsigned of[2]; /* without and with masks of bits */
  unsigned latency, item, item_latency;
};
extern const struct mpl_cost_row mpl_cost_table[];
/* operation_costs.c: of what an instruction computes, without regard to places and lanes;
 * MPL_NUM_COSTS: there is none. */
enum mpl_cost mpl_operation_row(LLVMValueRef);
/* Of lanes, on that processor. */
unsigned mpl_cost_of_lanes(const struct mpl_target *, enum mpl_cost);

/* Bytes of components, or of fields side by side, that lanes may gather as one. */
enum { MPL_LARGEST_VECTOR = 16 };
/* What is saved of a function's code (vector/plan/budget.c), and at least (the option of that
 * name); a later one saves what those before it do. */
enum mpl_economy { MPL_ALL_COPIES, MPL_ONE_COPY, MPL_PLAIN, MPL_ONE_ITEM };

#endif

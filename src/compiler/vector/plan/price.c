/* What is counted of a work-item loop, in time.
 *
 * An iteration takes as long as the unit of the processor that has most to do, or as it waits for
 * what the last one hands on, or, if it is too long for the processor to begin with the next one
 * meanwhile, as its own longest way from operation to operation. */
#include "cost.h"

enum model {
#define MPL_COST_MODEL(id, bits, lanes) id,
#include "tables/costs.def"
};
static const unsigned numbers[][2] = {
#define MPL_COST_MODEL(id, bits, lanes) {lanes, bits},
#include "tables/costs.def"
};

static unsigned model(const struct mpl_costs *costs, enum model number) {
  return numbers[number][costs->target->mask_bits];
}

static unsigned doublings(uint64_t width, uint64_t of) {
  unsigned count = 0;
  while (width > of << count) count++;
  return count;
}

static uint64_t with_percent(uint64_t cost, unsigned percent) {
  return cost * (100 + percent) / 100;
}

/* 16ths of how often a row is done in a chunk. */
static uint64_t times_of(const struct mpl_costs *costs, enum mpl_cost row, unsigned size,
                         unsigned width) {
  unsigned registers;
  switch (mpl_cost_table[row].each) {
  case MPL_EACH_ITEM:
    return 0;
  case MPL_EACH_LANE:
    return 16 * width;
  case MPL_EACH_CONFLICT:
    return 16 * width * doublings((uint64_t)costs->own_rows * width, MPL_GIVEN_WAYS);
  case MPL_EACH_REGISTER:
  case MPL_EACH_DOUBLING:
    registers = 16 * (width << size) / costs->target->unit_bytes;
    if (registers < 16) registers = 16;
    return mpl_cost_table[row].each == MPL_EACH_REGISTER
               ? registers
               : registers * doublings((uint64_t)costs->arrays * width, MPL_GIVEN_NEAR);
  default:
    return 16;
  }
}

static unsigned fill_percent(const struct mpl_costs *costs, enum mpl_fill fill, unsigned width) {
  static const enum model of[] = {
      [MPL_SOME_LANES] = SOME, [MPL_RAGGED_LANES] = RAGGED, [MPL_FEW_LANES] = FEW};
  return fill ? model(costs, of[fill]) * doublings(width, 1) : 0;
}

/* Bytes of `each` lane that do not fit into registers, of which `reserved` are not for them.  Those
 * of few lanes take a register each too. */
static uint64_t bytes_left(const struct mpl_costs *costs, unsigned each, unsigned width,
                           enum model reserved) {
  const struct mpl_target *target = costs->target;
  uint64_t bytes = (uint64_t)each * (width < costs->narrow ? costs->narrow : width),
           fit = (uint64_t)target->register_bytes * (target->registers - model(costs, reserved));
  return bytes > fit ? bytes - fit : 0;
}

/* Registers that do not fit are written to memory and read again. */
static uint64_t cost_of_spills(const struct mpl_costs *costs, enum mpl_cost row, uint64_t bytes) {
  return bytes * mpl_cost_of_lanes(costs->target, row) / costs->target->register_bytes;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* Percent of an iteration: there are as many as the lane has that stays longest. */
static unsigned percent_of_longest(const struct mpl_costs *costs,
                                   const struct mpl_loop_costs *loop) {
  return loop->has[MPL_FEW_LANES]      ? model(costs, FEW_LOOP)
         : loop->has[MPL_RAGGED_LANES] ? model(costs, RAGGED_LOOP)
                                       : 100;
}

/* What an iteration waits for the last one. */
static uint64_t cost_of_chain(const struct mpl_costs *costs, const struct mpl_loop_costs *loop,
                              bool spills) {
  uint64_t chain = loop->lane_chain;
  if (!chain) return 0;
  if (loop->left) chain += model(costs, LEFT);
  return chain * model(costs, CHAIN) / 100 + (spills ? model(costs, SPILLED) : 0);
}

/* Of an iteration. */
static uint64_t cost_of_loop(const struct mpl_costs *costs, const struct mpl_loop_costs *loop,
                             unsigned width) {
  uint64_t busy[MPL_NUM_UNITS] = {0}, done = 0, most = 0,
           held = bytes_left(costs, loop->carried, width, HELD),
           live = bytes_left(costs, loop->live, width, RESERVED);
  for (enum mpl_cost row = 0; row < MPL_NUM_COSTS; row++)
    for (enum mpl_fill fill = 0; fill < MPL_NUM_FILLS; fill++)
      for (unsigned size = 0; size < 4; size++) {
        if (!loop->count[row][fill][size]) continue;
        uint64_t times = loop->count[row][fill][size] * times_of(costs, row, size, width);
        busy[mpl_cost_table[row].unit] +=
            with_percent(times * mpl_cost_of_lanes(costs->target, row),
                         fill_percent(costs, fill, width));
        if (mpl_cost_table[row].each < MPL_EACH_DOUBLING) done += times;
      }
  busy[MPL_UNIT_MEMORY] += 16 * (cost_of_spills(costs, MPL_COST_SPILL, live) +
                                 cost_of_spills(costs, MPL_COST_CARRIED, held));
  for (unsigned unit = 0; unit < MPL_NUM_UNITS; unit++) most = larger(most, busy[unit]);
  most = larger(most, done * model(costs, ISSUE)) / 16;
  uint64_t window = 16 * (uint64_t)model(costs, WINDOW);
  most = larger(larger(most, cost_of_chain(costs, loop, held > 0)),
                done < window ? loop->path * done / window : loop->path);
  return most * percent_of_longest(costs, loop) / 100;
}

/* How often the loop's iterations are done for each chunk. */
static uint64_t weight_of(const struct mpl_costs *costs, const struct mpl_loop_costs *loop) {
  uint64_t weight = 1;
  for (;; loop = &costs->loops[loop->parent]) {
    weight *= smaller(loop->trip_count, MPL_GIVEN_MOST_TRIPS);
    if (loop->parent < 0) return smaller(weight, MPL_GIVEN_MOST_ITERATIONS);
  }
}

/* Percent that a chunk takes longer since groups, or their rows, are shorter. */
static unsigned percent_of_rows(const struct mpl_costs *costs, unsigned width) {
  unsigned operations = 0;
  if (!costs->has_rows) return 0;
  for (unsigned l = 0; l <= costs->num_loops; l++) operations += costs->loops[l].operations;
  return model(costs, costs->has_pieces ? ROWS_PIECES : ROWS) *
         doublings(width, operations > MPL_GIVEN_LARGE ? MPL_GIVEN_ROW : 2 * MPL_GIVEN_ROW);
}

uint64_t mpl_cost_of_chunk(const struct mpl_costs *costs, unsigned width) {
  enum { WIDE_LANES = 64 };
  uint64_t sum = model(costs, CHUNK);
  for (unsigned l = 0; l <= costs->num_loops; l++)
    sum += cost_of_loop(costs, &costs->loops[l], width) * weight_of(costs, &costs->loops[l]);
  if (width >= WIDE_LANES)
    sum = with_percent(sum, model(costs, width > WIDE_LANES ? WIDEST : WIDE));
  return sum;
}

uint64_t mpl_cost_in_rows(const struct mpl_costs *costs, unsigned width) {
  return with_percent(mpl_cost_of_chunk(costs, width), percent_of_rows(costs, width));
}

/* LLVM's vectoriser does several iterations of simple loops at a time. */
uint64_t mpl_cost_of_item(const struct mpl_costs *costs) {
  uint64_t sum = 0;
  for (unsigned l = 0; l <= costs->num_loops; l++) {
    const struct mpl_loop_costs *loop = &costs->loops[l];
    uint64_t chain = (uint64_t)loop->item_chain * MPL_GIVEN_ALONE_CHAIN / 100,
             each = larger(loop->item, chain) * weight_of(costs, loop);
    sum += loop->simple ? each / MPL_GIVEN_AT_A_TIME : each;
  }
  return sum * model(costs, ALONE) / 100;
}

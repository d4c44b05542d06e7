/* How much code a program may become.
 *
 * A work-item loop that is widened is there several times, and what its work-items do apart is
 * there for each lane.  LLVM takes some 0.15 ms for each register of results, and more if a
 * function has very many.  So there are limits for a kernel and for a program.  Above them
 *
 *   whole chunks and short rows have no loops of their own: there is one, under a mask, and more
 *     lanes have to gain more;
 *   above the next, a chunk has no more lanes than fill a register, and no accesses of their own
 *     for when lanes turn out to be side by side (speculate_contiguous.c);
 *   above the last, one work-item comes after another.
 *
 * A kernel that was divided into cases of what is the same for a launch has most of its code for
 * launches that never come: whole chunks and short rows have loops of their own only if it is
 * small.
 *
 * In a program it is first done where it saves most, until the rest fits. */
#include "runtime/options.h"
#include "plan.h"

/* Registers of results from which on each is done. */
static const unsigned of_kernel[] = {0, MPL_GIVEN_ONE_COPY_KERNEL, MPL_GIVEN_PLAIN_KERNEL,
                                     MPL_GIVEN_ONE_ITEM_KERNEL},
                      of_program[] = {0, MPL_GIVEN_ONE_COPY_PROGRAM, MPL_GIVEN_PLAIN_PROGRAM,
                                      MPL_GIVEN_ONE_ITEM_PROGRAM};

static unsigned lanes_with(const struct mpl_loop_choice *choice, enum mpl_economy economy) {
  return economy >= MPL_PLAIN      ? choice->narrow
         : economy == MPL_ONE_COPY ? choice->large
                                   : choice->width;
}

unsigned mpl_planned_lanes(const struct mpl_plan *p, const struct mpl_loop_choice *choice) {
  return lanes_with(choice, p->narrow ? MPL_PLAIN : p->economy);
}

uint64_t mpl_size_of_loop(const struct mpl_target *target, const struct mpl_loop_choice *choice,
                          unsigned lanes) {
  return choice->size.instructions + choice->size.bytes * lanes / target->register_bytes +
         (uint64_t)MPL_GIVEN_LANE_SIZE * lanes * choice->size.each_lane;
}

static uint64_t size_with(const struct mpl_plan *p, enum mpl_economy economy) {
  uint64_t sum = 0;
  for (size_t k = 0; k < p->num_loops; k++) {
    const struct mpl_loop_choice *choice = &p->loops[k].choice;
    sum += economy == MPL_ONE_ITEM
               ? choice->size.instructions
               : mpl_size_of_loop(p->ir->target, choice, lanes_with(choice, p->narrow ? MPL_PLAIN : economy));
  }
  return economy == MPL_ALL_COPIES ? 2 * sum : sum;
}

static unsigned limit_of(const struct mpl_plan *p, enum mpl_economy economy) {
  return economy == MPL_ONE_COPY && p->kernel->cases ? MPL_GIVEN_ONE_COPY_CASES : of_kernel[economy];
}

static uint64_t sum_of(const struct mpl_plan *plans, unsigned count) {
  uint64_t sum = 0;
  for (unsigned k = 0; k < count; k++) sum += size_with(&plans[k], plans[k].economy);
  return sum;
}

/* The function of which the most can be saved, or null. */
static struct mpl_plan *saves_most(struct mpl_plan *plans, unsigned count,
                                   enum mpl_economy economy) {
  struct mpl_plan *best = NULL;
  uint64_t most = 0;
  for (unsigned k = 0; k < count; k++) {
    if (plans[k].economy >= economy) continue;
    uint64_t now = size_with(&plans[k], plans[k].economy), then = size_with(&plans[k], economy);
    if (now <= then + most) continue;
    most = now - then;
    best = &plans[k];
  }
  return best;
}

void mpl_plan_sizes(struct mpl_plan *plans, unsigned count) {
  unsigned least = (unsigned)mpl_option_number(MPL_OPTION_CODE_ECONOMY);
  for (unsigned k = 0; k < count; k++)
    if (plans[k].economy < least) plans[k].economy = least;
  for (enum mpl_economy e = MPL_ONE_COPY; e <= MPL_ONE_ITEM; e++) {
    struct mpl_plan *p;
    for (unsigned k = 0; k < count; k++)
      if (size_with(&plans[k], plans[k].economy) > limit_of(&plans[k], e)) plans[k].economy = e;
    while (sum_of(plans, count) > of_program[e] && (p = saves_most(plans, count, e)))
      p->economy = e;
  }
}

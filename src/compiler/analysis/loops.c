#include "loops.h"

#include <stdlib.h>

#include "markers.h"

static void add_loop(struct mpl_loops *loops, const struct mpl_cfg *cfg, unsigned header,
                     unsigned latch) {
  unsigned back = 0;
  struct mpl_loop loop = {header, latch, .innermost = true};
  loop.in = mpl_allocate(cfg->count, sizeof *loop.in);
  loop.blocks = mpl_allocate(cfg->count, sizeof *loop.blocks);
  mpl_cfg_mark_loop(cfg, header, latch, loop.in);
  MPL_EACH_EDGE(from, &cfg->preds[header])
  back += from >= header;
  loop.innermost = back == 1;
  loop.blocks[loop.num_blocks++] = header;
  for (unsigned b = 0; b < cfg->count; b++) {
    if (!loop.in[b] || b == header) continue;
    loop.blocks[loop.num_blocks++] = b;
    loop.innermost &= !mpl_cfg_is_header(cfg, b);
  }
  MPL_APPEND(loops->list, loops->count) = loop;
}

void mpl_loops_find(struct mpl_loops *loops, const struct mpl_cfg *cfg) {
  *loops = (struct mpl_loops){0};
  for (unsigned header = 1; header < cfg->count; header++) {
    struct mpl_edges *preds = &cfg->preds[header];
    MPL_EACH_EDGE(from, preds)
    if (from >= header) add_loop(loops, cfg, header, from);
  }
}

void mpl_loops_free(struct mpl_loops *loops) {
  for (unsigned k = 0; k < loops->count; k++) {
    free(loops->list[k].blocks);
    free(loops->list[k].in);
  }
  free(loops->list);
}

void mpl_flow_find(struct mpl_flow *flow, LLVMValueRef function) {
  flow->function = function;
  mpl_cfg_build(&flow->cfg, function);
  mpl_shapes_find(&flow->shapes, &flow->cfg, function, NULL);
  mpl_loops_find(&flow->loops, &flow->cfg);
}

void mpl_flow_find_again(struct mpl_flow *flow) {
  mpl_flow_free(flow);
  mpl_flow_find(flow, flow->function);
}

void mpl_flow_free(struct mpl_flow *flow) {
  mpl_loops_free(&flow->loops);
  mpl_shapes_free(&flow->shapes);
  mpl_cfg_free(&flow->cfg);
}

unsigned mpl_loop_syncs(const struct mpl_cfg *cfg, const struct mpl_loop *loop) {
  unsigned syncs = 0;
  MPL_EACH_INSTRUCTION_IN(i, loop, cfg) syncs += mpl_is_sync(mpl_marker_of(i));
  return syncs;
}

bool mpl_loop_leaves(const struct mpl_cfg *cfg, const struct mpl_loop *loop, unsigned block) {
  MPL_EACH_EDGE(to, &cfg->succs[block])
  if (!loop->in[to]) return true;
  return false;
}

struct body {
  const struct mpl_cfg *cfg;
  const struct mpl_loop *loop;
};

static bool is_outside(const void *data, LLVMValueRef value) {
  const struct body *of = data;
  unsigned block = LLVMIsAInstruction(value) ? mpl_cfg_block_of(of->cfg, value) : of->cfg->count;
  return block >= of->cfg->count || !of->loop->in[block];
}

bool mpl_loop_fixes(const struct mpl_cfg *cfg, const struct mpl_loop *loop, LLVMValueRef value,
                    unsigned kinds) {
  return mpl_is_made_of(value, kinds, is_outside, &(struct body){cfg, loop});
}

bool mpl_loop_is_uniform(const struct mpl_flow *flow, const struct mpl_loop *loop) {
  for (unsigned n = 0; n < loop->num_blocks; n++) {
    unsigned b = loop->blocks[n];
    if (flow->shapes.varying_branch[b] && mpl_loop_leaves(&flow->cfg, loop, b)) return false;
  }
  return !flow->shapes.influenced[loop->header];
}

unsigned mpl_loop_size(const struct mpl_flow *flow, const struct mpl_loop *loop) {
  unsigned size = 0;
  MPL_EACH_INSTRUCTION_IN(i, loop, &flow->cfg) size++;
  return size;
}

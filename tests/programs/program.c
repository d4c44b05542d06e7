/* What stands in front of programs, and the comment that says how one is launched. */
#include "programs/program.h"

#include <stdio.h>
#include <string.h>

static const char prelude[] =
    "#define FOLD(x) (sum = (sum ^ (ulong)(x)) * 0x9e3779b97f4a7c15UL, sum ^= sum >> 29)\n"
    "#define FOLD_REAL(x) FOLD((long)(x))\n"
    "#define KERNEL_PARAMETERS(own) \\\n"
    "  global ulong *out, global const ulong *previous, volatile global uint *all_cells, \\\n"
    "  volatile global WORD *all_words, global ulong *share, global const uint *in, \\\n"
    "  constant uint *fixed, global own *own_all, int n\n"
    "#define KERNEL_HEAD(own, k) \\\n"
    "  const uint item = (uint)((get_global_id(0) - get_global_offset(0)) + get_global_size(0) * "
    "\\\n"
    "    ((get_global_id(1) - get_global_offset(1)) + get_global_size(1) * \\\n"
    "    (get_global_id(2) - get_global_offset(2)))); \\\n"
    "  const uint lid = (uint)(get_local_id(0) + get_local_size(0) * \\\n"
    "    (get_local_id(1) + get_local_size(1) * get_local_id(2))); \\\n"
    "  const uint lsize = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)); \\\n"
    "  const uint group = (uint)(get_group_id(0) + get_num_groups(0) * \\\n"
    "    (get_group_id(1) + get_num_groups(1) * get_group_id(2))); \\\n"
    "  volatile global uint *cells = all_cells + (k) * %d; \\\n"
    "  volatile global WORD *words = all_words + (k) * %d; \\\n"
    "  global own *me = own_all + item; local own *mine = l + lid; \\\n"
    "  ulong sum = previous[item];\n";

void program_prelude(struct text *text, bool newer) {
  if (!newer)
    text_add(text, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
  else
    text_add(text, "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n");
  text_add(text, "#define WORD %s\n", newer ? "atomic_uint" : "uint");
  text_add(text, prelude, CELLS, CELLS);
}

void program_header(struct text *text, const struct program *program) {
  const struct shape *s = &program->shape;
  text_add(text, "/* launch: seed %llu standard %d kernels %u uniform %d dims %u",
           (unsigned long long)program->seed, program->newer ? 3 : 1, program->kernels,
           program->uniform, s->dims);
  text_add(text, " global %zu %zu %zu local %zu %zu %zu offset %zu %zu %zu */\n", s->global[0],
           s->global[1], s->global[2], s->local[0], s->local[1], s->local[2], s->offset[0],
           s->offset[1], s->offset[2]);
}

bool program_parse(struct program *program, const char *text) {
  const char *at = strstr(text, "/* launch: ");
  struct shape *s = &program->shape;
  unsigned long long seed;
  int standard;
  if (!at) return false;
  *program = (struct program){0};
  int count = sscanf(at,
                     "/* launch: seed %llu standard %d kernels %u uniform %d dims %u global %zu "
                     "%zu %zu local %zu %zu %zu offset %zu %zu %zu",
                     &seed, &standard, &program->kernels, &program->uniform, &s->dims,
                     &s->global[0], &s->global[1], &s->global[2], &s->local[0], &s->local[1],
                     &s->local[2], &s->offset[0], &s->offset[1], &s->offset[2]);
  program->seed = seed;
  program->newer = standard == 3;
  return count == 14 && program->kernels <= MAX_KERNELS;
}

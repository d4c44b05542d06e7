/* Properties of ids that a module states before their definitions: names, decorations, entry points
 * and their execution modes, the instruction sets that it imports. */
#include <stdlib.h>
#include <string.h>

#include "reader.h"

static void add(mpl_spirv r, uint32_t target, int64_t member, uint32_t kind, const uint32_t *words,
                unsigned count) {
  struct mpl_spirv_decoration *list =
      realloc(r->decorations, (r->num_decorations + 1) * sizeof *list);
  if (!list) mpl_spirv_fail("out of memory");
  r->decorations = list;
  list[r->num_decorations++] =
      (struct mpl_spirv_decoration){target, member, (SpvDecoration)kind, words, count};
}

/* Gives a target the decorations of a group. */
static void add_group(mpl_spirv r, uint32_t group, uint32_t target, int64_t member) {
  for (uint32_t i = 0, count = r->num_decorations; i < count; i++) {
    struct mpl_spirv_decoration of_group = r->decorations[i];
    if (of_group.target == group && of_group.member < 0)
      add(r, target, member, of_group.kind, of_group.words, of_group.count);
  }
}

static void read_decoration(mpl_spirv r, mpl_spirv_in in) {
  switch ((SpvOp)in->opcode) {
  case SpvOpDecorate:
  case SpvOpDecorateId:
  case SpvOpDecorateString:
    add(r, mpl_spirv_word(in, 1), -1, mpl_spirv_word(in, 2), in->words + 3, in->count - 3);
    break;
  case SpvOpMemberDecorate:
  case SpvOpMemberDecorateString:
    add(r, mpl_spirv_word(in, 1), mpl_spirv_word(in, 2), mpl_spirv_word(in, 3), in->words + 4,
        in->count - 4);
    break;
  case SpvOpGroupDecorate:
    for (unsigned i = 2; i < in->count; i++) add_group(r, in->words[1], in->words[i], -1);
    break;
  case SpvOpGroupMemberDecorate:
    for (unsigned i = 2; i + 1 < in->count; i += 2)
      add_group(r, in->words[1], in->words[i], in->words[i + 1]);
    break;
  default:
    break;
  }
}

static void read_import(mpl_spirv r, mpl_spirv_in in) {
  const char *name = mpl_spirv_text(in, 2);
  if (!strcmp(name, "OpenCL.std")) {
    r->extended_set = mpl_spirv_word(in, 1);
    return;
  }
  bool says_nothing = !strncmp(name, "NonSemantic.", 12) || strstr(name, "DebugInfo");
  if (!says_nothing)
    mpl_spirv_fail("the extended instruction set '%s' is not supported; OpenCL.std is", name);
  for (unsigned i = 0; i < sizeof r->ignored_sets / sizeof *r->ignored_sets; i++) {
    if (r->ignored_sets[i]) continue;
    r->ignored_sets[i] = mpl_spirv_word(in, 1);
    return;
  }
}

static void read_mode(mpl_spirv r, mpl_spirv_in in) {
  struct mpl_spirv_instruction *list = realloc(r->modes, (r->num_modes + 1) * sizeof *list);
  if (!list) mpl_spirv_fail("out of memory");
  r->modes = list;
  list[r->num_modes++] = *in;
  if (mpl_spirv_word(in, 2) == SpvExecutionModeContractionOff) r->no_contraction = true;
}

static void read_entry(mpl_spirv r, mpl_spirv_in in) {
  if (mpl_spirv_word(in, 1) != SpvExecutionModelKernel)
    mpl_spirv_fail("the entry point '%s' is not a kernel", mpl_spirv_text(in, 3));
  struct mpl_spirv_entry *list = realloc(r->entries, (r->num_entries + 1) * sizeof *list);
  if (!list) mpl_spirv_fail("out of memory");
  r->entries = list;
  list[r->num_entries++] = (struct mpl_spirv_entry){mpl_spirv_word(in, 2), mpl_spirv_text(in, 3)};
}

static int by_target(const void *a, const void *b) {
  const struct mpl_spirv_decoration *x = a, *y = b;
  return (x->target > y->target) - (x->target < y->target);
}

void mpl_spirv_read_annotations(mpl_spirv r) {
  struct mpl_spirv_instruction in;
  size_t place = MPL_SPIRV_HEADER;
  while (mpl_spirv_next(&r->binary, &place, &in)) {
    switch ((SpvOp)in.opcode) {
    case SpvOpName:
      mpl_spirv_at(r, mpl_spirv_word(&in, 1))->name = mpl_spirv_text(&in, 2);
      break;
    case SpvOpExtInstImport:
      read_import(r, &in);
      break;
    case SpvOpEntryPoint:
      read_entry(r, &in);
      break;
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
      read_mode(r, &in);
      break;
    default:
      read_decoration(r, &in);
      break;
    }
  }
  if (r->num_decorations)
    qsort(r->decorations, r->num_decorations, sizeof *r->decorations, by_target);
  for (uint32_t i = 0; i < r->num_decorations; i++) {
    struct mpl_spirv_id *id = mpl_spirv_at(r, r->decorations[i].target);
    if (!id->num_decorations++) id->first_decoration = i;
  }
}

const struct mpl_spirv_decoration *mpl_spirv_member_decoration(mpl_spirv r, uint32_t id,
                                                               int64_t member, SpvDecoration kind) {
  const struct mpl_spirv_id *of = mpl_spirv_at(r, id);
  for (uint32_t i = 0; i < of->num_decorations; i++) {
    const struct mpl_spirv_decoration *decoration = &r->decorations[of->first_decoration + i];
    if (decoration->kind == kind && decoration->member == member) return decoration;
  }
  return NULL;
}

const struct mpl_spirv_decoration *mpl_spirv_decoration(mpl_spirv r, uint32_t id,
                                                        SpvDecoration kind) {
  return mpl_spirv_member_decoration(r, id, -1, kind);
}

mpl_spirv_in mpl_spirv_mode(mpl_spirv r, uint32_t function, SpvExecutionMode mode) {
  for (unsigned i = 0; i < r->num_modes; i++)
    if (mpl_spirv_word(&r->modes[i], 1) == function && mpl_spirv_word(&r->modes[i], 2) == mode)
      return &r->modes[i];
  return NULL;
}

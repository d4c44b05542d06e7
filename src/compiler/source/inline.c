/* Everything that can reach a sync point, asks where in the group it runs, or uses a local variable
 * of program scope, goes into its kernel: only a whole kernel can be cut into regions.  So does, on
 * a GPU, what its back end cannot call.  For widening the rest does too (helpers.c).  Then a first
 * clean-up, so that the passes behind see values and not the front end's stack slots. */
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/analysis/markers.h"
#include "compiler/items/filter.h"
#include "compiler/items/items.h"
#include "compiler/passes.h"
#include "runtime/options.h"
#include "source.h"

/* SROA has to run before work-item loops are marked parallel: it drops the marks of accesses that
 * it rewrites.  Loops in simplified form have a preheader, so that paths meet before a loop and not
 * in its header (regions.c counts on it), and values leave them through phis (lcssa), so that a
 * value which crosses a cut is stored once and not in every iteration. */
/* For the checking engine, in front of that: pointers are values, arrays are in their places yet.
 */
#define INLINED "always-inline,globaldce"
static const char pointers[] = INLINED ",function(mem2reg)";
/* Also in front of inlining, but for filters, which look at arrays first: helpers are as large then
 * as they will be (helpers.c). */
#define WITHOUT_SLOTS "function(lower-expect,sroa,early-cse)"
static const char values[] = INLINED "," WITHOUT_SLOTS;
/* To clang a break or return out of the life of a variable is a switch on a number. */
static const char clean_up[] =
    "function(simplifycfg<switch-range-to-icmp>,instcombine<no-verify-fixpoint>,"
    "loop(loop-rotate))";
#define UNROLLED                                                                                   \
  "function(loop(loop-unroll-full),sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,"    \
  "dse)"
#define RARE_INLINED                                                                               \
  "always-inline,globaldce,function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg)"
/* For filters: conditions that are the same each time. */
#define PROVED  "function(correlated-propagation,instcombine<no-verify-fixpoint>,dse)"
#define IN_FORM "function(loop-simplify,lcssa)"

/* Inlined calls of rarely executed functions in a program. */
enum { MOST_RARE = 6 };

enum colour { UNSEEN, ACTIVE, DONE };

struct walk {
  struct mpl_module_ir *ir;
  struct mpl_map reaches; /* function -> 1: it has to be inlined */
  struct mpl_map colours; /* function -> enum colour */
  struct mpl_map groups;  /* group function -> 1 */
};

/* Marks the callers of a function that has to be inlined, and theirs. */
static void mark_callers(struct walk *walk, LLVMValueRef function) {
  MPL_EACH_USER(user, function) {
    if (walk->ir->failed) return;
    if (mpl_callee_of(user) != function) {
      mpl_report(walk->ir, LLVMIsAInstruction(user) ? user : function,
                 "the address of '%s' is taken, but it calls group or work-item functions: call it "
                 "directly",
                 LLVMGetValueName(function));
      return;
    }
    LLVMValueRef caller = mpl_function_of(user);
    if (!mpl_map_add(&walk->reaches, caller)) continue;
    mark_callers(walk, caller);
  }
}

static bool calls_marker(LLVMValueRef function) {
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (mpl_marker_of(i)) return true;
  }
  return false;
}

static void need(struct walk *walk, LLVMValueRef function) {
  if (!mpl_map_add(&walk->reaches, function)) return;
  mark_callers(walk, function);
}

/* Local memory is a group's: only its kernel knows where. */
static void need_users_of_locals(struct walk *walk) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(walk->ir->module); g; g = LLVMGetNextGlobal(g)) {
    if (!mpl_is_program_local(g)) continue;
    mpl_ir_expand_constants(g);
    MPL_EACH_USER(user, g)
    if (LLVMIsAInstruction(user)) need(walk, mpl_function_of(user));
  }
}

/* --- recursion --- */

/* A call by which a function to inline comes back to itself, from `function` on; or null. */
static LLVMValueRef recursive_call(struct walk *walk, LLVMValueRef function) {
  mpl_map_set(&walk->colours, function, ACTIVE);
  MPL_EACH_INSTRUCTION_OF(i, function) {
    LLVMValueRef callee = mpl_callee_of(i);
    if (!callee || !mpl_map_has(&walk->reaches, callee)) continue;
    uintptr_t colour = mpl_map_get(&walk->colours, callee, UNSEEN);
    if (colour == ACTIVE) return i;
    LLVMValueRef call = colour == UNSEEN ? recursive_call(walk, callee) : NULL;
    if (call) return call;
  }
  mpl_map_set(&walk->colours, function, DONE);
  return NULL;
}

static void say_recursion(struct walk *walk, LLVMValueRef call, const struct mpl_ir_kernel *out) {
  char text[1024], kernel[256] = "";
  if (out) snprintf(kernel, sizeof kernel, "kernel '%.200s' is left out: ", out->name);
  char *name = mpl_ir_demangle(LLVMGetValueName(LLVMGetCalledValue(call)));
  snprintf(text, sizeof text,
           "%srecursion: '%.500s' calls itself and a group or work-item function%s", kernel, name,
           walk->ir->records ? "" : "; OpenCL C has no recursion, use a loop");
  LLVMDisposeMessage(name);
  if (out)
    mpl_ir_say(call, "warning", text);
  else
    mpl_report(walk->ir, call, "%s", text);
}

/* Others need a kernel that is enqueued by one of them, or makes their objects. */
static bool can_go(struct walk *walk, const struct mpl_ir_kernel *kernel) {
  return !walk->ir->records && !mpl_block_place(walk->ir, kernel->name) &&
         strcmp(kernel->name, MPL_CONSTRUCT) && strcmp(kernel->name, MPL_DESTRUCT);
}

/* Kernels of which a function comes back to itself are left out; an error where none of the
 * program's own would be left.  True if there are such functions that no kernel reaches. */
static bool leave_out_recursive(struct walk *walk) {
  struct mpl_module_ir *ir = walk->ir;
  MPL_ARRAY(LLVMValueRef, calls, ir->num_kernels + 1);
  LLVMValueRef call = NULL;
  MPL_ARRAY(bool, out, ir->num_kernels + 1);
  bool any = false, may = true;
  unsigned left = 0;
  for (unsigned k = 0; k < ir->num_kernels; k++) {
    calls[k] = recursive_call(walk, ir->kernels[k].group);
    out[k] = calls[k];
    left += !out[k] && can_go(walk, &ir->kernels[k]);
    if (!out[k]) continue;
    mpl_map_free(&walk->colours); /* what was on the way is active in it */
    may &= can_go(walk, &ir->kernels[k]);
    call = any ? call : calls[k];
    any = true;
  }
  if (any && (!may || !left)) say_recursion(walk, call, NULL);
  for (unsigned k = 0; any && may && left && k < ir->num_kernels; k++)
    if (out[k]) say_recursion(walk, calls[k], &ir->kernels[k]);
  if (!ir->failed) mpl_leave_out(ir, out);
  MPL_EACH_FUNCTION(f, ir->module) {
    if (!mpl_map_has(&walk->reaches, f) || mpl_map_has(&walk->colours, f)) continue;
    any |= recursive_call(walk, f) != NULL;
  }
  return any;
}

static void force_inline(LLVMValueRef function) {
  static const char *const dropped[] = {"noinline", "optnone", "convergent"};
  for (unsigned i = 0; i < sizeof dropped / sizeof *dropped; i++)
    mpl_drop_attribute(function, dropped[i]);
  mpl_add_attribute(function, "alwaysinline");
}

/* Nothing of a program is visible outside its object but the table; group functions stay external
 * until the table refers to them, so that no clean-up drops them. */
static void set_linkage(struct walk *walk) {
  MPL_EACH_FUNCTION(f, walk->ir->module) {
    if (!LLVMIsDeclaration(f) && !mpl_map_has(&walk->groups, f))
      LLVMSetLinkage(f, LLVMInternalLinkage);
  }
  MPL_EACH_KERNEL(kernel, walk->ir)
  LLVMSetLinkage(kernel->group, LLVMExternalLinkage);
  for (LLVMValueRef g = LLVMGetFirstGlobal(walk->ir->module); g; g = LLVMGetNextGlobal(g)) {
    if (!LLVMIsDeclaration(g) && LLVMGetLinkage(g) == LLVMExternalLinkage)
      LLVMSetLinkage(g, LLVMInternalLinkage);
  }
}

static void inline_needed(struct walk *walk) {
  MPL_EACH_FUNCTION(f, walk->ir->module) {
    bool needed = mpl_map_has(&walk->reaches, f) && !mpl_map_has(&walk->groups, f);
    if (needed && !LLVMIsDeclaration(f)) force_inline(f);
  }
}

/* --- rarely executed calls --- */

static unsigned rare_calls(struct mpl_module_ir *ir, const char *what) {
  unsigned count = 0;
  MPL_EACH_KERNEL(kernel, ir) {
    MPL_EACH_INSTRUCTION_OF(i, kernel->group) {
      count += mpl_is_rare(mpl_callee_of(i), what);
    }
  }
  return count;
}

static void bring_in_form(struct mpl_module_ir *ir) {
  mpl_fix_irreducible(ir);
  mpl_run_llvm_passes(ir, IN_FORM);
}

/* In a program of many calls they stay calls, for one work-item after another. */
static void place_rare(struct mpl_module_ir *ir, const char *what, unsigned count) {
  if (!count || count > MOST_RARE) return;
  MPL_EACH_FUNCTION(f, ir->module) {
    if (LLVMIsDeclaration(f) || !mpl_is_rare(f, what)) continue;
    force_inline(f);
    mpl_drop_attribute(f, "cold");
  }
  mpl_run_llvm_passes(ir, RARE_INLINED);
  bring_in_form(ir);
}

/* Places in kernels, when all is inlined, where the function would be called; hardly more than `most`
 * are counted. */
static unsigned places_of(LLVMValueRef function, unsigned most, unsigned depth) {
  enum { DEEPEST = 16 };
  unsigned count = 0;
  if (depth == DEEPEST) return count;
  MPL_EACH_USER(user, function) {
    if (count > most) break;
    if (mpl_callee_of(user) != function) continue;
    LLVMValueRef caller = mpl_function_of(user);
    unsigned more = places_of(caller, most - count, depth + 1);
    count += more ? more : LLVMGetLinkage(caller) == LLVMExternalLinkage;
  }
  return count;
}

/* In a program that accesses images in many places these stay calls, of lanes together: the code for
 * each layout of pixels is most of an access, and most of the time that such a program takes to build. */
static void place_pixels(struct mpl_module_ir *ir) {
  unsigned places = 0, most = (unsigned)mpl_option_number(MPL_OPTION_INLINED_PIXELS);
  MPL_EACH_FUNCTION(f, ir->module) {
    if (mpl_is_called_pixel(f)) places += places_of(f, most, 0);
  }
  bool inlines = ir->checked || ir->filters || ir->plain || ir->by_item;
  ir->many_images = !inlines && places > most;
  MPL_EACH_FUNCTION(f, ir->module) {
    if (!ir->many_images && !LLVMIsDeclaration(f) && mpl_is_called_pixel(f)) force_inline(f);
  }
}

/* For the checking engine: what such a function accesses is then at its caller's line, which alone
 * the programmer knows. */
static void inline_rare(struct mpl_module_ir *ir, const char *what) {
  MPL_EACH_FUNCTION(f, ir->module) {
    if (!LLVMIsDeclaration(f) && mpl_is_rare(f, what)) force_inline(f);
  }
}

/* Images' formats that are no whole words or bytes are most of the code of an access, and each
 * would be widened; angles of many turns are half of a sine. */
static void place_all_rare(struct mpl_module_ir *ir) {
  unsigned pixels = rare_calls(ir, "pixel"), angles = rare_calls(ir, "angle");
  if (ir->many_images) pixels = MOST_RARE + 1;
  ir->many_images = pixels > MOST_RARE;
  place_rare(ir, "pixel", pixels);
  place_rare(ir, "angle", angles);
}

/* Places in private arrays that loops count are mostly known to be inside.  In front of unrolling:
 * loops are unrolled then as they would be without looks. */
static void leave_out_looks(struct mpl_module_ir *ir) {
  if (!mpl_has_looks(ir)) return;
  mpl_find_written_arrays(ir);
  mpl_run_llvm_passes(ir, PROVED);
  mpl_drop_known_looks(ir);
}

/* In C and C++ the engine knows nothing of private arrays, and looks at them only keep filters
 * inside. So they are at what is left when objects of C++ are in pieces, references to these are
 * gone, and loops over the dimensions of an id too. */
static void look_at_arrays(struct mpl_module_ir *ir) {
  mpl_run_llvm_passes(ir, ir->records ? values : pointers);
  if (ir->records) {
    mpl_run_llvm_passes(ir, clean_up);
    mpl_run_llvm_passes(ir, UNROLLED);
    bring_in_form(ir);
  }
  mpl_look_at_arrays(ir);
}

/* Code for sub-groups depends on their size, which each kernel has for itself: known from here on.  On a
 * GPU that is the library's (builtins/nvptx/primitives.h), else the program's and SYCL's own. */
static void tell_sub_group_sizes(struct mpl_module_ir *ir) {
  if (!ir->gpu && !LLVMGetNamedFunction(ir->module, mpl_markers[MPL_MARK_LANES_SIZE].name)) return;
  mpl_run_llvm_passes(ir, INLINED);
  MPL_EACH_KERNEL(kernel, ir) {
    MPL_EACH_INSTRUCTION_OF(i, kernel->group) {
      if (mpl_marker_of(i) != MPL_MARK_LANES_SIZE) continue;
      mpl_replace(i, mpl_parameter_of(ir, kernel, MPL_MARK_LANES_SIZE));
    }
  }
}

static void optimise(struct mpl_module_ir *ir) {
  bool widens = !ir->by_item;
  if (ir->plain) { /* variables keep their places */
    mpl_run_llvm_passes(ir, INLINED);
    return;
  }
  if (ir->gpu || widens) tell_sub_group_sizes(ir);
  if (ir->watched && ir->checked) inline_rare(ir, "pixel");
  if (ir->filters) {
    look_at_arrays(ir);
  } else if (ir->watched && ir->checked) {
    mpl_run_llvm_passes(ir, pointers);
    mpl_watch_arrays(ir);
  }
  mpl_run_llvm_passes(ir, values);
  if (widens) mpl_infer_spaces(ir);
  if (widens) mpl_widen_mirrored_indices(ir);
  mpl_run_llvm_passes(ir, clean_up);
  if (ir->filters) leave_out_looks(ir);
  if (widens) {
    mpl_mark_loops(ir);
    mpl_tell_spaces_apart(ir);
  }
  if (ir->gpu) mpl_ir_keep_loops(ir->module);
  mpl_run_llvm_passes(ir, widens ? UNROLLED ",function(loop-mssa(licm))" : UNROLLED);
  if (ir->gpu) mpl_ir_allow_loops(ir->module);
  bring_in_form(ir);
  if (ir->filters) mpl_drop_known_looks(ir);
  if (widens) mpl_unmark_loops(ir);
  if (widens) place_all_rare(ir);
}

/* Is noinline the programmer's word?  At -O1 clang gives it to all functions, and nobody gives it
 * to a kernel. */
static bool means_noinline(const struct mpl_module_ir *ir) {
  MPL_EACH_KERNEL(kernel, ir)
  if (mpl_has_attribute(kernel->source, "noinline")) return false;
  return true;
}

/* What uses local memory of program scope is in its kernel, which alone knows where that is. */
static void hand_ids(struct mpl_module_ir *ir) {
  struct walk walk = {.ir = ir};
  need_users_of_locals(&walk);
  mpl_hand_ids(ir, &walk.reaches);
  mpl_map_free(&walk.reaches);
}

bool mpl_inline(struct mpl_module_ir *ir) {
  struct walk walk = {.ir = ir};
  bool by_words = !ir->checked && !ir->filters && means_noinline(ir);
  if (by_words && !ir->gpu) hand_ids(ir);
  MPL_EACH_FUNCTION(f, ir->module) {
    if (LLVMIsDeclaration(f)) continue;
    if (calls_marker(f) || (ir->gpu && mpl_gpu_must_inline(f))) need(&walk, f);
  }
  need_users_of_locals(&walk);
  bool unreached = !ir->failed && leave_out_recursive(&walk);
  MPL_EACH_KERNEL(kernel, ir) {
    mpl_map_set(&walk.reaches, kernel->source, 1);
    mpl_map_set(&walk.groups, kernel->group, 1);
  }
  set_linkage(&walk);
  if (unreached && !ir->failed) mpl_run_llvm_passes(ir, "globaldce");
  inline_needed(&walk);
  place_pixels(ir);
  if (!ir->failed && !ir->checked && !ir->filters && !ir->plain)
    mpl_run_llvm_passes(ir, WITHOUT_SLOTS);
  if (!ir->failed) mpl_inline_helpers(ir, &walk.reaches, by_words);
  if (!ir->failed && ir->num_kernels) optimise(ir);
  mpl_map_free(&walk.reaches);
  mpl_map_free(&walk.colours);
  mpl_map_free(&walk.groups);
  return true;
}

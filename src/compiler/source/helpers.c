/* What is called is done for one work-item after another; what is inlined is widened with the rest.
 * So for widening every function that a kernel calls, of the program or of the built-in library,
 * goes into it, as far as the code does not grow out of hand.  Recursive and indirect calls stay,
 * and those of functions that have a vector form, are not to be optimised or inlined, or are cold,
 * as the built-in library's for what is rare (inline.c). */
#include <stdlib.h>

#include "compiler/analysis/map.h"
#include "compiler/passes.h"
#include "source.h"

/* Instructions, but for the front end's stack slots, of a function with what is inlined into it.
 * Widened, LLVM takes a second or two for a thousand with branches and loops.  Filters have the
 * slots yet, and will have looks at all accesses. */
enum { MOST_CODE = 4000, MOST_OF_FILTER = 1400 };
/* Of a function that is inlined always: to call it for each lane takes as much. */
enum { TINY = 16 };

enum { ACTIVE = 1, SIZED = 2 }; /* in `sizes`: on the way from the kernel; SIZED + instructions */

struct helpers {
  struct mpl_module_ir *ir;
  struct mpl_map *needed; /* functions that are inlined in any case */
  bool by_words;          /* noinline is the programmer's */
  struct mpl_map sizes;
};

struct callee {
  LLVMValueRef function, call; /* one of the calls */
  uint64_t size, growth;       /* by one, and by all of them */
  bool kept;
};

struct callees {
  struct callee *list;
  size_t count;
};

/* The function of a call that might be inlined, or null. */
static LLVMValueRef helper_of(struct helpers *h, LLVMValueRef call) {
  LLVMValueRef f = mpl_callee_of(call);
  if (!f || LLVMIsDeclaration(f)) return NULL;
  if (mpl_map_has(h->needed, f)) return f;
  if (LLVMGlobalGetValueType(f) != LLVMGetCalledFunctionType(call)) return NULL;
  if (mpl_has_attribute(f, "optnone") || mpl_has_attribute(f, "cold")) return NULL;
  if (h->by_words && mpl_has_attribute(f, "noinline")) return NULL;
  return f;
}

static bool is_inlined_anyway(struct helpers *h, LLVMValueRef function) {
  return mpl_map_has(h->needed, function) || mpl_has_attribute(function, "alwaysinline");
}

static uint64_t size_of(struct helpers *, LLVMValueRef function);

static void add_call(struct helpers *h, struct callees *all, LLVMValueRef f, LLVMValueRef call) {
  uint64_t size = size_of(h, f);
  size_t k = 0;
  while (k < all->count && all->list[k].function != f) k++;
  if (k == all->count)
    MPL_APPEND(all->list, all->count) = (struct callee){.function = f, .call = call, .size = size};
  all->list[k].growth += size;
}

/* Leaves the biggest callees out until the rest fits; how much code that is. */
static uint64_t choose(struct helpers *h, struct callees *all, uint64_t own) {
  uint64_t total = own, most = h->ir->filters ? MOST_OF_FILTER : MOST_CODE;
  for (size_t k = 0; k < all->count; k++) total += all->list[k].growth;
  while (total > most) {
    struct callee *biggest = NULL;
    for (size_t k = 0; k < all->count; k++) {
      struct callee *c = &all->list[k];
      if (!c->kept && c->size > TINY && !is_inlined_anyway(h, c->function) &&
          (!biggest || c->growth > biggest->growth))
        biggest = c;
    }
    if (!biggest) break;
    biggest->kept = true;
    total -= biggest->growth;
    mpl_remark(h->ir, biggest->call, "'%s' is not inlined: that would be %llu instructions more",
               LLVMGetValueName(biggest->function), (unsigned long long)biggest->growth);
  }
  return total;
}

static void mark_calls(struct helpers *h, const struct callees *all, LLVMValueRef function) {
  MPL_EACH_INSTRUCTION_OF(i, function) {
    LLVMValueRef f = helper_of(h, i);
    for (size_t k = 0; f && k < all->count; k++) {
      if (all->list[k].function == f && !all->list[k].kept)
        mpl_add_attribute_to_call(i, "alwaysinline");
    }
  }
}

/* Of a function with all that is inlined into it, which its calls are marked for. */
static uint64_t size_of(struct helpers *h, LLVMValueRef function) {
  uintptr_t known = mpl_map_get(&h->sizes, function, 0);
  if (known) return known - SIZED;
  mpl_map_set(&h->sizes, function, ACTIVE);
  struct callees all = {0};
  uint64_t own = 0;
  MPL_EACH_INSTRUCTION_OF(i, function) {
    own++;
    LLVMValueRef f = helper_of(h, i);
    if (f && mpl_map_get(&h->sizes, f, 0) != ACTIVE) add_call(h, &all, f, i);
  }
  uint64_t size = choose(h, &all, own);
  mark_calls(h, &all, function);
  free(all.list);
  mpl_map_set(&h->sizes, function, SIZED + size);
  return size;
}

void mpl_inline_helpers(struct mpl_module_ir *ir, struct mpl_map *needed, bool by_words) {
  if (ir->checked) return;
  struct helpers h = {.ir = ir, .needed = needed, .by_words = by_words};
  MPL_EACH_KERNEL(kernel, ir) size_of(&h, kernel->source);
  mpl_map_free(&h.sizes);
}

#include "cpu/stack.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cpu/object.h"

enum { KEPT = 16 << 20 };
#define MOST (4ul << 30) /* LLVM makes no right code for frames of more than half of it */

bool mpl_stack_has(size_t bytes) {
  static _Thread_local struct { uintptr_t low, high; } own;
  if (bytes > MOST) return false;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (!own.high) {
    pthread_attr_t attributes;
    void *low;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes)) return false;
    if (!pthread_attr_getstack(&attributes, &low, &size)) {
      own.low = (uintptr_t)low;
      own.high = own.low + size;
    }
    pthread_attr_destroy(&attributes);
  }
  return here >= own.low && here < own.high && here - own.low >= bytes;
}

void mpl_stack_free(struct mpl_stack_memory *stack) {
  if (stack->mapping) munmap(stack->mapping, stack->size);
  *stack = (struct mpl_stack_memory){0};
}

bool mpl_stack_grow(struct mpl_stack_memory *stack, size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  if (bytes > MOST) return false;
  size_t size = (bytes + page - 1) / page * page + page;
  if (stack->size >= size) return true;
  mpl_stack_free(stack);
  void *mapping = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping == MAP_FAILED) return false;
  *stack = (struct mpl_stack_memory){mapping, size};
  if (!mprotect(mapping, page, PROT_NONE)) return true;
  mpl_stack_free(stack);
  return false;
}

void mpl_stack_trim(struct mpl_stack_memory *stack) {
  if (stack->size > KEPT) mpl_stack_free(stack);
}

/* stack_ARCHITECTURE.S */
void mpl_stack_enter(void (*function)(void *), void *data, void *top);

void mpl_stack_call(const struct mpl_stack_memory *stack, void (*function)(void *), void *data) {
  mpl_stack_enter(function, data, stack->mapping + stack->size);
}

/* --- The size that a kernel needs --- */

struct sizes {
  const unsigned char *at, *end;
};

/* A function's address and its frame (LLVM, "Code Generator", section .stack_sizes). */
static bool next_size(struct sizes *sizes, uint64_t *address, uint64_t *frame) {
  unsigned char byte = 0x80;
  if (sizes->end - sizes->at < (ptrdiff_t)sizeof *address) return false;
  memcpy(address, sizes->at, sizeof *address);
  sizes->at += sizeof *address;
  *frame = 0;
  for (unsigned shift = 0; byte & 0x80 && sizes->at < sizes->end && shift < 56; shift += 7) {
    byte = *sizes->at++;
    *frame |= (uint64_t)(byte & 0x7f) << shift;
  }
  return !(byte & 0x80);
}

static struct mpl_kernel *kernel_at(struct mpl_kernel *kernels, size_t count, uintptr_t address) {
  for (size_t i = 0; i < count; i++)
    if ((uintptr_t)kernels[i].run == address || (uintptr_t)kernels[i].run_lone == address)
      return &kernels[i];
  return NULL;
}

/* Sizes are 56 bits long at most, and may be many. */
static uint64_t sum(uint64_t a, uint64_t b) {
  const uint64_t too_much = 1ull << 60;
  return a + b < too_much ? a + b : too_much;
}

/* The return address, and up to what the frame is aligned to; a frame is not smaller than that. */
static uint64_t with_call(uint64_t frame) {
  enum { CALL = 64 };
  uint64_t align = frame < CALL ? 0 : 1ull << (63 - __builtin_clzll(frame));
  return frame + align + CALL;
}

/* Each function is at most once on the stack, since there is no recursion: a kernel needs its own frame
 * and, at most, those of all functions that are no kernels. */
void mpl_stack_measure(const void *object, size_t size, uintptr_t bias, struct mpl_kernel *kernels,
                       size_t count) {
  size_t length;
  const unsigned char *list = mpl_object_section(object, size, ".stack_sizes", &length);
  uint64_t address, frame, others = 0;
  for (size_t i = 0; i < count; i++) kernels[i].stack_size = 0;
  if (!list) return;
  struct sizes sizes = {list, list + length};
  while (next_size(&sizes, &address, &frame)) {
    struct mpl_kernel *kernel = kernel_at(kernels, count, (uintptr_t)address + bias);
    uint64_t needed = with_call(frame);
    if (kernel) {
      if (kernel->stack_size < needed) kernel->stack_size = needed;
    } else
      others = sum(others, needed);
  }
  for (size_t i = 0; i < count; i++) kernels[i].stack_size = sum(kernels[i].stack_size, others);
}

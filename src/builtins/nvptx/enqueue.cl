/* Enqueuing kernels on a GPU: calls become records (abi/records.h).  What enqueue_kernel answers is
 * found out here, as the host would (opencl/device_side/device_enqueue.c, runtime/ndrange.c). */
#include "abi/gpu.h"
#include "abi/records.h"
#include "sync.h"

typedef global struct mpl_records *host_at;
#define HOST() ((host_at)(ulong)__mpl_launch()->args)
#include "../enqueue.cl"

typedef const global struct mpl_records_block *block_at;
typedef const private struct mpl_range *range_at;
typedef global atomic_ulong *counter_at;

#define LOAD(counter) atomic_load_explicit(counter, memory_order_relaxed, memory_scope_device)

/* Moves a counter on, but not beyond its end; where it was, or ULONG_MAX. */
static ulong take(counter_at counter, ulong count, ulong end) {
  ulong was = LOAD(counter);
  do {
    if (was > end || count > end - was) return ULONG_MAX;
  } while (!atomic_compare_exchange_strong_explicit(counter, &was, was + count,
                                                    memory_order_relaxed, memory_order_relaxed,
                                                    memory_scope_device));
  return was;
}

static ulong rounded(ulong size, ulong align) { return (size + align - 1) / align * align; }

static bool is_event(ulong number) { return number && number != ULONG_MAX && !(number & 7); }

static ulong new_event(host_at host) {
  ulong index = take(&host->events_used, 1, host->num_events);
  return index == ULONG_MAX ? 0 : ((const global ulong *)host->events)[index];
}

/* --- What the host would refuse --- */

static global struct mpl_records_queue *queue_of(host_at host, ulong handle) {
  global struct mpl_records_queue *queues = (global struct mpl_records_queue *)host->queues;
  ulong first = 0, end = host->num_queues;
  while (first < end) {
    ulong middle = (first + end) / 2;
    if (queues[middle].handle == handle) return &queues[middle];
    if (queues[middle].handle < handle)
      first = middle + 1;
    else
      end = middle;
  }
  return 0;
}

static bool is_whole_range(range_at range) {
  ulong total = 1;
  if (range->dims < 1 || range->dims > 3) return false;
  for (uint d = 0; d < range->dims; d++) {
    ulong size = range->whole[d];
    if (range->offset[d] + size < size || mul_hi(total, size)) return false;
    total *= size;
  }
  return true;
}

static ulong whole_of(range_at range, uint d) { return d < range->dims ? range->whole[d] : 1; }

/* The local size as the host makes it of none (cuda/launch.c) does not matter for this. */
static bool is_possible(host_at host, block_at block, range_at range) {
  ulong items = 1;
  bool given = range->group[0] != 0;
  if (!is_whole_range(range)) return false;
  if (!given && !block->reqd_local[0]) return true;
  for (uint d = 0; d < 3; d++)
    if (!whole_of(range, d)) return true;
  for (uint d = 0; d < 3; d++) {
    ulong size = d >= range->dims ? 1 : given ? range->group[d] : block->reqd_local[d];
    if (!size || size > host->max_group) return false;
    items *= size;
    if (items > host->max_group) return false;
    if (block->reqd_local[0] && size != block->reqd_local[d]) return false;
    if (block->uniform && whole_of(range, d) % size) return false;
  }
  return true;
}

static bool are_waits(uint count, const generic ulong *waits, bool may_lack) {
  if (!waits != !count || (!waits && !may_lack)) return false;
  for (uint i = 0; i < count; i++)
    if (!is_event(waits[i])) return false;
  return true;
}

static bool are_locals(host_at host, block_at block, uint count, const private ulong *sizes) {
  ulong size = block->local_size;
  if (block->num_args != count + 1) return false;
  for (uint i = 0; i < count; i++) {
    if (!sizes[i] || sizes[i] > UINT_MAX) return false;
    size = rounded(size, MPL_LOCAL_ALIGN) + sizes[i];
  }
  return size <= host->local_memory;
}

/* --- Records --- */

static void copy_words(global uint *to, const generic uint *from, ulong count) {
  for (ulong i = 0; i < count; i++) to[i] = from[i];
}

/* A literal is aligned to 4 bytes at least; its size need not be. */
static void copy_literal(global char *to, const generic char *from, ulong size) {
  copy_words((global uint *)to, (const generic uint *)from, size / 4);
  for (ulong i = size / 4 * 4; i < size; i++) to[i] = from[i];
}

/* What it takes of its queue, as long as it is pending, and how long its record is. */
struct sizes {
  ulong literal, pending, record;
};

static struct sizes sizes_of(host_at host, block_at block, const private struct mpl_child *child) {
  const generic uint *literal = (const generic uint *)child->block; /* its size and its alignment */
  ulong size = child->code ? literal[0] : 0, align = child->code ? literal[1] : 0;
  ulong behind = 8ul * child->num_waits + size;
  return (struct sizes){
      .literal = size,
      .pending = (child->code ? block->pending : host->marker) + behind +
                 (align < MPL_BLOCK_ALIGN ? MPL_BLOCK_ALIGN : align),
      .record = rounded(sizeof(struct mpl_record) + 8ul * child->num_locals + behind,
                        MPL_RECORD_ALIGN)};
}

static void write(global struct mpl_record *record, const private struct mpl_child *child,
                  const private struct sizes *sizes, ulong event) {
  record->size = sizes->record;
  record->kind = MPL_RECORD_CHILD;
  record->queue = child->queue;
  record->code = child->code;
  record->event = event;
  record->flags = child->flags;
  record->num_waits = child->num_waits;
  record->num_locals = child->num_locals;
  if (child->code) record->range = *(range_at)child->range;
  global char *behind = (global char *)(record + 1);
  copy_words((global uint *)behind, (const generic uint *)child->waits, 2ul * child->num_waits);
  behind += 8ul * child->num_waits;
  copy_words((global uint *)behind, (const generic uint *)child->local_sizes,
             2ul * child->num_locals);
  behind += 8ul * child->num_locals;
  copy_literal(behind, (const generic char *)child->block, sizes->literal);
}

static bool is_right(host_at host, block_at block, const private struct mpl_child *child) {
  if (child->code > host->num_blocks) return false;
  if (!child->code && child->flags == MPL_MARKER_OF_QUEUE) return true;
  if (child->code &&
      (!is_possible(host, block, (range_at)child->range) ||
       !are_locals(host, block, child->num_locals, (const private ulong *)child->local_sizes)))
    return false;
  return are_waits(child->num_waits, (const generic ulong *)child->waits, child->code);
}

BY_ITEM int __mpl_queue_enqueue(host_at host, const private struct mpl_child *child) {
  global struct mpl_records_queue *queue = host ? queue_of(host, child->queue) : 0;
  block_at block = queue ? (block_at)host->blocks + (child->code ? child->code - 1 : 0) : 0;
  if (!queue || !is_right(host, block, child)) return CLK_ENQUEUE_FAILURE;
  const struct sizes sizes = sizes_of(host, block, child);
  if (take(&queue->used, sizes.pending, queue->size) == ULONG_MAX) return CLK_ENQUEUE_FAILURE;
  ulong event = child->event ? new_event(host) : 0, at = ULONG_MAX;
  if (event || !child->event) at = take(&host->used, sizes.record, host->for_kernels);
  if (at == ULONG_MAX) {
    atomic_fetch_sub_explicit(&queue->used, sizes.pending, memory_order_relaxed,
                              memory_scope_device);
    return CLK_ENQUEUE_FAILURE;
  }
  write((global struct mpl_record *)(host->records + at), child, &sizes, event);
  if (child->event) *(generic ulong *)child->event = event;
  return CLK_SUCCESS;
}

/* The times of what is complete; another command of the host's may complete it just now. */
static bool capture(ulong number, ulong place) {
  const volatile global struct mpl_records_event *event =
      (const volatile global struct mpl_records_event *)number;
  if (event->status > 0) return false;
  __asm__ volatile("fence.acq_rel.sys;" ::: "memory");
  ((global ulong *)place)[0] = event->ran;
  ((global ulong *)place)[1] = event->took;
  return true;
}

BY_ITEM ulong __mpl_queue_event(host_at host, uint call, ulong event, ulong argument) {
  if (call == MPL_EVENT_CREATE) return host ? new_event(host) : 0;
  if (call == MPL_EVENT_IS_VALID || !host || !is_event(event)) return is_event(event);
  if (call == MPL_EVENT_CAPTURE && capture(event, argument)) return 0;
  ulong at = take(&host->used, MPL_RECORD_EVENT_SIZE, host->size);
  if (at == ULONG_MAX) {
    host->lost = 1;
    return 0;
  }
  global struct mpl_record *record = (global struct mpl_record *)(host->records + at);
  record->size = MPL_RECORD_EVENT_SIZE;
  record->kind = MPL_RECORD_EVENT;
  record->call = call;
  record->event = event;
  record->argument = argument;
  return 0;
}

/* --- Questions --- */

/* As cuda/launch.c suggests, in a kernel without a required size. */
static ulong suggested_items(block_at block, range_at range) {
  ulong size = 1;
  for (uint d = 0; d < range->dims; d++) {
    ulong whole = range->whole[d], room = MPL_GPU_SUGGESTED / size;
    if (d == 2 && room > MPL_GPU_MOST_DEEP) room = MPL_GPU_MOST_DEEP;
    ulong here = whole < room ? whole : room;
    while (block->uniform && whole % here) here--;
    size *= here;
  }
  return size;
}

static ulong items_of_groups(host_at host, block_at block, range_at range) {
  ulong items = 1;
  if (!is_possible(host, block, range)) return 0;
  for (uint d = 0; d < range->dims; d++)
    if (!range->whole[d]) return 1;
  if (!range->group[0] && !block->reqd_local[0]) return suggested_items(block, range);
  for (uint d = 0; d < range->dims; d++)
    items *= range->group[0] ? range->group[d] : block->reqd_local[d];
  return items;
}

BY_ITEM ulong __mpl_queue_ask(host_at host, uint question, ulong code, ulong range) {
  if (!host) return 0;
  if (question == MPL_ASK_DEFAULT_QUEUE) return host->default_queue;
  if (!code || code > host->num_blocks) return 0;
  if (question == MPL_ASK_WORK_GROUP_SIZE) return host->max_group;
  if (question != MPL_ASK_SUB_GROUP_COUNT) return host->sub_group;
  block_at block = (block_at)host->blocks + (code - 1);
  return (items_of_groups(host, block, (range_at)range) + host->sub_group - 1) / host->sub_group;
}

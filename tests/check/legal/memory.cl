// Accesses that are right, though they do not look like it: out[i] is 1 where all is well.  Groups
// of 96, sub-groups of 16.

// Bytes of one word, each somebody else's; then the neighbour's.
kernel void bytes(global int *out) {
  local uchar b[96];
  size_t i = get_local_id(0);
  b[i] = (uchar)i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = b[95 - i] == 95 - i;
}

// All write the same.
kernel void same(global int *out) {
  local int found;
  if (get_local_id(0) == 0) found = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) % 3 == 0) found = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = found;
}

// Three of four components, one component at a time, and a structure with a hole.
typedef struct { char c; int i; } holed;
kernel void parts(global int *out) {
  local float3 v[96];
  local float4 w[96];
  local holed h[96], copy[96];
  size_t i = get_local_id(0), j = (i + 1) % 96;
  v[i] = (float3)(i, 1, 2);
  w[i].x = i;
  w[i].y = i;
  w[i].z = w[i].w = 1;
  h[i].c = 1;
  h[i].i = (int)i;
  copy[i] = h[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  holed got = copy[j];
  out[get_global_id(0)] = v[j].x == j && w[j].y == j && got.i == j && got.c == 1;
}

// In turns of a loop the halves change places.
kernel void two_halves(global int *out) {
  local int side[2][96];
  int i = get_local_id(0), from = 0;
  side[0][i] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < 96; step *= 2) {
    side[1 - from][i] = side[from][i] + (i >= step ? side[from][i - step] : 0);
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = side[from][i] == i + 1;
}

// A sub-group's own part needs its own barrier only.
kernel void lanes_part(global int *out) {
  local int part[96];
  int i = get_local_id(0), first = i / 16 * 16, lane = get_sub_group_local_id();
  part[i] = lane;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[first + 15 - lane] == 15 - lane;
}

// Counted atomically, read after a barrier.
kernel void counted(global int *out) {
  local int bins[4];
  int i = get_local_id(0);
  if (i < 4) bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[i & 3]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = bins[i & 3] == 24;
}

// Data behind a flag, between work-items of different sub-groups.
kernel void behind_flag(global int *out) {
  local int data;
  local atomic_int flag;
  int i = get_local_id(0), right = 1;
  if (i == 0) atomic_init(&flag, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 17) {
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_release, memory_scope_work_group);
  }
  if (i == 80) {
    while (!atomic_load_explicit(&flag, memory_order_acquire, memory_scope_work_group)) {}
    right = data == 42;
  }
  out[get_global_id(0)] = right;
}

// The same with fences around relaxed atomics.
kernel void behind_fences(global int *out) {
  local int data;
  local atomic_int flag;
  int i = get_local_id(0), right = 1;
  if (i == 0) atomic_init(&flag, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 17) {
    data = 42;
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
    atomic_store_explicit(&flag, 1, memory_order_relaxed, memory_scope_work_group);
  }
  if (i == 80) {
    while (!atomic_load_explicit(&flag, memory_order_relaxed, memory_scope_work_group)) {}
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acquire, memory_scope_work_group);
    right = data == 42;
  }
  out[get_global_id(0)] = right;
}

// A lock taken by one work-item of each sub-group.
kernel void under_lock(global int *out) {
  local int sum;
  local atomic_int lock;
  int i = get_local_id(0);
  if (i == 0) {
    sum = 0;
    atomic_init(&lock, 0);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_sub_group_local_id() == 0) {
    while (atomic_exchange_explicit(&lock, 1, memory_order_acquire, memory_scope_work_group)) {}
    sum += 1;
    atomic_store_explicit(&lock, 0, memory_order_release, memory_scope_work_group);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = sum == 6;
}

// A compare-and-swap that fails does not write: only one succeeds, and then it may be read plainly.
kernel void claimed(global int *out) {
  local int owner;
  int i = get_local_id(0), right = 1;
  if (i == 0) owner = -1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (atomic_cmpxchg(&owner, -1, i) == -1) right = owner == i;
  out[get_global_id(0)] = right;
}

// Volatile, as kernels waited before OpenCL 2.0, and as they looked at what others count.
kernel void volatile_flag(global int *out) {
  local volatile int flag, count;
  int i = get_local_id(0), seen = 0;
  if (i == 0) flag = count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 20) flag = 1;
  if (i % 32 == 0)
    while ((seen = flag) == 0)
      ;
  int before = count;
  atomic_inc(&count);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = seen <= flag && before < count;
}

// Its own place, or behind a barrier, or the same value by all.
kernel void volatile_own(global int *out) {
  local volatile int t[96], any;
  int i = get_local_id(0);
  t[i] = i;
  t[i] += 1;
  any = 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[95 - i] == 96 - i && any == 5;
}

// Global memory, exchanged within a group behind a fence for it, and by asynchronous copies.
kernel void global_too(global int *out) {
  local int copy[96];
  size_t i = get_local_id(0), base = get_group_id(0) * 96;
  out[base + i] = (int)i;
  barrier(CLK_GLOBAL_MEM_FENCE);
  int other = out[base + 95 - i];
  event_t e = async_work_group_copy(copy, out + base, 96, 0);
  wait_group_events(1, &e);
  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  out[base + i] = other == 95 - i && copy[i] == i;
}

// A collective is a barrier to both memories.
kernel void by_collective(global int *out) {
  local int tile[96];
  int i = get_local_id(0);
  tile[i] = i;
  int sum = work_group_reduce_add(1);
  out[get_global_id(0)] = sum == 96 && tile[95 - i] == 95 - i;
}

// Helpers with pointers to their caller's variables, and an array of the work-item's own.
void swap_two(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}
kernel void own_variables(global int *out) {
  int i = get_local_id(0), own[8];
  for (int k = 0; k < 8; k++) own[k] = i + k;
  for (int k = 0; k < 4; k++) swap_two(&own[k], &own[7 - k]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = own[i & 7] == i + 7 - (i & 7);
}

// Arrays of the work-item's own: filled by a function, through pointers, in parts, copied with holes.
void fill(int *to, int n) {
  for (int j = 0; j < n; j++) to[j] = j;
}
typedef union { uchar bytes[8]; ulong whole; } both;
kernel void own(global int *out) {
  size_t i = get_local_id(0);
  int by_call[8], *at = by_call, rest[4] = {1}, by_half[4];
  float4 v[2];
  both u[2];
  holed h[2], copy[2];
  fill(by_call, 8);
  for (int j = 0; j < 3; j++) at++;
  v[i & 1].x = 1;
  v[i & 1].yzw = (float3)(2, 3, 4);
  for (int j = 0; j < 8; j++) u[i & 1].bytes[j] = (uchar)i;
  h[i & 1].c = 1;
  h[i & 1].i = (int)i;
  copy[i & 1] = h[i & 1];
  vstore2((int2)(5, 6), 0, by_half);
  vstore2((int2)(7, 8), 1, by_half);
  out[get_global_id(0)] = at[i & 3] == 3 + (i & 3) && rest[i & 3] == ((i & 3) == 0) &&
                          v[i & 1].z == 3 && (u[i & 1].whole & 255) == i && copy[i & 1].i == i &&
                          by_half[i & 3] == 5 + (i & 3);
}

// A vector begins where an element may; bytes are put together by hand.
kernel void any_place(global int *out) {
  local int words[100];
  size_t i = get_local_id(0);
  words[i] = (int)i;
  if (i < 4) words[96 + i] = 96 + (int)i;
  barrier(CLK_LOCAL_MEM_FENCE);
  int4 four = vload4(0, words + i);
  ushort half_word = vload2(0, (local uchar *)words + 1 + 4 * i).x;
  out[get_global_id(0)] = four.y == i + 1 && half_word == 0;
}

// Copies, one after the other and in a loop, with one event and with two.
kernel void copies(global int *out) {
  local int there[96], back[192];
  size_t i = get_local_id(0);
  global int *part = out + get_group_id(0) * 96;
  there[i] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(part, there, 96, 0);
  wait_group_events(1, &e);
  for (int turn = 0; turn < 3; turn++) {
    event_t f[2];
    f[0] = async_work_group_copy(back, part, 96, 0);
    f[1] = async_work_group_copy(back + 96, part, 96, f[0]);
    wait_group_events(2, f);
    there[95 - i] = back[i] + back[96 + (i + 1) % 96] - 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_strided_copy(part, there, 96, 1, 0);
    wait_group_events(1, &e);
  }
}

// A lock with fences: whoever gets it sees what the last one wrote.
kernel void fenced_lock(global int *out) {
  local int lock, sum;
  size_t i = get_local_id(0);
  if (i == 0) lock = sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (bool done = false; !done;)
    if (atomic_cmpxchg(&lock, 0, 1) == 0) {
      mem_fence(CLK_LOCAL_MEM_FENCE);
      sum = sum + 1;
      mem_fence(CLK_LOCAL_MEM_FENCE);
      atomic_xchg(&lock, 0);
      done = true;
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = sum == 96;
}

// Lanes that have no source leave what they get aside.
kernel void shuffled(global int *out) {
  int lane = get_sub_group_local_id(), sum = 1, prefix = 1;
  for (int d = 8; d; d /= 2) sum += sub_group_shuffle_down(sum, d);
  for (int d = 1; d < 16; d *= 2) {
    int lower = sub_group_shuffle_up(prefix, d);
    if (lane >= d) prefix += lower;
  }
  int turned = sub_group_shuffle_xor(lane, 5);
  if (lane == 0) out[get_global_id(0)] = sum == 16;
  if (lane != 0) out[get_global_id(0)] = prefix == lane + 1 && turned == (lane ^ 5);
}

// Handed on from one to the next, more of them than a clock has room for.
kernel void handed_on(global int *out) {
  local int data, more[96];
  local atomic_int turn;
  int i = get_local_id(0);
  if (i == 0) atomic_init(&turn, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) data = 42;
  while (atomic_load_explicit(&turn, memory_order_acquire, memory_scope_work_group) != i) {}
  more[i] = i ? more[i - 1] + 1 : 0;
  atomic_store_explicit(&turn, i + 1, memory_order_release, memory_scope_work_group);
  int right = i < 95 || (data == 42 && more[50] == 50);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = right;
}

// Who counts last sees what all others have written.
kernel void last_of_all(global int *out) {
  local int slots[96];
  local atomic_int count;
  int i = get_local_id(0), right = 1;
  if (i == 0) atomic_init(&count, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  slots[i] = i;
  if (atomic_fetch_add_explicit(&count, 1, memory_order_acq_rel, memory_scope_work_group) == 95)
    for (int k = 0; k < 96; k++) right &= slots[k] == k;
  out[get_global_id(0)] = right;
}

// Somebody else counts on in between, and orders nothing by that.
kernel void counted_on(global int *out) {
  local int data;
  local atomic_int flag;
  int i = get_local_id(0), right = 1;
  if (i == 0) atomic_init(&flag, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 17) {
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_release, memory_scope_work_group);
  }
  if (i == 40) {
    while (!atomic_load_explicit(&flag, memory_order_relaxed, memory_scope_work_group)) {}
    atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed, memory_scope_work_group);
  }
  if (i == 80) {
    while (atomic_load_explicit(&flag, memory_order_acquire, memory_scope_work_group) != 2) {}
    right = data == 42;
  }
  out[get_global_id(0)] = right;
}

// A leader of each sub-group tells of what all of its lanes have written.
kernel void by_leaders(global int *out) {
  local int slots[96];
  local atomic_int ready;
  int i = get_local_id(0), right = 1;
  if (i == 0) atomic_init(&ready, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  slots[i] = i;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (get_sub_group_local_id() == 0)
    atomic_fetch_add_explicit(&ready, 1, memory_order_release, memory_scope_work_group);
  if (get_sub_group_local_id() == 0)
    while (atomic_load_explicit(&ready, memory_order_acquire, memory_scope_work_group) != 6) {}
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  right = slots[95 - i] == 95 - i;
  out[get_global_id(0)] = right;
}

// A structure with a hole, handed to a function by its value.
typedef struct { ushort small; uint more[2]; } gapped;
uint add_up(gapped g) {
  return g.small + g.more[0] + g.more[1];
}
kernel void by_value(global int *out) {
  local gapped table[96];
  gapped own[2];
  int i = get_local_id(0);
  table[i].small = i;
  table[i].more[0] = table[i].more[1] = 1;
  own[i & 1].small = i;
  own[i & 1].more[0] = own[i & 1].more[1] = 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = add_up(table[95 - i]) == 97 - i && add_up(own[i & 1]) == i + 4;
}

// Arrays that are members of structures: filled to their ends, handed on, copied with what is around.
struct cells {
  int head, cells[4], tail;
  struct {
    short pair[2];
  } pairs[3];
};
int sum_of(const int *cells, int n) {
  int sum = 0;
  for (int j = 0; j < n; j++) sum += cells[j];
  return sum;
}
kernel void members(global int *out) {
  int i = get_local_id(0), m[2][3];
  struct cells all[2], other;
  for (int k = 0; k < 2; k++) {
    all[k].head = all[k].tail = k;
    for (int j = 0; j < 4; j++) all[k].cells[j] = i + j;
    for (int j = 0; j < 6; j++) all[k].pairs[j / 2].pair[j % 2] = (short)j;
    for (int j = 0; j < 3; j++) m[k][j] = j;
  }
  other = all[i & 1];
  int *flat = &m[0][0], sum = 0;
  for (int j = 0; j < 6; j++) sum += flat[j] + other.pairs[j >> 1].pair[j & 1];
  out[get_global_id(0)] = sum == 21 && sum_of(other.cells, 4) == 4 * i + 6 && other.tail == (i & 1);
}

// Scopes that are just wide enough: of the sub-group, and of the work-group.
kernel void scopes(global int *out) {
  local int data[2];
  local atomic_int flags[2];
  size_t i = get_local_id(0);
  if (i < 2) atomic_init(&flags[i], 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_sub_group_id() == 0) {
    if (get_sub_group_local_id() == 0) {
      data[0] = 1;
      atomic_store_explicit(&flags[0], 1, memory_order_release, memory_scope_sub_group);
      data[1] = 1;
      atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
      atomic_store_explicit(&flags[1], 1, memory_order_relaxed, memory_scope_work_group);
    } else if (atomic_load_explicit(&flags[0], memory_order_acquire, memory_scope_sub_group)) {
      out[get_global_id(0)] = data[0];
    }
  }
  if (atomic_load_explicit(&flags[1], memory_order_acquire, memory_scope_work_group)) out[get_global_id(0)] = data[1];
  out[get_global_id(0)] = 1;
}

// The frames of functions lie where those of others have been, whose variables have ended, and so do the
// structures that they are given.
typedef struct { int a[12]; } numbers;
__attribute__((noinline)) int total_of(const int *p, int n) {
  int sum = 0;
  for (int j = 0; j < n; j++) sum += p[j];
  return sum;
}
__attribute__((noinline)) void keep(int **place, int *p) { *place = p; }
__attribute__((noinline)) int two_blocks(int x) {
  int *p, sum = 0;
  {
    int a[8];
    for (int j = 0; j < 8; j++) a[j] = x + j;
    keep(&p, a);
    sum += total_of(p, 8);
  }
  {
    int b[5];
    for (int j = 0; j < 5; j++) b[j] = j;
    keep(&p, b);
    sum += total_of(p, 5);
  }
  return sum;
}
__attribute__((noinline)) numbers multiples(int x) {
  numbers n;
  for (int j = 0; j < 12; j++) n.a[j] = x * j;
  return n;
}
__attribute__((noinline)) int of_copy(numbers n, int i) {
  int *p = i & 1 ? n.a : n.a + 6;
  p[i & 3] += 1;
  return p[i & 3] + total_of(n.a, 12);
}
__attribute__((noinline)) int of_two(int x) {
  int u[3] = {x, x, x}, v[3] = {2 * x, 2 * x, 2 * x};
  int *p = x & 2 ? u : v;
  return p[x % 3];
}
kernel void frames(global int *out) {
  int i = (int)get_local_id(0), right = 1;
  for (int turn = 0; turn < 3; turn++) {
    int x = i + turn;
    right &= two_blocks(x) == 8 * x + 38;
    right &= of_copy(multiples(x), i) == x * ((i & 1 ? 0 : 6) + (i & 3)) + 66 * x + 2;
    right &= of_two(x) == (x & 2 ? x : 2 * x);
  }
  out[get_global_id(0)] = right;
}

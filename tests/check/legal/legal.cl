// Kernels that are right, though they do not look like it.  Each compares with a closed form: out[i]
// is 1 where all is well.  Groups of 96, sub-groups of 16.

// The same branch for all of a group, another one for the next.
kernel void by_group(global int *out) {
  int i = get_local_id(0), n = get_local_size(0), sum;
  if (get_group_id(0) & 1)
    sum = work_group_reduce_add(i) == n * (n - 1) / 2;
  else
    sum = work_group_scan_inclusive_max(i) == i;
  out[get_global_id(0)] = sum;
}

// A number of turns, a choice of collectives and flags that varying values were made uniform for.
kernel void made_uniform(global int *out) {
  int i = get_local_id(0), n = get_local_size(0), right = 1;
  int turns = work_group_broadcast(i, 5), most = work_group_reduce_max(i & 3);
  for (int turn = 0; turn < turns; turn++) {
    barrier(most == 3 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
    switch ((turn + most) % 3) {
    case 0:
      right &= work_group_scan_exclusive_add(1) == i;
      break;
    case 1:
      right &= work_group_any(i == n - 1) != 0;
      break;
    default:
      right &= work_group_broadcast(i * turn, n - 1 - turn) == (n - 1 - turn) * turn;
    }
  }
  out[get_global_id(0)] = right;
}

// A loop that goes on as long as somebody wants it to.
kernel void voted(global int *out) {
  int i = get_local_id(0), left = i % 7, turns = 0;
  while (work_group_any(left > 0)) {
    left--;
    turns++;
  }
  out[get_global_id(0)] = turns == 6;
}

// Work-items that have ended need not come to what nobody else comes to.
kernel void ended(global int *out) {
  local int tile[96];
  int i = get_local_id(0), n = get_local_size(0);
  tile[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = 1;
  if (i % 3 == 0) return;
  if (i % 3 == 1) {
    out[get_global_id(0)] = tile[n - 1 - i] == n - 1 - i;
    return;
  }
  out[get_global_id(0)] = tile[i - 1] == i - 1;
}

// Sub-groups part from one another; lanes may part for functions that are made for it.
kernel void lanes(global int *out) {
  int id = get_sub_group_id(), lane = get_sub_group_local_id(), sum = 0, right;
  for (int turn = 0; turn <= id; turn++) sum += sub_group_reduce_add(lane);
  right = sum == (id + 1) * 120;
  if (lane & 1) {
    right &= sub_group_non_uniform_reduce_add(1) == 8;
    if (lane > 7) right &= sub_group_elect() == (lane == 9);
  }
  if (id & 1)
    right &= sub_group_broadcast(lane, 3) == 3;
  else
    right &= sub_group_shuffle_xor(lane, 1) == (lane ^ 1);
  out[get_global_id(0)] = right & work_group_all(1);
}

// One after the other: who waits lets the others run.
kernel void in_turn(global int *out) {
  local atomic_int turn;
  int i = get_local_id(0);
  if (i == 0) atomic_init(&turn, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  while (atomic_load(&turn) != i)
    ;
  atomic_store(&turn, i + 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = atomic_load(&turn) == (int)get_local_size(0);
}

// A lock that all take; the first schedule in which it is contended is the shuffled one.
kernel void locked(global int *out) {
  local atomic_int lock;
  local int inside, count;
  if (get_local_id(0) == 0) {
    atomic_init(&lock, 0);
    inside = count = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int expected = 0, right;
  while (!atomic_compare_exchange_strong(&lock, &expected, 1)) expected = 0;
  right = inside++ == 0;
  count++;
  inside--;
  atomic_store(&lock, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = right && count == (int)get_local_size(0);
}

// Who waits in a loop looks again when others have gone as far as they can, not in front of each barrier.
kernel void looks_seldom(global int *out) {
  local atomic_int flag;
  if (get_local_id(0) == 0) atomic_init(&flag, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  int looks = 0;
  if (get_sub_group_id() == 0) {
    while (atomic_load(&flag) == 0) looks++;
  } else if (get_sub_group_id() == 1) {
    for (int i = 0; i < 30; i++) sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_sub_group_local_id() == 0) atomic_store(&flag, 1);
  }
  out[get_global_id(0)] = looks < 20;
}

// Iterations of loops that are the source's own affair: each waits for as long as it likes, in loops
// that begin where others do, with labels, or begins to count elsewhere.
int some(int i, int times) {
  int sum = 0;
  for (int j = 0; j < times; j++)
    if (i < 0) sum += work_group_reduce_add(i);
  return sum;
}
kernel void turns(global int *out) {
  local int waits[96];
  int i = get_local_id(0), n = get_local_size(0), right = 1, turns = 0;
  for (;;) {
    while (waits[i] = (i + turns) % 5, waits[i] > turns) {
      turns++;
      right &= turns < 9;
    }
    turns = 0;
    right &= work_group_reduce_add(i) == n * (n - 1) / 2;
    some(i, i % 4);
    if (work_group_all(right)) break;
  }
  for (int j = i, k = 0; j < i + 3; j++) {
  again:
    if (k++ % 3 < i % 3) goto again;
    right &= work_group_reduce_add(1) == n;
  }
  some(i, i % 5);
  out[get_global_id(0)] = right & (work_group_reduce_add(1) == n);
}

// Two loops that begin at one place, made by goto: each goes round the inner one as often as it likes.
kernel void nested_gotos(global int *out) {
  int i = get_local_id(0), left = i, turns = 0, sum = 0;
again:
  if (left % 3) {
    left--;
    goto again;
  }
  sum += work_group_reduce_add(1);
  left = i + ++turns;
  if (turns < 3) goto again;
  out[get_global_id(0)] = sum == 3 * (int)get_local_size(0);
}

// Copies that share an event, which one wait has twice in its list; then each a wait of its own.
kernel void shared_events(global int *out) {
  local int first[96], second[96];
  int i = get_local_id(0), n = get_local_size(0);
  event_t e[2], last = 0;
  out[get_global_id(0)] = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  global int *own = out + get_group_id(0) * n;
  e[0] = async_work_group_copy(first, own, n, 0);
  e[1] = async_work_group_copy(second, own, n, e[0]);
  wait_group_events(2, e);
  int right = first[n - 1 - i] == 1 && second[n - 1 - i] == 1;
  for (int k = 0; k < 3; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    last = async_work_group_copy(k & 1 ? first : second, own, n, last);
    wait_group_events(1, &last);
    right &= first[n - 1 - i] == 1 && second[n - 1 - i] == 1;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = right;
}

// A mistake in each: the filter has to stop, and the engine says what it says without a filter.

kernel void behind(global int *out, global const int *in) {
  size_t i = get_global_id(0);
  out[i] = in[i + 1];
}

kernel void in_front(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = in[i - 1];
}

kernel void write_behind(global int *out, global const int *in) {
  out[get_global_id(0) + 3] = 1;
}

kernel void behind_apart(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = in[in[i] == 77 ? 192 : in[i]];
}

kernel void behind_for_all(global int *out, global const int *in) {
  out[get_global_id(0)] = in[192];
}

kernel void behind_for_one(global int *out, global const int *in) {
  if (get_global_id(0) == 100) out[192] = 1;
}

kernel void across(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (i == 3) *(global int *)((global char *)out + 766) = 1;
}

kernel void neighbour(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = 1;
  if (out[(i + 1) % 192] == 5) out[i] = 2;
}

kernel void same_place(global int *out, global const int *in) {
  out[0] = get_global_id(0);
}

kernel void met_apart(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i * 5 % 191] = i;
}

kernel void read_by_all(global int *out, global const int *in) {
  int i = get_global_id(0), v = out[40];
  out[i] = v;
}

kernel void read_apart(global int *out, global const int *in) {
  int i = get_global_id(0), v = out[i * 5 % 192];
  out[i] = v;
}

kernel void met_reading(global int *out, global const int *in) {
  int i = get_global_id(0), v = out[in[i] / 96 * 96];
  out[i] = v;
}

kernel void of_groups(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i % 96] = i;
}

kernel void read_of_groups(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (i < 96)
    out[i] = 1;
  else
    out[i] = out[i - 96];
}

kernel void no_barrier(global int *out, global const int *in) {
  local int t[96];
  int l = get_local_id(0);
  t[l] = l;
  out[get_global_id(0)] = t[95 - l];
}

kernel void next_turn(global int *out, global const int *in) {
  local int t[96];
  int l = get_local_id(0), sum = 0;
  for (int k = 0; k < 3; k++) {
    t[l] = l + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += t[95 - l];
  }
  out[get_global_id(0)] = sum;
}

kernel void other_fence(global int *out, global const int *in) {
  local int t[96];
  int l = get_local_id(0);
  t[l] = l;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = t[95 - l];
}

kernel void half_written(global int *out, global const int *in) {
  local int t[96];
  int l = get_local_id(0);
  if (l < 48) t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[l];
}

kernel void next_variable(global int *out, global const int *in) {
  local int t[96], u[96];
  int l = get_local_id(0);
  t[l] = u[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[l + 1] + u[l];
}

kernel void bytes(global int *out, global const int *in) {
  local uchar b[96];
  int l = get_local_id(0);
  b[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  b[l] = l;
  out[get_global_id(0)] = b[l ^ 1];
}

// What was read and written before is as it was: else the engine would see 2.
kernel void undone(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] += 1;
  if (i == 150) out[in[i] + 42] = out[i] == 1;
}

// Private arrays; those of the last five would be registers.

kernel void too_large(global int *out, global const int *in) {
  int v[8], sum = 0, i = get_global_id(0);
  for (int k = 0; k < 8; k++) v[k + (in[i] == 9)] = i + k;
  for (int k = 0; k < 8; k++) sum += v[k];
  out[i] = sum;
}

int pick(int k) {
  int v[4];
  for (int n = 0; n < 4; n++) v[n] = n * n;
  return v[k];
}

kernel void in_helper(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = pick(in[i] == 7 ? 4 : 3);
}

kernel void not_written(global int *out, global const int *in) {
  int v[8], i = get_global_id(0);
  for (int k = 0; k < 7; k++) v[k] = k;
  out[i] = v[in[i] % 8];
}

kernel void in_front_of_array(global int *out, global const int *in) {
  int v[8], i = get_global_id(0);
  for (int k = 0; k < 8; k++) v[k] = k;
  out[i] = v[in[i] % 8 - 1];
}

struct pair {
  int one[4], two[4];
};

kernel void behind_structure(global int *out, global const int *in) {
  struct pair p[3];
  int i = get_global_id(0);
  for (int k = 0; k < 3; k++)
    for (int n = 0; n < 4; n++) p[k].one[n] = p[k].two[n] = k;
  out[i] = p[in[i] == 11 ? 2 : 1].two[in[i] == 11 ? 4 : 3];
}

kernel void next_turn_of_array(global int *out, global const int *in) {
  int i = get_global_id(0), sum = 0;
  for (int turn = 0; turn < 3; turn++) {
    int v[20];
    if (turn == 0)
      for (int k = 0; k < 20; k++) v[k] = k;
    sum += v[(turn + in[i]) % 20];
  }
  out[i] = sum;
}

kernel void copied_behind(global int *out, global const int *in) {
  int v[8], w[8], i = get_global_id(0);
  for (int k = 0; k < 8; k++) w[k] = k;
  *(int4 *)&v[in[i] == 3 ? 5 : 4] = *(int4 *)&w[in[i] & 4];
  out[i] = v[5];
}

kernel void one_too_many(global int *out, global const int *in) {
  int v[8], i = get_global_id(0);
  for (int k = 0; k <= 8; k++) v[k] = k;
  out[i] = v[3];
}

kernel void one_too_few(global int *out, global const int *in) {
  int v[8], sum = 0, i = get_global_id(0);
  for (int k = 0; k < 7; k++) v[k] = k;
  for (int k = 0; k < 8; k++) sum += v[k];
  out[i] = sum;
}

kernel void known_index(global int *out, global const int *in) {
  int v[4] = {1, 2, 3, 4}, k = 4;
  out[get_global_id(0)] = v[k];
}

kernel void known_index_in_some(global int *out, global const int *in) {
  int v[4] = {1, 2, 3, 4}, i = get_global_id(0), k = -1;
  if (in[i] == 5) v[1] = v[k];
  out[i] = v[1];
}

kernel void behind_own_structure(global int *out, global const int *in) {
  struct {
    int a, b;
  } s = {in[0], 2}, *p = &s;
  out[get_global_id(0)] = p[1].a;
}

kernel void known_unwritten(global int *out, global const int *in) {
  int v[4], k = 3;
  v[0] = v[1] = v[2] = 1;
  out[get_global_id(0)] = v[k];
}

// Atomics.

kernel void half_atomic(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (out[0] < 1000) atomic_inc(&out[0]);
}

kernel void read_beside_atomics(global int *out, global const int *in) {
  local int sum;
  int l = get_local_id(0);
  if (l == 0) sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&sum, l);
  out[get_global_id(0)] = sum;
}

kernel void before_atomics(global int *out, global const int *in) {
  local int counts[32];
  int l = get_local_id(0);
  counts[l % 32] = 0;
  atomic_inc(&counts[(l + 1) % 32]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = counts[l % 32];
}

kernel void own_before_atomics(global int *out, global const int *in) {
  local int counts[96];
  int l = get_local_id(0);
  counts[l] = 0;
  atomic_inc(&counts[l]);
  atomic_inc(&counts[l ^ 1]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = counts[l];
}

kernel void atomics_unwritten(global int *out, global const int *in) {
  local int counts[32];
  int l = get_local_id(0);
  if (l < 31) counts[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&counts[l % 32]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = counts[l % 31];
}

kernel void atomics_behind(global int *out, global const int *in) {
  int i = get_global_id(0);
  atomic_inc(&out[in[i] + 1]);
}

kernel void written_beside_groups(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (i < 96)
    atomic_inc(&out[i]);
  else
    out[i - 96] = 1;
}

kernel void read_behind_groups(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (i >= 96)
    atomic_inc(&out[i - 96]);
  else
    out[i + 96] = out[i];
}

kernel void exchanged(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (i == 0) out[7] = 3;
  atomic_cmpxchg(&out[7], 0, i);
}

kernel void volatile_beside(global int *out, global const int *in) {
  int i = get_global_id(0);
  volatile global int *seen = out;
  if (i == 30) out[3] = 7;
  out[i | 4] = seen[3];
}

kernel void written_before_barrier(global int *out, global const int *in) {
  if (get_global_id(0) == 0) out[0] = 0;
  barrier(CLK_GLOBAL_MEM_FENCE);
  atomic_inc(&out[0]);
}

kernel void read_before_barrier(global int *out, global const int *in) {
  int first = get_global_id(0) == 0 ? out[0] : 0;
  barrier(CLK_GLOBAL_MEM_FENCE);
  atomic_add(&out[0], first);
}

kernel void beside_its_alignment(global int *out, global const int *in) {
  int i = get_global_id(0);
  uchar byte = ((global const uchar *)in)[i];
  out[i] = byte + *(global const short *)((global const uchar *)in + 2 * i + (i == 50));
}

// Loops that write an array, but not all of it, or not each time.
kernel void filled_short(global int *out, global const int *in) {
  int i = get_global_id(0), row[17];
  for (int k = 0; k < 16; k++) row[k] = k;
  out[i] = row[in[i] % 17];
}

kernel void filled_for_some(global int *out, global const int *in) {
  int i = get_global_id(0), row[17];
  for (int k = 0; k < 17; k++)
    if (in[i] != 102 + k) row[k] = k;
  out[i] = row[in[i] % 17];
}

kernel void filled_until(global int *out, global const int *in) {
  int i = get_global_id(0), row[17];
  for (int k = 0; k < 17; k++) {
    if (in[i] == 50 + k) break;
    row[k] = k;
  }
  out[i] = row[in[i] % 17];
}

kernel void filled_before(global int *out, global const int *in) {
  int i = get_global_id(0), sum = 0;
  for (int turn = 0; turn < 2; turn++) {
    int row[17];
    if (!turn)
      for (int k = 0; k < 17; k++) row[k] = k;
    sum += row[in[i] % 17];
  }
  out[i] = sum;
}

kernel void stepped_behind(global int *out, global const int *in) {
  int i = get_global_id(0), sum = 0;
  for (global const int *p = in + i; p != in + 180 + in[i] % 14; p++) sum += *p;
  out[i] = sum;
}

// As above, but somebody writes before the next barrier for this memory, or around the loop.
kernel void written_behind(global int *out, global const int *in) {
  local int t[96];
  int i = get_global_id(0), l = get_local_id(0);
  t[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int other = t[(l + 1) % 96];
  barrier(CLK_GLOBAL_MEM_FENCE);
  t[l] = 5;
  out[i] = other;
}

kernel void written_around(global int *out, global const int *in) {
  local int t[96];
  int i = get_global_id(0), l = get_local_id(0), sum = 0;
  for (int turn = 0; turn < 3; turn++) {
    t[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += t[(l + 20) % 96];
  }
  out[i] = sum;
}

kernel void read_unwritten(global int *out, global const int *in) {
  local int t[96];
  int i = get_global_id(0), l = get_local_id(0);
  if (l != 50) t[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[95 - l];
}

kernel void behind_member(global int *out, global const int *in) {
  struct {
    int cells[4], behind[4];
  } s;
  int i = get_global_id(0);
  for (int j = 0; j < 4; j++) s.cells[j] = s.behind[j] = in[i];
  out[i] = s.cells[i == 77 ? 4 : i & 3];
}

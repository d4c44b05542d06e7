/* Per block of the log: its text, how many lines end in it, its histogram, where its lines begin.
 * A work-item does a cell. */
#include "text.h"

kernel void make(global uchar *text, ulong first_cell) {
  size_t cell = get_global_id(0);
  ulong random = mix(first_cell + cell);
  uint newline = newline_of(random);
  for (uint i = 0; i < CELL; i++)
    text[cell * CELL + i] = i == newline ? '\n' : letter_of(random, i);
}

/* A bin for each 16 values of a byte; behind the bins stand the check and the number of lines.
 * Eight counts are fields of one number: of 8 bits for a cell, of 16 for a group, in two numbers. */
kernel void count(global const uchar *text, global ulong *groups, global ulong *sums) {
  const ulong even = 0x00ff00ff00ff00fful;
  global const uchar *cell = text + get_global_id(0) * CELL;
  uint lines = 0;
  ulong bins = 0;
  for (uint i = 0; i < CELL; i++) {
    lines += cell[i] == '\n';
    bins += 1ul << (cell[i] >> 4) * 8;
  }
  uint total = work_group_reduce_add(lines);
  ulong halves[] = {work_group_reduce_add(bins & even), work_group_reduce_add(bins >> 8 & even)};
  if (get_local_id(0) == 0) {
    groups[get_group_id(0)] = total;
    atom_add(&sums[BINS + 1], (ulong)total);
    for (uint bin = 0; bin < BINS; bin++)
      atom_add(&sums[bin], halves[bin % 2] >> bin / 2 * 16 & 0xffff);
  }
}

/* Of `count` numbers what lies before each, in place; the sum of all goes to sums[place].  One
 * work-group. */
kernel void before(global ulong *numbers, uint count, global ulong *sums, uint place) {
  ulong carried = 0;
  for (uint first = 0; first < count; first += get_local_size(0)) {
    uint i = first + get_local_id(0);
    ulong one = i < count ? numbers[i] : 0;
    ulong scan = work_group_scan_exclusive_add(one);
    if (i < count)
      numbers[i] = carried + scan;
    carried += work_group_broadcast(scan + one, get_local_size(0) - 1);
  }
  if (get_local_id(0) == 0)
    sums[place] = carried;
}

/* starts[k]: where the line begins that follows the block's k-th newline, from the block's first
 * byte on.  The check is a sum that a wrong number of a line, or a wrong place, would change. */
kernel void index(global const uchar *text, global const ulong *groups, global uint *starts,
                  global const ulong *blocks, uint place, global const ulong *up_to_rank,
                  global const ulong *of_rank, ulong bytes_before, global ulong *sums) {
  size_t first = get_global_id(0) * CELL;
  uint newline = CELL;
  for (uint i = 0; i < CELL; i++)
    newline = text[first + i] == '\n' ? i : newline;
  bool has = newline < CELL;
  ulong line = groups[get_group_id(0)] + work_group_scan_exclusive_add(has ? 1u : 0u);
  uint start = (uint)first + newline + 1;
  if (has)
    starts[line] = start;
  ulong number = up_to_rank[0] - of_rank[0] + blocks[place] + line + 1;
  ulong sum = work_group_reduce_add(has ? mix(bytes_before + start) * number : 0);
  if (get_local_id(0) == 0)
    atom_add(&sums[BINS], sum); /* the check stands behind the bins */
}

kernel void add(global const ulong *a, global const ulong *b, global ulong *to) {
  size_t i = get_global_id(0);
  to[i] = a[i] + b[i];
}

kernel void add_to(global ulong *to, global const ulong *more) {
  size_t i = get_global_id(0);
  to[i] += more[i];
}

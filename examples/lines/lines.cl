/* The index of all lines of a text: starts[k] is the offset of the first byte of line k.
 *
 * Stream compaction in three kernels: of all bytes, keep those that follow a newline.  A work-item
 * looks at BYTES bytes; a work-group, the block, at BYTES times its size.
 *   count    newlines of each block
 *   offsets  blocks: how many newlines lie before each block (one work-group)
 *   scatter  writes each offset to its place: newlines before the block, plus those before the
 *            work-item in the block, plus those before the byte in the work-item */
#define BYTES 64

kernel void count(global const uchar *text, global uint *blocks) {
  ulong begin = get_global_id(0) * BYTES;
  uint lines = 0;
  for (uint i = 0; i < BYTES; i++)
    lines += text[begin + i] == '\n';
  uint total = work_group_reduce_add(lines);
  if (get_local_id(0) == 0)
    blocks[get_group_id(0)] = total;
}

kernel void offsets(global uint *blocks, uint num_blocks) {
  uint before = 0;
  for (uint begin = 0; begin < num_blocks; begin += get_local_size(0)) {
    uint i = begin + get_local_id(0);
    uint lines = i < num_blocks ? blocks[i] : 0;
    uint sum = work_group_scan_exclusive_add(lines);
    if (i < num_blocks)
      blocks[i] = before + sum;
    before += work_group_broadcast(sum + lines, get_local_size(0) - 1);
  }
  if (get_local_id(0) == 0)
    blocks[num_blocks] = before;
}

kernel void scatter(global const uchar *text, global const uint *blocks, global ulong *starts) {
  ulong begin = get_global_id(0) * BYTES;
  ulong mask = 0; /* a bit for each byte */
  for (uint i = 0; i < BYTES; i++)
    mask |= (ulong)(text[begin + i] == '\n') << i;
  uint lines = popcount(mask);
  uint line = blocks[get_group_id(0)] + work_group_scan_exclusive_add(lines);
  if (get_global_id(0) == 0)
    starts[0] = 0;
  for (; mask; mask &= mask - 1)
    starts[++line] = begin + ctz(mask) + 1;
}

/* Histogram equalisation of a grey picture: each grey level is mapped to the share of pixels that
 * are not brighter, so that all levels are used about equally often.
 *   histogram  one work-group counts PIXELS pixels for each work-item in local memory, then adds
 *              its 256 counts to the picture's
 *   mapping    one work-group of 256: the sum of all counts up to each level is a scan
 *   apply      looks up each pixel */
#define PIXELS 64
#define LEVELS 256

kernel void clear(global uint *counts) { counts[get_global_id(0)] = 0; }

kernel void histogram(global const uchar *picture, uint num_pixels, global uint *counts) {
  local uint mine[LEVELS];
  for (uint level = get_local_id(0); level < LEVELS; level += get_local_size(0))
    mine[level] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  uint begin = get_global_id(0) * PIXELS;
  uint end = min(begin + PIXELS, num_pixels);
  for (uint i = begin; i < end; i++)
    atomic_inc(&mine[picture[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);

  for (uint level = get_local_id(0); level < LEVELS; level += get_local_size(0))
    if (mine[level])
      atomic_add(&counts[level], mine[level]);
}

kernel __attribute__((reqd_work_group_size(LEVELS, 1, 1)))
void mapping(global const uint *counts, uint num_pixels, global uchar *map) {
  uint level = get_local_id(0);
  uint count = counts[level];
  uint not_brighter = work_group_scan_inclusive_add(count);
  /* The darkest level that occurs becomes 0, the brightest 255. */
  uint darkest = work_group_reduce_min(count ? not_brighter : UINT_MAX);
  uint range = max(num_pixels - darkest, 1u);
  ulong scaled = (ulong)(max(not_brighter, darkest) - darkest) * 255 + range / 2;
  map[level] = (uchar)(scaled / range);
}

kernel void apply(global const uchar *picture, uint num_pixels, global const uchar *map,
                  global uchar *result) {
  uint begin = get_global_id(0) * PIXELS;
  uint end = min(begin + PIXELS, num_pixels);
  for (uint i = begin; i < end; i++)
    result[i] = map[picture[i]];
}

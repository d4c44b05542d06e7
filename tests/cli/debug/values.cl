struct pair {
  int first;
  float second;
};
int triple(int value) {
  int three = 3;
  return value * three;
}
kernel void values(global int *out, int base) {
  local int shared[8];
  size_t id = get_global_id(0);
  struct pair mine = {triple((int)id), 0.5f};
  int list[3] = {base, base + (int)id, 7};
  shared[get_local_id(0)] = mine.first;
  barrier(CLK_LOCAL_MEM_FENCE);
  int next = shared[(get_local_id(0) + 1) % get_local_size(0)];
  out[id] = next + list[1];
}

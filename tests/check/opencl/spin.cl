// Each half waits for the other one.
kernel void k(global atomic_int *out) {
  size_t i = get_local_id(0);
  if (i < 16)
    while (atomic_load(out) == 0)
      ;
  else
    while (atomic_load(out + 1) == 0)
      ;
  atomic_store(out + (i < 16), 1);
}

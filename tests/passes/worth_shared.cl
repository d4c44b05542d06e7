// pass: widen
// march: x86-64-v3
// What all share and takes long is done once for all lanes: a quotient.
kernel void strikes(global const uint *primes, uint n, global uchar *out) {
  uint me = get_local_id(0), size = get_local_size(0);
  local uchar struck[8192];
  ulong base = (ulong)get_group_id(0) * 16384 + 1000000001ul;
  for (uint i = me; i < 8192; i += size) struck[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k < n; k++) {
    uint p = primes[k];
    ulong first = (base + p - 1) / p * p;
    if (!(first & 1)) first += p;
    for (uint j = (uint)(first - base) / 2 + me * p; j < 8192; j += size * p) struck[j] = 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = me; i < 8192; i += size) out[get_group_id(0) * 8192 + i] = struck[i];
}

// Hashes, ciphers, random numbers, and other work on bits.

kernel void divisions(global const int *a, global const int *b, global int *out) {
  size_t i = get_global_id(0);
  out[i] = a[i] / b[i] + a[i] % b[i];
}

constant uint sha_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
#define RIGHT(x, n) rotate((uint)(x), (uint)(32 - (n)))

// One block of SHA-256, without padding (FIPS 180-4).
kernel void sha256(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint w[16], h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (int t = 0; t < 16; t++) w[t] = in[i * 16 + t];
  uint a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], last = h[7];
  for (int t = 0; t < 64; t++) {
    if (t >= 16) {
      uint x = w[(t + 1) & 15], y = w[(t + 14) & 15];
      w[t & 15] += w[(t + 9) & 15] + (RIGHT(x, 7) ^ RIGHT(x, 18) ^ (x >> 3)) +
                   (RIGHT(y, 17) ^ RIGHT(y, 19) ^ (y >> 10));
    }
    uint t1 = last + (RIGHT(e, 6) ^ RIGHT(e, 11) ^ RIGHT(e, 25)) + ((e & f) ^ (~e & g)) +
              sha_constants[t] + w[t & 15];
    uint t2 = (RIGHT(a, 2) ^ RIGHT(a, 13) ^ RIGHT(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    last = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  uint r[8] = {a, b, c, d, e, f, g, last};
  for (int t = 0; t < 8; t++) out[i * 8 + t] = r[t] + h[t];
}

// One block of MD5, without padding (RFC 1321); the sines come as an argument.
constant uint md5_turns[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

kernel void md5(global const uint *in, constant uint *sines, global uint *out) {
  size_t i = get_global_id(0);
  uint w[16], a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
  for (int t = 0; t < 16; t++) w[t] = in[i * 16 + t];
  for (int t = 0; t < 64; t++) {
    uint f, from;
    if (t < 16)
      f = (b & c) | (~b & d), from = t;
    else if (t < 32)
      f = (d & b) | (~d & c), from = (5 * t + 1) & 15;
    else if (t < 48)
      f = b ^ c ^ d, from = (3 * t + 5) & 15;
    else
      f = c ^ (b | ~d), from = (7 * t) & 15;
    uint next = b + rotate(a + f + sines[t] + w[from], md5_turns[(t >> 4) * 4 + (t & 3)]);
    a = d, d = c, c = b, b = next;
  }
  out[i * 4] = a + 0x67452301;
  out[i * 4 + 1] = b + 0xefcdab89;
  out[i * 4 + 2] = c + 0x98badcfe;
  out[i * 4 + 3] = d + 0x10325476;
}

// FNV-1a over words of different lengths.
kernel void hash_words(global const uchar *text, global const int *start, global uint *out) {
  size_t i = get_global_id(0);
  uint h = 2166136261u;
  for (int k = start[i]; k < start[i + 1]; k++) h = (h ^ text[k]) * 16777619u;
  out[i] = h;
}

// The last steps of MurmurHash3, over and over.
kernel void mixing(global const uint *in, global uint *out, int rounds) {
  size_t i = get_global_id(0);
  uint h = in[i];
  for (int k = 0; k < rounds; k++) {
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    h += k;
  }
  out[i] = h;
}

// Points in a circle, counted with Marsaglia's xorshift.
kernel void random_circle(global const uint *seeds, global uint *out, int n) {
  size_t i = get_global_id(0);
  uint s = seeds[i], inside = 0;
  for (int k = 0; k < n; k++) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    uint x = s & 0xffff, y = s >> 16;
    if (x * x / 2 + y * y / 2 < 0x7fff0000u) inside++;
  }
  out[i] = inside;
}

// Philox 2x32 with ten rounds: products of 64 bits.
kernel void philox(global uint *out, uint key) {
  size_t i = get_global_id(0);
  uint x = i, y = 0;
  for (int k = 0; k < 10; k++) {
    uint high = mul_hi(0xd256d193u, x), low = 0xd256d193u * x;
    x = high ^ key ^ y;
    y = low;
    key += 0x9e3779b9u;
  }
  out[2 * i] = x;
  out[2 * i + 1] = y;
}

// Rounds like those of AES: four tables of words, indexed by bytes.
kernel void tables(global const uint4 *in, constant uint *table, constant uint4 *keys,
                   global uint4 *out, int rounds) {
  size_t i = get_global_id(0);
  uint4 s = in[i] ^ keys[0];
  for (int r = 1; r <= rounds; r++) {
    uint4 t;
    t.x = table[s.x >> 24] ^ table[256 + (s.y >> 16 & 255)] ^ table[512 + (s.z >> 8 & 255)] ^
          table[768 + (s.w & 255)];
    t.y = table[s.y >> 24] ^ table[256 + (s.z >> 16 & 255)] ^ table[512 + (s.w >> 8 & 255)] ^
          table[768 + (s.x & 255)];
    t.z = table[s.z >> 24] ^ table[256 + (s.w >> 16 & 255)] ^ table[512 + (s.x >> 8 & 255)] ^
          table[768 + (s.y & 255)];
    t.w = table[s.w >> 24] ^ table[256 + (s.x >> 16 & 255)] ^ table[512 + (s.y >> 8 & 255)] ^
          table[768 + (s.z & 255)];
    s = t ^ keys[r];
  }
  out[i] = s;
}

kernel void crc32(global const uchar *in, constant uint *table, global uint *out, int length) {
  size_t i = get_global_id(0);
  uint c = 0xffffffffu;
  for (int k = 0; k < length; k++) c = table[(c ^ in[i * length + k]) & 255] ^ (c >> 8);
  out[i] = ~c;
}

kernel void hamming(global const ulong *a, global const ulong *keys, global int *out, int n) {
  size_t i = get_global_id(0);
  int least = 64;
  ulong x = a[i];
  for (int k = 0; k < n; k++) least = min(least, (int)popcount(x ^ keys[k]));
  out[i] = least;
}

kernel void morton(global const uint2 *in, global uint *out) {
  size_t i = get_global_id(0);
  uint2 v = in[i] & 0xffffu;
  v = (v | v << 8) & 0x00ff00ffu;
  v = (v | v << 4) & 0x0f0f0f0fu;
  v = (v | v << 2) & 0x33333333u;
  v = (v | v << 1) & 0x55555555u;
  out[i] = v.x | v.y << 1;
}

// Powers modulo a number that is known at run time only, in 64 bits.
kernel void powers_modulo(global const uint *base, global const uint *exponent, global uint *out,
                          uint modulus) {
  size_t i = get_global_id(0);
  ulong r = 1, b = base[i] % modulus;
  for (uint e = exponent[i]; e; e >>= 1) {
    if (e & 1) r = r * b % modulus;
    b = b * b % modulus;
  }
  out[i] = r;
}

// Products of bytes added up: four at a time, as quantised networks have them.
kernel void dot_bytes(global const char4 *a, global const char4 *b, global int *out, int n) {
  int i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < n; k++) {
    char4 x = a[i * n + k], y = b[k];
    sum += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
  }
  out[i] = sum;
}

import hashlib
import zlib

import numpy as np

from spec import given, i32, integers, rng, source, u32, zeros

kernel = source("own/integer.cl", "integer")
wide = np.uint64
words = lambda *shape: given(integers(0, 1 << 32, *shape, type=np.uint32))
none = lambda *shape: zeros(*shape, type=np.uint32)

kernel("divisions", lambda: [given(integers(1, 1 << 31, 131072)), given(integers(1, 1000, 131072)),
                             zeros(131072, type=i32)], 131072, 256,
       answer=lambda a, b, _: a // b + a % b)


def turned(x, n):
    return (x << u32(n)) | (x >> u32(32 - n))


def sha_constants():
    primes = [n for n in range(2, 312) if all(n % d for d in range(2, n))]
    roots = [int(np.floor(np.float64(p) ** (1 / 3) % 1 * 2 ** 32)) for p in primes]
    return roots


def sha256(message, _):
    """The compression function alone: hashlib's would pad."""
    h = [u32(x) for x in (0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                          0x1f83d9ab, 0x5be0cd19)]
    w, v = list(message.T), [np.full(message.shape[0], x) for x in h]
    r = lambda x, n: turned(x, 32 - n)
    for t, constant in enumerate(sha_constants()):
        if t >= 16:
            x, y = w[t - 15], w[t - 2]
            w.append(w[t - 16] + w[t - 7] + (r(x, 7) ^ r(x, 18) ^ (x >> u32(3)))
                     + (r(y, 17) ^ r(y, 19) ^ (y >> u32(10))))
        a, b, c, d, e, f, g, last = v
        t1 = (last + (r(e, 6) ^ r(e, 11) ^ r(e, 25)) + ((e & f) ^ (~e & g)) + u32(constant) + w[t])
        t2 = (r(a, 2) ^ r(a, 13) ^ r(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
        v = [t1 + t2, a, b, c, d + t1, e, f, g]
    return np.stack([x + y for x, y in zip(v, h)], 1)


kernel("sha256", lambda: [words(4096, 16), none(4096, 8)], 4096, 64, answer=sha256)
SINES = (np.abs(np.sin(np.arange(1, 65))) * 2.0 ** 32).astype(np.uint32)


def padded():
    """Blocks whose last words are the padding of 40 bytes, so that hashlib agrees."""
    w = integers(0, 1 << 32, 4096, 16, type=np.uint32)
    w[:, 10:] = 0
    w[:, 10], w[:, 14] = 0x80, 320
    return w


def md5(blocks, *_):
    digests = b"".join(hashlib.md5(block[:10].tobytes()).digest() for block in blocks)
    return np.frombuffer(digests, np.uint32).reshape(-1, 4)


kernel("md5", lambda: [given(padded()), given(SINES), none(4096, 4)], 4096, 64, answer=md5)


def some_words():
    start = np.concatenate([[0], np.cumsum(rng().integers(2, 20, 16384))]).astype(np.int32)
    return [given(integers(97, 123, start[-1], type=np.uint8)), given(start), none(16384)]


def hash_words(text, start, _):
    h, length = np.full(16384, 2166136261, np.uint32), np.diff(start)
    for k in range(length.max()):
        at = np.minimum(start[:-1] + k, text.size - 1)
        h = np.where(k < length, (h ^ text[at]) * u32(16777619), h)
    return h


kernel("hash_words", some_words, 16384, 128, answer=hash_words)


def mixing(h, _, rounds):
    for k in range(rounds):
        h = (h ^ h >> u32(16)) * u32(0x85ebca6b)
        h = (h ^ h >> u32(13)) * u32(0xc2b2ae35)
        h = (h ^ h >> u32(16)) + u32(k)
    return h


kernel("mixing", lambda: [words(32768), none(32768), i32(64)], 32768, 256, answer=mixing)


def random_circle(s, _, n):
    inside = np.zeros_like(s)
    for _ in range(n):
        s = s ^ s << u32(13)
        s = s ^ s >> u32(17)
        s = s ^ s << u32(5)
        x, y = s & u32(0xffff), s >> u32(16)
        inside += x * x // u32(2) + y * y // u32(2) < 0x7fff0000
    return inside


kernel("random_circle", lambda: [words(16384), none(16384), i32(100)], 16384, 256,
       answer=random_circle)


def philox(_, key):
    x, y = np.arange(65536, dtype=np.uint32), np.zeros(65536, np.uint32)
    key = int(key)
    for _ in range(10):
        product = x.astype(wide) * wide(0xd256d193)
        x, y = (product >> wide(32)).astype(np.uint32) ^ u32(key) ^ y, product.astype(np.uint32)
        key = (key + 0x9e3779b9) & 0xffffffff
    return np.stack([x, y], 1).ravel()


kernel("philox", lambda: [none(131072), u32(1234567)], 65536, 256, answer=philox)


def tables(s, table, keys, _, rounds):
    s, table = s ^ keys[0], table.reshape(4, 256)
    for r in range(1, rounds + 1):
        t = [np.roll(s, -k, 1) for k in range(4)]
        s = (table[0][t[0] >> u32(24)] ^ table[1][t[1] >> u32(16) & u32(255)]
             ^ table[2][t[2] >> u32(8) & u32(255)] ^ table[3][t[3] & u32(255)]) ^ keys[r]
    return s


kernel("tables", lambda: [words(16384, 4), words(1024), words(11, 4), none(16384, 4), i32(10)],
       16384, 128, answer=tables)


def crc_table():
    c = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        c = np.where(c & 1, u32(0xedb88320) ^ c >> u32(1), c >> u32(1))
    return c


kernel("crc32", lambda: [given(integers(0, 256, 8192, 64, type=np.uint8)), given(crc_table()),
                         none(8192), i32(64)], 8192, 128,
       answer=lambda a, *_: np.array([zlib.crc32(row.tobytes()) for row in a], np.uint32))


def hamming(a, keys, _, n):
    bits = np.array([bin(x).count("1") for x in range(65536)], np.uint8)
    apart = (a[:, None] ^ keys).view(np.uint16).reshape(a.size, keys.size, 4)
    return bits[apart].sum(2).min(1).astype(np.int32)


kernel("hamming", lambda: [given(integers(0, 1 << 62, 8192, type=wide)),
                           given(integers(0, 1 << 62, 64, type=wide)),
                           zeros(8192, type=i32), i32(64)], 8192, 128, answer=hamming)


def morton(v, _):
    code = np.zeros(v.shape[0], np.uint32)
    for bit in range(16):
        for part in range(2):
            code |= (v[:, part] >> u32(bit) & u32(1)) << u32(2 * bit + part)
    return code


kernel("morton", lambda: [words(65536, 2), none(65536)], 65536, 256, answer=morton)
kernel("powers_modulo", lambda: [words(4096), given(integers(1, 1 << 16, 4096, type=np.uint32)),
                                 none(4096), u32(1000003)], 4096, 64,
       answer=lambda b, e, _, m: np.array([pow(int(x), int(y), int(m)) for x, y in zip(b, e)],
                                          np.uint32))
kernel("dot_bytes", lambda: [given(integers(-128, 128, 4096, 64, 4, type=np.int8)),
                             given(integers(-128, 128, 64, 4, type=np.int8)),
                             zeros(4096, type=i32), i32(64)], 4096, 64,
       answer=lambda a, b, *_: (a.astype(np.int32) * b).sum((1, 2)).astype(np.int32))

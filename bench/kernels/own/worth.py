"""Kernels of tests/passes: where lanes pay, and where one work-item after another is faster."""
import numpy as np

from spec import given, i32, integers, numbers, out, rng, source, uniform, zeros

PASSES = "own/../../../tests/passes/"
kernel = source(PASSES + "worth.cl", "worth", group=64)
arrays = source(PASSES + "worth_arrays.cl", "worth", group=64)
ITEMS, ROWS, LENGTH = 8192, 4096, 128


def starts(low, high):
    return np.concatenate([[0], np.cumsum(rng().integers(low, high, ITEMS))]).astype(np.int32)


def matrix():
    start = starts(4, 60)
    return [given(start), given(integers(0, ITEMS, start[-1])), numbers(start[-1]), numbers(ITEMS),
            zeros(ITEMS)]


def product(start, column, value, x, y):
    sums = np.concatenate([[0], np.cumsum(value.astype(np.float64) * x[column])])
    return (sums[start[1:]] - sums[start[:-1]]).astype(np.float32)


kernel("sparse", matrix, ITEMS, answer=product)


def words():
    start = starts(4, 60)
    return [given(integers(97, 122, start[-1], type=np.uint8)), given(start),
            zeros(ITEMS, type=np.uint32)]


def hashes(text, start, _):
    hashed = np.zeros(ITEMS, np.uint32)
    for k in range(np.diff(start).max()):
        some = np.flatnonzero(start[:-1] + k < start[1:])
        h = (hashed[some] ^ text[start[some] + k]) * np.uint32(16777619)
        hashed[some] = h ^ (h >> np.uint32(13))
    return hashed


kernel("word", words, ITEMS, answer=hashes)
kernel("running", lambda: [out(uniform(1024, 1024))], 1024, reset=True,
       answer=lambda x: np.cumsum(x, axis=1, dtype=np.float64).astype(np.float32))


def small(*shape):
    return given(integers(-9, 9, *shape, type=np.int8))


def in_rows(a):
    return a.reshape(ROWS, -1)


kernel("bytes", lambda: [small(ROWS, 256), small(ROWS, 256), zeros(ROWS, type=np.int32), i32(256)],
       ROWS, answer=lambda a, b, *_: (in_rows(a).astype(np.int32) * in_rows(b)).sum(1))
kernel("find", lambda: [given(np.sort(uniform(1 << 16))), i32(1 << 16), numbers(ITEMS),
                        zeros(ITEMS, type=np.int32)], ITEMS,
       answer=lambda sorted, n, x, _: np.searchsorted(sorted, x))


def distances(points, centre, *_):
    d = points.astype(np.float64) - centre
    return (np.sqrt(d * d + 1) / (1 + abs(d))).sum(1)


kernel("distances", lambda: [numbers(ROWS, LENGTH), numbers(LENGTH), zeros(ROWS), i32(LENGTH)],
       ROWS, answer=distances)
kernel("columns", lambda: [numbers(1024, 1024), zeros(1024), i32(1024)], 1024,
       answer=lambda a, *_: a.sum(0, dtype=np.float64))


def bodies(*more):
    return [out(uniform(ITEMS, 8)), np.float32(0.1), *more]


def moved(b, dt, _):
    b = b.copy()
    b[:, :3] += b[:, 3:6] * dt
    return b


def pulled(b, dt):
    b = b.copy()
    at = b[:, :3].astype(np.float64)
    s = dt / np.sqrt((at * at).sum(1) + 0.1)
    b[:, 3:6] -= (s * b[:, 6])[:, None] * at
    return b


kernel("moved", lambda: bodies(i32(ITEMS)), ITEMS, reset=True, answer=moved)
kernel("pulled", bodies, ITEMS, reset=True, answer=pulled)


def chain(a, *_):
    sums = a.sum(1, dtype=np.float64)[:, None], (a.astype(np.float64) ** 2).sum(1)[:, None]
    return a * sums[1] - sums[0]


kernel("chain", lambda: [numbers(2048, 256), zeros(2048, 256), i32(256)], 2048, answer=chain)


def placed(n, columns, left, right):
    """Ways to place queens in the rows that are left."""
    if columns == (1 << n) - 1:
        return 1
    free = (1 << n) - 1 & ~(columns | left | right)
    return sum(placed(n, columns | bit, (left | bit) << 1, (right | bit) >> 1)
               for bit in (1 << k for k in range(n)) if free & bit)


kernel("queens", lambda: [given(integers(0, 8, 2048, type=np.uint32)),
                          zeros(2048, type=np.uint32), i32(8)], 2048,
       answer=lambda first, _, n: np.array(
           [placed(8, 1 << k, 2 << k, 1 << k >> 1) for k in range(8)], np.uint32)[first])
SIZE = np.array([7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31])


def sound(codes, _, n):
    level, step = np.zeros(2048, int), np.zeros(2048, int)
    made = np.empty((2048, n), np.int16)
    for k in range(n):
        code = codes[:, k].astype(int)
        by = SIZE[step & 15] << (step >> 4)
        change = (by >> 3) + (code & 1) * (by >> 2) + (code >> 1 & 1) * (by >> 1) + (code >> 2 & 1) * by
        level = np.clip(np.where(code & 8, level - change, level + change), -32768, 32767)
        step = np.clip(step + (code & 7) - 3, 0, 127)
        made[:, k] = level
    return made


kernel("sound", lambda: [given(integers(0, 16, 2048, 256, type=np.uint8)),
                         zeros(2048, 256, type=np.int16), i32(256)], 2048, answer=sound)
kernel("quantised", lambda: [small(ROWS, 64, 4), small(64, 4), zeros(ROWS, type=np.int32), i32(64)],
       ROWS, answer=lambda a, b, *_: (a.astype(np.int32) * b).sum((1, 2)))


def lines():
    a, c, d = (numbers(ROWS, 32) for _ in range(3))
    return [a, numbers(ROWS, 32, low=4, high=5), c, d, zeros(ROWS, 32)]


def solved(a, b, c, d, _):
    a, b, c, d = (x.astype(np.float64) for x in (a, b, c, d))
    cs, ds = c[:, 0] / b[:, 0], d[:, 0] / b[:, 0]
    above, right = [cs], [ds]
    for k in range(1, 32):
        by = 1 / (b[:, k] - a[:, k] * above[-1])
        right.append((d[:, k] - a[:, k] * right[-1]) * by)
        above.append(c[:, k] * by)
    x = right
    for k in range(30, -1, -1):
        x[k] = right[k] - above[k] * x[k + 1]
    return np.stack(x, 1)


kernel("tridiagonal", lines, ROWS, answer=solved)


def sorted_rows():
    return [given(np.sort(integers(0, 1000, ROWS * 32))), numbers(ROWS * 32), numbers(ROWS * 32),
            zeros(1000, type=np.int32), i32(32)]


kernel("segments", sorted_rows, ROWS, reset=True)


def neighbours():
    start = starts(2, 12)
    next = np.concatenate([np.sort(integers(0, ITEMS, n)) for n in np.diff(start)])
    return [given(start), given(np.append(next, 0).astype(np.int32)), zeros(ITEMS, type=np.int32)]


kernel("common", neighbours, ITEMS)
arrays("keys", lambda: [given(integers(0, 256, 1024, 16, type=np.uint8)),
                        zeros(1024, 64, type=np.uint8), i32(64)], 1024)
arrays("sifts", lambda: [given(integers(0, 1 << 30, 1024, 128, type=np.uint32)),
                         zeros(1024, type=np.uint32), i32(128)], 1024)
arrays("handed_on", lambda: [given(integers(0, 256, 512 * 8, 64, type=np.uint8)),
                             zeros(512 * 8, 64, type=np.uint8), i32(64)], 512)

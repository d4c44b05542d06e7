import numpy as np

from spec import given, i32, integers, out, rng, source, uniform, zeros

kernel = source("own/sparse.cl", "sparse")
ROWS = 16000


def rows():
    r = rng()
    start = np.concatenate([[0], np.cumsum(r.integers(0, 24, ROWS))]).astype(np.int32)
    return start, r.integers(0, ROWS, start[-1]).astype(np.int32)


def matrix():
    start, column = rows()
    return [given(start), given(column), given(uniform(column.size)), given(uniform(ROWS, low=-1)),
            zeros(ROWS), i32(ROWS)]


def product(start, column, value, x, y, n):
    sums = np.concatenate([[0], np.cumsum(value.astype(np.float64) * x[column])])
    return (sums[start[1:]] - sums[start[:-1]]).astype(np.float32)


kernel("csr", matrix, 16128, 256, answer=product)
kernel("csr_rows", matrix, ROWS * 16, 128, answer=product)


def even():
    column = integers(-3, ROWS, 12, ROWS)
    return [given(column), given(uniform(12, ROWS)), given(uniform(ROWS, low=-1)), zeros(ROWS),
            i32(ROWS), i32(12)]


kernel("ell", even, 16128, 256, answer=lambda column, value, x, *_:
       (np.where(column < 0, 0, value) * x[np.maximum(column, 0)]).sum(0))


def graph():
    start, edges = rows()
    level = np.where(rng().random(ROWS) < 0.4, -1, integers(0, 4, ROWS)).astype(np.int32)
    return [given(start), given(edges), given(level), out(level), i32(3), i32(ROWS)]


def front(start, edges, level, next, now, n):
    to = np.concatenate([edges[start[v]:start[v + 1]] for v in np.flatnonzero(level == now)])
    next = next.copy()
    next[to[level[to] < 0]] = now + 1
    return next


kernel("front", graph, 16128, 256, reset=True, answer=front)

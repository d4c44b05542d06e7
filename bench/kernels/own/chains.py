import numpy as np

from spec import i32, source, zeros

kernel = source("own/chains.cl", "chains")


def chain(width, spread):
    def answer(_, a):
        with np.errstate(all="ignore"):
            x = np.zeros((256, width), a.dtype) + a + np.repeat(np.arange(spread, dtype=a.dtype),
                                                                width // spread)
            y = np.zeros((256, width), a.dtype) + np.arange(256)[:, None].astype(a.dtype)
            for _ in range(32 * 16):
                x = y * x + y
                y = x * y + x
            return np.tile(y.sum(1, dtype=a.dtype), 32)
    return answer


for name, type, width, spread in (
        ("float", np.float32, 1, 1), ("float4", np.float32, 4, 4), ("float16", np.float32, 16, 4),
        ("double", np.float64, 1, 1), ("double2", np.float64, 2, 2), ("int", np.int32, 1, 1),
        ("int4", np.int32, 4, 4), ("long", np.int64, 1, 1), ("short", np.int16, 1, 1),
        ("char4", np.int8, 4, 4)):
    kernel(name + "_chain", lambda type=type: [zeros(8192, type=type), type(-0.9)
                                               if issubclass(type, np.floating) else type(3)],
           8192, 256, answer=chain(width, spread), tolerance=1e-2)

import numpy as np

from spec import i32, numbers, source, zeros

kernel = source("own/fft.cl", "fft")


def parts(c):
    return np.ascontiguousarray(c, np.complex64).view(np.float32)


def stage(radix):
    """One pass, said as what it is: transforms of `radix` with turned inputs."""
    def answer(a, _, p):
        v = a.view(np.complex64).astype(np.complex128).reshape(radix, -1)
        i = np.arange(v.shape[1])
        k = i & (int(p) - 1)
        part = np.arange(radix)[:, None] * k / (radix * p)
        v = np.fft.fft(v * np.exp(-2j * np.pi * part), axis=0)
        result = np.zeros(a.size // 2, np.complex128)
        for r in range(radix):
            result[(i - k) * radix + k + r * p] = v[r]
        return parts(result).reshape(a.shape)
    return answer


kernel("radix2", lambda: [numbers(65536, 2, low=-1), zeros(65536, 2), i32(64)], 32768, 128,
       answer=stage(2))
kernel("radix4", lambda: [numbers(65536, 2, low=-1), zeros(65536, 2), i32(64)], 16384, 128,
       answer=stage(4))


def of16(a, _):
    return parts(np.fft.fft(a.view(np.complex64)[..., 0].astype(np.complex128), axis=0))


kernel("of16", lambda: [numbers(16, 4096, 2, low=-1), zeros(16, 4096, 2)], 4096, 64,
       answer=lambda a, _: of16(a, _).reshape(a.shape))
kernel("fourier_sum", lambda: [numbers(1024, low=-1), zeros(1024, 2), i32(1024)], 1024, 64,
       answer=lambda a, *_: parts(np.fft.fft(a)).reshape(1024, 2), tolerance=1e-3)

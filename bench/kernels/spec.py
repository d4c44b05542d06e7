"""What a kernel of the comparison is: a source file, arguments, sizes, and its answer."""
import numpy as np

f32, f64, i32, u32, i64 = np.float32, np.float64, np.int32, np.uint32, np.int64
KERNELS = []
seed = 42


class Buffer:
    """An argument in global memory. What an output holds before is part of its data."""

    def __init__(self, data, out):
        self.data, self.out = np.ascontiguousarray(data), out


class Image(Buffer):
    """An argument that is a 2D image: rows of pixels of one or four channels, bytes (normalised) or
    floats."""


class Local:
    """An argument in local memory, in bytes."""

    def __init__(self, size):
        self.size = size


class Kernel:
    """arguments:  makes the list of arguments: Buffer, Local, or numpy's numbers for values.
    size, group:  the ND-range, x first.
    answer:       is given what each argument holds, and returns the outputs in their order; None in
                  place of one: it is not compared.  Without it the drivers are compared.
    tolerance:    largest error of a floating-point output, over the output's root mean square.
    differing:    share of the elements that may be wrong all the same: where a comparison of
                  rounded numbers decides.
    reset:        the kernel reads its outputs; they are written anew before each launch.
    edit:         pairs of texts: repairs of the source.
    needs:        extension that a device must have."""

    def __init__(self, path, prefix, name, arguments, size, group, kernel=None, answer=None,
                 tolerance=1e-4, differing=0.0, reset=False, options=(), edit=(), needs=None):
        as_tuple = lambda x: tuple(x) if isinstance(x, (tuple, list)) else (x,)
        self.path, self.name, self.kernel = path, prefix + "." + name, kernel or name
        self.make, self.answer = arguments, answer
        self.size, self.group = as_tuple(size), as_tuple(group)
        self.tolerance, self.differing, self.reset = tolerance, differing, reset
        self.options, self.edit, self.needs = tuple(options), tuple(edit), needs
        KERNELS.append(self)

    def arguments(self):
        """The same each time."""
        global seed
        seed = 42
        return self.make()


def source(path, prefix, **common):
    """A function that adds a kernel of the file."""
    return lambda *args, **more: Kernel(path, prefix, *args, **{**common, **more})


def rng():
    global seed
    seed += 1
    return np.random.default_rng(seed)


def uniform(*shape, low=0.0, high=1.0, type=np.float32):
    return (rng().random(shape) * (high - low) + low).astype(type)


def integers(low, high, *shape, type=np.int32):
    return rng().integers(low, high, shape).astype(type)


def given(data):
    return Buffer(data, False)


def out(data):
    return Buffer(data, True)


def zeros(*shape, type=np.float32):
    return out(np.zeros(shape, type))


def numbers(*shape, **how):
    return given(uniform(*shape, **how))




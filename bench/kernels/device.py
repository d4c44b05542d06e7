"""As much of OpenCL as the comparison needs, by ctypes: the first device of the first platform."""
import ctypes
from ctypes import byref, c_char_p, c_size_t, c_uint64, c_void_p, cast, create_string_buffer

DEVICE_TYPE_ALL = 0xFFFFFFFF
DEVICE_NAME, DEVICE_EXTENSIONS = 0x102B, 0x1030
DEVICE_TYPE, TYPE_GPU = 0x1000, 4
QUEUE_PROFILING, PROFILING_START, PROFILING_END = 2, 0x1282, 0x1283
PROGRAM_BUILD_LOG = 0x1183
MEM_READ_WRITE = 1
CHANNEL_ORDERS, CHANNEL_TYPES = {1: 0x10B0, 4: 0x10B5}, {"uint8": 0x10D2, "float32": 0x10DE}
OBJECT_IMAGE2D = 0x10F1


class Failure(Exception):
    pass


def check(error, what):
    if error:
        raise Failure("%s: error %d" % (what, error))


class Device:
    def __init__(self):
        self.cl = ctypes.CDLL("libOpenCL.so.1")
        for name in ("clCreateContext", "clCreateCommandQueue", "clCreateProgramWithSource",
                     "clCreateKernel", "clCreateBuffer", "clCreateImage"):
            getattr(self.cl, name).restype = c_void_p
        platform, self.device, error = c_void_p(), c_void_p(), ctypes.c_int()
        check(self.cl.clGetPlatformIDs(1, byref(platform), None), "no platform")
        check(self.cl.clGetDeviceIDs(platform, c_uint64(DEVICE_TYPE_ALL), 1, byref(self.device),
                                     None), "no device")
        self.context = self.make("clCreateContext", None, 1, byref(self.device), None, None)
        kind = c_uint64()
        check(self.cl.clGetDeviceInfo(self.device, DEVICE_TYPE, c_size_t(8), byref(kind), None), "info")
        self.is_gpu = kind.value == TYPE_GPU
        self.queue = self.make("clCreateCommandQueue", self.context, self.device,
                               c_uint64(QUEUE_PROFILING if self.is_gpu else 0))

    def make(self, function, *args):
        error = ctypes.c_int()
        made = getattr(self.cl, function)(*args, byref(error))
        check(error.value, function)
        return c_void_p(made)

    def text(self, what):
        size = c_size_t()
        check(self.cl.clGetDeviceInfo(self.device, what, c_size_t(0), None, byref(size)), "info")
        value = create_string_buffer(size.value + 1)
        check(self.cl.clGetDeviceInfo(self.device, what, size, value, None), "info")
        return value.value.decode(errors="replace")

    def build(self, source, options, kernel):
        text = c_char_p(source.encode())
        program = self.make("clCreateProgramWithSource", self.context, 1, byref(text), None)
        error = self.cl.clBuildProgram(program, 1, byref(self.device), options.encode(), None, None)
        if error:
            log = create_string_buffer(1 << 16)
            self.cl.clGetProgramBuildInfo(program, self.device, PROGRAM_BUILD_LOG,
                                          c_size_t(len(log) - 1), log, None)
            raise Failure("not built (%d): %s" % (error, log.value.decode(errors="replace")))
        return self.make("clCreateKernel", program, kernel.encode())

    def buffer(self, size):
        return self.make("clCreateBuffer", self.context, c_uint64(MEM_READ_WRITE), c_size_t(size),
                         None)

    def image(self, array):
        """A 2D image as large as the array of rows."""
        channels = array.shape[2] if array.ndim == 3 else 1
        format = (ctypes.c_uint32 * 2)(CHANNEL_ORDERS[channels], CHANNEL_TYPES[array.dtype.name])
        sizes = (c_size_t * 9)(OBJECT_IMAGE2D, array.shape[1], array.shape[0])
        return self.make("clCreateImage", self.context, c_uint64(MEM_READ_WRITE), byref(format),
                         byref(sizes), None)

    def transfer_image(self, what, image, array):
        whole = (c_size_t * 3)(array.shape[1], array.shape[0], 1)
        check(getattr(self.cl, "clEnqueue%sImage" % what)(
            self.queue, image, 1, (c_size_t * 3)(), whole, c_size_t(0), c_size_t(0),
            c_void_p(array.ctypes.data), 0, None, None), what)

    def argument(self, kernel, place, size, value):
        check(self.cl.clSetKernelArg(kernel, place, c_size_t(size), value), "argument %d" % place)

    def write(self, buffer, array):
        check(self.cl.clEnqueueWriteBuffer(self.queue, buffer, 1, c_size_t(0),
                                           c_size_t(array.nbytes),
                                           c_void_p(array.ctypes.data), 0, None, None), "write")

    def read(self, buffer, array):
        check(self.cl.clEnqueueReadBuffer(self.queue, buffer, 1, c_size_t(0),
                                          c_size_t(array.nbytes),
                                          c_void_p(array.ctypes.data), 0, None, None), "read")

    def launcher(self, kernel, size, group):
        """A function that runs the kernel and waits for its end; on a GPU it returns the seconds that
        the kernel took, by its event."""
        sizes = c_size_t * len(size)
        size, group = sizes(*size), sizes(*group)
        enqueue, finish = self.cl.clEnqueueNDRangeKernel, self.cl.clFinish
        dimensions = len(size)

        def launch():
            event = c_void_p()
            check(enqueue(self.queue, kernel, dimensions, None, size, group, 0, None,
                          byref(event) if self.is_gpu else None), "launch")
            check(finish(self.queue), "finish")
            return self.seconds(event) if self.is_gpu else None

        return launch

    def seconds(self, event):
        times = [c_uint64(), c_uint64()]
        for what, time in zip((PROFILING_START, PROFILING_END), times):
            check(self.cl.clGetEventProfilingInfo(event, what, c_size_t(8), byref(time), None), "times")
        self.cl.clReleaseEvent(event)
        return 1e-9 * (times[1].value - times[0].value)

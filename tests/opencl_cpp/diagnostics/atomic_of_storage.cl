// options: -cl-std=c++
#include <opencl_memory>
#include <opencl_atomic>
kernel void k() { cl::atomic<cl::global<int>> a; }

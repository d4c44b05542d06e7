// options: -cl-std=c++
#include <opencl_memory>
struct bar final {};
kernel void k() { cl::local<bar> a; }

/* cl::work_group_named_barrier of <opencl_synchronization> (cl_khr_subgroup_named_barrier), which
 * includes this once <opencl_memory> is there.  The work is done by the built-in library
 * (src/builtins/group/named_barrier.cl), as for SPIR-V. */
#ifndef MANIPLE_OPENCL_CPP_NAMED_BARRIER
#define MANIPLE_OPENCL_CPP_NAMED_BARRIER
#pragma GCC system_header
#include "opencl_marker"
#include "opencl_work_item"

extern "C" {
void __mpl_named_barrier_start(__local ulong *barrier, uint count);
void __sub_group_named_barrier_wait(__local ulong *barrier) __attribute__((convergent));
}

namespace cl {
struct work_group_named_barrier : marker_type {
  work_group_named_barrier(const work_group_named_barrier &) = default;
  work_group_named_barrier(work_group_named_barrier &&) = default;
  work_group_named_barrier &operator=(const work_group_named_barrier &) = delete;
  work_group_named_barrier &operator=(work_group_named_barrier &&) = delete;
  work_group_named_barrier *operator&() = delete;

  __CL_INLINE void wait(mem_fence flags,
                        memory_scope scope = memory_scope_work_group) const noexcept {
    ::sub_group_barrier((cl_mem_fence_flags)flags, scope);
    __sub_group_named_barrier_wait((__local ulong *)__words);
  }

protected:
  work_group_named_barrier() = default;
  __CL_INLINE void __start(uint sub_group_count) noexcept {
    __mpl_named_barrier_start((__local ulong *)__words, sub_group_count);
  }

private:
  mutable ulong __words[2];
};

/* local<work_group_named_barrier>, the only place where there may be one. */
template <>
struct __local_storage<work_group_named_barrier, __storage_kind::constructed>
    : work_group_named_barrier {
  __local_storage() = default;

private:
  template <class> friend struct __filler;
  using work_group_named_barrier::__start;
};

/* local<work_group_named_barrier> b(4) */
template <> struct __filler<work_group_named_barrier> {
  __local __local_storage<work_group_named_barrier> &__x;

  __CL_INLINE int operator()(uint sub_group_count) const {
    if (::get_local_linear_id() == 0) __x.__start(sub_group_count);
    ::work_group_barrier(CLK_LOCAL_MEM_FENCE);
    return 0; /* nothing to destroy */
  }
  __CL_INLINE int __list(uint sub_group_count) const { return (*this)(sub_group_count); }
};
} // namespace cl
#endif

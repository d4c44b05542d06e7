/* cl::work_group_named_barrier of <opencl_synchronization> (cl_khr_subgroup_named_barrier), which
 * includes this once <opencl_memory> is there: over atomics in local memory, on which sub-groups
 * may wait for one another, for each makes progress whatever the others do. */
#ifndef MANIPLE_OPENCL_CPP_NAMED_BARRIER
#define MANIPLE_OPENCL_CPP_NAMED_BARRIER
#pragma GCC system_header
#include "opencl_marker"
#include "opencl_work_item"

namespace cl {
struct work_group_named_barrier : marker_type {
  work_group_named_barrier(const work_group_named_barrier &) = default;
  work_group_named_barrier(work_group_named_barrier &&) = default;
  work_group_named_barrier &operator=(const work_group_named_barrier &) = delete;
  work_group_named_barrier &operator=(work_group_named_barrier &&) = delete;
  work_group_named_barrier *operator&() = delete;

  /* All lanes wait in the loop, so that none parts from the others. */
  __CL_INLINE void wait(mem_fence flags,
                        memory_scope scope = memory_scope_work_group) const noexcept {
    uint phase = __now();
    ::sub_group_barrier((cl_mem_fence_flags)flags, scope);
    if (cl::get_sub_group_local_id() == 0) __arrive(phase);
    while (__now() == phase)
      ;
    ::sub_group_barrier((cl_mem_fence_flags)flags, scope);
  }

protected:
  work_group_named_barrier() = default;
  __CL_INLINE void __start(uint sub_group_count) noexcept {
    __count = sub_group_count;
    ::atomic_init(&__arrived, 0u);
    ::atomic_init(&__phase, 0u);
  }

private:
  __CL_INLINE uint __now() const noexcept {
    return ::atomic_load_explicit(&__phase, memory_order_acquire, memory_scope_work_group);
  }
  /* The last one to come resets the count and begins the next phase. */
  __CL_INLINE void __arrive(uint phase) const noexcept {
    uint before =
        ::atomic_fetch_add_explicit(&__arrived, 1u, memory_order_acq_rel, memory_scope_work_group);
    if (before + 1 != __count) return;
    ::atomic_store_explicit(&__arrived, 0u, memory_order_relaxed, memory_scope_work_group);
    ::atomic_store_explicit(&__phase, phase + 1, memory_order_release, memory_scope_work_group);
  }

  uint __count;
  mutable __atomic_counter __arrived, __phase;
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

/* sycl_khr_dynamic_addrspace_cast: a pointer of which the program asks where it points. */
#ifndef SYCL_KHR_DYNAMIC_ADDRSPACE_CAST_HPP
#define SYCL_KHR_DYNAMIC_ADDRSPACE_CAST_HPP

#include <maniple/kernel.h>

#include "../multi_ptr.hpp"
#include "version.hpp"

namespace sycl {

namespace detail {

/* Generic and constant space have no memory of their own: any pointer is one to them. */
template <access::address_space Space> bool points_to(const volatile void *pointer) {
  constexpr auto known = Space == access::address_space::local_space     ? MPL_SPACE_LOCAL
                         : Space == access::address_space::private_space ? MPL_SPACE_PRIVATE
                                                                         : MPL_SPACE_GLOBAL;
  if constexpr (Space == access::address_space::generic_space)
    return true;
  else
    return pointer && mpl_get_address_space(const_cast<const void *>(pointer)) == known;
}

} // namespace detail

namespace khr {

template <access::address_space Space, typename ElementType>
multi_ptr<ElementType, Space, access::decorated::no> dynamic_addrspace_cast(ElementType *pointer) {
  return multi_ptr<ElementType, Space, access::decorated::no>(
      detail::points_to<Space>(pointer) ? pointer : nullptr);
}
template <access::address_space Space, typename ElementType, access::decorated Decorated>
multi_ptr<ElementType, Space, Decorated>
dynamic_addrspace_cast(multi_ptr<ElementType, addrspace_generic, Decorated> pointer) {
  return multi_ptr<ElementType, Space, Decorated>(
      detail::points_to<Space>(pointer.get()) ? pointer.get() : nullptr);
}

} // namespace khr
} // namespace sycl

#endif

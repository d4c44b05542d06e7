/* sycl_khr_static_addrspace_cast: a pointer of which the program knows where it points. */
#ifndef SYCL_KHR_STATIC_ADDRSPACE_CAST_HPP
#define SYCL_KHR_STATIC_ADDRSPACE_CAST_HPP

#include "../multi_ptr.hpp"
#include "version.hpp"

namespace sycl::khr {

template <access::address_space Space, typename ElementType>
multi_ptr<ElementType, Space, access::decorated::no> static_addrspace_cast(ElementType *pointer) {
  return multi_ptr<ElementType, Space, access::decorated::no>(pointer);
}
template <access::address_space Space, typename ElementType, access::decorated Decorated>
multi_ptr<ElementType, Space, Decorated>
static_addrspace_cast(multi_ptr<ElementType, addrspace_generic, Decorated> pointer) {
  return multi_ptr<ElementType, Space, Decorated>(pointer.get());
}

} // namespace sycl::khr

#endif

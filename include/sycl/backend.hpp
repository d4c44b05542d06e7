/* Interoperability (SYCL 2020, 4.5.1) with the backend that this is made of: <maniple/maniple.h>, so
 * that a program may have kernels in C in the same queue.  What get_native gives belongs to the
 * object that it is of. */
#ifndef SYCL_BACKEND_HPP
#define SYCL_BACKEND_HPP

#include <maniple/maniple.h>

#include <memory>

#include "buffer.hpp"
#include "device.hpp"
#include "event.hpp"
#include "queue.hpp"

namespace sycl {

namespace detail {

template <typename T> struct native; /* type, and its value of an object */
template <> struct native<device> {
  using type = mpl_device *;
  static type of(const device &object) { return object.engine(); }
};
template <> struct native<queue> {
  using type = mpl_queue *;
  static type of(const queue &object) { return object.engine(); }
};
template <> struct native<event> { /* null: of a command that has ended */
  using type = mpl_event *;
  static type of(const event &object) { return object.engine().get(); }
};
template <typename T, int D, typename A> struct native<buffer<T, D, A>> {
  using type = T *;
  static type of(const buffer<T, D, A> &object) { return buffer_access::data(object); }
};

} // namespace detail

template <backend Backend> class backend_traits;
template <> class backend_traits<backend::maniple> {
public:
  template <typename T> using input_type = typename detail::native<T>::type;
  template <typename T> using return_type = typename detail::native<T>::type;
  using errc = sycl::errc;
};

template <backend Backend, typename T>
using backend_input_t = typename backend_traits<Backend>::template input_type<T>;
template <backend Backend, typename T>
using backend_return_t = typename backend_traits<Backend>::template return_type<T>;

template <backend Backend, typename T>
backend_return_t<Backend, T> get_native(const T &object) {
  return detail::native<T>::of(object);
}

/* A device of mpl_get_device, or of mpl_create_sub_device, which has to live as long. */
template <backend Backend> device make_device(const backend_input_t<Backend, device> &object) {
  for (const auto &each : detail::root_devices())
    if (each->device == object) return device(each);
  return device(std::make_shared<detail::device_state>(object));
}

/* Takes a reference of its own. */
template <backend Backend>
event make_event(const backend_input_t<Backend, event> &object, const context &) {
  auto state = std::make_shared<detail::event_state>();
  if (object) mpl_retain_event(object);
  state->event = detail::event_ref(object);
  return event(std::move(state));
}

template <backend Backend, typename T, int D, access_mode M, access::placeholder P>
backend_return_t<Backend, buffer<T, D>>
interop_handle::get_native_mem(const accessor<T, D, M, target::device, P> &access) const {
  if (!detail::is_one_of(memory, access.part.memory))
    detail::fail(errc::invalid, "the command group of the host task has not registered it");
  return const_cast<T *>(access.part.start);
}
template <backend Backend>
backend_return_t<Backend, queue> interop_handle::get_native_queue() const {
  return state->queue;
}
template <backend Backend>
backend_return_t<Backend, device> interop_handle::get_native_device() const {
  return state->device.engine();
}

} // namespace sycl

#endif

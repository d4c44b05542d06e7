/* accessor and host_accessor: how commands and the host get at a buffer. */
#ifndef SYCL_ACCESSOR_HPP
#define SYCL_ACCESSOR_HPP

#include <memory>
#include <type_traits>

#include "buffer.hpp"
#include "detail/accessor_base.hpp"
#include "multi_ptr.hpp"

namespace sycl {

class interop_handle; /* handler.hpp */

namespace detail {

/* The part of a buffer that an accessor sees.  Trivially copyable: it is copied into kernels. */
template <typename T, int D> struct view {
  static constexpr int dims = D ? D : 1;
  T *start = nullptr; /* of the buffer */
  T *origin = nullptr;
  range<dims> whole, box;
  id<dims> offset;
  memory_block *memory = nullptr;

  view() = default;
  template <typename B, int N, typename A>
  view(const buffer<B, N, A> &of, const range<dims> &size, const id<dims> &from)
      : start(buffer_access::data(of)), whole(widen<dims>(of.get_range())), box(size), offset(from),
        memory(buffer_access::memory(of).get()) {
    for (int i = 0; i < dims; i++)
      if (from[i] + size[i] > whole[i])
        fail(errc::invalid, "the range of an accessor lies inside its buffer");
    origin = start + linear(offset, whole);
  }
  template <typename Other>
  explicit view(const Other &other)
      : start(other.start), origin(other.origin), whole(other.whole), box(other.box),
        offset(other.offset), memory(other.memory) {}

  friend bool operator==(const view &a, const view &b) {
    return a.origin == b.origin && a.memory == b.memory && a.whole == b.whole && a.box == b.box;
  }
};

/* Buffers that an accessor can be of: buffer<const T> for one that only reads. */
template <typename B, typename DataT, access_mode Mode>
using if_accessible =
    std::enable_if_t<std::is_same_v<std::remove_const_t<B>, std::remove_const_t<DataT>> &&
                         (!std::is_const_v<B> || std::is_const_v<value_of<DataT, Mode>>),
                     int>;

/* Accessors know property::no_init; kernels copy them, so they hold no list. */
[[gnu::noinline]] inline bool is_fresh(const property_list &properties, access_mode mode) {
  bool fresh = check_properties<property::no_init>(properties).has_property<property::no_init>();
  if (fresh && mode == access_mode::read)
    fail(errc::invalid, "property::no_init is not for an accessor that only reads");
  return fresh;
}
template <typename Property> Property get_fresh(bool fresh) {
  if constexpr (std::is_same_v<Property, property::no_init>)
    if (fresh) return {};
  fail(errc::invalid, "the accessor does not have this property");
}

template <typename T> inline constexpr bool is_tag = false;
template <access_mode M> inline constexpr bool is_tag<mode_tag_t<M>> = true;
template <access_mode M, target G> inline constexpr bool is_tag<mode_target_tag_t<M, G>> = true;
template <typename T> using if_tag = std::enable_if_t<is_tag<T>>;

/* What a handler needs of an accessor: defined in handler.hpp. */
void require_access(handler &, memory_block *, const std::shared_ptr<memory_block> &, access_mode);
bool is_required(const memory_block *); /* by the running command */

} // namespace detail

template <typename DataT, int Dimensions = 1, access_mode Mode = detail::default_mode<DataT>,
          target Target = target::device,
          access::placeholder IsPlaceholder = access::placeholder::false_t>
class accessor
    : public detail::accessor_base<accessor<DataT, Dimensions, Mode, Target, IsPlaceholder>,
                                   detail::value_of<DataT, Mode>, DataT, Dimensions,
                                   detail::reference_of<DataT, Mode>> {
  static constexpr int dims = Dimensions ? Dimensions : 1;
  static constexpr bool constant = Target == target::constant_buffer; /* of SYCL 1.2.1 */
  using base = detail::accessor_base<accessor, detail::value_of<DataT, Mode>, DataT, Dimensions,
                                     detail::reference_of<DataT, Mode>>;
  using plain = std::remove_const_t<DataT>;

  template <typename, int, access_mode, target, access::placeholder> friend class accessor;
  template <typename, typename, typename, int, typename> friend class detail::accessor_base;
  friend class handler;
  friend class interop_handle;
  friend struct std::hash<accessor>;

  detail::view<detail::value_of<DataT, Mode>, Dimensions> part;
  bool waiting = false; /* for handler::require */
  bool fresh = false;   /* it has property::no_init */

  auto *origin() const { return part.origin; }
  const range<dims> &whole() const { return part.whole; }
  const std::size_t *sizes() const { return &const_cast<range<dims> &>(part.whole)[0]; }
  const std::size_t *box_sizes() const { return &const_cast<range<dims> &>(part.box)[0]; }
  range<dims> box() const { return part.box; }
  bool accessible() const { return part.memory; }
  void check_required() const {
    if (waiting && !detail::is_required(part.memory))
      detail::bad_access("a placeholder accessor is used that its command group did not require");
  }

  template <typename B, typename A> void require(handler &group, const buffer<B, dims, A> &of) {
    detail::require_access(group, part.memory, detail::buffer_access::memory(of), Mode);
  }

public:
  using value_type = typename base::value_type;
  template <access::decorated Decorated>
  using accessor_ptr = multi_ptr<value_type,
                                 constant ? access::address_space::constant_space
                                          : access::address_space::global_space,
                                 Decorated>;

  accessor() = default;

  /* Of a whole buffer: for a command group, or a placeholder for a later one. */
  template <typename B, typename A, detail::if_accessible<B, DataT, Mode> = 0>
  accessor(buffer<B, dims, A> &of, handler &group, const property_list &properties = {})
      : part(of, of.get_range(), {}), fresh(detail::is_fresh(properties, Mode)) {
    require(group, of);
  }
  template <typename B, typename A, detail::if_accessible<B, DataT, Mode> = 0>
  accessor(buffer<B, dims, A> &of, const property_list &properties = {})
      : part(of, of.get_range(), {}), waiting(true), fresh(detail::is_fresh(properties, Mode)) {}
  template <typename B, typename A, typename Tag, typename = detail::if_tag<Tag>,
            detail::if_accessible<B, DataT, Mode> = 0>
  accessor(buffer<B, dims, A> &of, handler &group, Tag, const property_list &properties = {})
      : accessor(of, group, properties) {}
  template <typename B, typename A, typename Tag, typename = detail::if_tag<Tag>,
            detail::if_accessible<B, DataT, Mode> = 0>
  accessor(buffer<B, dims, A> &of, Tag, const property_list &properties = {})
      : accessor(of, properties) {}

  /* Of a part. */
  template <typename B, typename A, detail::if_accessible<B, DataT, Mode> = 0>
  accessor(buffer<B, dims, A> &of, handler &group, range<dims> size, id<dims> offset,
           const property_list &properties = {})
      : part(of, size, offset), fresh(detail::is_fresh(properties, Mode)) {
    require(group, of);
  }
  template <typename B, typename A, detail::if_accessible<B, DataT, Mode> = 0>
  accessor(buffer<B, dims, A> &of, handler &group, range<dims> size,
           const property_list &properties = {})
      : accessor(of, group, size, id<dims>(), properties) {}
  template <typename B, typename A, detail::if_accessible<B, DataT, Mode> = 0>
  accessor(buffer<B, dims, A> &of, range<dims> size, id<dims> offset,
           const property_list &properties = {})
      : part(of, size, offset), waiting(true), fresh(detail::is_fresh(properties, Mode)) {}
  template <typename B, typename A, detail::if_accessible<B, DataT, Mode> = 0>
  accessor(buffer<B, dims, A> &of, range<dims> size, const property_list &properties = {})
      : accessor(of, size, id<dims>(), properties) {}
  template <typename B, typename A, typename Tag, typename = detail::if_tag<Tag>,
            detail::if_accessible<B, DataT, Mode> = 0>
  accessor(buffer<B, dims, A> &of, handler &group, range<dims> size, id<dims> offset, Tag,
           const property_list &properties = {})
      : accessor(of, group, size, offset, properties) {}
  template <typename B, typename A, typename Tag, typename = detail::if_tag<Tag>,
            detail::if_accessible<B, DataT, Mode> = 0>
  accessor(buffer<B, dims, A> &of, handler &group, range<dims> size, Tag,
           const property_list &properties = {})
      : accessor(of, group, size, properties) {}
  template <typename B, typename A, typename Tag, typename = detail::if_tag<Tag>,
            detail::if_accessible<B, DataT, Mode> = 0>
  accessor(buffer<B, dims, A> &of, range<dims> size, id<dims> offset, Tag,
           const property_list &properties = {})
      : accessor(of, size, offset, properties) {}
  template <typename B, typename A, typename Tag, typename = detail::if_tag<Tag>,
            detail::if_accessible<B, DataT, Mode> = 0>
  accessor(buffer<B, dims, A> &of, range<dims> size, Tag, const property_list &properties = {})
      : accessor(of, size, properties) {}

  /* Read-only accessors of T and of const T are one; what may be written may be read. */
  template <typename Other, access_mode M, access::placeholder P,
            std::enable_if_t<std::is_same_v<std::remove_const_t<Other>, plain> &&
                                 Mode == access_mode::read &&
                                 (M == access_mode::read || M == access_mode::read_write) &&
                                 !(std::is_same_v<Other, DataT> && M == Mode && P == IsPlaceholder),
                             int> = 0>
  accessor(const accessor<Other, Dimensions, M, Target, P> &other)
      : part(other.part), waiting(other.waiting), fresh(other.fresh) {}

  bool is_placeholder() const { return waiting; }
  template <typename Property> bool has_property() const noexcept {
    return std::is_same_v<Property, property::no_init> && fresh;
  }
  template <typename Property> Property get_property() const {
    return detail::get_fresh<Property>(fresh);
  }

  template <int N = Dimensions, std::enable_if_t<(N > 0), int> = 0> range<N> get_range() const {
    return this->accessible() ? part.box : range<N>();
  }
  template <int N = Dimensions, std::enable_if_t<(N > 0), int> = 0> id<N> get_offset() const {
    return part.offset;
  }

  auto get_pointer() const noexcept {
    if constexpr (Target == target::host_task)
      return part.start;
    else if constexpr (constant)
      return constant_ptr<DataT>(const_cast<DataT *>(part.start));
    else
      return global_ptr<value_type>(part.start);
  }
  template <access::decorated Decorated> accessor_ptr<Decorated> get_multi_ptr() const noexcept {
    return accessor_ptr<Decorated>(part.start);
  }

  template <int N = Dimensions, std::enable_if_t<N == 0 && Mode != access_mode::read, int> = 0>
  const accessor &operator=(const plain &value) const {
    *part.origin = value;
    return *this;
  }
  template <int N = Dimensions, std::enable_if_t<N == 0 && Mode != access_mode::read, int> = 0>
  const accessor &operator=(plain &&value) const {
    *part.origin = std::move(value);
    return *this;
  }

  friend bool operator==(const accessor &a, const accessor &b) { return a.part == b.part; }
  friend bool operator!=(const accessor &a, const accessor &b) { return !(a == b); }
};

namespace detail {

template <typename T> inline constexpr bool is_accessor = false;
template <typename T, int D, access_mode M, target G, access::placeholder P>
inline constexpr bool is_accessor<accessor<T, D, M, G, P>> = true;

template <typename T, access_mode Mode>
using deduced = std::conditional_t<Mode == access_mode::read, const T, T>;

} // namespace detail

#define SYCL_GUIDES(...)                                                                           \
  template <typename T, int D, typename A>                                                         \
  accessor(buffer<T, D, A> &, __VA_ARGS__ const property_list & = {})                              \
      -> accessor<T, D, access_mode::read_write, target::device, access::placeholder::false_t>;    \
  template <typename T, int D, typename A, access_mode M>                                          \
  accessor(buffer<T, D, A> &, __VA_ARGS__ mode_tag_t<M>, const property_list & = {})               \
      -> accessor<detail::deduced<T, M>, D, M, target::device, access::placeholder::false_t>;      \
  template <typename T, int D, typename A, access_mode M, target G>                                \
  accessor(buffer<T, D, A> &, __VA_ARGS__ mode_target_tag_t<M, G>, const property_list & = {})     \
      -> accessor<detail::deduced<T, M>, D, M, G, access::placeholder::false_t>;
#define SYCL_COMMA ,
SYCL_GUIDES()
SYCL_GUIDES(handler &SYCL_COMMA)
SYCL_GUIDES(handler &SYCL_COMMA range<D> SYCL_COMMA)
SYCL_GUIDES(handler &SYCL_COMMA range<D> SYCL_COMMA id<D> SYCL_COMMA)
SYCL_GUIDES(range<D> SYCL_COMMA)
SYCL_GUIDES(range<D> SYCL_COMMA id<D> SYCL_COMMA)
#undef SYCL_COMMA
#undef SYCL_GUIDES

/* --- host_accessor
 * --------------------------------------------------------------------------------- */

template <typename DataT, int Dimensions = 1, access_mode Mode = detail::default_mode<DataT>>
class host_accessor
    : public detail::accessor_base<host_accessor<DataT, Dimensions, Mode>,
                                   detail::value_of<DataT, Mode>, DataT, Dimensions> {
  static constexpr int dims = Dimensions ? Dimensions : 1;
  using base =
      detail::accessor_base<host_accessor, detail::value_of<DataT, Mode>, DataT, Dimensions>;
  using plain = std::remove_const_t<DataT>;

  template <typename, int, access_mode> friend class host_accessor;
  template <typename, typename, typename, int, typename> friend class detail::accessor_base;
  friend struct std::hash<host_accessor>;

  detail::view<detail::value_of<DataT, Mode>, Dimensions> part;
  std::shared_ptr<detail::memory_block> memory;
  std::shared_ptr<detail::host_claim> claim;
  bool fresh = false; /* it has property::no_init */

  auto *origin() const { return part.origin; }
  const range<dims> &whole() const { return part.whole; }
  const std::size_t *sizes() const { return &const_cast<range<dims> &>(part.whole)[0]; }
  const std::size_t *box_sizes() const { return &const_cast<range<dims> &>(part.box)[0]; }
  range<dims> box() const { return part.box; }
  bool accessible() const { return part.memory; }
  void check_required() const {}

public:
  using value_type = typename base::value_type;

  host_accessor() = default;
  template <typename B, typename A, detail::if_accessible<B, DataT, Mode> = 0>
  host_accessor(buffer<B, dims, A> &of, range<dims> size, id<dims> offset,
                const property_list &properties = {})
      : part(of, size, offset), memory(detail::buffer_access::memory(of)),
        claim(std::make_shared<detail::host_claim>(memory, Mode)),
        fresh(detail::is_fresh(properties, Mode)) {}
  template <typename B, typename A, detail::if_accessible<B, DataT, Mode> = 0>
  host_accessor(buffer<B, dims, A> &of, range<dims> size, const property_list &properties = {})
      : host_accessor(of, size, id<dims>(), properties) {}
  template <typename B, typename A, detail::if_accessible<B, DataT, Mode> = 0>
  host_accessor(buffer<B, dims, A> &of, const property_list &properties = {})
      : host_accessor(of, of.get_range(), id<dims>(), properties) {}
  template <typename B, typename A, access_mode M, detail::if_accessible<B, DataT, Mode> = 0>
  host_accessor(buffer<B, dims, A> &of, mode_tag_t<M>, const property_list &properties = {})
      : host_accessor(of, properties) {}
  template <typename B, typename A, access_mode M, detail::if_accessible<B, DataT, Mode> = 0>
  host_accessor(buffer<B, dims, A> &of, range<dims> size, mode_tag_t<M>,
                const property_list &properties = {})
      : host_accessor(of, size, properties) {}
  template <typename B, typename A, access_mode M, detail::if_accessible<B, DataT, Mode> = 0>
  host_accessor(buffer<B, dims, A> &of, range<dims> size, id<dims> offset, mode_tag_t<M>,
                const property_list &properties = {})
      : host_accessor(of, size, offset, properties) {}

  template <typename Other, access_mode M,
            std::enable_if_t<std::is_same_v<std::remove_const_t<Other>, plain> &&
                                 Mode == access_mode::read &&
                                 (M == access_mode::read || M == access_mode::read_write) &&
                                 !(std::is_same_v<Other, DataT> && M == Mode),
                             int> = 0>
  host_accessor(const host_accessor<Other, Dimensions, M> &other)
      : part(other.part), memory(other.memory), claim(other.claim), fresh(other.fresh) {}

  template <typename Property> bool has_property() const noexcept {
    return std::is_same_v<Property, property::no_init> && fresh;
  }
  template <typename Property> Property get_property() const {
    return detail::get_fresh<Property>(fresh);
  }

  template <int N = Dimensions, std::enable_if_t<(N > 0), int> = 0> range<N> get_range() const {
    return this->accessible() ? part.box : range<N>();
  }
  template <int N = Dimensions, std::enable_if_t<(N > 0), int> = 0> id<N> get_offset() const {
    return part.offset;
  }
  value_type *get_pointer() const noexcept { return part.start; }

  template <int N = Dimensions, std::enable_if_t<N == 0 && Mode != access_mode::read, int> = 0>
  const host_accessor &operator=(const plain &value) const {
    *part.origin = value;
    return *this;
  }
  template <int N = Dimensions, std::enable_if_t<N == 0 && Mode != access_mode::read, int> = 0>
  const host_accessor &operator=(plain &&value) const {
    *part.origin = std::move(value);
    return *this;
  }

  friend bool operator==(const host_accessor &a, const host_accessor &b) {
    return a.part == b.part && a.claim == b.claim;
  }
  friend bool operator!=(const host_accessor &a, const host_accessor &b) { return !(a == b); }
};

#define SYCL_GUIDES(...)                                                                           \
  template <typename T, int D, typename A>                                                         \
  host_accessor(buffer<T, D, A> &, __VA_ARGS__ const property_list & = {})                         \
      -> host_accessor<T, D, access_mode::read_write>;                                             \
  template <typename T, int D, typename A, access_mode M>                                          \
  host_accessor(buffer<T, D, A> &, __VA_ARGS__ mode_tag_t<M>, const property_list & = {})          \
      -> host_accessor<detail::deduced<T, M>, D, M>;
#define SYCL_COMMA ,
SYCL_GUIDES()
SYCL_GUIDES(range<D> SYCL_COMMA)
SYCL_GUIDES(range<D> SYCL_COMMA id<D> SYCL_COMMA)
#undef SYCL_COMMA
#undef SYCL_GUIDES

template <typename T, int D, access_mode M, access::placeholder P>
multi_ptr(const accessor<T, D, M, target::device, P> &)
    -> multi_ptr<typename accessor<T, D, M, target::device, P>::value_type,
                 access::address_space::global_space, access::decorated::no>;

/* Of SYCL 1.2.1: the host's accessor as an accessor, from which DPC++ derives host_accessor, so
 * that its programs take one for an accessor. */
template <typename DataT, int Dimensions, access_mode Mode, access::placeholder IsPlaceholder>
class accessor<DataT, Dimensions, Mode, target::host_buffer, IsPlaceholder>
    : public host_accessor<DataT, Dimensions, Mode> {
public:
  using host_accessor<DataT, Dimensions, Mode>::host_accessor;
  accessor(const host_accessor<DataT, Dimensions, Mode> &other)
      : host_accessor<DataT, Dimensions, Mode>(other) {}
  bool is_placeholder() const { return false; }
};

template <typename T, int D, access_mode M>
accessor(const host_accessor<T, D, M> &)
    -> accessor<T, D, M, target::host_buffer, access::placeholder::false_t>;

template <typename T, int D, typename A>
template <typename... Args>
auto buffer<T, D, A>::get_access(Args &&...args) {
  return accessor(*this, std::forward<Args>(args)...);
}

template <typename T, int D, typename A>
template <typename... Args>
auto buffer<T, D, A>::get_host_access(Args &&...args) {
  return host_accessor(*this, std::forward<Args>(args)...);
}

} // namespace sycl

template <typename T, int D, sycl::access_mode M, sycl::target G, sycl::access::placeholder P>
struct std::hash<sycl::accessor<T, D, M, G, P>> {
  std::size_t operator()(const sycl::accessor<T, D, M, G, P> &accessor) const noexcept {
    return std::hash<const void *>()(accessor.part.origin);
  }
};
template <typename T, int D, sycl::access_mode M> struct std::hash<sycl::host_accessor<T, D, M>> {
  std::size_t operator()(const sycl::host_accessor<T, D, M> &accessor) const noexcept {
    return std::hash<const void *>()(accessor.claim.get());
  }
};

template <typename T, int D, sycl::access_mode M, sycl::access::placeholder P>
struct std::hash<sycl::accessor<T, D, M, sycl::target::host_buffer, P>>
    : std::hash<sycl::host_accessor<T, D, M>> {};

#endif

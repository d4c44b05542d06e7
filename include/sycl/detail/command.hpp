/* Kernels as the engine sees them: an argument block that holds the program's function object, and
 * a record for each kernel. */
#ifndef SYCL_DETAIL_COMMAND_HPP
#define SYCL_DETAIL_COMMAND_HPP

#include <maniple/maniple.h>

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../event.hpp"
#include "../group.hpp"
#include "../kernel_properties.hpp"
#include "../khr/version.hpp"
#include "../specialization.hpp"
#include "shared_memory.hpp"
#include "type_name.hpp"

namespace sycl {

namespace detail {

/* --- Names -------------------------------------------------------------------------------------
 */

struct unnamed; /* stands for a kernel without a name: its function object names it */

template <typename F> struct named_by { using type = F; };
template <typename F, typename P> struct named_by<with_kernel_properties<F, P>> { using type = F; };

template <typename Name, typename F>
using name_of = std::conditional_t<std::is_same_v<Name, unnamed>, typename named_by<F>::type, Name>;

/* --- Argument blocks -----------------------------------------------------------------------------
 */

/* The range of a launch; dimensions in SYCL's order. */
struct launch_size {
  int dims;
  bool by_groups; /* of an nd_range: with a local size and an offset */
  std::size_t global[3], local[3], offset[3], threads;

  template <int D> range<D> range_of() const {
    range<D> result = square<D>(0);
    for (int i = 0; i < D; i++) result[i] = global[i];
    return result;
  }
  template <int D> id<D> offset_of() const {
    id<D> result;
    for (int i = 0; i < D; i++) result[i] = offset[i];
    return result;
  }
  void put(mpl_kernel_launch &launch) const {
    launch.dims = std::uint32_t(dims);
    for (int i = 0; i < dims; i++) {
      int at = dims - 1 - i;
      if (by_groups)
        launch.local[at] = local[i];
      else if (!launch.local[at] || global[i] % launch.local[at])
        launch.local[at] = 1; /* any will do that divides it */
      launch.global[at] = global[i];
      launch.offset[at] = offset[i];
    }
  }
};

/* Of the first GPU that a kernel's fault has ended for this process; null: there is none. */
inline const char *why_lost() {
  for (std::uint32_t i = 0; has_gpu() && i < mpl_count_devices(); i++)
    if (const char *why = mpl_get_loss(mpl_get_device(i))) return why;
  return nullptr;
}

/* What every argument block begins with.  Two things hold it: the command, and whoever is told how
 * the command ended. */
struct block {
  std::shared_ptr<error_list> errors;
  std::vector<std::shared_ptr<void>> keep; /* lives as long as the command */
  specialization_values constants;
  mpl_instances *instances = nullptr; /* what device_globals are here; null: themselves */
  const mpl_kernel_record *record = nullptr;
  std::atomic<int> refs{2};

  block() = default;
  block(const block &other)
      : errors(other.errors), keep(other.keep), constants(other.constants),
        instances(other.instances), record(other.record) {}
  kernel_handler handler() const { return kernel_handler(constants); }
  virtual ~block() = default;

  /* For commands that are made once and run more than once (graphs): the same again; over another
   * range, false if that has other dimensions; and what the host does when it has run. */
  virtual std::unique_ptr<block> copy() const = 0;
  virtual bool resize(const launch_size &, mpl_kernel_launch &) { return false; }
  virtual std::function<void()> ending() const { return {}; }

  static void drop(void *data) {
    block *b = static_cast<block *>(data);
    if (b->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) delete b;
  }

  /* A command that did not run because another one failed says nothing: that one has. */
  static void ended(int status, void *data) {
    block *b = static_cast<block *>(data);
    if (status < 0 && status != wait_list_failed) {
      std::string what = b->record ? std::string("kernel ") + b->record->name : "command";
      what += " failed (" + std::to_string(status) + ")";
      if (const char *lost = why_lost()) what = what + ": " + lost;
      b->errors->add(std::make_exception_ptr(exception(make_error_code(errc::kernel), what)));
    }
    drop(data);
  }
};

/* An owner of the block's own type would be a class, of many templates, for each kernel. */
template <typename Kernel, typename... Args>
std::unique_ptr<block> make_block(const Args &...args) {
  return std::unique_ptr<block>(new Kernel(args...));
}

/* Kernel: a block with run() const, which does what one work-item does. */
template <typename Kernel> SYCL_EXTERNAL void run_item(void *args) {
  const Kernel *kernel = static_cast<const Kernel *>(static_cast<block *>(args));
  /* An exception must not leave a fibre: it becomes an asynchronous error.  (A kernel that can
   * throw always runs on fibres.) */
  try {
    kernel->run();
  } catch (...) {
    kernel->errors->add(std::current_exception());
  }
}

constexpr mpl_kernel_record make_record(std::uint32_t flags, const char *name, int dims,
                                        void (*item)(void *), std::size_t size,
                                        const requirements &needs) {
  mpl_kernel_record record{};
  record.version = MPL_KERNEL_RECORD_VERSION;
  record.flags = flags | MPL_RECORD_ROWS_FIRST;
  record.name = name;
  record.dims = std::uint32_t(dims);
  record.item = item;
  record.args_size = size;
  for (int i = 0; i < 3; i++) record.reqd_local[i] = needs.local[i];
  record.reqd_sub_group = needs.sub_group;
  if (needs.one_group) record.flags |= MPL_RECORD_ONE_GROUP;
#ifdef SYCL_DEFAULT_SUB_GROUP_SIZE /* -fsycl-default-sub-group-size= */
  if (!needs.sub_group && !(flags & MPL_RECORD_NO_GROUPS))
    record.reqd_sub_group = SYCL_DEFAULT_SUB_GROUP_SIZE;
#endif
  return record;
}

/* Kernel::dims, ::name and ::function_type, of whose requirements the record tells. */
template <typename Kernel>
constexpr mpl_kernel_record make_record(std::uint32_t flags, int dims = Kernel::dims,
                                        void (*item)(void *) = &run_item<Kernel>) {
  return make_record(flags, name_text<typename Kernel::name>.text, dims, item, sizeof(Kernel),
                     required<typename Kernel::function_type>::value);
}

template <typename Kernel>
MPL_KERNEL_RECORD inline mpl_kernel_record nd_record = make_record<Kernel>(MPL_RECORD_EVEN);
template <typename Kernel>
inline mpl_kernel_record loop_record = make_record<Kernel>(MPL_RECORD_EVEN | MPL_RECORD_NO_GROUPS);

/* The same of what is not a loop over a range: tasks, reductions, hierarchies.  On the CPU they are
 * functions like others, of which the compiler says what they require; for GPUs they are compiled. */
#ifdef __MANIPLE__
template <typename Kernel>
MPL_KERNEL_RECORD inline mpl_kernel_record work_record =
    make_record<Kernel>(MPL_RECORD_EVEN | MPL_RECORD_NO_GROUPS | MPL_RECORD_GPU_ONLY);
#else
template <typename Kernel>
inline mpl_kernel_record work_record = make_record<Kernel>(MPL_RECORD_EVEN | MPL_RECORD_NO_GROUPS);
#endif

/* --- Kernels over an ND-range --------------------------------------------------------------------
 */

/* Whether f(args...) is a call.  std::is_invocable knows pointers to members too, which are called
 * otherwise, and is some ten classes for each function that it is asked about. */
template <typename Void, typename F, typename... Args> inline constexpr bool is_call = false;
template <typename F, typename... Args>
inline constexpr bool
    is_call<std::void_t<decltype(std::declval<F>()(std::declval<Args>()...))>, F, Args...> = true;

/* Kernels are called as const: no work-item changes what all of them share. */
template <typename F, typename... Args>
inline constexpr bool takes = is_call<void, const F &, Args...>;

#define SYCL_ND_KERNEL                                                                             \
  "the kernel of an nd_range takes a sycl::nd_item of as many dimensions, then one reducer for "   \
  "each reduction, and changes nothing that it captures (no mutable lambda)"
#define SYCL_RANGE_KERNEL                                                                          \
  "the kernel of a range takes a sycl::item or sycl::id of as many dimensions, then one reducer "  \
  "for each reduction, and changes nothing that it captures (no mutable lambda)"

template <typename Name, int D, typename F> struct nd_kernel final : block {
  using name = Name;
  using function_type = F;
  static constexpr int dims = D;
  F function;

  explicit nd_kernel(const F &function) : function(function) {}
  std::unique_ptr<block> copy() const override { return make_block<nd_kernel>(*this); }
  bool resize(const launch_size &size, mpl_kernel_launch &launch) override {
    if (size.dims == D) size.put(launch);
    return size.dims == D;
  }

  void run() const {
    nd_item<D> at = make::this_nd_item<D>();
    if constexpr (takes<F, nd_item<D> &, kernel_handler>)
      function(at, handler());
    else if constexpr (takes<F, nd_item<D> &>)
      function(at);
    else
      static_assert(takes<F, nd_item<D> &>, SYCL_ND_KERNEL);
  }
};

/* --- Kernels over a plain range: work-items are iterations of a loop
 * ------------------------------------
 *
 * Nothing in such a kernel can wait for another work-item, so no fibres are needed: the range is
 * cut into pieces, and one work-item of the engine does a piece. */

template <int D, typename F>
void call(const F &function, const kernel_handler &handler, const id<D> &at, const range<D> &size,
          const id<D> &offset) {
  item<D, true> with_offset = make::item_of<D>(at, size, offset);
  item<D, false> without = make::item_of<D>(at, size);
  if constexpr (takes<F, item<D, true> &, kernel_handler>)
    function(with_offset, handler);
  else if constexpr (takes<F, item<D, true> &>)
    function(with_offset);
  else if constexpr (takes<F, item<D, false> &>)
    function(without);
  else
    static_assert(takes<F, item<D, false> &>, SYCL_RANGE_KERNEL);
}

/* Calls function(id, count) for pieces of rows that together are the linear positions [begin, end)
 * of a range. */
template <int D, typename F>
void for_rows(std::size_t begin, std::size_t end, const range<D> &size, const F &function) {
  while (begin < end) {
    id<D> at = unlinear(begin, size);
    std::size_t row = size[D - 1] - at[D - 1];
    std::size_t count = end - begin < row ? end - begin : row;
    function(at, count);
    begin += count;
  }
}

/* Calls function(id) for each of these positions.  The calls are independent of each other, and the
 * loop over a row is one that compilers vectorise. */
template <int D, typename F>
void for_positions(std::size_t begin, std::size_t end, const range<D> &size, const F &function) {
  for_rows<D>(begin, end, size, [&](const id<D> &first, std::size_t count) {
#if defined(__MANIPLE__) /* plain clang warns when it cannot vectorise a loop that is marked so */
#pragma clang loop vectorize(assume_safety)
#elif !defined(__clang__)
#pragma GCC ivdep
#endif
    for (std::size_t i = 0; i < count; i++) {
      id<D> at = first;
      at[D - 1] += i;
      function(at);
    }
  });
}

/* How many pieces a range of `size` is cut into: some for each thread, more if they are long. */
inline std::size_t pieces_of(std::size_t size, std::size_t threads) {
  std::size_t pieces = size / 4096 < 256 ? size / 4096 : 256;
  if (pieces < 4 * threads) pieces = 4 * threads;
  return pieces < size ? pieces : size;
}

/* The same for reductions, whose partial results are one for each piece: the number of threads has
 * no part in it, so that floating-point results do not depend on it; the kind of device has. */
inline std::size_t reduction_pieces_of(std::size_t size, bool is_gpu) {
  constexpr std::size_t most_there = 16384; /* each a work-item, of which it runs that many at once */
  if (is_gpu) return size < most_there ? size : most_there;
  constexpr std::size_t few = 64, many = 256;
  std::size_t pieces = size / 64 < many ? size / 64 : many;
  return size < few ? size : pieces < few ? few : pieces;
}

inline std::size_t piece_begin(std::size_t piece, std::size_t pieces, std::size_t size) {
  return size / pieces * piece + (piece < size % pieces ? piece : size % pieces);
}

template <typename Name, int D, typename F> struct range_kernel final : block {
  using name = Name;
  using function_type = void;
  static constexpr int dims = 1;
  F function;
  range<D> size;
  id<D> offset;

  range_kernel(const F &function, const range<D> &size, const id<D> &offset)
      : function(function), size(size), offset(offset) {}
  std::unique_ptr<block> copy() const override { return make_block<range_kernel>(*this); }
  bool resize(const launch_size &to, mpl_kernel_launch &launch) override {
    if (to.dims != D) return false;
    size = to.template range_of<D>();
    offset = to.template offset_of<D>();
    bool by_position = record->item == &range_kernel::run_one; /* else by pieces */
    launch.dims = by_position ? D : 1;
    launch.global[0] = pieces_of(size.size(), to.threads);
    for (int i = 0; by_position && i < D; i++) launch.global[D - 1 - i] = size[i];
    return true;
  }

  void run() const {
    std::size_t pieces = mpl_get_global_size(0), piece = mpl_get_global_id(0), all = size.size();
    F local = function; /* what it captures can be in registers: nothing else points to it */
    for_positions<D>(
        piece_begin(piece, pieces, all), piece_begin(piece + 1, pieces, all), size,
        [&](const id<D> &at) { call<D>(local, handler(), at + offset, size, offset); });
  }

  /* One position: for a compiler that makes loops of work-items. */
  static void run_one(void *args) {
    const range_kernel *kernel = static_cast<const range_kernel *>(static_cast<block *>(args));
    call<D>(kernel->function, kernel->handler(), global_id<D>() + kernel->offset, kernel->size,
            kernel->offset);
  }
};

#ifdef __MANIPLE__
/* Of a kernel over a plain range, if it could be compiled; else each piece is a loop. */
template <typename Kernel, int D>
MPL_KERNEL_RECORD inline mpl_kernel_record item_record =
    make_record<Kernel>(MPL_RECORD_NO_GROUPS, D, &Kernel::run_one);
#endif

template <typename Name, typename F> struct task_kernel final : block {
  using name = Name;
  using function_type = void;
  static constexpr int dims = 1;
  F function;

  explicit task_kernel(const F &function) : function(function) {}
  std::unique_ptr<block> copy() const override { return make_block<task_kernel>(*this); }

  void run() const {
    if constexpr (takes<F, kernel_handler>)
      function(handler());
    else if constexpr (takes<F>)
      function();
    else
      static_assert(takes<F>, "the kernel of single_task takes no arguments, and changes nothing "
                              "that it captures (no mutable lambda)");
  }
};

} // namespace detail
} // namespace sycl

#endif

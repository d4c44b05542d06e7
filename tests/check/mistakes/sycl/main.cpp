// main NAME: makes that mistake.  One program of all, because the headers are long.
#include "mistake.hpp"

// First one of which no line has to be found: addr2line 2.40 takes it for the main file, in clang's
// DWARF 5.
#include "barrier.cpp"

#include "accessor_index.cpp"
#include "accessor_index_2d.cpp"
#include "accessor_null.cpp"
#include "accessor_required.cpp"
#include "barrier_of_range.cpp"
#include "barrier_of_task.cpp"
#include "barrier_of_work_group.cpp"
#include "barrier_of_work_item.cpp"
#include "barrier_scope.cpp"
#include "broadcast_id.cpp"
#include "broadcast_range.cpp"
#include "broadcast_range_2d.cpp"
#include "broadcast_struct.cpp"
#include "broadcast_type.cpp"
#include "broadcast_type_one_place.cpp"
#include "call_site.cpp"
#include "collective.cpp"
#include "dimension.cpp"
#include "early_return.cpp"
#include "hierarchical.cpp"
#include "host_accessor.cpp"
#include "host_index.cpp"
#include "identity.cpp"
#include "broadcast_of_work_item.cpp"
#include "joint_init.cpp"
#include "joint_operation.cpp"
#include "joint_predicate.cpp"
#include "joint_range.cpp"
#include "joint_scan_result.cpp"
#include "limits.cpp"
#include "local_index.cpp"
#include "not_divisible.cpp"
#include "operation.cpp"
#include "predicate_state.cpp"
#include "predicate_type.cpp"
#include "property.cpp"
#include "scopes.cpp"
#include "shift_delta.cpp"
#include "shuffle_branch.cpp"
#include "spin.cpp"
#include "spin_between_groups.cpp"
#include "trip_count.cpp"
#include "xor_mask.cpp"

#include <string>

int main(int, char **argv) {
  sycl::queue q([](sycl::exception_list) {}); // that a kernel was given up is no news
  static int out[64];
  for (named_mistake *each = named_mistake::all; each; each = each->next) {
    if (!argv[1] || std::string(each->name) != argv[1]) continue;
    try {
      each->run(q, out);
      q.wait();
    } catch (const sycl::exception &e) {
      std::fprintf(stderr, "sycl::exception: %s\n", e.what());
    }
  }
}

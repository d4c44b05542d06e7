/* Versions of OpenCL C against what may be missing: without any one thing that a feature of the
 * language needs, what a device reports is 1.2, and without what 2.0 has, 2.0 is not listed. */
#include "opencl/device/device.h"
#include "runtime/device.h"
#include "unit.h"

/* OpenCL C 3.0, 6.2.1; in_2_0: OpenCL C 2.0 does not leave it open. */
static const struct {
  const char *name;
  bool in_2_0;
} optional[] = {{"__opencl_c_3d_image_writes", true},
                {"__opencl_c_atomic_order_acq_rel", true},
                {"__opencl_c_atomic_order_seq_cst", true},
                {"__opencl_c_atomic_scope_all_devices", true},
                {"__opencl_c_atomic_scope_device", true},
                {"__opencl_c_device_enqueue", true},
                {"__opencl_c_fp64", false},
                {"__opencl_c_generic_address_space", true},
                {"__opencl_c_images", true},
                {"__opencl_c_int64", true},
                {"__opencl_c_pipes", true},
                {"__opencl_c_program_scope_global_variables", true},
                {"__opencl_c_read_write_images", true},
                {"__opencl_c_subgroups", false},
                {"__opencl_c_work_group_collective_functions", true}};

static bool has(uint32_t offers, const char *name) {
  static cl_name_version list[MPL_MOST_FEATURES];
  size_t count = mpl_list_features(MPL_C_FEATURES, offers, list);
  for (size_t i = 0; i < count; i++)
    if (!strcmp(list[i].name, name)) return true;
  return false;
}

static bool lists_2_0(uint32_t offers) {
  static cl_name_version list[MPL_MOST_FEATURES];
  size_t count = mpl_list_c_versions(offers, list);
  for (size_t i = 0; i < count; i++)
    if (list[i].version == CL_MAKE_VERSION(2, 0, 0)) return true;
  return false;
}

int main(void) {
  for (uint32_t lacks = 0; lacks <= MPL_OFFERS_ALL; lacks++) {
    uint32_t offers = MPL_OFFERS_ALL & ~lacks;
    bool whole = true, whole_2_0 = true;
    for (size_t i = 0; i < sizeof optional / sizeof *optional; i++)
      if (!has(offers, optional[i].name)) {
        whole = false;
        whole_2_0 &= !optional[i].in_2_0;
      }
    CHECK(whole == (MPL_C_VERSION(offers) > CL_MAKE_VERSION(1, 2, 0)));
    CHECK(whole_2_0 == lists_2_0(offers));
  }
  return 0;
}

/* The table of SPIR-V as queries want it. */
#include "device.h"
#include "runtime/device.h"

static const struct {
  const char *name;
  uint32_t needs;
} extensions[] = {
#define MPL_SPIRV_EXTENSION(name, needs) {name, needs},
#include "tables/spirv.def"
};

static const struct {
  cl_uint number;
  uint32_t needs;
} capabilities[] = {
#define MPL_SPIRV_CAPABILITY(name, number, needs) {number, needs},
#include "tables/spirv.def"
};

enum {
  NUM_EXTENSIONS = sizeof extensions / sizeof *extensions,
  NUM_CAPABILITIES = sizeof capabilities / sizeof *capabilities
};
_Static_assert((int)NUM_EXTENSIONS < MPL_MOST_SPIRV && (int)NUM_CAPABILITIES < MPL_MOST_SPIRV,
               "room for all");

const char mpl_il_text[] =
#define MPL_SPIRV_VERSION(major, minor) "SPIR-V_" #major "." #minor " "
#include "tables/spirv.def"
    ;

const cl_name_version mpl_ils[] = {
#define MPL_SPIRV_VERSION(major, minor) {CL_MAKE_VERSION(major, minor, 0), "SPIR-V"},
#include "tables/spirv.def"
};
const size_t mpl_num_ils = sizeof mpl_ils / sizeof *mpl_ils;

const char *const mpl_spirv_sets[] = {
#define MPL_SPIRV_SET(name) name,
#include "tables/spirv.def"
};
const size_t mpl_num_spirv_sets = sizeof mpl_spirv_sets / sizeof *mpl_spirv_sets;

size_t mpl_list_spirv_extensions(uint32_t offers, const char *out[MPL_MOST_SPIRV]) {
  size_t count = 0;
  for (size_t i = 0; i < NUM_EXTENSIONS; i++)
    if (!((extensions[i].needs | MPL_OFFERS_SPIRV) & ~offers)) out[count++] = extensions[i].name;
  return count;
}

size_t mpl_list_spirv_capabilities(uint32_t offers, cl_uint out[MPL_MOST_SPIRV]) {
  size_t count = 0;
  for (size_t i = 0; i < NUM_CAPABILITIES; i++)
    if (!((capabilities[i].needs | MPL_OFFERS_SPIRV) & ~offers))
      out[count++] = capabilities[i].number;
  return count;
}

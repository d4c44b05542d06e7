/* The extension and feature tables as queries want them. */
#include <string.h>

#include "device.h"
#include "runtime/device.h"

static const struct {
  enum mpl_feature_list list;
  uint32_t needs;
  cl_name_version entry;
} rows[] = {
#define MPL_EXTENSION(name, major, minor, patch, how, needs)                                       \
  {MPL_EXTENSIONS, needs, {CL_MAKE_VERSION(major, minor, patch), #name}},
#define MPL_FEATURE(name, how, needs) {MPL_C_FEATURES, needs, {CL_MAKE_VERSION(3, 0, 0), #name}},
#include "tables/features.def"
#undef MPL_EXTENSION
#undef MPL_FEATURE
};

enum { NUM_ROWS = sizeof rows / sizeof *rows };
_Static_assert((int)NUM_ROWS < MPL_MOST_FEATURES, "room for all");

size_t mpl_list_features(enum mpl_feature_list list, uint32_t offers,
                         cl_name_version out[MPL_MOST_FEATURES]) {
  size_t count = 0;
  for (size_t i = 0; i < NUM_ROWS; i++)
    if (rows[i].list == list && !(rows[i].needs & ~offers)) out[count++] = rows[i].entry;
  return count;
}

const char *mpl_extensions_text(uint32_t offers, char out[MPL_FEATURES_TEXT]) {
  out[0] = 0;
  for (size_t i = 0; i < NUM_ROWS; i++)
    if (rows[i].list == MPL_EXTENSIONS && !(rows[i].needs & ~offers))
      strcat(strcat(out, rows[i].entry.name), " ");
  return out;
}

/* OpenCL C 2.0 is not in the list: pipes and device enqueue are mandatory there.  -cl-std=CL2.0
 * compiles all the same, because programs ask for it to get at the work-group functions. */
#define C_VERSION(major, minor) {CL_MAKE_VERSION(major, minor, 0), "OpenCL C"}
const cl_name_version mpl_c_versions[] = {C_VERSION(1, 0), C_VERSION(1, 1), C_VERSION(1, 2),
                                          C_VERSION(3, 0)};
const size_t mpl_num_c_versions = sizeof mpl_c_versions / sizeof *mpl_c_versions;

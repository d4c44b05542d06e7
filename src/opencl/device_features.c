/* The extension and feature tables as queries want them. */
#include "device.h"

#define MPL_FEATURE(name, how)
#define MPL_EXTENSION(name, major, minor, patch, how) {CL_MAKE_VERSION(major, minor, patch), #name},
const cl_name_version mpl_extensions[] = {
#include "tables/features.def"
};
#undef MPL_EXTENSION
const size_t mpl_num_extensions = sizeof mpl_extensions / sizeof *mpl_extensions;

/* Each name with a space after it, as most drivers print the list. */
#define MPL_EXTENSION(name, major, minor, patch, how) #name " "
const char mpl_extensions_text[] =
#include "tables/features.def"
    ;
#undef MPL_EXTENSION
#undef MPL_FEATURE

#define MPL_EXTENSION(name, major, minor, patch, how)
#define MPL_FEATURE(name, how) {CL_MAKE_VERSION(3, 0, 0), #name},
const cl_name_version mpl_c_features[] = {
#include "tables/features.def"
};
#undef MPL_FEATURE
#undef MPL_EXTENSION
const size_t mpl_num_c_features = sizeof mpl_c_features / sizeof *mpl_c_features;

/* OpenCL C 2.0 is not in the list: pipes and device enqueue are mandatory there.  -cl-std=CL2.0
 * compiles all the same, because programs ask for it to get at the work-group functions. */
#define C_VERSION(major, minor)                                                                    \
  { CL_MAKE_VERSION(major, minor, 0), "OpenCL C" }
const cl_name_version mpl_c_versions[] = {C_VERSION(1, 0), C_VERSION(1, 1), C_VERSION(1, 2),
                                          C_VERSION(3, 0)};
const size_t mpl_num_c_versions = sizeof mpl_c_versions / sizeof *mpl_c_versions;

/* The extension and feature tables as queries want them. */
#include <limits.h>
#include <string.h>

#include "device.h"
#include "runtime/device.h"

static const struct {
  enum mpl_feature_list list;
  enum mpl_feature_of of;
  uint32_t needs;
  cl_name_version entry;
} rows[] = {
#define MPL_EXTENSION(name, major, minor, patch, how, needs)                                       \
  {MPL_EXTENSIONS, MPL_ADDED, needs, {CL_MAKE_VERSION(major, minor, patch), #name}},
#define MPL_FEATURE(name, of, how, needs)                                                          \
  {MPL_C_FEATURES, MPL_##of, needs, {CL_MAKE_VERSION(3, 0, 0), #name}},
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

bool mpl_has_features(enum mpl_feature_of of, uint32_t offers) {
  for (size_t i = 0; i < NUM_ROWS; i++)
    if (rows[i].of <= of && (rows[i].needs & ~offers)) return false;
  return true;
}

const char *mpl_extensions_text(uint32_t offers, char out[MPL_FEATURES_TEXT]) {
  out[0] = 0;
  for (size_t i = 0; i < NUM_ROWS; i++)
    if (rows[i].list == MPL_EXTENSIONS && !(rows[i].needs & ~offers))
      strcat(strcat(out, rows[i].entry.name), " ");
  return out;
}

/* In the order of the table. */
static const struct {
  int listed;
  cl_name_version entry;
} standards[] = {
#define NEVER INT_MAX
#define MPL_STANDARD(text, standard, language, version, listed)                                    \
  {listed, {CL_MAKE_VERSION(version / 100, version / 10 % 10, 0), "OpenCL C"}},
#include "tables/standards.def"
};

size_t mpl_list_c_versions(uint32_t offers, cl_name_version out[MPL_MOST_FEATURES]) {
  size_t count = 0;
  for (size_t i = 0; i < sizeof standards / sizeof *standards; i++)
    if (standards[i].listed <= MPL_CL_VERSION(offers) &&
        (standards[i].listed != 200 || mpl_has_features(MPL_C20, offers)))
      out[count++] = standards[i].entry;
  return count;
}

/* Options from the environment: each kind, and values that make no sense. */
#include "runtime/options.h"
#include "runtime/print/log.h"
#include "unit.h"

int main(void) {
  unsetenv("MANIPLE_CACHE_DIR"); /* which whoever runs this may have set */
  setenv("MANIPLE_THREADS", "7", 1);
  setenv("MANIPLE_CACHE", "off", 1);
  setenv("MANIPLE_CACHE_MAX_SIZE", "64M", 1);
  setenv("MANIPLE_BUILD_OPTIONS", "-DX=1 -w", 1);
  setenv("MANIPLE_MAX_WORK_GROUP_SIZE", "99999999", 1); /* out of range */
  setenv("MANIPLE_SUBGROUP_SIZE", "24", 1); /* not one of those listed */
  setenv("MANIPLE_BUILD_TIMEOUT", "soon", 1);
  setenv("MANIPLE_PROFILE", "", 1);
  setenv("MANIPLE_DEVICE_TYPE", "accelerator", 1);
  setenv("MANIPLE_FAULTS", "or", 1); /* none of the words, nor a part of one */
  setenv("MANIPLE_CUDA_SPECIALISE", "no", 1);
  setenv("MANIPLE_DEBUG", "build,cache", 1);
  const struct mpl_option *options = mpl_options();
  CHECK(mpl_option_number(MPL_OPTION_THREADS) == 7 && options[MPL_OPTION_THREADS].set);
  CHECK(mpl_option_number(MPL_OPTION_CACHE) == 0 && options[MPL_OPTION_CACHE].set);
  CHECK(mpl_option_number(MPL_OPTION_CACHE_MAX_SIZE) == 64u << 20);
  CHECK(!strcmp(mpl_option_text(MPL_OPTION_BUILD_OPTIONS), "-DX=1 -w"));
  CHECK(mpl_option_number(MPL_OPTION_MAX_WORK_GROUP_SIZE) == 4096);
  CHECK(mpl_option_number(MPL_OPTION_SUBGROUP_SIZE) == 16);
  CHECK(mpl_option_number(MPL_OPTION_BUILD_TIMEOUT) == 600);
  CHECK(!options[MPL_OPTION_BUILD_TIMEOUT].set && !options[MPL_OPTION_PROFILE].set);
  CHECK(mpl_option_number(MPL_OPTION_PROFILE) == 0);
  CHECK(!strcmp(mpl_option_text(MPL_OPTION_CACHE_DIR), ""));
  CHECK(!strcmp(mpl_option_text(MPL_OPTION_DEVICE_TYPE), "accelerator"));
  CHECK(!strcmp(mpl_option_text(MPL_OPTION_FAULTS), "die"));
  CHECK(!strcmp(mpl_option_text(MPL_OPTION_CUDA_SPECIALISE), "1"));
  setenv("MANIPLE_THREADS", "9", 1); /* read once */
  CHECK(mpl_option_number(MPL_OPTION_THREADS) == 7);
  CHECK(mpl_log_wanted(MPL_LOG_BUILD) && mpl_log_wanted(MPL_LOG_CACHE));
  CHECK(!mpl_log_wanted(MPL_LOG_ERROR) && !mpl_log_wanted(MPL_LOG_LAUNCH));
  return 0;
}

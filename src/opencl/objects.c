#include "objects.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/print/log.h"

cl_int mpl_refuse(cl_int code, const char *function, const char *format, ...) {
  if (!mpl_log_wanted(MPL_LOG_ERROR)) return code;
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  mpl_log(MPL_LOG_ERROR, "%s: %s (error %d)", function, text, code);
  return code;
}

cl_int mpl_answer(const void *value, size_t size, size_t param_size, void *param_value,
                  size_t *param_size_ret) {
  if (param_value) {
    if (param_size < size) return CL_INVALID_VALUE;
    if (size) memcpy(param_value, value, size);
  }
  if (param_size_ret) *param_size_ret = size;
  return CL_SUCCESS;
}

cl_int mpl_answer_text(const char *text, size_t size, void *value, size_t *size_ret) {
  if (!text) text = "";
  return mpl_answer(text, strlen(text) + 1, size, value, size_ret);
}

cl_int mpl_callback_push(pthread_mutex_t *lock, struct mpl_callback **list, void (*function)(void),
                         void *user_data) {
  struct mpl_callback *callback = malloc(sizeof *callback);
  if (!callback) return CL_OUT_OF_HOST_MEMORY;
  mpl_lock(lock);
  *callback = (struct mpl_callback){.next = *list, .function = function, .user_data = user_data};
  *list = callback;
  mpl_unlock(lock);
  return CL_SUCCESS;
}

bool mpl_context_has(cl_context context, cl_device_id device) {
  for (cl_uint i = 0; i < context->num_devices; i++)
    if (context->devices[i] == device) return true;
  return false;
}

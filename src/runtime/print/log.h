/* MANIPLE_DEBUG: one line per report on stderr or in MANIPLE_LOG. */
#ifndef MPL_RUNTIME_LOG_H
#define MPL_RUNTIME_LOG_H

#include <stdbool.h>

enum mpl_log_class { MPL_LOG_ERROR, MPL_LOG_BUILD, MPL_LOG_CACHE, MPL_LOG_LAUNCH };

bool mpl_log_wanted(enum mpl_log_class class);
void mpl_log(enum mpl_log_class class, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A line that another option than MANIPLE_DEBUG asks for (the table of MANIPLE_PROFILE). */
void mpl_log_always(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

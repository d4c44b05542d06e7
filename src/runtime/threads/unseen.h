/* ThreadSanitizer, if the application has it, sees of a compiled kernel what the C library does for
 * it (memcpy, memset), and neither its other accesses nor its atomic operations, which are what
 * puts them in order: it would report two packets of a pipe that follow each other as a race.  So
 * it is told to overlook what happens between the two calls; locks it sees still. */
#ifndef MPL_RUNTIME_UNSEEN_H
#define MPL_RUNTIME_UNSEEN_H

#include <stddef.h>

/* Its annotations; others of its functions cannot be found from a library. */
#define WEAK __attribute__((weak, visibility("default")))
WEAK void AnnotateIgnoreReadsBegin(const char *file, int line);
WEAK void AnnotateIgnoreReadsEnd(const char *file, int line);
WEAK void AnnotateIgnoreWritesBegin(const char *file, int line);
WEAK void AnnotateIgnoreWritesEnd(const char *file, int line);
#undef WEAK

static inline void mpl_unseen_begin(void) {
  if (__builtin_expect(AnnotateIgnoreReadsBegin == NULL, 1)) return;
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}

static inline void mpl_unseen_end(void) {
  if (__builtin_expect(AnnotateIgnoreReadsEnd == NULL, 1)) return;
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}

#endif

/* ThreadSanitizer, if the application has it, sees only those accesses of a compiled kernel that
 * the C library makes (memcpy, memset), and not the atomic operations that put them in order: it
 * would report two packets of a pipe that follow each other as a race.  Between the two calls it
 * ignores accesses; it still sees locks. */
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

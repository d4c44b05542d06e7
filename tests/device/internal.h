/* What the mock's two files share. */
#ifndef MPL_TESTS_MOCK_INTERNAL_H
#define MPL_TESTS_MOCK_INTERNAL_H

#include "mock.h"
#include "runtime/device.h"

struct mock {
  struct mpl_device device; /* first */
  struct mpl_device *cpu;
};

void mock_broken(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool mock_fails(atomic_long *which); /* this is the one that has to */
int mock_do(struct mock *, const struct mpl_operation *);

/* streams.c: mpl_device_ops */
struct mpl_stream *mock_stream_create(struct mpl_device *, bool timed);
void mock_stream_destroy(struct mpl_stream *);
int mock_issue(struct mpl_stream *, const struct mpl_operation *);
int mock_wait_for(struct mpl_stream *, struct mpl_mark *);
struct mpl_mark *mock_mark(struct mpl_stream *);
int mock_reached(struct mpl_mark *, bool sleep);
int mock_drain(struct mpl_stream *);
void mock_times(struct mpl_mark *begin, struct mpl_mark *end, uint64_t *started, uint64_t *ended);
void mock_mark_free(struct mpl_mark *);

#endif

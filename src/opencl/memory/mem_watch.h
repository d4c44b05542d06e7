/* Forbidden accesses of the host to the memory of buffers and images.  They are found under the
 * check only, in host memory other than SVM that belongs to one object and is no larger than
 * MPL_WATCH_MOST. Memory is compared with its former contents, so there is no false alarm; a write
 * of the value that was there is not found. */
#ifndef MPL_OPENCL_MEM_WATCH_H
#define MPL_OPENCL_MEM_WATCH_H

#include "box.h"
#include "opencl/objects.h"
#include "runtime/memory/arg_uses.h"
#include "runtime/mistakes/locate.h"

enum { MPL_WATCH_MOST = 64 << 20 };

struct mpl_watched_map;
struct mpl_mem_use;
enum { MPL_MEM_USES = 32 };

struct mpl_mem_watch {
  struct mpl_mem_watch *next; /* of those over the host's memory */
  pthread_mutex_t lock;
  char *bytes;
  size_t size;
  bool is_over_host_memory;
  bool is_shared;          /* with another object, whose accesses are not all known */
  unsigned users, writers; /* commands that run, and that may write */
  unsigned write_maps;
  struct mpl_watched_map *maps; /* until the command of their end */
  uint64_t changes;             /* counts commands that may write and maps for writing */
  char *sealed; /* its contents when it was unmapped; null: it is in use, or was not unmapped */
  struct mpl_trace unmapped;
  struct mpl_mem_use *uses[MPL_MEM_USES]; /* last uses by commands, while there are two queues */
  unsigned next_use;
};

/* Null if the object is not watched. */
struct mpl_mem_watch *mpl_mem_watch_of(cl_mem);

/* The first byte that differs, or `size`. */
size_t mpl_mem_difference(const char *a, const char *b, size_t size);
/* On the heap; null if there is no memory. */
char *mpl_mem_copy(const char *bytes, size_t size);

/* Of an object that has its own bytes; nothing where nothing is checked. */
void mpl_mem_watch_new(cl_mem);
void mpl_mem_watch_free(cl_mem);

/* Called around a command that accesses the object, by the thread that runs it. */
void mpl_mem_watch_begin(cl_mem, bool writes);
void mpl_mem_watch_end(cl_mem, bool writes);

/* A command that is no kernel is about to use these bytes of the object: reports it if the host has
 * mapped them, for writing or because it writes (mem_mapped.c). */
void mpl_mem_watch_command(cl_mem, const char *command, const struct mpl_box *, bool writes);

/* --- Order of commands: mem_order.c --- */

/* The thread's command, "kernel 'copy'", has used these bytes of the object (MPL_USES sets).
 * Reports uses of the same bytes by a command of another queue that is in no order with it.
 * `has_atomics`: it may order others by atomics. */
void mpl_mem_watch_used(cl_mem, const char *who, const struct mpl_byte_set *sets, bool has_atomics);
/* The same for one range, of another command than a kernel. */
void mpl_mem_watch_used_range(cl_mem, const char *who, size_t offset, size_t size, bool writes);
void mpl_mem_use_free(struct mpl_mem_use *); /* or null */

/* --- Maps --- */

/* A map of the host.  A map for writing lasts from the call that makes it to the command that
 * unmaps it: the accesses between the two are unknown. */
struct mpl_watched_map {
  struct mpl_watched_map *next; /* of the object's */
  struct mpl_trace made, ended; /* by which calls */
  bool is_made;                 /* the command has made it */
  size_t offset, size;          /* from the first byte to the last */
  struct mpl_box box;
  bool writes;
  char *before;     /* what it held when the command had made it; or null */
  uint64_t changes; /* mpl_mem_watch.changes then */
};

/* The host calls for it (bytes of `mem`); the command makes it; the host calls for its end, and the map is no more;
 * the command of that. */
void mpl_mem_watch_map(cl_mem, struct mpl_watched_map *, const struct mpl_box *, size_t extent,
                       bool writes);
void mpl_mem_watch_mapped(cl_mem, struct mpl_watched_map *);
void mpl_mem_watch_unmap(cl_mem, struct mpl_watched_map *);
void mpl_mem_watch_unmapped(cl_mem, struct mpl_watched_map *);
/* The map goes, also where one of its commands did not run. */
void mpl_mem_watch_forget(cl_mem, struct mpl_watched_map *);

#endif

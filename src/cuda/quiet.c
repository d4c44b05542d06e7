/* When the driver may load a kernel that was compiled again.  To load one it may wait until those
 * of the context that run have ended ("Lazy Loading", "Concurrent execution", in NVIDIA's CUDA C++
 * Programming Guide), and launches wait for that: kernels of two streams that wait for one another
 * would do so for ever.  So it loads while nothing runs and nothing is launched; or, where there is
 * one stream, whose kernels wait for nobody's, at any time, and no second one is made meanwhile. */
#include "cuda.h"
#include "runtime/threads/fork.h"

bool mpl_cuda_quiet_start(struct mpl_cuda *cuda) {
  return !pthread_rwlock_init(&cuda->launches, NULL);
}

void mpl_cuda_note_stream(struct mpl_cuda *cuda, struct mpl_cuda_stream_link *link,
                          CUstream handle) {
  pthread_rwlock_wrlock(&cuda->launches);
  *link = (struct mpl_cuda_stream_link){
      .handle = handle, .forks = mpl_generation(), .next = cuda->streams};
  cuda->streams = link;
  pthread_rwlock_unlock(&cuda->launches);
}

/* In a child of fork() nothing is launched or loaded, and who held the lock is not there. */
void mpl_cuda_forget_stream(struct mpl_cuda *cuda, struct mpl_cuda_stream_link *link) {
  if (link->forks != mpl_generation()) return;
  pthread_rwlock_wrlock(&cuda->launches);
  struct mpl_cuda_stream_link **at = &cuda->streams;
  while (*at != link) at = &(*at)->next;
  *at = link->next;
  pthread_rwlock_unlock(&cuda->launches);
}

void mpl_cuda_launch_begin(struct mpl_cuda *cuda) {
  pthread_rwlock_rdlock(&cuda->launches);
}
void mpl_cuda_launch_end(struct mpl_cuda *cuda) {
  pthread_rwlock_unlock(&cuda->launches);
}

/* With the lock held. */
static bool has_one_stream(const struct mpl_cuda *cuda) {
  return !cuda->streams || !cuda->streams->next;
}
/* As mpl_cuda_wait: an error may be of the question, but one that stays is the context's, where
 * nothing runs any more. */
static bool is_busy(const struct mpl_cuda *cuda, CUstream stream) {
  int error = cuda->driver->stream_query(stream);
  if (error && error != MPL_CUDA_NOT_READY) error = cuda->driver->stream_query(stream);
  return error == MPL_CUDA_NOT_READY;
}
static bool is_idle(const struct mpl_cuda *cuda) {
  if (is_busy(cuda, cuda->stream)) return false;
  for (const struct mpl_cuda_stream_link *link = cuda->streams; link; link = link->next)
    if (is_busy(cuda, link->handle)) return false;
  return true;
}

bool mpl_cuda_load_begin(struct mpl_cuda *cuda) {
  if (!mpl_cuda_enter(cuda)) return false;
  pthread_rwlock_rdlock(&cuda->launches);
  if (has_one_stream(cuda)) return true;
  pthread_rwlock_unlock(&cuda->launches);
  pthread_rwlock_wrlock(&cuda->launches);
  if (is_idle(cuda)) return true;
  pthread_rwlock_unlock(&cuda->launches);
  return false;
}
void mpl_cuda_load_end(struct mpl_cuda *cuda) {
  pthread_rwlock_unlock(&cuda->launches);
}

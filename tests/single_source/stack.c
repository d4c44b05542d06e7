/* A kernel whose private array is larger than the stack of the thread that runs it. */
#include "engines.h"

#include <pthread.h>

enum { N = 64, LOCAL = 16, WORDS = 20000 };
static int in[N], out[N];

mpl_kernel(fill_and_find, (const int *)x, (int *)y) {
  int words[WORDS];
  size_t i = get_global_id(0);
  int at = x[i];
  for (int k = 0; k < WORDS; k++) words[k] = k * 7 + at;
  for (int k = 0; k < 100; k++) at = (words[at % WORDS] & 0x7fffffff) % WORDS;
  y[i] = at;
}

static int plain(int x) {
  int at = x;
  for (int k = 0; k < 100; k++) at = ((at % WORDS * 7 + x) & 0x7fffffff) % WORDS;
  return at;
}

static void *run(void *place) {
  EXPECT(!mpl_launch(fill_and_find, mpl_1d(N, LOCAL), in, out), "%s", mpl_error_text());
  return place;
}

int main(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  for (int i = 0; i < N; i++) in[i] = i * 31 % 97;
  EXPECT(mpl_record_fill_and_find.group, "the kernel is not compiled");
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  EXPECT(!pthread_create(&thread, &attributes, run, NULL), "no thread");
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  for (int i = 0; i < N; i++) EXPECT(out[i] == plain(in[i]), "work-item %d", i);
  return result();
}

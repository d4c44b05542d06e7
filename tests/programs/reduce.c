/* Makes a program smaller while two engines still differ: nodes are dropped in ever smaller pieces.
 * The generator makes the same choices whatever is dropped, so every attempt is as safe as the
 * program. */
#include "programs/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct search {
  const struct session *session;
  uint64_t seed;
  struct session pair; /* the two engines */
  struct result wanted[2];
  unsigned char *bits;
  unsigned nodes, tries;
};

/* The same sort of difference: outcomes as before, and other results if both are done. */
static bool still_differs(struct search *s, struct program *program) {
  struct result results[2] = {0};
  struct program *one = program;
  s->tries++;
  for (unsigned k = 0; k < 2; k++) {
    run_batch(&s->pair, k, &one, &results[k], 1);
    if (results[k].outcome != s->wanted[k].outcome) return false;
  }
  return results[0].outcome != results[1].outcome || !same_result(&results[0], &results[1]);
}

static bool attempt(struct search *s, unsigned from, unsigned to) {
  unsigned size = s->nodes / 8 + 1;
  unsigned char *saved = malloc(size);
  memcpy(saved, s->bits, size);
  for (unsigned k = from; k < to; k++) s->bits[k / 8] |= (unsigned char)(1 << k % 8);
  bool changed = memcmp(saved, s->bits, size) != 0, good = false;
  if (changed) {
    struct program program, before;
    struct drops drops = {s->bits, s->nodes}, previous = {saved, s->nodes};
    program_make(&program, s->seed, s->session->small, &drops);
    program_make(&before, s->seed, s->session->small, &previous);
    bool shorter = program.text.size < before.text.size; /* else inside of what is gone already */
    good = shorter ? still_differs(s, &program) : false;
    free(program.text.at);
    free(before.text.at);
  }
  if (!good) memcpy(s->bits, saved, size);
  free(saved);
  return good;
}

static void find_pair(struct search *s, const struct result results[MAX_ENGINES]) {
  unsigned other = 1;
  while (other < s->session->count - 1 && same_result(&results[0], &results[other])) other++;
  s->pair = *s->session;
  s->pair.engines[1] = s->session->engines[other];
  s->pair.count = 2;
  s->wanted[0] = results[0];
  s->wanted[1] = results[other];
}

void reduce(struct session *session, uint64_t seed, const struct result results[MAX_ENGINES],
            struct program *smallest) {
  struct search s = {.session = session, .seed = seed};
  program_make(smallest, seed, session->small, NULL);
  s.nodes = smallest->nodes;
  free(smallest->text.at);
  s.bits = calloc(s.nodes / 8 + 1, 1);
  find_pair(&s, results);
  for (unsigned size = s.nodes / 2; size && s.tries < 400; size /= 2)
    for (unsigned from = s.nodes; from > 0 && s.tries < 400;) {
      unsigned start = from > size ? from - size : 0;
      attempt(&s, start, from);
      from = start;
    }
  struct drops drops = {s.bits, s.nodes};
  program_make(smallest, seed, session->small, &drops);
  free(s.bits);
}

/* fuzz_programs [-p NAME]... [-k FOLDER] [-t SECONDS] [-rs] [N] [SEED]: N random programs, on all
 * engines. fuzz_programs -o [-s] SEED: the text of one.  fuzz_programs -f FILE: one that was kept.
 */
#include "programs/run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OWN_ENGINES = 3 };

static const char usage[] =
    "usage: fuzz_programs [-p NAME]... [-k FOLDER] [-t SECONDS] [-rs] [N] [SEED]\n"
    "       fuzz_programs [-p NAME]... -f FILE\n"
    "       fuzz_programs -o [-s] [SEED]\n"
    "Runs N (1000) random programs from SEED (1) on, and compares: compiled, with -cl-opt-disable, "
    "checked.\n"
    "  -p NAME     and on the platform that has NAME in its name (several -p: on each)\n"
    "  -k FOLDER   keep what differs there (fuzz_programs.kept)\n"
    "  -t SECONDS  that a program may take (60)\n"
    "  -r          reduce what differs\n"
    "  -s          small programs: of less code, so that more are run\n"
    "  -f FILE     run one that was kept\n"
    "  -o          print the program instead\n";

struct options {
  const char *platforms[MAX_ENGINES - OWN_ENGINES], *folder, *file;
  unsigned platform_count;
  unsigned seconds;
  bool reduces, prints, small;
  unsigned long long count, seed;
};

static unsigned long long number(const char *text) {
  char *end;
  unsigned long long value = strtoull(text, &end, 10);
  if (*end || !*text) die("not a number: %s\n%s", text, usage);
  return value;
}

static struct options parse(int argc, char **argv) {
  struct options o = {.folder = "fuzz_programs.kept", .seconds = 60, .count = 1000, .seed = 1};
  int letter;
  while ((letter = getopt(argc, argv, "p:k:t:rsf:oh")) >= 0) switch (letter) {
    case 'p':
      if (o.platform_count == MAX_ENGINES - OWN_ENGINES) die("too many platforms");
      o.platforms[o.platform_count++] = optarg;
      break;
    case 'k':
      o.folder = optarg;
      break;
    case 't':
      o.seconds = (unsigned)number(optarg);
      break;
    case 'r':
      o.reduces = true;
      break;
    case 's':
      o.small = true;
      break;
    case 'f':
      o.file = optarg;
      break;
    case 'o':
      o.prints = true;
      break;
    case 'h':
      fputs(usage, stdout);
      exit(0);
    default:
      fputs(usage, stderr);
      exit(2);
    }
  if (optind < argc && !o.prints) o.count = number(argv[optind++]);
  if (optind < argc) o.seed = number(argv[optind++]);
  if (optind < argc) {
    fputs(usage, stderr);
    exit(2);
  }
  return o;
}

static void print_program(FILE *to, const struct program *program) {
  struct text text = {0};
  program_header(&text, program);
  program_prelude(&text, program->newer);
  fprintf(to, "%s%s", text.at, program->text.at);
  free(text.at);
}

static void keep(const struct session *session, const struct program *program, const char *suffix) {
  char path[512];
  mkdir(session->folder, 0777);
  snprintf(path, sizeof path, "%s/%llu%s.cl", session->folder, (unsigned long long)program->seed,
           suffix);
  FILE *to = fopen(path, "w");
  if (!to) die("cannot write %s", path);
  print_program(to, program);
  fclose(to);
}

static bool differs(const struct session *session, const struct result results[MAX_ENGINES]) {
  for (unsigned k = 0; k < session->count; k++)
    if (results[k].outcome != DONE || !same_result(&results[k], &results[0])) return true;
  return false;
}

static void report(struct session *session, bool reduces, const struct program *program,
                   const struct result results[MAX_ENGINES]) {
  printf("seed %llu differs:\n", (unsigned long long)program->seed);
  describe(session, results);
  fflush(stdout);
  keep(session, program, "");
  if (!reduces) return;
  struct program smallest;
  reduce(session, program->seed, results, &smallest);
  keep(session, &smallest, ".reduced");
  free(smallest.text.at);
}

/* Runs the batch, and returns how many of its programs differ. */
static unsigned run_all(struct session *session, bool reduces, struct program *batch,
                        unsigned count) {
  struct result results[MAX_ENGINES][BATCH];
  struct program *programs[BATCH];
  unsigned bad = 0;
  memset(results, 0, sizeof results);
  for (unsigned k = 0; k < count; k++) programs[k] = &batch[k];
  for (unsigned e = 0; e < session->count && count; e++)
    run_batch(session, e, programs, results[e], count);
  for (unsigned k = 0; k < count; k++) {
    struct result one[MAX_ENGINES];
    for (unsigned e = 0; e < MAX_ENGINES; e++) one[e] = results[e][k];
    if (differs(session, one)) {
      report(session, reduces, programs[k], one);
      bad++;
    }
    free(batch[k].text.at);
  }
  return bad;
}

static volatile sig_atomic_t is_stopped;

static void stop(int unused) {
  is_stopped = 1;
}

/* Programs of one version of OpenCL C are built together.  SIGTERM ends it after the next batch,
 * with the figures of those that ran. */
static unsigned run_random(struct session *session, const struct options *o) {
  struct program batch[2][BATCH];
  unsigned waiting[2] = {0, 0}, bad = 0;
  unsigned long long ran = 0;
  signal(SIGTERM, stop);
  for (unsigned long long k = 0; k < o->count && !is_stopped; k++) {
    struct program program;
    program_make(&program, o->seed + k, o->small, NULL);
    unsigned *count = &waiting[program.newer];
    batch[program.newer][(*count)++] = program;
    if (*count < BATCH) continue;
    bad += run_all(session, o->reduces, batch[program.newer], BATCH);
    *count = 0;
    ran += BATCH;
  }
  for (unsigned k = 0; k < 2 && !is_stopped; k++) {
    bad += run_all(session, o->reduces, batch[k], waiting[k]);
    ran += waiting[k];
  }
  printf("%llu programs from seed %llu on: %u differ\nprocessor seconds a program:", ran, o->seed,
         bad);
  for (unsigned e = 0; e < session->count; e++)
    printf(" %s %.2f", session->engines[e].name, session->used[e] / (double)(ran ? ran : 1));
  printf("\n");
  return bad;
}

static unsigned run_file(struct session *session, const char *path) {
  struct program program, *one = &program;
  struct result results[MAX_ENGINES] = {0};
  char *text = read_file(path);
  if (!program_parse(&program, text)) die("%s has no comment that says how to launch it", path);
  const char *body = strstr(text, "/* launch: ");
  const char *marker = strstr(body, "ulong sum = previous[item];\n");
  if (marker) body = strchr(marker, '\n') + 1; /* the prelude is written again */
  text_bytes(&program.text, body, strlen(body));
  for (unsigned e = 0; e < session->count; e++) {
    run_batch(session, e, &one, &results[e], 1);
    const char *const what[] = {"said", "printed"};
    for (unsigned k = 0; k < 2; k++) {
      char *messages = last_messages(session, what[k]);
      if (*messages) printf("%s, %s:\n%s", session->engines[e].name, what[k], messages);
      free(messages);
    }
  }
  describe(session, results);
  free(program.text.at);
  free(text);
  return differs(session, results);
}

static void remove_scratch(const struct session *session) {
  static const char *const names[] = {"said", "printed"};
  char path[128];
  for (unsigned k = 0; k < 2; k++) {
    snprintf(path, sizeof path, "%s/%s", session->scratch, names[k]);
    unlink(path);
  }
  rmdir(session->scratch);
}

int main(int argc, char **argv) {
  struct options o = parse(argc, argv);
  struct session session = {.engines = {{"compiled", "maniple", "", false},
                                        {"unoptimised", "maniple", "-cl-opt-disable", false},
                                        {"checked", "maniple", "", true}},
                            .count = OWN_ENGINES + o.platform_count,
                            .small = o.small,
                            .seconds = o.seconds,
                            .folder = o.folder,
                            .scratch = "/tmp/fuzz_programs.XXXXXX"};
  for (unsigned k = 0; k < o.platform_count; k++)
    session.engines[OWN_ENGINES + k] =
        (struct engine){.name = o.platforms[k], .platform = o.platforms[k], .options = ""};
  if (o.prints) {
    struct program program;
    program_make(&program, o.seed, o.small, NULL);
    print_program(stdout, &program);
    free(program.text.at);
    return 0;
  }
  if (!mkdtemp(session.scratch)) die("cannot make %s", session.scratch);
  unsigned bad = o.file ? run_file(&session, o.file) : run_random(&session, &o);
  remove_scratch(&session);
  return bad ? 1 : 0;
}

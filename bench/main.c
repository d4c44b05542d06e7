/* bench: measures OpenCL drivers beside each other, each in processes of its own, and holds the
 * figures against the bars of bars.def.  See README.md. */
#define _GNU_SOURCE
#include "measure.h"
#include "results.h"

#include <glob.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROBE_ROUNDS = 15, SECONDS_LIMIT = 600 };

static const char *const all_sections =
    "collectives,sub_groups,jobs1,jobs2,launch,build,sites,scratch,process";

struct run {
  const char *icd[MAX_DRIVERS];
  const char *out, *sections;
  char folder[4096]; /* of the programs */
  struct results results;
};

/* Starts a program with one argument on one driver; its output can be read from the file. */
static FILE *start(const struct run *run, int driver, const char *program, const char *argument,
                   pid_t *child) {
  int ends[2];
  char path[4200];
  snprintf(path, sizeof path, "%s/%s", run->folder, program);
  if (pipe(ends) != 0 || (*child = fork()) < 0) return NULL;
  if (*child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    setenv("OCL_ICD_VENDORS", run->icd[driver], 1);
    alarm(SECONDS_LIMIT);
    execl(path, path, argument, (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  return fdopen(ends[0], "r");
}

static bool finish(FILE *output, pid_t child) {
  int status = 1;
  fclose(output);
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool section_wanted(const struct run *run, const char *section) {
  size_t length = strlen(section);
  for (const char *at = run->sections; (at = strstr(at, section)); at += length)
    if ((at == run->sections || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
      return true;
  return false;
}

static void run_section(struct run *run, int driver, const char *section, enum bar_id bar) {
  char line[512];
  pid_t child;
  if (!section_wanted(run, section)) return;
  fprintf(stderr, "bench: %s: %s\n", run->results.drivers[driver], section);
  FILE *output = start(run, driver, "bench_driver", section, &child);
  if (!output) return;
  while (fgets(line, sizeof line, output)) results_add(&run->results, driver, line);
  if (!finish(output, child))
    results_add_row(&run->results, driver, bar, section, 0, "-", "crashed or out of time");
}

static void measure_memory(struct run *run, int driver) {
  pid_t child;
  long bytes = 0;
  FILE *output = start(run, driver, "bench_probe", "list", &child);
  bool works = output && fscanf(output, "%ld", &bytes) == 1;
  works = output && finish(output, child) && works;
  results_add_row(&run->results, driver, BAR_memory, "resident", (double)bytes * 1e-6, "MB",
                  works ? "ok" : "does not run");
}

static void measure_start(struct run *run, int driver) {
  double times[PROBE_ROUNDS];
  bool works = true;
  for (int i = -1; i < PROBE_ROUNDS && works; i++) { /* the first fills the cache */
    char line[16];
    pid_t child;
    double begin = wall_seconds();
    FILE *output = start(run, driver, "bench_probe", "kernel", &child);
    works = output && fgets(line, sizeof line, output);
    if (i >= 0) times[i] = wall_seconds() - begin;
    works = output && finish(output, child) && works;
  }
  results_add_row(&run->results, driver, BAR_first_kernel, "process start to kernel done",
                  works ? median(times, PROBE_ROUNDS) * 1e3 : 0, "ms",
                  works ? "ok" : "does not run");
}

static void run_driver(struct run *run, int driver) {
  run_section(run, driver, "collectives", BAR_collective);
  run_section(run, driver, "sub_groups", BAR_sub_group);
  run_section(run, driver, "jobs1", BAR_reduce_job);
  run_section(run, driver, "jobs2", BAR_reduce_job);
  run_section(run, driver, "launch", BAR_launch);
  run_section(run, driver, "build", BAR_build);
  run_section(run, driver, "sites", BAR_sites);
  run_section(run, driver, "scratch", BAR_scratch);
  if (section_wanted(run, "process")) {
    measure_memory(run, driver);
    measure_start(run, driver);
  }
}

/* Called by its .icd file's name and the first word of its version.  False if there is no device.
 */
static bool add_driver(struct run *run, const char *icd) {
  char version[160] = "";
  pid_t child;
  int driver = run->results.num_drivers;
  if (driver == MAX_DRIVERS) return false;
  run->icd[driver] = icd;
  FILE *output = start(run, driver, "bench_driver", "version", &child);
  bool works = output && fgets(version, sizeof version, output);
  if (!output || !finish(output, child) || !works) {
    fprintf(stderr, "bench: no device behind %s\n", icd);
    return false;
  }
  const char *name = strrchr(icd, '/') ? strrchr(icd, '/') + 1 : icd;
  snprintf(run->results.drivers[driver], sizeof run->results.drivers[driver], "%.*s %.*s",
           (int)strcspn(name, "."), name, (int)strcspn(version, " +\n"), version);
  run->results.num_drivers++;
  return true;
}

static void add_installed_drivers(struct run *run) {
  glob_t found;
  if (glob("/etc/OpenCL/vendors/*.icd", 0, NULL, &found) != 0) return;
  for (size_t i = 0; i < found.gl_pathc; i++) /* the strings stay: no globfree */
    if (!strstr(found.gl_pathv[i], "maniple")) add_driver(run, found.gl_pathv[i]);
}

static FILE *create(const struct run *run, const char *name) {
  char path[4200];
  snprintf(path, sizeof path, "%s/%s", run->out, name);
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(1);
  }
  return file;
}

static void write_reports(const struct run *run) {
  FILE *tsv = create(run, "bench.tsv"), *svg = create(run, "bench.svg");
  FILE *markdown = create(run, "bench.md");
  report_tsv(&run->results, tsv);
  plot_svg(&run->results, svg);
  for (int driver = 0; driver < run->results.num_drivers; driver++) {
    report_summary(&run->results, driver, markdown);
    fputc('\n', markdown);
  }
  report_rows(&run->results, markdown);
  fclose(tsv);
  fclose(svg);
  fclose(markdown);
}

static int usage(void) {
  fprintf(stderr,
          "usage: bench [-o FOLDER] [-s SECTIONS] [DRIVER.icd...]\n"
          "  -o  where bench.md, bench.tsv and bench.svg go (.)\n"
          "  -s  some of %s\n"
          "Drivers that are installed on this machine are measured beside the ones named.\n",
          all_sections);
  return 2;
}

int main(int argc, char **argv) {
  static struct run run = {.out = "."};
  int option;
  run.sections = all_sections;
  while ((option = getopt(argc, argv, "o:s:")) != -1) switch (option) {
    case 'o':
      run.out = optarg;
      break;
    case 's':
      run.sections = optarg;
      break;
    default:
      return usage();
    }
  ssize_t length = readlink("/proc/self/exe", run.folder, sizeof run.folder - 1);
  if (length <= 0) return 1;
  dirname(run.folder);
  for (int i = optind; i < argc; i++)
    if (!add_driver(&run, argv[i])) return 1;
  add_installed_drivers(&run);
  for (int driver = 0; driver < run.results.num_drivers; driver++) run_driver(&run, driver);
  write_reports(&run);
  for (int driver = 0; driver < run.results.num_drivers; driver++) {
    report_summary(&run.results, driver, stdout);
    putchar('\n');
  }
  printf("All rows and the plot: %s/bench.md, bench.tsv, bench.svg\n", run.out);
  return run.results.num_drivers == 0;
}

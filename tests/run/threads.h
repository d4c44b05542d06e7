/* A test program's main: runs it with 1, 2 and 5 threads, or as many as `-t N` says.
 *
 * Each is a process of its own, because the driver reads MANIPLE_THREADS once; they share a disk
 * cache made for this run, so that each program is compiled once. */
#ifndef TESTS_RUN_THREADS_H
#define TESTS_RUN_THREADS_H

/* `run` gets the arguments after the options and returns the exit status. */
int run_threads(int argc, char **argv, int (*run)(char **names, int count));

#endif

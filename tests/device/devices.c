/* The devices of the test driver: the mock, and the CPU beside it. */
#include "devices/devices.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check/device.h"
#include "cpu/cpu.h"
#include "mock.h"

static struct mpl_device *devices[2];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_devices(void) {
  devices[1] = mpl_cpu_create();
  if (devices[1] && mpl_check_device(devices[1])) devices[0] = mock_create(devices[1]);
}

bool mpl_has_devices(enum mpl_device_kind kind) {
  return kind == MPL_KIND_CPU;
}

struct mpl_device *const *mpl_devices(enum mpl_device_kind kind, uint32_t *count) {
  pthread_once(&once, find_devices);
  *count = devices[0] && kind == MPL_KIND_CPU ? 2 : 0;
  return devices;
}

uint32_t mpl_kind_offers(enum mpl_device_kind kind) {
  pthread_once(&once, find_devices);
  return devices[0]->info.offers & devices[1]->info.offers;
}

/* Whatever the program found: a broken rule fails it. */
static __attribute__((destructor)) void verdict(void) {
  const struct mock_state *state = mock_state();
  if (getenv("MOCK_REPORT"))
    fprintf(
        stderr,
        "mock: %ld issued, %ld performed, %ld waits; left: %ld memory, %ld marks, %ld streams\n",
        atomic_load(&state->issued), atomic_load(&state->performed), atomic_load(&state->waits),
        atomic_load(&state->memory), atomic_load(&state->marks), atomic_load(&state->streams));
  if (!atomic_load(&state->broken)) return;
  fputs("mock: rules were broken\n", stderr);
  fflush(NULL);
  _exit(97);
}

/* The same on the device, in memory with a page before and behind it that cannot be accessed. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "memory/launch.h"

enum { PAGE = 4096, BEHIND = 512 /* bytes that no work-item may change */ };
enum { ROOM = MEMORY_ROOM + PAGE };

struct placed {
  cl_mem mem;
  char *data;
  size_t size;
};

/* Of ROOM bytes, for good. */
static char *guarded(unsigned b) {
  static char *rooms[MEMORY_BUFFERS];
  if (rooms[b]) return rooms[b];
  char *map =
      mmap(NULL, ROOM + 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED || mprotect(map, PAGE, PROT_NONE) ||
      mprotect(map + PAGE + ROOM, PAGE, PROT_NONE))
    die("no memory with guards");
  return rooms[b] = map + PAGE;
}

static void place(unsigned b, const struct memory_values *v, bool at_end, bool is_constant,
                  struct placed *p) {
  size_t size = (v->size + v->align - 1) / v->align * v->align;
  cl_int error;
  p->size = size ? size : 16;
  if (!at_end) p->size += BEHIND;
  p->data = guarded(b) + (at_end ? ROOM - p->size : 0);
  memcpy(p->data, v->before, p->size);
  cl_mem_flags access = is_constant ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
  p->mem =
      clCreateBuffer(host_open()->context, access | CL_MEM_USE_HOST_PTR, p->size, p->data, &error);
  CL(error);
}

static bool has_ended(cl_event event) {
  cl_int status;
  clWaitForEvents(1, &event);
  CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  CL(clReleaseEvent(event));
  if (status != CL_COMPLETE) printf("the kernel ended with %d\n", status);
  return status == CL_COMPLETE;
}

static bool is_same(const struct memory_buffer *b, const struct memory_values *v,
                    const struct placed *p) {
  cl_int error;
  cl_command_queue queue = host_open()->queue;
  const char *got =
      clEnqueueMapBuffer(queue, p->mem, CL_TRUE, CL_MAP_READ, 0, p->size, 0, NULL, NULL, &error);
  CL(error);
  if (got != p->data) die("a buffer is not where its memory is");
  size_t at = 0;
  while (at < p->size && got[at] == v->after[at]) at++;
  CL(clEnqueueUnmapMemObject(queue, p->mem, (void *)got, 0, NULL, NULL));
  if (at == p->size) return true;
  size_t element = at / b->type->size, from = element * b->type->size;
  uint64_t want = 0, is = 0, was = 0, size = b->type->size > 8 ? 8 : b->type->size;
  from += (at - from) / size * size;
  memcpy(&want, v->after + from, size);
  memcpy(&is, got + from, size);
  memcpy(&was, v->before + from, size);
  printf("%s[%zu], byte %zu of %zu: 0x%llx, should be 0x%llx, was 0x%llx\n", b->name, element, at,
         p->size, (unsigned long long)is, (unsigned long long)want, (unsigned long long)was);
  return false;
}

bool memory_run_on_device(const struct memory_kernel *k, cl_kernel kernel,
                          const struct memory_values *values, const int64_t *scalars,
                          enum memory_place where) {
  struct placed placed[MEMORY_BUFFERS];
  for (unsigned b = 0; b < k->num_buffers; b++) {
    bool at_end = where == AT_END || (where == ANYWHERE && b % 2);
    int same_as = k->buffers[b].same_as;
    if (same_as < 0)
      place(b, &values[b], at_end, k->buffers[b].is_constant, &placed[b]);
    else
      placed[b] = placed[same_as];
    CL(clSetKernelArg(kernel, b, sizeof(cl_mem), &placed[b].mem));
  }
  for (unsigned n = 0; n < MEMORY_SCALARS; n++)
    CL(clSetKernelArg(kernel, k->num_buffers + n, k->scalars[n].type[0] == 'l' ? 8 : 4,
                      &scalars[n]));
  cl_event event;
  const struct shape *s = &k->shape;
  CL(clEnqueueNDRangeKernel(host_open()->queue, kernel, s->dims, s->offset, s->global,
                            k->any_local ? NULL : s->local, 0, NULL, &event));
  bool good = has_ended(event);
  for (unsigned b = 0; b < k->num_buffers; b++) {
    if (k->buffers[b].same_as >= 0) continue;
    good = good && is_same(&k->buffers[b], &values[b], &placed[b]);
    CL(clReleaseMemObject(placed[b].mem));
  }
  return good;
}

/* Rectangular transfers (section 5.2.4): boxes of `region` bytes, rows and slices inside memory of
 * row and slice pitch. */
#include "enqueue_transfer.h"

/* Fills in default pitches and the first byte; `size` is what the box must fit into (SIZE_MAX for
 * host memory). */
static cl_int make_box(const char *function, const size_t origin[3], const size_t region[3],
                       size_t row_pitch, size_t slice_pitch, size_t size, struct mpl_side *box) {
  if (!origin || !region || !region[0] || !region[1] || !region[2])
    return mpl_refuse(CL_INVALID_VALUE, function,
                      "origin or region is null, or the region is empty");
  if (!row_pitch) row_pitch = region[0];
  if (row_pitch < region[0])
    return mpl_refuse(CL_INVALID_VALUE, function, "row pitch %zu is less than a row of %zu bytes",
                      row_pitch, region[0]);
  size_t least, z, y, x, last;
  bool over = __builtin_mul_overflow(region[1], row_pitch, &least);
  if (!slice_pitch) slice_pitch = least;
  if (over || slice_pitch < least || slice_pitch % row_pitch)
    return mpl_refuse(
        CL_INVALID_VALUE, function,
        "slice pitch %zu is less than a slice, or not a multiple of the row pitch %zu", slice_pitch,
        row_pitch);
  over |= __builtin_mul_overflow(origin[2], slice_pitch, &z);
  over |= __builtin_mul_overflow(origin[1], row_pitch, &y);
  over |= __builtin_add_overflow(z, y, &x) || __builtin_add_overflow(x, origin[0], &x);
  box->start = x;
  over |= __builtin_mul_overflow(region[2] - 1, slice_pitch, &z);
  over |= __builtin_mul_overflow(region[1] - 1, row_pitch, &y);
  over |= __builtin_add_overflow(z, y, &last) || __builtin_add_overflow(last, region[0], &last);
  box->extent = last;
  over |= __builtin_add_overflow(last, box->start, &last);
  if (over || last > size)
    return mpl_refuse(CL_INVALID_VALUE, function,
                      "the region exceeds the memory, which has %zu bytes", size);
  box->row = row_pitch;
  box->slice = slice_pitch;
  return CL_SUCCESS;
}

cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                           const size_t *buffer_origin, const size_t *host_origin,
                                           const size_t *region, size_t buffer_row_pitch,
                                           size_t buffer_slice_pitch, size_t host_row_pitch,
                                           size_t host_slice_pitch, void *ptr, cl_uint num_waits,
                                           const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  struct mpl_side from = {.mem = buffer}, to = {.host = ptr};
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error) error = mpl_validate_buffer(__func__, queue, buffer);
  if (!error && !ptr) error = mpl_refuse(CL_INVALID_VALUE, __func__, "ptr is null");
  if (!error)
    error = make_box(__func__, buffer_origin, region, buffer_row_pitch, buffer_slice_pitch,
                     buffer->size, &from);
  if (!error)
    error =
        make_box(__func__, host_origin, region, host_row_pitch, host_slice_pitch, SIZE_MAX, &to);
  if (!error) error = mpl_validate_host_access(__func__, buffer, true, false);
  if (error) return error;
  return mpl_enqueue_copy(queue, CL_COMMAND_READ_BUFFER_RECT, &to, &from, region, blocking, &deps);
}

cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                            const size_t *buffer_origin, const size_t *host_origin,
                                            const size_t *region, size_t buffer_row_pitch,
                                            size_t buffer_slice_pitch, size_t host_row_pitch,
                                            size_t host_slice_pitch, const void *ptr,
                                            cl_uint num_waits, const cl_event *waits,
                                            cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  struct mpl_side to = {.mem = buffer}, from = {.host = ptr};
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error) error = mpl_validate_buffer(__func__, queue, buffer);
  if (!error && !ptr) error = mpl_refuse(CL_INVALID_VALUE, __func__, "ptr is null");
  if (!error)
    error = make_box(__func__, buffer_origin, region, buffer_row_pitch, buffer_slice_pitch,
                     buffer->size, &to);
  if (!error)
    error =
        make_box(__func__, host_origin, region, host_row_pitch, host_slice_pitch, SIZE_MAX, &from);
  if (!error) error = mpl_validate_host_access(__func__, buffer, false, true);
  if (error) return error;
  return mpl_enqueue_copy(queue, CL_COMMAND_WRITE_BUFFER_RECT, &to, &from, region, blocking, &deps);
}

/* Whether two boxes of one memory with equal pitches share a byte: some row of one and some row of
 * the other are less than a row's width apart.  Rows differ by dy * row_pitch + dz * slice_pitch
 * for dy, dz inside the region; for each dz the nearest dy decide. */
static bool boxes_overlap(intptr_t distance, const struct mpl_side *box, const size_t region[3]) {
  intptr_t width = (intptr_t)region[0], row = (intptr_t)box->row;
  intptr_t height = (intptr_t)region[1], depth = (intptr_t)region[2];
  for (intptr_t dz = 1 - depth; dz < depth; dz++) {
    intptr_t left = distance + dz * (intptr_t)box->slice, nearest = -left / row;
    for (intptr_t dy = nearest - 1; dy <= nearest + 1; dy++) {
      intptr_t gap = left + dy * row;
      if (dy > -height && dy < height && gap > -width && gap < width) return true;
    }
  }
  return false;
}

cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to,
                                           const size_t *from_origin, const size_t *to_origin,
                                           const size_t *region, size_t from_row_pitch,
                                           size_t from_slice_pitch, size_t to_row_pitch,
                                           size_t to_slice_pitch, cl_uint num_waits,
                                           const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  struct mpl_side source = {.mem = from}, target = {.mem = to};
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error) error = mpl_validate_buffer(__func__, queue, from);
  if (!error) error = mpl_validate_buffer(__func__, queue, to);
  if (!error)
    error = make_box(__func__, from_origin, region, from_row_pitch, from_slice_pitch, from->size,
                     &source);
  if (!error)
    error = make_box(__func__, to_origin, region, to_row_pitch, to_slice_pitch, to->size, &target);
  if (error) return error;
  bool same_pitches = source.row == target.row && source.slice == target.slice;
  if (from == to && !same_pitches)
    return mpl_refuse(CL_INVALID_VALUE, __func__,
                      "within one buffer, source and target must have the same pitches");
  intptr_t distance = (intptr_t)(from->origin + source.start - to->origin - target.start);
  if (mpl_same_storage(from, to) && same_pitches && boxes_overlap(distance, &source, region))
    return mpl_refuse(CL_MEM_COPY_OVERLAP, __func__, "source and target overlap");
  return mpl_enqueue_copy(queue, CL_COMMAND_COPY_BUFFER_RECT, &target, &source, region, false,
                          &deps);
}

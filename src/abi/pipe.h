/* A pipe, as the host makes it and the built-in library (builtins/memory/pipe.cl) works on it: this
 * head, a slot for each packet, and behind MPL_PIPE_ALIGN the packets.
 *
 * The k-th packet that is ever written, or read, has slot k % max_packets, on its lap k /
 * max_packets.  A slot's turn is twice the lap while it is free, one more while the packet of that
 * lap is in it: so memory of zeros is an empty pipe.  A work-item claims packets by moving
 * `written` or `read` on, and owns them until it commits the reservation, which gives the slots
 * their next turn.  Nothing is locked, and any number of reservations may be open. */
#ifndef MPL_ABI_PIPE_H
#define MPL_ABI_PIPE_H

#include "abi/kernel.h" /* uint32_t and uint64_t of OpenCL C */

#ifdef __OPENCL_C_VERSION__
#define MPL_PIPE_COUNTER atomic_ulong
#define MPL_PIPE_TURN    atomic_uint
#else
#define MPL_PIPE_COUNTER uint64_t
#define MPL_PIPE_TURN    uint32_t
#endif

#define MPL_PIPE_ALIGN 128u /* of the first packet, and what `read` and `written` lie apart */

struct mpl_pipe_slot {
  MPL_PIPE_TURN turn;
  uint32_t count; /* packets of the reservation that begins here */
};

struct mpl_pipe {
  uint32_t packet_size, max_packets;
  uint64_t packets; /* their beginning, in bytes from here */
  uint64_t reserved[14];
  MPL_PIPE_COUNTER written; /* claimed by those who write */
  uint64_t reserved_too[15];
  MPL_PIPE_COUNTER read;
  uint64_t reserved_last[15];
};

#ifndef __OPENCL_C_VERSION__
/* The beginning of the packets of such a pipe, and its size. */
static inline uint64_t mpl_pipe_packets(uint32_t max_packets) {
  uint64_t end = sizeof(struct mpl_pipe) + (uint64_t)max_packets * sizeof(struct mpl_pipe_slot);
  return (end + MPL_PIPE_ALIGN - 1) / MPL_PIPE_ALIGN * MPL_PIPE_ALIGN;
}
static inline uint64_t mpl_pipe_size(uint32_t packet_size, uint32_t max_packets) {
  return mpl_pipe_packets(max_packets) + (uint64_t)max_packets * packet_size;
}
#endif

#endif

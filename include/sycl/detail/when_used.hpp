/* Functions that are compiled in programs that call them alone. */
#ifndef SYCL_DETAIL_WHEN_USED_HPP
#define SYCL_DETAIL_WHEN_USED_HPP

/* Before a function that is no template otherwise: what it instantiates, as the standard library's
 * containers, is a good part of the time that a program without it takes to compile. */
#define SYCL_WHEN_USED template <typename = void>

#endif

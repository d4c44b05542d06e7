#!/bin/sh
# How long `maniple c++` and `maniple cc` take for a program with one kernel, and for the same program
# without it: CPU time in seconds, the best of 5.
#   sycl_compile.sh MANIPLE
set -eu
maniple=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/one.cpp" <<'END'
#include <sycl/sycl.hpp>
#include <cstdio>
int main() {
  sycl::queue q;
  int *x = sycl::malloc_shared<int>(1024, q);
  for (int i = 0; i < 1024; i++) x[i] = i;
#ifdef KERNEL
  q.parallel_for<class k>(sycl::nd_range<1>(1024, 256), [=](sycl::nd_item<1> it) {
     std::size_t i = it.get_global_id(0);
     x[i] = sycl::reduce_over_group(it.get_group(), x[i], sycl::plus<int>());
   }).wait();
#endif
  std::printf("%d\n", x[0]);
}
END
cat >"$work/one.c" <<'END'
#include <maniple/group.h>
#include <stdio.h>
#ifdef KERNEL
mpl_kernel(sum, (int *) x) { x[get_global_id(0)] = work_group_reduce_add(x[get_global_id(0)]); }
#endif
int main(void) {
  static int x[1024];
#ifdef KERNEL
  mpl_launch(sum, mpl_1d(1024, 256), x);
#endif
  printf("%d\n", x[0]);
}
END

# Seconds of this shell's children, user and system, so far: `times` counts in the shell that it runs in.
seconds() {
  sed -n '2s/[ms]/ /gp' "$1" | awk '{ print $1 * 60 + $2 + $3 * 60 + $4 }'
}
best() { # COMMAND...: to $work/best
  : >"$work/all"
  for run in 1 2 3 4 5; do
    times >"$work/before"
    "$@" -c -o "$work/one.o"
    times >"$work/after"
    echo "$(seconds "$work/before") $(seconds "$work/after")" >>"$work/all"
  done
  awk '{ t = $2 - $1; if (NR == 1 || t < b) b = t } END { printf "%.3f\n", b }' "$work/all" >"$work/best"
}
compare() { # NAME COMMAND...
  name=$1
  shift
  best "$@" && without=$(cat "$work/best")
  best "$@" -DKERNEL && with=$(cat "$work/best")
  echo "$name $with $without" | awk '{ printf "%-5s %7.3f s with a kernel, %7.3f s without: %.2fx\n", $1, $2, $3, $2 / $3 }'
}
compare SYCL "$maniple" c++ "$work/one.cpp"
compare C "$maniple" cc "$work/one.c"

#!/bin/sh
# kept_header.sh MANIPLE OPTION...: <sycl/sycl.hpp> that `maniple c++` keeps precompiled.  Programs are the same
# with and without it, and so is what is said of them.
set -eu
maniple=$1
shift
set -- "$@" -Wall -Wmaniple-fibres # all the same, so that few headers are made
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export MANIPLE_CACHE=1 MANIPLE_CACHE_DIR="$work/cache" MANIPLE_DEBUG=cache MANIPLE_LOG="$work/log"
without=-fno-maniple-precompiled
fail() {
  echo "$*"
  [ ! -f said ] || cat said
  exit 1
}
made() { # NUMBER: so many headers are kept
  [ "$(find cache -name '*.pch.mpl' | wc -l)" = "$1" ] || fail "$2: $(ls cache)"
}
used() { # how often the last command found one
  found=$(grep -c ': hit$' log || :)
  : >log
  [ "$found" = "$1" ] || fail "$2: found $found times"
}
compile() {
  "$maniple" c++ "$@" 2>said
}

cat >a.cpp <<'EOF'
/* A comment, */ // and another
#include <cstdio>
# include <iostream> // a third

#include <sycl/sycl.hpp>
#ifdef WRONG
struct none {};
void f(sycl::queue q) {
  int unused;
  sycl::reduce_over_group(none{}, 1, sycl::plus<>());
  q.single_task(3);
  sycl::vec<int, 5> v;
}
#endif
#ifdef FIBRES
int elsewhere(int);
#else
static int elsewhere(int n) { return n; }
#endif
#ifndef RESULT
#define RESULT 0
#endif
int main() {
  int unused;
  sycl::queue q;
  float *x = sycl::malloc_shared<float>(64, q);
  for (int i = 0; i < 64; i++) x[i] = i;
  q.parallel_for(sycl::nd_range<1>(64, 32), [=](sycl::nd_item<1> it) {
     float sum = sycl::reduce_over_group(it.get_group(), x[it.get_global_id(0)], sycl::plus<>());
     x[it.get_global_id(0)] = elsewhere(sum);
   }).wait();
  std::cout << "";
  int wrong = x[0] != 496 || x[63] != 1520;
  sycl::free(x, q);
  return wrong + RESULT;
}
EOF
: >log

# Many at once make one.
for i in 1 2 3; do "$maniple" c++ "$@" -O0 a.cpp -o a$i 2>said$i & done
wait
for i in 1 2 3; do ./a$i || fail "program $i"; done
made 1 "three programs at once"
[ "$(grep -c '>: precompiled$' log)" = 1 ] || fail "made more than once"
: >log
compile "$@" -O0 a.cpp -o a && ./a || fail "once more"
used 1 "once more"

# The same code, and the same messages.
normal() { # instructions and data; functions and strings may have other places and numbers, and a call may be without
  # what catches exceptions, if clang has seen before that none comes
  sed -e 's/\.L[A-Za-z_.]*[0-9_]*/.L/g; s/\(_init\|_table\|Ltmp\|\.str\)[.0-9]*/\1/g; s/ *#.*//' "$1" |
    grep -v '^\s*\.\(section\|uleb128\|text\|p2align\)' | sort -u
}
for what in WRONG FIBRES; do
  sed "/sycl.hpp/a #define $what" a.cpp >$what.cpp
done
both_ways() { # SOURCE OPTION...
  compile "$@" -MD -MF with.d -o with.s && with=0 || with=$?
  used 1 "$*"
  mv said with
  compile "$@" $without -MD -MF without.d -o without.s && without_is=0 || without_is=$?
  used 0 "$* $without"
  [ $with = $without_is ] && cmp with said || fail "other messages with $*"
}
both_ways WRONG.cpp "$@" -O0 -fsyntax-only
grep -q 'warning: unused' with || fail "no warning"
grep -q 'error:' with || fail "no error"
both_ways FIBRES.cpp "$@" -O0 -S
grep -q 'maniple-fibres' with || fail "no warning of the plugin"
grep -q 'warning: unused' with || fail "no warning"
normal with.s >with && normal without.s >without
cmp with without || fail "other code"

# The files on which the program depends; clang alone also names those that `__has_include` finds.
real() {
  sed 's/^[^:]*://; s/\\$//' "$1" | tr -s ' ' '\n' | grep . | xargs realpath | sort -u
}
real with.d >with && real without.d >without
[ -z "$(comm -23 with without)" ] || fail "other files: $(comm -23 with without)"
comm -13 with without | grep sycl && fail "not these files"

# From here on a header of the user's that is short: what is asked is of how it is kept, not of what is in it.
mkdir -p own/sycl
header() { # VERSION
  printf '#pragma once\n#define RESULT %s\nnamespace sycl { struct queue {}; }\n' "$1" >own/sycl/sycl.hpp
}
header 1
printf '#include <sycl/sycl.hpp>\nsycl::queue q;\nint main() { return RESULT; }\n' >b.cpp
user=$*
short() { # OPTION...
  compile -Iown "$@"
}
answers() { # NUMBER WHY: the program, compiled once more, does
  short $user -O0 b.cpp -o b || fail "$2: does not compile"
  ./b && result=0 || result=$?
  [ $result = "$1" ] || fail "$2: $result"
}

# Not with macros in front of the header, or where clang is to do other things.
answers 1 "a header of the user's"
made 2 "a header of the user's"
short $user -O2 b.cpp -o b
made 3 "another option"
: >log
number=$(find cache -name '*.pch.mpl' | wc -l)
{ echo '#define SYCL_SIMPLE_SWIZZLES'; cat b.cpp; } >c.cpp
short "$@" -O0 -fsyntax-only c.cpp
printf '// goes on \\\n#include <sycl/sycl.hpp>\nsycl::queue *q;\n' >c.cpp
short "$@" -O0 -fsyntax-only c.cpp && fail "what is in a comment was included"
for line in '#include <semaphore.h>' '#include "other.hpp"' 'int in_front;' '#if 1'; do
  { echo "$line"; echo '#include <sycl/sycl.hpp>'; [ "$line" != '#if 1' ] || echo '#endif'; } >d.cpp
  short "$@" -O0 -fsyntax-only d.cpp || [ "$line" = '#include "other.hpp"' ] || fail "behind $line"
done
short "$@" -O0 -E b.cpp -o b.ii
short "$@" -O0 -include cstdio -fsyntax-only b.cpp
short "$@" -O0 -x c++ -fsyntax-only b.cpp
short "$@" -O0 -fsyntax-only b.cpp d.cpp
MANIPLE_PRECOMPILED=0 short "$@" -O0 -fsyntax-only b.cpp
used 0 "other programs"
made "$number" "other programs"
short "$@" -O0 -fsyntax-only b.cpp
used 1 "the same program"

# A header that changes.
header 23
for time in 1 2; do
  answers 23 "a header that changed"
done
used 1 "a header that changed"

# Without a cache, and with one that is damaged.
MANIPLE_CACHE_DIR=$work/b.cpp answers 23 "the cache's folder is a file"
MANIPLE_CACHE=0 answers 23 "without a cache"
for file in cache/*.pch.mpl; do
  size=$(wc -c <"$file")
  head -c 5000 "$file" >start
  { cat start; head -c $((size - 5000)) /dev/zero; } >"$file"
done
answers 23 "damaged"
: >log
answers 23 "mended"
used 1 "mended"
for file in cache/*.pch.mpl; do touch -d '2 hours ago' "$file"; done
answers 23 "only copied"
used 1 "only copied"
[ ! -s said ] || fail "something is said"
for file in cache/*.pch.mpl; do cp start "$file"; done
answers 23 "too short"
: >log
answers 23 "made again"
used 1 "made again"

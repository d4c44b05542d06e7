#!/bin/sh
# thread_memory.sh LIBRARY: the library's variables of each thread fit into what glibc keeps for libraries that are
# loaded late (some 1,660 bytes for all of them).  Where they do not, dlopen refuses the library, and a program finds
# no platform.
set -eu
most=1600
bytes=$(readelf -lW "$1" | awk '$1 == "TLS" { print $6 }')
[ "$((bytes))" -le "$most" ] || { echo "$((bytes)) bytes of each thread, more than $most"; exit 1; }

#!/bin/sh
# device_global_files.sh COMPILER PROGRAM OPTION...: a program of two files, for which each tells of its
# own kernels' variables.
set -eu
compiler=$1 program=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for part in 1 2; do
  "$compiler" c++ "$@" -DPART=$part -c "$program" -o "$folder/$part.o"
done
"$compiler" c++ "$@" "$folder/1.o" "$folder/2.o" -o "$folder/program"
"$folder/program"

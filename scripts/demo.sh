#!/bin/sh
# demo.sh BUILD: the examples on real input.  OCL_ICD_VENDORS says which driver runs them.
set -eu
build=$1
source=$(cd "$(dirname "$0")/.." && pwd)

heading() { printf '\n%s\n' "$1"; }

heading "1. Scans: the specification's example, then the same kernels on many groups"
"$build/bin/example_scan"

heading "2. The index of every line of a text: a real one, and a web server's log of 256 MB"
"$build/bin/make_log" "$build/web.log" 256
"$build/bin/example_lines" "$source/docs/design.md" "$build/web.log"

heading "3. Histogram equalisation of a photograph"
"$build/bin/example_equalise" "$source/examples/equalise/photographer.png" "$build/equalised.png"

heading "4. Kernels in C, compiled with their host by \`maniple cc': the log's lines again"
"$build/bin/example_c" "$build/web.log"

heading "5. SYCL, compiled by \`maniple c++': the photograph in black and white"
"$build/bin/example_sycl" "$source/examples/equalise/photographer.png" "$build/threshold.png"

printf '\nAll of them gave what plain C gives.\n'

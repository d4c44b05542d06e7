#!/bin/sh
# demo.sh BUILD: the three examples on real input.  OCL_ICD_VENDORS says which driver runs them.
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

printf '\nAll three gave what plain C gives.\n'

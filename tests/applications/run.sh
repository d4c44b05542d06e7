#!/bin/sh
# run.sh PROGRAM: a program of Debian's on the driver that OCL_ICD_VENDORS names, seconds each.
# 77: it is not installed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

needs() { # COMMAND PACKAGE
  command -v "$1" >"$folder/found" && return
  echo "skipped: no $1; Debian has it in the package $2"
  exit 77
}

# Output that the program must have written.
says() {
  grep -q "$1" "$folder/log" && return
  cat "$folder/log"
  echo "failed: nothing like \"$1\" was said"
  exit 1
}

run_clinfo() {
  needs clinfo clinfo
  clinfo >"$folder/log"
  says 'Platform Name  *maniple'
  says 'Device Version  *OpenCL 3\.'
}

run_clpeak() {
  needs clpeak clpeak
  clpeak --global-bandwidth --kernel-latency >"$folder/log" 2>&1
  says 'float16  *: [0-9.]*[1-9]'
  says 'Kernel launch latency : [0-9.]*[1-9]'
}

# A word of a list, found by its hash.
run_hashcat() { # MODE HASH
  needs hashcat hashcat
  seq -f 'word%g' 1 5000 >"$folder/words"
  echo 'maniple' >>"$folder/words"
  printf '%s\n' "$2" >"$folder/hash"
  HOME=$folder hashcat --quiet -D 1 -m "$1" -a 0 --potfile-disable --restore-disable \
    --self-test-disable "$folder/hash" "$folder/words" >"$folder/log" 2>&1 || true
  says ":maniple\$"
}

# piglit's kernels with their expected results.  Left out: two that read and write outside of their
# buffers, one that wants denormal numbers flushed (which -cl-denorms-are-zero only allows), and those
# for a processor of AMD's.
run_piglit() {
  needs piglit piglit
  for place in /usr/lib/*/piglit; do # between them: the kind of machine
    if [ -d "$place/tests/cl" ]; then cd "$place"; fi
  done
  if [ ! -d tests/cl ]; then
    echo "skipped: Debian's piglit has no tests of OpenCL here"
    exit 77
  fi
  passed=0 failed=0
  for kernel in tests/cl/program/execute/*.cl; do
    case $kernel in
    */bswap.cl | */clz-optimizations.cl | */amdgcn*) continue ;;
    esac
    bin/cl-program-tester "$kernel" >"$folder/log" 2>&1 || true
    if grep -Eq '"result": "(pass|skip)"' "$folder/log"; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      cat "$folder/log"
      echo "failed: $kernel"
    fi
  done
  echo "$passed passed, $failed failed"
  [ "$passed" -gt 0 ] && [ "$failed" -eq 0 ]
}

case $1 in
clinfo | clpeak | piglit) "run_$1" ;;
hashcat_md5) run_hashcat 0 "$(printf maniple | md5sum | cut -d' ' -f1)" ;;
hashcat_sha256) run_hashcat 1400 "$(printf maniple | sha256sum | cut -d' ' -f1)" ;;
*) echo "no such program: $1" && exit 1 ;;
esac

#!/bin/sh
# split_headers.sh TABLE NAMES COMPILER OPTION...: each header of sycl_khr_split_headers compiles alone,
# has the names of TABLE and SYCL_KHR_SPLIT_HEADERS.  NAMES: of which headers, or all.
set -eu
table=$1 wanted=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
grep -v '^#' "$table" | while read -r header names; do
  case " $wanted " in *" $header "* | " all ") ;; *) continue ;; esac
  {
    echo "#include <sycl/khr/split_headers/$header.hpp>"
    echo '#if SYCL_KHR_SPLIT_HEADERS != 1 || SYCL_LANGUAGE_VERSION != 202012L'
    echo '#error no macros'
    echo '#endif'
    echo 'namespace test {'
    number=0
    for name in $names; do
      number=$((number + 1))
      echo "namespace n$number { using sycl::$name; }"
    done
    echo '}'
  } > "$folder/$header.cpp"
  "$@" -std=c++17 -fsyntax-only "$folder/$header.cpp" ||
    { echo "$header.hpp does not have what it should" >&2; exit 1; }
done
# None of them is missing in the table.
for header in $(dirname "$table")/../../include/sycl/khr/split_headers/*.hpp; do
  name=$(basename "$header" .hpp)
  [ "$name" = version ] || grep -q "^$name " "$table" || { echo "$name is not in $table"; exit 1; }
done

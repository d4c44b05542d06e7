#!/bin/sh
# cts.sh SYCL-CTS CATCH2 BUILD [CATEGORY...]: compiles categories of the SYCL conformance test suite
# against this tree's headers and runs them.
#
#   SYCL-CTS  a checkout of github.com/KhronosGroup/SYCL-CTS
#   CATCH2    a build folder of github.com/catchorg/Catch2 (cmake -S ... -B CATCH2; the target Catch2)
#   BUILD     maniple's build folder; what is compiled goes to BUILD/sycl-cts
#
# Environment: CXX (g++), which may be `maniple c++`; CXXFLAGS (-O1); JOBS (the number of processors).
set -eu
[ $# -ge 3 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2; }
suite=$(realpath "$1") catch=$(realpath "$2") build=$(realpath "$3")
shift 3
here=$(cd "$(dirname "$0")/../.." && pwd)
catch_source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$catch/CMakeCache.txt")
: "${CXX:=g++}" "${CXXFLAGS:=-O1}" "${JOBS:=$(nproc)}"
[ $# -gt 0 ] || set -- group_functions group sub_group nd_item item id range nd_range local_accessor
out=$build/sycl-cts
mkdir -p "$out"

# The suite takes none but the implementations it knows; ProtoSYCL is one for which it leaves nothing out.
numbers="char int float double sycl::half"
options="-std=c++17 $CXXFLAGS -w -DSYCL_CTS_COMPILING_WITH_PROTOSYCL=1 -DSYCL_CTS_ENABLE_HALF_TESTS=1
  -DSYCL_CTS_ENABLE_DOUBLE_TESTS=1 -DSYCL_CTS_ENABLE_DEPRECATED_FEATURES_TESTS=1
  -DSYCL_CTS_ENABLE_FULL_CONFORMANCE=0 -DSYCL_CTS_ENABLE_OPENCL_INTEROP_TESTS=0
  -DSYCL_CTS_ENABLE_FEATURE_SET_FULL=1 -I$suite/tests -I$suite/util -I$suite
  -I$catch_source/src -I$catch/generated-includes -I$here/include -I$build/include"

# The suite's own templates, for each of its types (tests/CMakeLists.txt, get_std_type).
generate() { # category
  types=$numbers
  [ "$1" = local_accessor ] && types="bool $numbers user_struct"
  for template in "$suite/tests/$1"/*.cpp.in; do
    [ -f "$template" ] || continue
    for type in $types; do
      name=$(basename "$template" .cpp.in)_$(echo "$type" | tr ':' '_').cpp
      sed -e "s/#cmakedefine CTS_TYPE @CTS_TYPE@/#define CTS_TYPE $type/" \
          -e "s/#cmakedefine CTS_TYPE_NAME/#define CTS_TYPE_NAME/;s/@CTS_TYPE_NAME@/$type/" \
          -e "s,#include \"\.\./,#include \"$suite/tests/," \
          -e "s,#include \"\([a-z_]*\.h\)\",#include \"$suite/tests/$1/\1\"," \
          "$template" > "$out/$1/$name"
    done
  done
}

compile() { # folder, sources: each to an object in the folder, unless it is newer
  folder=$1
  shift
  for source in "$@"; do
    object=$folder/$(basename "$source").o
    [ "$object" -nt "$source" ] || printf '%s\0%s\0' "$source" "$object"
  done | xargs -0 -r -n 2 -P "$JOBS" sh -c "$CXX $(echo $options) -I\$(dirname \"\$0\") -c \"\$0\" -o \"\$1\""
}

mkdir -p "$out/util"
compile "$out/util" $(ls "$suite"/util/*.cpp | grep -v -e test_base_opencl -e math_reference -e math_helper) \
  "$suite/tests/common/main.cpp"

status=0
for category in "$@"; do
  mkdir -p "$out/$category"
  generate "$category"
  compile "$out/$category" $(ls "$suite/tests/$category"/*.cpp "$out/$category"/*.cpp 2>/dev/null)
  $CXX "$out/$category"/*.o "$out"/util/*.o -o "$out/test_$category" "$catch/src/libCatch2.a" \
    -L"$build/lib" -lmaniple -Wl,-rpath,"$build/lib" -lpthread
  printf '%s: ' "$category"
  if "$out/test_$category" > "$out/$category.log" 2>&1; then
    grep 'All tests passed' "$out/$category.log"
  else
    status=1
    tail -3 "$out/$category.log"
  fi
done
exit $status

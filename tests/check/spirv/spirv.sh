#!/bin/sh
# spirv.sh SPIRV-AS MANIPLE NAME GOLDEN...: what is reported of NAME.spvasm stands in NAME.ref.
folder=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$1" --target-env spv1.0 "$folder/$3.spvasm" -o "$work/module.spv" || exit 1
maniple=$2 name=$3
shift 3
"$@" "$folder" "$name.ref" "$maniple" check "$maniple" run "$work/module.spv" -k k -g 64 -l 64 out:uint:64

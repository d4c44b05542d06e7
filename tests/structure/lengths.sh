#!/bin/sh
# lengths.sh SOURCE: no file of src/ has more than 600 lines.
exec find "$1/src" -type f -exec awk \
  'FNR == 601 { print FILENAME ": more than 600 lines"; bad = 1 } END { exit bad }' {} +

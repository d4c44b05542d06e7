#!/bin/sh
# A build of a changed copy of the source takes the objects of a finished build for which nothing has changed.
#   reuse.sh list FIRST SOURCE BUILD COPY     prints the outputs of FIRST, relative to it, that BUILD would make
#                                             alike; what both generate is there
#   reuse.sh run LIST FIRST BUILD COMPILER... runs the compiler, or copies what LIST has of FIRST
set -eu

# Files whose contents differ, by their names in the finished build or its source.
changed() {
  for pair in "$2 $4" "$1/src $3/src" "$1/include $3/include"; do
    set -- ${pair}
    (cd "$1" && find . \( -name '.?*' -o -name 'build*' \) -prune -o \
      -type f \( -name '*.[chS]' -o -name '*.cl' -o -name '*.cpp' -o -name '*.hpp' -o -name '*.def' -o -name '*.in' \) -print) |
      while read -r file; do cmp -s "$1/$file" "$2/$file" || echo "$1/${file#./}"; done
  done
}

list() {
  changed "$1" "$2" "$3" "$4" >"$3/changed"
  { ninja -C "$1" -t deps | sed -n 's/^\([^ ].*\): #deps.*VALID.*/= \1/p; s/^    /- /p'
    (cd "$1" && for file in src/builtins/*.d src/builtins/math/*.d; do
      echo "= ${file%.d}.bc"
      sed 's/^[^ ]*: *//; s/ *\\$//' "$file" | tr -s ' ' '\n' | sed -n 's/^./- &/p'
    done); } |
    awk -v build="$1/" '
      function end_of_output() {
        target = output
        sub(/\.dir\/.*/, "", target)
        if (differs && output ~ /\.(cpp|cxx)\.o$/) compiled[target] = 1
        if (!differs && output ~ /\.pch$/) precompiled[target] = output
        else if (!differs) print output
      }
      FILENAME != "-" { changed[$0] = 1; next }
      /^=/ { if (output != "") end_of_output(); output = $2; differs = 0; next }
      {
        if ($2 !~ "^/") $2 = build $2
        while (sub(/[^\/]+\/\.\.\//, "", $2));
        if ($2 in changed) differs = 1
      }
      END {
        end_of_output()
        # It serves at the place where it was made; here, it is needed by what is not copied.
        for (target in precompiled) if (!(target in compiled)) print precompiled[target]
      }' "$3/changed" -
}

# Modules that say the same, but for where their source lies; false as well if nothing reads them.
said() { # CLANG MODULE
  "${1%clang*}llvm-dis${1##*clang}" <"$2" | sed '/^; ModuleID/d; /^source_filename/d'
}
same_module() { # CLANG MODULE FIRST
  [ -f "$3" ] && said "$1" "$2" >"$2.said" && [ -s "$2.said" ] && said "$1" "$3" | cmp -s "$2.said" -
}

run() {
  list=$1 first=$2 build=$3 made= depfile= last=
  shift 3
  for word; do
    case $last in
      -o) made=$word ;;
      -MF) depfile=$word ;;
    esac
    last=$word
  done
  path=$PWD/$made
  path=${path#"$build"/}
  alike=false
  case " $* " in
    *" -x ir "*) same_module "$1" "$last" "$first/${last#"$build"/}" && alike=true ;;
    *) grep -qxF "$path" "$list" 2>/dev/null && alike=true ;;
  esac
  if [ "$made" ] && $alike && [ -f "$first/$path" ]; then
    cp "$first/$path" "$made"
    [ ! "$depfile" ] || echo "$made:" >"$depfile"
    return
  fi
  case $made in
    *maniple_passes.dir*) ;; # slow passes would take longer than is won
    *.c.o) exec "$@" -O0 -g0 ;; # little of it runs, and not often
  esac
  exec "$@"
}

"$@"

#!/bin/sh
# completion.sh SHELL DOCGEN: what the shell, a bash or a zsh, offers at the end of some command lines.
set -eu
name=$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$2" "$name" >"$work/_maniple"
mkdir "$work/in" "$work/in/folder"
touch "$work/in/kernel.cl"

# The words of the command line as readline cuts them, --name=value in three.
offer_bash() { # SHELL LINE
  "$1" --norc -c 'source "$1"; cd "$2"; IFS=" " read -ra COMP_WORDS <<<"${3//=/ = }"
    [[ $3 != *[\ =] ]] || COMP_WORDS+=("")
    [[ $3 != *= ]] || unset "COMP_WORDS[-1]"
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
    _maniple
    [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "${COMP_WORDS[-1]}")) # -o default
    printf "%s\n" "${COMPREPLY[@]}"' bash "$work/_maniple" "$work/in" "$2" | sort -u | grep .
}
offer_zsh() { "$1" -f "$here/completion.zsh" "$work" "$2"; }

status=0
expect() { # LINE WORDS
  got=$("offer_$name" "$shell" "$1" | tr '\n' ' ') || true
  [ "$got" = "$2 " ] && return
  printf 'after "%s" %s offers "%s", not "%s"\n' "$1" "$name" "$got" "$2 "
  status=1
}
shell=$1
case $name in bash) equals== ;; zsh) equals= ;; esac # zsh adds it itself
expect 'maniple ch' 'check'
expect 'maniple c' 'c++ cache cc check'
expect 'maniple --v' '--version'
expect 'maniple cache ' 'clear list stat'
expect 'maniple help b' 'build'
expect 'maniple run ker' 'kernel.cl'
expect 'maniple run kernel.cl --to' "--tolerance$equals"
expect 'maniple run --format ' 'hex index plain rows'
expect 'maniple run --format=h' 'hex'
expect 'maniple run kernel.cl -f r' 'rows'
expect 'maniple build -I ' 'folder'
expect 'maniple build --report=ker' 'kernel.cl'
expect 'maniple check --schedule=' 'order reverse shuffle'
expect 'maniple info --i' '--internal'
exit $status

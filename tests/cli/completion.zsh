# completion.zsh FOLDER LINE: what zsh offers at the end of LINE, sorted; FOLDER has _maniple.  zsh
# completes in an interactive shell only: one on a pseudo-terminal.  Run with zsh -f.
zmodload zsh/zpty
export TERM=dumb
zpty shell zsh -f -i
zpty -w shell "PROMPT= ; unsetopt zle_bracketed_paste prompt_cr prompt_sp; cd $1/in"
zpty -w shell "fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -d $1/dump"
# Matches that are for somebody's own use (-O, -A, -D) are not offered.
zpty -w shell 'compadd() {
  local -a hits
  if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
    builtin compadd -A hits "$@"
    print -rl -- $hits >>'$1'/offer
  fi
  builtin compadd "$@"
}'
zpty -w shell 'finished() { print FINI""SHED }; comppostfuncs=(finished); bindkey "^I" complete-word; print REA""DY'
zpty -r shell output '*READY*'
: >$1/offer
zpty -w -n shell "$2"$'\t'
zpty -r shell output '*FINISHED*'
zpty -d shell
sort -u $1/offer | grep .

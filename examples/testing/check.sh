#!/usr/bin/env bash
# Checks what an example says.
#   check.sh prints FILE PROGRAM [WORD...]      it ends with 0 and prints what FILE holds
#   check.sh refuses TEXT PROGRAM [WORD...]     it ends with 2, prints nothing, and says TEXT
set -uo pipefail
what=$1 wanted=$2
shift 2
said=$(mktemp)
trap 'rm -f "$said"' EXIT
printed=$("$@" 2>"$said")
code=$?
case $what in
  prints)
    cat "$said"
    diff -u --label "$wanted" --label "printed, exit code $code" "$wanted" - <<<"$printed" &&
      ((code == 0))
    ;;
  refuses)
    cat "$said"
    echo "exit code $code"
    ((code == 2)) && [[ -z $printed ]] && grep -qF -- "$wanted" "$said"
    ;;
esac

#!/bin/sh
# wrong_pattern.sh SOURCE COMPILER ARGUMENT...
# Compiles a source that must be refused in one short error. What its first line, a comment, asks for
# (a pattern of grep) stands in the line that says "error:".
source=$1
shift
expected=$(sed -n '1s|^// ||p' "$source")
[ -n "$expected" ] || { echo "$source does not say what to expect"; exit 1; }

if said=$(LC_ALL=C "$@" -std=c++20 -fsyntax-only "$source" 2>&1); then
  echo "the compiler takes $source"
  exit 1
fi
refuse() {
  printf '%s\nbut the compiler says:\n%s\n' "$1" "$said"
  exit 1
}
errors=$(printf '%s\n' "$said" | grep 'error: ')
[ "$(printf '%s\n' "$errors" | wc -l)" = 1 ] || refuse "expected one error"
printf '%s\n' "$errors" | grep -- "$expected" || refuse "expected in the error: $expected"
[ "$(printf '%s\n' "$said" | wc -l)" -le 15 ] || refuse "expected at most 15 lines"

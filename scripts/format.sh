#!/bin/sh
# Formats the C and C++ sources with clang-format; --check only looks.
set -eu
cd "$(dirname "$0")/.."
mode=-i
[ "${1:-}" != --check ] || mode="--dry-run -Werror"
git ls-files '*.h' '*.cc' '*.c' | xargs clang-format $mode

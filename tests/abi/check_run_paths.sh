#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: check_run_paths.sh FOLDER
# No program or library below FOLDER looks for libraries in the current directory: an empty entry of a run path means that.
set -euo pipefail
status=0 files=0
while IFS= read -r -d '' file; do
  path=$({ readelf -d "$file" 2>/dev/null || true; } | sed -n 's/.*(R[UN]*PATH).*\[\(.*\)\]/\1/p')
  files=$((files + 1))
  case ":$path:" in
    ::) ;; # none
    *::*) echo "$file: run path [$path]"; status=1 ;;
  esac
done < <(find "$1" -type f \( -name '*.so*' -o -perm -u+x \) -print0)
[ "$files" -gt 10 ] || { echo "only $files files below $1"; status=1; }
exit "$status"

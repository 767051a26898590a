#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the example of docs/python.md with several versions of hip-python from PyPI.
set -euo pipefail
source_tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
case "${1:---help}" in
  -*)
    cat <<'TEXT'
usage: bash tests/distro/python.sh PREFIX FOLDER [VERSION...]
Installs each VERSION of hip-python (6.2.0.499.16, 6.4.4.555.40, 7.2.2.562.43 and the newest one if none is named) into an
environment of its own in FOLDER and runs the example of docs/python.md with HIPLZ in PREFIX (build/release/stage will do).
TEXT
    exit 0 ;;
esac
prefix=$(cd "$1" && pwd) folder=$2
shift 2
mkdir -p "$folder"
sed -n '/^```python$/,/^```$/p' "$source_tree/docs/python.md" | sed '/^```/d' >"$folder/square.py"
[ $# != 0 ] || set -- 6.2.0.499.16 6.4.4.555.40 7.2.2.562.43 ""
passed=0 failed=0
for version in "$@"; do
  environment=$folder/hip-python-${version:-newest}
  [ -e "$environment" ] || python3 -m venv "$environment"
  "$environment/bin/pip" install -q "hip-python${version:+==$version}"
  if LD_LIBRARY_PATH=$prefix/lib/hiplz/amdhip64 "$environment/bin/python" "$folder/square.py"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "hip-python ${version:-newest} failed"
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]

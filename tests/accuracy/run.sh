#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Measures the mathematical functions with a million random arguments each, and writes docs/math-accuracy.md. It takes ten
# minutes of two processors.
#   tests/accuracy/run.sh [BUILD_FOLDER [POINTS]]
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$root/build/release}
cmake --build "$build" --target hip_accuracy hiplz-cpu-compiler ze_hiplz_cpu
"$build/tests/accuracy/accuracy" --points "${2:-1000000}" --document "$root/docs/math-accuracy.md"

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# on_opencl.sh STAGE RUNTIME [PROGRAM [SCENARIO...]]: runs a program of the device layer on the driver on OpenCL, with Intel's OpenCL
# runtime for processors from the folder RUNTIME (scripts/opencl_runtime.sh), without these scenarios. Without a program it checks
# that the driver is the one that is used.
set -euo pipefail
stage=$1 runtime=$2
shift 2
[ -e "$stage/lib/libze_hiplz_opencl.so.1" ] || { echo "SKIP: the driver on OpenCL was not built: there were no OpenCL headers"; exit 77; }
[ -e "$runtime/libintelocl.so" ] ||
  { echo "SKIP: $runtime has no OpenCL runtime; bash scripts/opencl_runtime.sh fetches it"; exit 77; }
export HIPLZ_DEVICES=opencl OCL_ICD_FILENAMES=$runtime/libintelocl.so LD_LIBRARY_PATH=${HIPLZ_TEST_OPENCL_FOLDER:+$HIPLZ_TEST_OPENCL_FOLDER:}$runtime
if [ $# = 0 ]; then
  # Nothing that the programs find would mean anything on another device.
  "$stage/bin/hiplz-info" | grep -q 'libze_hiplz_opencl' || { echo "hiplz-info does not list the driver on OpenCL"; exit 1; }
  HIPLZ_OPENCL_PLATFORM='no such platform' "$stage/bin/hiplz-info" >/dev/null 2>&1 && { echo "a platform of another name is used"; exit 1; }
  exit 0
fi
program=$1
shift
[ $# != 0 ] || exec "$program"
scenarios=$("$program" --list)
for left; do
  grep -q -x -F -e "$left" <<<"$scenarios" || { echo "$program has no scenario $left"; exit 1; }
  scenarios=$(grep -v -x -F -e "$left" <<<"$scenarios" || true)
done
failed=0
for scenario in $scenarios; do
  "$program" --test="$scenario" || { echo "failed on OpenCL: $scenario"; failed=1; }
done
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# AMD's own tests of its libraries as Debian 13 ships them, compiled for AMD's GPUs, unchanged, on the CPU device.
set -euo pipefail
if [ $# -lt 2 ]; then
  cat <<'TEXT'
usage: bash tests/distro/amd_library_tests.sh PREFIX FOLDER [LIBRARY [PATTERN [OPTION...]]]
PREFIX is an installed prefix, or stage in a build folder. Packages are unpacked below FOLDER, nothing is installed: 3 GB for all.
LIBRARY is rocrand, hiprand, rocprim, hipcub, rocthrust, rocsparse, hipsparse, rocfft, hipfft, rocblas, hipblas, rocsolver or
hipsolver (default: the first four), PATTERN names test programs ('test_*'), and OPTIONs are those of run_gtest_cases.py. The outcomes are
appended to FOLDER/LIBRARY.tsv. Tests of rocBLAS and rocSPARSE look for data in /usr/share, which needs root: a mount namespace has it there.
SAMPLE=N gives them N cases of the category quick; with all of them the programs need ten minutes and more to begin.
TEXT
  exit 1
fi
here=$(realpath "$(dirname "$0")")
source "$here/unpack_packages.sh"
prefix=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
pattern=${4:-*}
libraries=${3:-rocrand hiprand rocprim hipcub}
export ROCFFT_RTC_PROCESS=0 # compile in the process: a helper that it starts would miss the libraries
common="libc6 libstdc++6 libgcc-s1 zlib1g libzstd1"
blas="libblas3 liblapack3 libgfortran5 libquadmath0 libgomp1"
fft="libhiprand1 librocrand1 libboost-program-options1.83.0 libfftw3-double3 libfftw3-single3 libgomp1 librocfft0"
for library in $libraries; do
  case $library in
    rocrand) packages="librocrand1 librocrand1-tests" ;;
    hiprand) packages="librocrand1 libhiprand1 libhiprand1-tests" ;;
    rocprim | hipcub | rocthrust) packages="lib$library-tests" ;;
    rocsparse) packages="librocsparse0 librocsparse0-tests librocsparse0-tests-data $blas" ;;
    hipsparse) packages="librocsparse0 libhipsparse0 libhipsparse0-tests $blas" ;;
    rocfft) packages="$fft librocfft0-tests" ;;
    hipfft) packages="$fft libhipfft0 libhipfft0-tests" ;;
    rocblas) packages="librocblas0 librocblas0-tests librocblas0-tests-data $blas" ;;
    hipblas) packages="librocblas0 librocsolver0 libfmt10 libhipblas0 libhipblas0-tests $blas" ;;
    rocsolver) packages="librocblas0 librocsolver0 libfmt10 librocsolver0-tests $blas" ;;
    hipsolver) packages="librocblas0 librocsolver0 libfmt10 librocsparse0 libhipsolver0 libhipsolver0-tests $blas" ;;
    *) echo "$0: unknown library $library" >&2; exit 1 ;;
  esac
  # shellcheck disable=SC2086 # words are wanted
  unpack_packages trixie "$folder" $common $packages
  debian=$folder/usr/lib/x86_64-linux-gnu
  # Their C library is newer than this system's, so its dynamic linker runs them; what they start (the compiler) is this system's.
  run=("$debian/ld-linux-x86-64.so.2" --library-path "$prefix/lib/hiplz/amdhip64:$prefix/lib:$debian:$debian/blas:$debian/lapack")
  for program in "$folder"/usr/libexec/rocm/lib"$library"*-tests/$pattern; do
    case $program in *.data) continue ;; esac
    inside=()
    if [ "$(id -u)" = 0 ] && [[ $library =~ ^roc(blas|sparse)$ ]]; then
      share=$folder/usr/share
      for data in ${SAMPLE:+"$share/$library"/*/test/*.data}; do
        python3 "$here/sample_test_data.py" "$data" "$folder/sampled/${data#"$share"/}" "$SAMPLE"
        share=$folder/sampled:$folder/usr/share
      done
      # shellcheck disable=SC2016 # for the inner shell
      inside=(unshare -m bash -c 'mount -t overlay overlay -o "lowerdir=$0:/usr/share" /usr/share && exec "$@"' "$share")
    fi
    (cd "$(dirname "$program")" &&
      "${inside[@]}" python3 "$here/run_gtest_cases.py" "${@:5}" "$folder/$library.tsv" -- "${run[@]}" "$program") || true
  done
  echo "$library: $(cut -f1 "$folder/$library.tsv" | sort | uniq -c | xargs)"
done

# SPDX-License-Identifier: MIT
# pkg-config: a host program with the host's compiler, a HIP program with clang, hipRTC.
command -v pkg-config >/dev/null || { echo "SKIP: no pkg-config"; exit 77; }
export PKG_CONFIG_PATH=$stage/lib/pkgconfig
case $(pkg-config --modversion hip) in 7.2.*) ;; *) fail "hip is $(pkg-config --modversion hip)" ;; esac
pkg-config --exists 'hip >= 6.0' hiplz hiprtc || fail "$(pkg-config --print-errors hip hiplz hiprtc 2>&1)"
printf '%s\n' '#include <hip/hip_runtime_api.h>' '#include <hip/hiprtc.h>' 'int main(void) {' '  int major = 0, minor = 0;' \
  '  return hipGetDeviceCount(&major) == hipSuccess && hiprtcVersion(&major, &minor) == HIPRTC_SUCCESS ? 0 : 1;' '}' >host.c
quiet cc host.c $(pkg-config --cflags --libs hip hiprtc) $clang_link -o host
runs ./host
quiet "$clang" $(pkg-config --variable=hipflags hip) -std=c++17 -O2 "$programs/square.hip" \
  $(pkg-config --libs hip) $clang_link -o square
runs ./square

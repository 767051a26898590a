// SPDX-License-Identifier: MIT
// libamdhip64.so.7 and libhiprtc.so.7: their programs follow HIP 7 (src/base/hip_version.h). All functions are libhiplz's.

extern "C" __attribute__((visibility("default"))) const int hiplzHipVersion = 7;

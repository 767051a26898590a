// SPDX-License-Identifier: MIT
// The version of HIP whose rules the process follows, where HIP 7 changed an error or a structure.
#pragma once

/// The major version that the process was built for, or 0 if it was built for CUDA. It is 6 here, and the dynamic linker replaces
/// it: programs that were compiled with our headers, libamdhip64.so.7 and libhiprtc.so.7 define it as well, and come before this
/// library.
extern "C" [[gnu::visibility("default")]] const int hiplzHipVersion;

namespace hiplz {

/// HIP_VERSION of the two versions.
constexpr int kHipVersion6 = 60443484, kHipVersion7 = 70253211;

/// True if the process follows HIP 7, false for HIP 6 and older and for CUDA.
inline bool followsHip7() { return hiplzHipVersion >= 7; }

/// True if a call that succeeds hides the error of an earlier one from hipGetLastError, as in HIP 5 and 6. CUDA never did that.
inline bool successHidesErrors() { return hiplzHipVersion == 6; }

} // namespace hiplz

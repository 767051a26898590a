// SPDX-License-Identifier: MIT
// The version of processes that name none: HIP 6.
#include "base/hip_version.h"

[[gnu::weak]] const int hiplzHipVersion = 6;

// SPDX-License-Identifier: MIT
// NVTX under the name of its second version.
#pragma once
#include "nvtx3/nvToolsExt.h"

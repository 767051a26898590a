// SPDX-License-Identifier: MIT
// CMake 4.3 and later include this header before every HIP file of the platform `spirv`. HIPLZ has nothing to put right
// there.
#pragma once

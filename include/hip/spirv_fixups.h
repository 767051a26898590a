// SPDX-License-Identifier: MIT
// CMake 4.3 and later include this header before every HIP file of the platform `spirv`. HIPLZ has nothing to fix
// there.
#pragma once

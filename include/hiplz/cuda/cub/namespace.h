// SPDX-License-Identifier: MIT
// CUB is hipCUB here (Debian: libhipcub-dev), which has the same names in another namespace.
#pragma once

namespace hipcub {}
namespace cub = hipcub;

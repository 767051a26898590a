// SPDX-License-Identifier: MIT
// A part of CUB.
#pragma once

#include "../namespace.h"
#include <hipcub/device/device_partition.hpp>

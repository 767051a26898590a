// SPDX-License-Identifier: MIT
// A part of CUB.
#pragma once

#include "../namespace.h"
#include <hipcub/block/block_radix_rank.hpp>

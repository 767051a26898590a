// SPDX-License-Identifier: MIT
// A part of CUB.
#pragma once

#include "../namespace.h"
#include <hipcub/iterator/transform_input_iterator.hpp>

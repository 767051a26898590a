// SPDX-License-Identifier: MIT
// A part of CUB.
#pragma once

#include "../namespace.h"
#include <hipcub/iterator/cache_modified_input_iterator.hpp>

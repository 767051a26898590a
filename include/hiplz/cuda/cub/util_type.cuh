// SPDX-License-Identifier: MIT
// A part of CUB.
#pragma once

#include "namespace.h"
#include <hipcub/util_type.hpp>

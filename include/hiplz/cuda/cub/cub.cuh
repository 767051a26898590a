// SPDX-License-Identifier: MIT
// All of CUB.
#pragma once

#include "namespace.h"
#include <hipcub/hipcub.hpp>

// SPDX-License-Identifier: MIT
// Handles and errors, which all drivers share, under the names that this driver uses.
#pragma once
#include "driver/object.h"

namespace hiplz::cpu {

using driver::Error;
using driver::Object;
using driver::ObjectBase;
using driver::shortageResult;

} // namespace hiplz::cpu

// SPDX-License-Identifier: MIT
// Which processor compiled code is made for, found without LLVM so that a warm start does not load it.
#pragma once
#include <string>

namespace hiplz::cpu {

/// Equal on two machines only if their processors have the same model and the same features as far as compilers care.
const std::string &hostProcessorKey();

} // namespace hiplz::cpu

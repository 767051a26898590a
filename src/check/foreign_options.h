// SPDX-License-Identifier: MIT
// Options of compute-sanitizer that change nothing here, so that scripts written for it go on working: what they ask for is always so, or
// concerns parts of CUDA and of NVIDIA's GPUs that are not there. docs/checking.md has a reason for each.
#pragma once
#include <string>

namespace hiplz::checking {

/// How an option of compute-sanitizer is to be taken.
enum class Foreign { unknown, takesValue, takesYesOrNo };
Foreign foreignOption(const std::string &name);

/// Throws std::runtime_error if the value asks for something that hiplz-check does not do.
void checkForeignValue(const std::string &name, const std::string &value);

} // namespace hiplz::checking

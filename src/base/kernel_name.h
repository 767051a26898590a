// SPDX-License-Identifier: MIT
// Names of kernels for people, in profiles and in pictures of graphs.
#pragma once
#include <string>
#include <string_view>

namespace hiplz {

/// The name of a kernel as its source has it, with template arguments and without parameters; the symbol itself if it has
/// no other name.
std::string readableKernel(std::string_view mangled);

} // namespace hiplz

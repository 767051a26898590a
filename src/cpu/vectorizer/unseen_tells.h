// SPDX-License-Identifier: MIT
#pragma once

namespace hiplz::cpu {

/// An attribute of functions of KernelFunction's type: the size of the kernel's own shared variables, which are there without a doubt.
inline constexpr char kStaticLocalBytes[] = "hiplz-static-local-bytes";

} // namespace hiplz::cpu

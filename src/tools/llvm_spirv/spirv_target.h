// SPDX-License-Identifier: MIT
// Which SPIR-V the translator makes: version 1.3, because clang's limit of 1.1 leaves out the group operations that warp
// functions become, and these extensions.
#pragma once

namespace hiplz::spirv {

/// The extensions that both Intel's compiler and the CPU device accept. With everything allowed the translator would also use extensions
/// that neither knows.
inline constexpr const char *kExtensionNames[] = {
    "SPV_EXT_shader_atomic_float_add",    "SPV_EXT_shader_atomic_float_min_max", "SPV_KHR_bit_instructions",
    "SPV_KHR_no_integer_wrap_decoration", "SPV_INTEL_kernel_attributes",         "SPV_INTEL_subgroups"};

} // namespace hiplz::spirv

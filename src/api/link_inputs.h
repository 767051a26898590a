// SPDX-License-Identifier: MIT
// The inputs of the run-time linkers, hipLink* and hiprtcLink*.
#pragma once
#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace hiplz {

using ModuleSink = std::function<void(std::span<const std::byte> code, const std::string &name)>;

/// Throws HipError (hipErrorInvalidValue) unless inputs of this type can be linked: code for NVIDIA's GPUs, or no type.
void checkInputType(hipJitInputType type, const std::string &name);

/// Calls `sink` for each module of SPIR-V or bitcode in an input. Throws HipError: hipErrorInvalidImage if there is none,
/// hipErrorNoBinaryForGpu for code of other devices only, hipErrorInvalidValue for anything that is not a kind of
/// input.
void forEachModule(hipJitInputType type, std::span<const std::byte> bytes, const std::string &name,
                   const ModuleSink &sink);

} // namespace hiplz

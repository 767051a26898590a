// SPDX-License-Identifier: MIT
// Which of two streams goes first.
#pragma once
#include <cstdint>

namespace hiplz::cpu {

/// A worker takes nothing of a lower priority while there is work of a higher one.
enum class Priority : uint8_t { high, normal, low };
constexpr unsigned kPriorities = 3;

} // namespace hiplz::cpu

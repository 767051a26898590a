// SPDX-License-Identifier: MIT
// Tells gdb about code that was not loaded by the dynamic linker, through gdb's documented JIT interface.
#pragma once
#include <cstddef>
#include <span>

namespace hiplz::cpu {

/// Announces an ELF image whose sections carry their final addresses; the image must stay where it is. Thread-safe.
void *registerWithDebugger(std::span<const std::byte> image);

/// Withdraws what registerWithDebugger returned.
void unregisterFromDebugger(void *entry);

} // namespace hiplz::cpu

// SPDX-License-Identifier: MIT
// The launches of the process, by their numbers: where the host asked for them, and which of them the user wants to hear about. Any thread
// may call the functions.
#pragma once
#include "base/host_stack.h"

#include <cstdint>
#include <string>

namespace hiplz::cpu::check {

/// The host submits a command. The result stands for it and its caller's stack; later ones have greater numbers. 0 without checks.
uint32_t addSubmission();

/// A launch begins: its number, from 1 on. Those of different streams begin in any order.
uint32_t addLaunch(const std::string &kernel, uint32_t submission);

/// False if findings of this launch are not to be reported (--launch-skip, --launch-count).
bool isReported(uint32_t launch);

/// Where the host submitted it, and the kernel's name.
HostStack hostStackOf(uint32_t launch);
std::string kernelOf(uint32_t launch);

/// Where the host submitted a command.
HostStack stackOf(uint32_t submission);

} // namespace hiplz::cpu::check

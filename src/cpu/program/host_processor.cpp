// SPDX-License-Identifier: MIT
// The raw answers of CPUID that LLVM's host detection is a function of: family and model, feature words, and the register
// state that the operating system saves.
#include "cpu/program/host_processor.h"
#include "base/env.h"
#include "cpu/check/tools.h"

#include <cpuid.h>
#include <cstdint>
#include <cstdio>

namespace hiplz::cpu {
namespace {

void append(std::string &key, uint32_t word) {
  char text[16];
  std::snprintf(text, sizeof text, "%x.", word);
  key += text;
}

// A virtual machine leaves to the host for each CPUID, which takes microseconds. So nothing is asked twice, and there is no
// __builtin_cpu_supports in the driver: it would ask for everything whenever the driver is loaded.
struct Registers {
  uint32_t a = 0, b = 0, c = 0, d = 0;
};

Registers ask(uint32_t leaf, uint32_t part = 0) {
  Registers answer;
  __cpuid_count(leaf, part, answer.a, answer.b, answer.c, answer.d);
  return answer;
}

constexpr uint32_t kSavesState = 1u << 27; // OSXSAVE in ecx of leaf 1

uint32_t savedState() {
  uint32_t low, high;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

std::string readProcessor() {
  std::string key = "x86-64:";
  const Registers vendor = ask(0);
  append(key, vendor.b);
  append(key, vendor.c);
  append(key, vendor.d);
  const Registers model = ask(1);
  append(key, model.a);
  append(key, model.c & ~kSavesState); // XGETBV below tells
  append(key, model.d);
  if (model.c & kSavesState)
    append(key, savedState());
  if (vendor.a >= 7)
    for (uint32_t part : {0u, 1u}) {
      const Registers features = ask(7, part);
      for (uint32_t word : {part ? features.a : 0u, features.b, features.c, features.d})
        append(key, word);
    }
  const Registers extended = ask(0x80000001u); // every processor of 64 bits has it
  append(key, extended.c);
  append(key, extended.d);
  return key;
}

uint32_t readRegisterBytes() {
  constexpr uint32_t kAvx2 = 1u << 5, kAvx512 = 1u << 16, kAvxState = 0x06, kAvx512State = 0xe6;
  if (ask(0).a < 7 || !(ask(1).c & kSavesState))
    return 16;
  const uint32_t features = ask(7).b, state = savedState();
  if ((features & kAvx512) && (state & kAvx512State) == kAvx512State)
    return 64;
  return (features & kAvx2) && (state & kAvxState) == kAvxState ? 32 : 16;
}

} // namespace

const std::string &hostProcessorKey() {
  // Code that counts needs counters; code that does not count would leave them at zero.
  static const std::string key =
      readProcessor() + (envString(EnvVar::HIPLZ_CPU_COUNTS).empty() ? "" : "counting") + check::toolNames();
  return key;
}

uint32_t vectorRegisterBytes() {
  static const uint32_t bytes = readRegisterBytes();
  return bytes;
}

} // namespace hiplz::cpu

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

std::string readProcessor() {
  std::string key = "x86-64:";
  uint32_t a, b, c, d;
  if (!__get_cpuid(0, &a, &b, &c, &d))
    return key;
  append(key, b);
  append(key, c);
  append(key, d);
  __get_cpuid(1, &a, &b, &c, &d);
  append(key, a);
  append(key, c & ~0x08000000u); // without OSXSAVE, which XGETBV below tells
  append(key, d);
  if (c & 0x08000000u) {
    uint32_t low, high;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    append(key, low);
  }
  for (uint32_t leaf : {0u, 1u}) {
    if (__get_cpuid_count(7, leaf, &a, &b, &c, &d))
      for (uint32_t word : {leaf ? a : 0u, b, c, d})
        append(key, word);
  }
  if (__get_cpuid(0x80000001u, &a, &b, &c, &d)) {
    append(key, c);
    append(key, d);
  }
  return key;
}

} // namespace

const std::string &hostProcessorKey() {
  // Code that counts needs counters; code that does not count would leave them at zero.
  static const std::string key =
      readProcessor() + (envString(EnvVar::HIPLZ_CPU_COUNTS).empty() ? "" : "counting") + check::toolNames();
  return key;
}

} // namespace hiplz::cpu

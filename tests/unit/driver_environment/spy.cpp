// SPDX-License-Identifier: MIT
// In the place of a Level Zero driver: tells what a driver finds in its environment when the loader opens it.
#include <cstdio>
#include <cstdlib>

namespace {
[[gnu::constructor]] void tell() {
  const char *value = std::getenv("NEO_FP64_EMULATION");
  std::printf("driver: %s\n", value ? value : "none");
}
} // namespace

// SPDX-License-Identifier: MIT
// The functions that this driver puts into the tables of the loader.
#include "driver/tables.h"
#include "opencl/entry_points.h"

namespace hiplz::driver {

using namespace opencl;

std::span<const Implementation> implementations() {
  static const Implementation functions[] = {
#define HIPLZ_ENTRY(name, function) {#name, entryPoint<decltype(::name)>(function)},
#define HIPLZ_LATER_ENTRY(name, function) {#name, reinterpret_cast<Entry>(function)},
#include "opencl/functions.def"
#undef HIPLZ_ENTRY
#undef HIPLZ_LATER_ENTRY
  };
  return functions;
}

// OpenCL manages no system.
void fillToolsEntries(const char *, void **, uint32_t) {}

} // namespace hiplz::driver

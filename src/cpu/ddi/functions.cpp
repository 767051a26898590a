// SPDX-License-Identifier: MIT
// The entries of this driver in the loader's tables.
#include "cpu/ddi/entry_points.h"
#include "cpu/ddi/later_api.h"
#include "cpu/ddi/sysman_api.h"
#include "driver/tables.h"

namespace hiplz::driver {

using namespace cpu::ddi;

std::span<const Implementation> implementations() {
  static const Implementation functions[] = {
#define HIPLZ_ENTRY(name, function) {#name, entryPoint<decltype(::name)>(function)},
#define HIPLZ_LATER_ENTRY(name, function) {#name, reinterpret_cast<Entry>(function)},
#include "cpu/ddi/functions.def"
#undef HIPLZ_ENTRY
#undef HIPLZ_LATER_ENTRY
  };
  return functions;
}

void fillToolsEntries(const char *function, void **entries, uint32_t count) {
  fillSysmanEntries(function, entries, count);
}

} // namespace hiplz::driver

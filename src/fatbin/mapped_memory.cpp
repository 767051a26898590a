// SPDX-License-Identifier: MIT
// /proc/self/maps has one line "begin-end rwxp ..." for each mapping, in ascending order of address.
#include "fatbin/mapped_memory.h"
#include "base/sanitizer.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <memory>

#if HIPLZ_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace hiplz {

std::span<const std::byte> readableBytes(const void *address) {
  auto begin = reinterpret_cast<uintptr_t>(address);
  auto bytes = static_cast<const std::byte *>(address);
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> maps(std::fopen("/proc/self/maps", "re"), std::fclose);
  if (!maps)
    return {bytes, PTRDIFF_MAX - begin};
  uintptr_t end = begin; // grows over adjacent readable mappings
  char line[4096];
  bool lineStart = true;
  while (std::fgets(line, sizeof line, maps.get())) {
    uintptr_t from, to;
    char readable;
    bool isMapping = lineStart && std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %c", &from, &to, &readable) == 3;
    lineStart = false;
    for (const char *at = line; *at; ++at)
      lineStart = *at == '\n';
    if (!isMapping || to <= end)
      continue;
    if (from > end || readable != 'r')
      break;
    end = to;
  }
#if HIPLZ_ADDRESS_SANITIZER
  // The sanitizer knows better where the application's memory ends.
  if (void *poisoned = __asan_region_is_poisoned(const_cast<void *>(address), end - begin))
    end = reinterpret_cast<uintptr_t>(poisoned);
#endif
  return {bytes, end - begin};
}

} // namespace hiplz

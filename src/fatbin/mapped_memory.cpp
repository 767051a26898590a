// SPDX-License-Identifier: MIT
// Images of programs and libraries are inside the segments that the dynamic linker has loaded. For all other memory there is
// /proc/self/maps, which takes the kernel much longer. It has one line "begin-end rwxp ..." for each mapping, in ascending order of address.
#include "fatbin/mapped_memory.h"
#include "base/sanitizer.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <link.h>
#include <memory>

#if HIPLZ_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace hiplz {

namespace {

// A segment of a loaded program or library around an address.
struct Segment {
  uintptr_t address, end;
};

int findSegment(dl_phdr_info *object, size_t, void *data) {
  auto &wanted = *static_cast<Segment *>(data);
  for (const ElfW(Phdr) & header : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
    const uintptr_t begin = object->dlpi_addr + header.p_vaddr;
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_R) || wanted.address < begin ||
        wanted.address - begin >= header.p_memsz)
      continue;
    wanted.end = begin + header.p_memsz;
    return 1;
  }
  return 0;
}

// The end of the readable mappings around an address that adjoin; the address itself if it is not readable.
uintptr_t findMappedEnd(std::FILE *maps, uintptr_t begin) {
  uintptr_t end = begin; // grows over adjacent readable mappings
  char line[4096];
  bool lineStart = true;
  while (std::fgets(line, sizeof line, maps)) {
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
  return end;
}

} // namespace

std::span<const std::byte> readableBytes(const void *address) {
  auto begin = reinterpret_cast<uintptr_t>(address);
  auto bytes = static_cast<const std::byte *>(address);
  Segment segment{begin, begin};
  if (::dl_iterate_phdr(findSegment, &segment) == 0) {
    std::unique_ptr<std::FILE, int (*)(std::FILE *)> maps(std::fopen("/proc/self/maps", "re"), std::fclose);
    if (!maps)
      return {bytes, PTRDIFF_MAX - begin};
    segment.end = findMappedEnd(maps.get(), begin);
  }
  uintptr_t end = segment.end;
#if HIPLZ_ADDRESS_SANITIZER
  // The sanitizer knows better where the application's memory ends.
  if (void *poisoned = __asan_region_is_poisoned(const_cast<void *>(address), end - begin))
    end = reinterpret_cast<uintptr_t>(poisoned);
#endif
  return {bytes, end - begin};
}

} // namespace hiplz

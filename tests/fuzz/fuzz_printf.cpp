// SPDX-License-Identifier: MIT
// Records of device printf: whatever a kernel left in the ring, the host walks and formats it within its bounds.
#include "lz/module/printf_format.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::span<const std::byte> bytes(reinterpret_cast<const std::byte *>(data), size);
  bool damaged = false;
  if (hiplz::finishedPrintfBytes(bytes, damaged) > size)
    std::abort();
  std::string text;
  hiplz::PrintfMessages messages;
  messages.format(bytes, text);
  return 0;
}

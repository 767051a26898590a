// SPDX-License-Identifier: MIT
// See loaded_code.h.
#include "cpu/program/loaded_code.h"
#include "base/lockable.h"
#include "cpu/program/compiler_process.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <vector>

namespace hiplz::cpu {
namespace {

using Image = std::span<const std::byte>;

Lockable<std::vector<Image>> &images() {
  static auto *all =
      new Lockable<std::vector<Image>>(LockRank::cpuLoadedCode); // workers may fault when the process ends
  return *all;
}

template <class T> T read(Image image, uint64_t offset) {
  T value;
  std::memcpy(&value, image.data() + offset, sizeof value);
  return value;
}

/// The section of the image that the address lies in, and where, as the compiler takes it; empty if there is none.
std::string placeIn(Image image, uint64_t address) {
  const auto header = read<Elf64_Ehdr>(image, 0);
  for (unsigned index = 0; index < header.e_shnum; ++index) {
    const auto section = read<Elf64_Shdr>(image, header.e_shoff + index * sizeof(Elf64_Shdr));
    if ((section.sh_flags & SHF_EXECINSTR) && address - section.sh_addr < section.sh_size)
      return std::to_string(index) + " " + std::to_string(address);
  }
  return {};
}

} // namespace

void addLoadedCode(Image image) { images().lock()->push_back(image); }

void removeLoadedCode(Image image) {
  std::erase_if(*images().lock(), [&](const Image &each) { return each.data() == image.data(); });
}

std::string sourceLineOf(const void *instruction) {
  std::string place;
  std::vector<std::byte>
      copy; // the kernel's module lives until the fault has been dealt with, but others need not wait
  {
    const auto all = images().lock();
    for (const Image &image : *all)
      if (place = placeIn(image, reinterpret_cast<uint64_t>(instruction)); !place.empty()) {
        copy.assign(image.begin(), image.end());
        break;
      }
  }
  return place.empty() ? std::string() : compilerSourceLine(copy, place);
}

} // namespace hiplz::cpu

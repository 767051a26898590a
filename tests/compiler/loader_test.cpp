// SPDX-License-Identifier: MIT
// The ELF loader by itself, with objects that never come from the compiler.
#include "cpu/program/binary_format.h"
#include "cpu/program/elf_object.h"
#include "harness.h"

#include <elf.h>
#include <fstream>
#include <functional>
#include <random>
#include <string_view>

// The list that gdb reads.
struct Descriptor {
  uint32_t version, action;
  void *relevant, *first;
};
extern "C" Descriptor __jit_debug_descriptor;

namespace hiplz::cpu {
namespace {

const BinaryContents &basic() {
  static const BinaryContents contents = [] {
    std::string log;
    auto parsed = parseBinary(testProgram("basic", "-hiplz-scalar")->nativeBinary(), log);
    EXPECT_TRUE(parsed) << log;
    return *parsed;
  }();
  return contents;
}

/// Of one kernel.
std::vector<std::byte> object(std::string_view kernel = "vecadd") {
  for (const KernelPiece &piece : basic().pieces)
    if (piece.kernel == kernel)
      return {piece.object.begin(), piece.object.end()};
  ADD_FAILURE() << "no code of " << kernel;
  return {};
}

/// Of what all kernels share.
std::vector<std::byte> sharedObject() { return {basic().shared.begin(), basic().shared.end()}; }

Elf64_Shdr *sections(std::vector<std::byte> &bytes) {
  auto *header = reinterpret_cast<Elf64_Ehdr *>(bytes.data());
  return reinterpret_cast<Elf64_Shdr *>(bytes.data() + header->e_shoff);
}

Elf64_Shdr &sectionOfType(std::vector<std::byte> &bytes, uint32_t type) {
  Elf64_Shdr *section = sections(bytes);
  while (section->sh_type != type)
    ++section;
  return *section;
}

std::string loadFails(std::span<const std::byte> bytes) {
  std::string error;
  EXPECT_FALSE(ElfObject::load(bytes, false, error));
  EXPECT_FALSE(error.empty());
  return error;
}

TEST(Loader, LoadsAndFindsSymbols) {
  std::string error;
  auto loaded = ElfObject::load(object(), false, error);
  ASSERT_TRUE(loaded) << error;
  EXPECT_TRUE(loaded->find(kernelSymbol("vecadd")).executable);
  EXPECT_FALSE(loaded->find("nothing").address);
  auto shared = ElfObject::load(sharedObject(), false, error);
  ASSERT_TRUE(shared) << error;
  EXPECT_TRUE(shared->find(globalSymbol("counter")).address);
  EXPECT_FALSE(shared->find(globalSymbol("counter")).executable);
}

// The protection of a mapping, as the system sees it.
std::string protectionOf(const void *address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin, end;
    char protection[5];
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, protection) == 3 &&
        begin <= reinterpret_cast<uintptr_t>(address) && reinterpret_cast<uintptr_t>(address) < end)
      return protection;
  }
  return "";
}

TEST(Loader, NothingIsWritableAndExecutable) {
  std::string error;
  auto loaded = ElfObject::load(object(), false, error);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(protectionOf(loaded->find(kernelSymbol("vecadd")).address), "r-xp");
  auto shared = ElfObject::load(sharedObject(), false, error);
  ASSERT_TRUE(shared);
  EXPECT_EQ(protectionOf(shared->find(globalSymbol("counter")).address), "rw-p");
  EXPECT_EQ(protectionOf(shared->find(globalSymbol("table")).address), "r--p");
}

TEST(Loader, OtherFilesAreRefused) {
  loadFails({});
  auto bytes = object();
  loadFails(std::span(bytes).first(40));
  bytes[0] = std::byte{0};
  loadFails(bytes);
  bytes = object();
  reinterpret_cast<Elf64_Ehdr *>(bytes.data())->e_machine = EM_AARCH64;
  loadFails(bytes);
  bytes = object();
  reinterpret_cast<Elf64_Ehdr *>(bytes.data())->e_type = ET_DYN;
  loadFails(bytes);
}

TEST(Loader, UnknownSymbolIsNamed) {
  auto bytes = object("reverse");
  std::string text(reinterpret_cast<char *>(bytes.data()), bytes.size());
  size_t position = text.find("hiplz_cpu_run_group");
  ASSERT_NE(position, std::string::npos);
  bytes[position + 6] = std::byte{'X'};
  EXPECT_NE(loadFails(bytes).find("hiplz_Xpu_run_group"), std::string::npos);
}

TEST(Loader, NumbersOutOfRange) {
  std::vector<std::function<void(std::vector<std::byte> &)>> damages = {
      [](auto &b) { reinterpret_cast<Elf64_Ehdr *>(b.data())->e_shoff = b.size() - 10; },
      [](auto &b) { sectionOfType(b, SHT_SYMTAB).sh_link = 9999; },
      [](auto &b) { sectionOfType(b, SHT_SYMTAB).sh_entsize = 1; },
      [](auto &b) { sectionOfType(b, SHT_SYMTAB).sh_offset = ~uint64_t(0) - 8; },
      [](auto &b) { sectionOfType(b, SHT_PROGBITS).sh_size = uint64_t(1) << 60; },
      [](auto &b) { sectionOfType(b, SHT_PROGBITS).sh_addralign = 3; },
      [](auto &b) { sectionOfType(b, SHT_PROGBITS).sh_addralign = uint64_t(1) << 40; },
      [](auto &b) { sectionOfType(b, SHT_RELA).sh_info = 9999; },
      [](auto &b) { sectionOfType(b, SHT_RELA).sh_entsize = 3; },
      [](auto &b) { sectionOfType(b, SHT_PROGBITS).sh_flags |= SHF_TLS; },
      [](auto &b) {
        auto &relocations = sectionOfType(b, SHT_RELA);
        reinterpret_cast<Elf64_Rela *>(b.data() + relocations.sh_offset)->r_offset = uint64_t(1) << 50;
      },
      [](auto &b) {
        auto &relocations = sectionOfType(b, SHT_RELA);
        reinterpret_cast<Elf64_Rela *>(b.data() + relocations.sh_offset)->r_info = ELF64_R_INFO(1u << 30, R_X86_64_64);
      },
      [](auto &b) {
        auto &relocations = sectionOfType(b, SHT_RELA);
        reinterpret_cast<Elf64_Rela *>(b.data() + relocations.sh_offset)->r_info = ELF64_R_INFO(1, 200);
      },
  };
  for (size_t i = 0; i < damages.size(); ++i) {
    SCOPED_TRACE(i);
    auto bytes = object();
    damages[i](bytes);
    loadFails(bytes);
  }
}

TEST(Loader, RandomDamageNeverCrashes) {
  auto whole = object();
  std::mt19937 random(5);
  for (int round = 0; round < 500; ++round) {
    auto bytes = whole;
    size_t tables = reinterpret_cast<Elf64_Ehdr *>(bytes.data())->e_shoff;
    for (int k = 0; k < 3; ++k) // mostly where the structure is
      bytes[round % 2 ? tables + random() % (bytes.size() - tables) : random() % bytes.size()] = std::byte(random());
    std::string error;
    auto loaded = ElfObject::load(bytes, round % 3 == 0, error);
    ASSERT_TRUE(loaded || !error.empty());
  }
}

TEST(Loader, DebugInformationOnlyWhenAskedFor) {
  for (const char *flags : {"", "-g"}) {
    std::string log;
    auto contents = parseBinary(testProgram("basic", flags)->nativeBinary(), log);
    ASSERT_TRUE(contents);
    std::string_view text;
    for (const KernelPiece &piece : contents->pieces)
      if (piece.kernel == "vecadd")
        text = {reinterpret_cast<const char *>(piece.object.data()), piece.object.size()};
    EXPECT_EQ(contents->hasDebugInfo, *flags != 0);
    EXPECT_EQ(text.find(".debug_line") != text.npos, *flags != 0);
    EXPECT_EQ(text.find("basic.cl") != text.npos, *flags != 0);
  }
}

TEST(Loader, DebuggerIsTold) {
  void *before = __jit_debug_descriptor.first;
  {
    std::string error;
    auto loaded = ElfObject::load(object(), true, error);
    ASSERT_TRUE(loaded);
    EXPECT_NE(__jit_debug_descriptor.first, before);
  }
  EXPECT_EQ(__jit_debug_descriptor.first, before);
}

} // namespace
} // namespace hiplz::cpu

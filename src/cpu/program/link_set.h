// SPDX-License-Identifier: MIT
// The inputs of a program's compilation: the SPIR-V of its module, which may consist of several parts, and that of the modules that
// it is linked with. Functions of those are copied into the program, so that they are inlined and vectorised like its own; their
// variables stay where they are, and the program refers to them by symbols that say whose they are.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hiplz::cpu {

struct LinkPart {
  uint32_t module = 0; ///< 0: the program's own
  std::string flags;   ///< build flags, of which the specialisation constants count
  std::span<const std::byte> spirv;
};

/// Where what a module imports comes from.
struct LinkBinding {
  uint32_t importer = 0;
  std::string name;
  uint32_t exporter = 0;
};

/// Bindings that are missing stay imports of the program.
struct LinkSet {
  std::vector<LinkPart> parts;
  std::vector<LinkBinding> bindings;
};

/// Never throws except std::bad_alloc. What parseLinkSet() returns points into the bytes.
std::vector<std::byte> serializeLinkSet(const LinkSet &set);
std::optional<LinkSet> parseLinkSet(std::span<const std::byte> bytes);

/// The symbol of another module of the set in code of the program, and the way back: module 0 for other symbols.
std::string moduleSymbol(uint32_t module, std::string_view symbol);
std::pair<uint32_t, std::string_view> splitModuleSymbol(std::string_view symbol);

/// The prefix of these symbols' names; no module may use it for its own.
constexpr std::string_view kModuleSymbolPrefix = "hiplz.module.";

} // namespace hiplz::cpu

// SPDX-License-Identifier: MIT
// See link_set.h.
#include "cpu/program/link_set.h"
#include "base/serial.h"

#include <charconv>

namespace hiplz::cpu {

std::vector<std::byte> serializeLinkSet(const LinkSet &set) {
  SerialWriter out;
  out.number(set.parts.size());
  for (const LinkPart &part : set.parts) {
    out.number(part.module);
    out.text(part.flags);
    out.number(part.spirv.size());
    out.append(part.spirv.data(), part.spirv.size());
  }
  out.number(set.bindings.size());
  for (const LinkBinding &binding : set.bindings) {
    out.number(binding.importer);
    out.text(binding.name);
    out.number(binding.exporter);
  }
  return std::move(out.body);
}

std::optional<LinkSet> parseLinkSet(std::span<const std::byte> bytes) {
  SerialReader in(bytes);
  LinkSet set;
  for (uint64_t n = in.count(); n > 0 && in.good(); --n) {
    LinkPart part;
    part.module = in.number32();
    part.flags = in.text();
    part.spirv = in.bytes(in.number());
    set.parts.push_back(std::move(part));
  }
  for (uint64_t n = in.count(); n > 0 && in.good(); --n) {
    LinkBinding binding;
    binding.importer = in.number32();
    binding.name = in.text();
    binding.exporter = in.number32();
    set.bindings.push_back(std::move(binding));
  }
  if (!in.good())
    return std::nullopt;
  return set;
}

std::string moduleSymbol(uint32_t module, std::string_view symbol) {
  return std::string(kModuleSymbolPrefix) + std::to_string(module) + "." + std::string(symbol);
}

std::pair<uint32_t, std::string_view> splitModuleSymbol(std::string_view symbol) {
  std::string_view rest = symbol;
  uint32_t module = 0;
  if (!rest.starts_with(kModuleSymbolPrefix))
    return {0, symbol};
  rest.remove_prefix(kModuleSymbolPrefix.size());
  const auto number = std::from_chars(rest.data(), rest.data() + rest.size(), module);
  rest.remove_prefix(static_cast<size_t>(number.ptr - rest.data()));
  if (number.ec != std::errc() || !rest.starts_with('.'))
    return {0, symbol};
  return {module, rest.substr(1)};
}

} // namespace hiplz::cpu

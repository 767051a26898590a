// SPDX-License-Identifier: MIT
#include "spirv_module.h"

#include <spirv/unified1/spirv.hpp11>
#include <unordered_map>
#include <unordered_set>

namespace hiplz::spirv {

constexpr size_t kHeaderWords = 5;

Module::Module(std::vector<uint32_t> words) : words_(std::move(words)) {
  if (words_.size() < kHeaderWords || words_[0] != spv::MagicNumber)
    return;
  for (size_t at = kHeaderWords; at < words_.size();) {
    size_t count = words_[at] >> spv::WordCountShift;
    if (count == 0 || at + count > words_.size())
      return;
    at += count;
  }
  ok_ = true;
}

template <typename Visit> void Module::forEach(Visit visit) const {
  for (size_t at = kHeaderWords; at < words_.size();) {
    size_t count = words_[at] >> spv::WordCountShift;
    visit(spv::Op(words_[at] & spv::OpCodeMask), at, count);
    at += count;
  }
}

std::string Module::text(size_t at, size_t end, size_t *next) const {
  std::string result;
  for (; at < end; ++at)
    for (unsigned shift = 0; shift < 32; shift += 8) {
      char c = char(words_[at] >> shift);
      if (!c) {
        *next = at + 1;
        return result;
      }
      result += c;
    }
  *next = end;
  return result;
}

template <typename Drop> void Module::removeIf(Drop drop) {
  std::vector<uint32_t> kept(words_.begin(), words_.begin() + kHeaderWords);
  forEach([&](spv::Op op, size_t at, size_t count) {
    if (!drop(op, at, count))
      kept.insert(kept.end(), words_.begin() + at, words_.begin() + at + count);
  });
  words_ = std::move(kept);
}

void Module::dropExportsOfFunctions() {
  std::unordered_set<uint32_t> functions;
  forEach([&](spv::Op op, size_t at, size_t count) {
    if (op == spv::Op::OpFunction && count > 2)
      functions.insert(words_[at + 2]);
  });
  removeIf([&](spv::Op op, size_t at, size_t count) {
    return op == spv::Op::OpDecorate && count > 4 && functions.contains(words_[at + 1]) &&
           words_[at + 2] == uint32_t(spv::Decoration::LinkageAttributes) &&
           words_[at + count - 1] == uint32_t(spv::LinkageType::Export);
  });
}

void Module::dropShaderCapabilities() {
  bool hasBitInstructions = false;
  forEach([&](spv::Op op, size_t at, size_t count) {
    hasBitInstructions |=
        op == spv::Op::OpCapability && count == 2 && words_[at + 1] == uint32_t(spv::Capability::BitInstructions);
  });
  if (!hasBitInstructions)
    return;
  removeIf([&](spv::Op op, size_t at, size_t count) {
    return op == spv::Op::OpCapability && count == 2 &&
           (words_[at + 1] == uint32_t(spv::Capability::Shader) || words_[at + 1] == uint32_t(spv::Capability::Matrix));
  });
}

/// What the compilers of the drivers define: behind clock64() and __smid().
static bool isOfDriver(const std::string &name) {
  return name == "_Z23intel_get_cycle_counterv" || name == "_Z18intel_get_slice_idv" ||
         name == "_Z21intel_get_subslice_idv";
}

std::vector<std::string> Module::undefinedFunctions() const {
  std::unordered_map<uint32_t, std::string> imports;
  std::vector<std::string> names;
  forEach([&](spv::Op op, size_t at, size_t count) {
    if (op == spv::Op::OpDecorate && count > 4 && words_[at + 2] == uint32_t(spv::Decoration::LinkageAttributes) &&
        words_[at + count - 1] == uint32_t(spv::LinkageType::Import)) {
      size_t next = 0;
      imports[words_[at + 1]] = text(at + 3, at + count - 1, &next);
    } else if (op == spv::Op::OpFunction && count > 2) {
      if (auto import = imports.find(words_[at + 2]); import != imports.end() && !isOfDriver(import->second))
        names.push_back(import->second);
    }
  });
  return names;
}

} // namespace hiplz::spirv

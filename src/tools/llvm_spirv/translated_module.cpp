// SPDX-License-Identifier: MIT
#include "translated_module.h"

#include "base/spirv_builtins.h"
#include "spirv/words.h"

#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>

namespace hiplz::spirv {
namespace {

/// The last operand of a decoration with a name for the linker; nothing for all else.
std::optional<uint32_t> linkageType(const Instruction &in) {
  if (in.op() != spv::OpDecorate || in.operands() < 4 || in[1] != spv::DecorationLinkageAttributes)
    return std::nullopt;
  return in[in.operands() - 1];
}

} // namespace

TranslatedModule::TranslatedModule(std::vector<uint32_t> words) : words_(std::move(words)) {
  const Words view(std::as_bytes(std::span(words_)));
  ok_ = view.count() >= kHeaderWords && view.beginLikeSpirv() &&
        walk(view, [](const Instruction &) { return true; }) == view.count();
}

template <typename Visit> void TranslatedModule::forEach(Visit visit) const {
  const Words view(std::as_bytes(std::span(words_)));
  walk(view, [&](const Instruction &in) {
    visit(in);
    return true;
  });
}

template <typename Drop> void TranslatedModule::removeIf(Drop drop) {
  std::vector<uint32_t> kept(words_.begin(), words_.begin() + kHeaderWords);
  forEach([&](const Instruction &in) {
    if (!drop(in))
      kept.insert(kept.end(), words_.begin() + in.at(), words_.begin() + in.end());
  });
  words_ = std::move(kept);
}

void TranslatedModule::dropExportsOfFunctions() {
  std::unordered_set<uint32_t> functions;
  forEach([&](const Instruction &in) {
    if (in.op() == spv::OpFunction && in.operands() > 1)
      functions.insert(in[1]);
  });
  removeIf([&](const Instruction &in) {
    return linkageType(in) == uint32_t(spv::LinkageTypeExport) && functions.contains(in[0]);
  });
}

void TranslatedModule::dropShaderCapabilities() {
  auto isCapability = [](const Instruction &in, spv::Capability capability) {
    return in.op() == spv::OpCapability && in.operands() == 1 && in[0] == uint32_t(capability);
  };
  bool hasBitInstructions = false;
  forEach([&](const Instruction &in) { hasBitInstructions |= isCapability(in, spv::CapabilityBitInstructions); });
  if (!hasBitInstructions)
    return;
  removeIf([&](const Instruction &in) {
    return isCapability(in, spv::CapabilityShader) || isCapability(in, spv::CapabilityMatrix);
  });
}

void TranslatedModule::placeLoopHints() {
  std::vector<uint32_t> placed(words_.begin(), words_.begin() + kHeaderWords), hint;
  forEach([&](const Instruction &in) {
    const std::span<const uint32_t> words(words_.data() + in.at(), in.end() - in.at());
    if (in.op() == spv::OpLoopMerge) {
      hint.assign(words.begin(), words.end());
      return;
    }
    if (in.op() == spv::OpBranch || in.op() == spv::OpBranchConditional)
      placed.insert(placed.end(), hint.begin(), hint.end());
    if (in.op() == spv::OpBranch || in.op() == spv::OpBranchConditional || in.op() == spv::OpLabel)
      hint.clear();
    placed.insert(placed.end(), words.begin(), words.end());
  });
  words_ = std::move(placed);
}

void TranslatedModule::dropRepeatedDecorations() {
  std::set<std::vector<uint32_t>> seen;
  removeIf([&](const Instruction &in) {
    if (in.op() != spv::OpDecorate && in.op() != spv::OpMemberDecorate)
      return false;
    return !seen.emplace(words_.begin() + in.at(), words_.begin() + in.end()).second;
  });
}

void TranslatedModule::tellCompositesOfOperations() {
  std::unordered_set<uint32_t> operations;
  std::vector<size_t> composites;
  forEach([&](const Instruction &in) {
    const bool isComposite = in.op() == spv::OpConstantComposite;
    bool hasOperation = false;
    for (size_t index = 2; isComposite && index < in.operands(); ++index)
      hasOperation |= operations.contains(in[index]);
    if (hasOperation)
      composites.push_back(in.at());
    const bool isOperation = in.op() >= spv::OpSpecConstantTrue && in.op() <= spv::OpSpecConstantOp;
    if ((isOperation || hasOperation) && in.operands() > 1)
      operations.insert(in[1]);
  });
  for (size_t at : composites)
    words_[at] = (words_[at] & ~spv::OpCodeMask) | spv::OpSpecConstantComposite;
}

void TranslatedModule::correct() {
  dropExportsOfFunctions();
  dropShaderCapabilities();
  placeLoopHints();
  dropRepeatedDecorations();
  tellCompositesOfOperations();
}

std::vector<std::string> TranslatedModule::undefinedFunctions() const {
  std::unordered_map<uint32_t, std::string_view> imports;
  std::vector<std::string> names;
  forEach([&](const Instruction &in) {
    if (linkageType(in) == uint32_t(spv::LinkageTypeImport)) {
      if (const auto name = in.literal(2))
        imports[in[0]] = name->text;
    } else if (in.op() == spv::OpFunction && in.operands() > 1) {
      if (auto import = imports.find(in[1]); import != imports.end() && !isOfDriver(import->second))
        names.emplace_back(import->second);
    }
  });
  return names;
}

} // namespace hiplz::spirv

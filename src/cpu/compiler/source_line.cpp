// SPDX-License-Identifier: MIT
// See source_line.h.
#include "cpu/compiler/source_line.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <sstream>

using namespace llvm;

namespace hiplz::cpu {

std::string sourceLine(std::string_view object, const std::string &place) {
  object::SectionedAddress address;
  std::istringstream(place) >> address.SectionIndex >> address.Address;
  auto file = object::ObjectFile::createObjectFile(MemoryBufferRef(StringRef(object.data(), object.size()), "kernel"));
  if (!file) {
    consumeError(file.takeError());
    return {};
  }
  const auto context = DWARFContext::create(**file);
  const DILineInfoSpecifier wanted(DILineInfoSpecifier::FileLineInfoKind::RawValue,
                                   DILineInfoSpecifier::FunctionNameKind::None);
  const DIInliningInfo frames = context->getInliningInfoForAddress(address, wanted);
  std::string text;
  for (uint32_t i = 0; i < frames.getNumberOfFrames(); ++i) {
    const DILineInfo &frame = frames.getFrame(i);
    const bool isWrapper = i > 0 && frame.Line == frame.StartLine; // the compiler's own function around the kernel
    if (frame.Line == 0 || frame.FileName == DILineInfo::BadString || isWrapper)
      continue;
    const std::string line = sys::path::filename(frame.FileName).str() + ":" + std::to_string(frame.Line);
    text += (text.empty() ? "" : ", inlined at ") + line;
  }
  return text;
}

} // namespace hiplz::cpu

// SPDX-License-Identifier: MIT
// See decoder.h.
#include "amdgcn/translator/decoder.h"
#include "amdgcn/translator/generation11.h"

#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <mutex>

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUDisassembler();
}

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

constexpr size_t kLongest = 20; ///< bytes of an instruction, with the addresses of an image in registers anywhere

}

struct Decoder::Parts {
  MCTargetOptions options;
  std::unique_ptr<MCRegisterInfo> registers;
  std::unique_ptr<MCAsmInfo> assembler;
  std::unique_ptr<MCInstrInfo> instructions;
  std::unique_ptr<MCSubtargetInfo> processor;
  std::unique_ptr<MCContext> context;
  std::unique_ptr<MCDisassembler> disassembler;
  std::unique_ptr<MCInstPrinter> printer;
};

Decoder::Decoder(std::unique_ptr<Parts> parts, unsigned generation)
    : parts_(std::move(parts)), generation_(generation) {}
Decoder::~Decoder() = default;

std::unique_ptr<Decoder> Decoder::create(unsigned generation, std::string &error) {
  const std::string processor = generation == 11 ? "gfx1100" : "gfx1030"; // the others have the same instructions
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
  });
  constexpr const char *kTriple = "amdgcn-amd-amdhsa";
  const Target *target = TargetRegistry::lookupTarget(kTriple, error);
  if (!target) {
    error = "machine code: this libLLVM has no AMDGPU target: " + error;
    return nullptr;
  }
  auto parts = std::make_unique<Parts>();
  parts->registers.reset(target->createMCRegInfo(kTriple));
  parts->assembler.reset(target->createMCAsmInfo(*parts->registers, kTriple, parts->options));
  parts->instructions.reset(target->createMCInstrInfo());
  parts->processor.reset(target->createMCSubtargetInfo(kTriple, processor, ""));
  if (!parts->processor || !parts->processor->isCPUStringValid(processor)) {
    error = "machine code: this libLLVM does not know " + processor;
    return nullptr;
  }
  parts->context = std::make_unique<MCContext>(Triple(kTriple), parts->assembler.get(), parts->registers.get(),
                                               parts->processor.get());
  parts->disassembler.reset(target->createMCDisassembler(*parts->processor, *parts->context));
  parts->printer.reset(target->createMCInstPrinter(Triple(kTriple), parts->assembler->getAssemblerDialect(),
                                                   *parts->assembler, *parts->instructions, *parts->registers));
  if (!parts->disassembler || !parts->printer) {
    error = "machine code: this libLLVM cannot disassemble " + processor;
    return nullptr;
  }
  parts->printer->setPrintImmHex(true);
  return std::unique_ptr<Decoder>(new Decoder(std::move(parts), generation));
}

bool Decoder::decode(std::span<const std::byte> image, uint64_t address, Instruction &instruction) const {
  instruction = {};
  instruction.address = address;
  if (address >= image.size())
    return false;
  const auto bytes = image.subspan(address, std::min<size_t>(image.size() - address, kLongest));
  uint32_t words[kLongest / 4] = {};
  std::memcpy(words, bytes.data(), bytes.size());
  std::optional<Rewritten> rewritten;
  if (generation_ == 11)
    if ((rewritten = rewriteGeneration11(std::span(words).first<3>())))
      std::copy(std::begin(rewritten->words), std::end(rewritten->words), words);
  const ArrayRef<uint8_t> code(reinterpret_cast<const uint8_t *>(words), bytes.size());
  MCInst decoded;
  uint64_t size = 0;
  if (parts_->disassembler->getInstruction(decoded, size, code, address, nulls()) != MCDisassembler::Success) {
    instruction.text = "unknown encoding";
    return false;
  }
  instruction.size = static_cast<uint32_t>(size);
  std::memcpy(instruction.words, bytes.data(), std::min<size_t>(size, sizeof instruction.words));
  std::string text;
  raw_string_ostream stream(text);
  parts_->printer->printInst(&decoded, address, "", *parts_->processor, stream);
  if (!parseInstruction(stream.str(), instruction))
    return false;
  if (rewritten && rewritten->name)
    instruction.name = rewritten->name;
  if (generation_ == 11)
    normalizeGeneration11(instruction);
  takePackedConstants(instruction);
  return true;
}

} // namespace hiplz::amdgcn

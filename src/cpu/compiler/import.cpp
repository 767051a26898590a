// SPDX-License-Identifier: MIT
// The translator produces typed pointers; its bitcode read in another context has opaque ones.
#include "cpu/compiler/import.h"
#include "base/llvm_compat.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>

#include <sstream>

namespace hiplz::cpu {
namespace {

bool translate(std::span<const std::byte> spirv, const SpecConstants &constants, llvm::SmallVectorImpl<char> &bitcode,
               std::string &error) {
  llvm::LLVMContext context;
  useTypedPointers(context);
  SPIRV::TranslatorOpts options;
  options.enableAllExtensions();
  options.setDesiredBIsRepresentation(SPIRV::BIsRepresentation::SPIRVFriendlyIR);
  for (const auto &[identifier, value] : constants)
    options.setSpecConst(identifier, value);
  std::istringstream input(std::string(reinterpret_cast<const char *>(spirv.data()), spirv.size()));
  llvm::Module *raw = nullptr;
  bool good = llvm::readSpirv(context, options, input, raw, error);
  std::unique_ptr<llvm::Module> module(raw);
  if (!good || !module)
    return false;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*module, stream);
  return true;
}

} // namespace

std::unique_ptr<llvm::Module> importSpirv(std::span<const std::byte> spirv, const SpecConstants &constants,
                                          llvm::LLVMContext &context, std::string &error) {
  llvm::SmallVector<char, 0> bitcode;
  if (!translate(spirv, constants, bitcode, error)) {
    error = "SPIR-V: the translator does not accept the module: " + error;
    return nullptr;
  }
  llvm::StringRef bytes(bitcode.data(), bitcode.size());
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "spirv"), context);
  if (!module) {
    error = "SPIR-V: the translator's result cannot be read: " + llvm::toString(module.takeError());
    return nullptr;
  }
  std::string reason;
  llvm::raw_string_ostream stream(reason);
  if (llvm::verifyModule(**module, &stream)) {
    error = "SPIR-V: the module is not valid: " + reason;
    return nullptr;
  }
  return std::move(*module);
}

} // namespace hiplz::cpu

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

SpirvObject objectOf(llvm::Type *type) {
  const llvm::StringRef name = spirvObjectName(type);
  return name.empty()                        ? SpirvObject::none
         : startsWith(name, "spirv.Image")   ? SpirvObject::image
         : startsWith(name, "spirv.Sampler") ? SpirvObject::sampler
                                             : SpirvObject::other;
}

// While the types are there; the names of types in a module's strings are whatever its source calls them.
void noteObjects(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL)
      continue;
    bool any = false;
    llvm::SmallVector<llvm::Metadata *, 8> objects;
    for (const llvm::Argument &argument : function.args()) {
      const SpirvObject object = objectOf(argument.getType());
      any = any || object != SpirvObject::none;
      objects.push_back(llvm::ConstantAsMetadata::get(
          llvm::ConstantInt::get(llvm::Type::getInt32Ty(module.getContext()), static_cast<uint64_t>(object))));
    }
    if (any)
      function.setMetadata(kObjectParameters, llvm::MDNode::get(module.getContext(), objects));
  }
}

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
  noteObjects(*module);
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

// SPDX-License-Identifier: MIT
#include "rtc/compiler/link.h"
#include "base/llvm_compat.h"
#include "fatbin/bitcode.h"
#include "rtc/compiler/lower.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/Internalize.h"

#include <spirv-tools/linker.hpp>

#include <cstring>

namespace hiplz::rtc {
namespace {

std::unique_ptr<llvm::Module> parse(llvm::LLVMContext &context, llvm::MemoryBufferRef buffer, std::string &log) {
  llvm::Expected<std::unique_ptr<llvm::Module>> module = llvm::parseBitcodeFile(buffer, context);
  if (module)
    return std::move(*module);
  log += "error: " + buffer.getBufferIdentifier().str() + ": " + llvm::toString(module.takeError()) + "\n";
  return nullptr;
}

bool linkBitcode(const std::string &prefix, const std::vector<const Input *> &inputs, std::string &log,
                 std::vector<std::byte> &spirv) {
  llvm::LLVMContext context;
  useTypedPointers(context);
  sendMessagesTo(context, log);
  llvm::Module whole("hiprtc", context);
  llvm::Linker linker(whole);
  for (const Input *input : inputs) {
    const llvm::StringRef bytes(reinterpret_cast<const char *>(input->code.data()), input->code.size());
    std::unique_ptr<llvm::Module> module = parse(context, {bytes, input->name}, log);
    if (!module || linker.linkInModule(std::move(module)))
      return false;
  }
  const std::string library = prefix + "/lib/hip-device-lib/hipspv-spirv64.bc";
  auto file = llvm::MemoryBuffer::getFile(library);
  if (!file) {
    log += "error: there is no " + library + "\n";
    return false;
  }
  std::unique_ptr<llvm::Module> module = parse(context, (*file)->getMemBufferRef(), log);
  const bool failed = !module || linker.linkInModule(std::move(module), llvm::Linker::LinkOnlyNeeded,
                                                     [](llvm::Module &m, const llvm::StringSet<> &names) {
                                                       llvm::internalizeModule(m, [&](const llvm::GlobalValue &value) {
                                                         return !names.count(value.getName());
                                                       });
                                                     });
  return !failed && lower(whole, log, spirv);
}

std::vector<uint32_t> wordsOf(const std::vector<std::byte> &bytes) {
  std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(uint32_t));
  return words;
}

bool linkSpirv(const std::vector<std::vector<uint32_t>> &modules, std::string &log, std::vector<std::byte> &spirv) {
  spvtools::Context context(SPV_ENV_UNIVERSAL_1_3);
  context.SetMessageConsumer([&](spv_message_level_t level, const char *, const spv_position_t &, const char *message) {
    log += std::string(level <= SPV_MSG_ERROR ? "error: " : "warning: ") + message + "\n";
  });
  std::vector<uint32_t> linked;
  if (spvtools::Link(context, modules, &linked) != SPV_SUCCESS)
    return false;
  spirv.resize(linked.size() * sizeof(uint32_t));
  std::memcpy(spirv.data(), linked.data(), spirv.size());
  return true;
}

} // namespace

void link(const LinkRequest &request, Result &result) {
  result.status = Status::failed;
  std::vector<const Input *> bitcode;
  std::vector<std::vector<uint32_t>> modules;
  for (const Input &input : request.inputs) {
    if (isBitcode(input.code))
      bitcode.push_back(&input);
    else
      modules.push_back(wordsOf(input.code));
  }
  if (!bitcode.empty()) {
    if (!linkBitcode(request.prefix, bitcode, result.log, result.code))
      return;
    if (modules.empty()) {
      result.status = Status::success;
      return;
    }
    modules.push_back(wordsOf(result.code));
  }
  if (linkSpirv(modules, result.log, result.code))
    result.status = Status::success;
}

} // namespace hiplz::rtc

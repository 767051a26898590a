// SPDX-License-Identifier: MIT
// The two functions of the compiler's library: a source to SPIR-V or bitcode, and pieces of both to SPIR-V.
#include "base/llvm_compat.h"
#include "rtc/compiler/front_end.h"
#include "rtc/compiler/link.h"
#include "rtc/compiler/lower.h"
#include "rtc/compiler/name_expressions.h"
#include "rtc/compiler/precompiled.h"
#include "rtc/guard.h"

#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>

#include <array>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <mutex>
#include <span>

namespace hiplz::rtc {
namespace {

/// Where a member function is.
template <class Member> const void *addressOf(Member member) {
  const void *address = nullptr;
  std::memcpy(&address, &member, sizeof address);
  return address;
}

/// An address in each of the libraries that compile.
std::array<const void *, 3> placesInClang() {
  bool (*translate)(llvm::Module *, std::ostream &, std::string &) = &llvm::writeSpirv;
  return {reinterpret_cast<const void *>(translate),
          addressOf<void (llvm::LLVMContext::*)(const llvm::DiagnosticInfo &)>(&llvm::LLVMContext::diagnose),
          addressOf(&clang::CompilerInstance::ExecuteAction)};
}

/// The libraries end the process when something is wrong inside them.
void catchExits() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const void *place : placesInClang())
      catchExitsOf(place);
  });
}

bool isMacro(const std::string &option) { return option.starts_with("-D") || option.starts_with("-U"); }

std::string nameOfMacro(const std::string &option) { return option.substr(2, option.find_first_of("=(", 2) - 2); }

/// HIP's own macros, which HIP's headers ask for. Other macros have values that change from kernel to kernel.
bool isForHeaders(const std::string &macro) {
  const std::string name = nameOfMacro(macro);
  return name.starts_with("__HIP") || name.starts_with("HIPLZ_");
}

/// Other macros and folders do not change what the implicit headers mean, unless those ask for the macro.
std::vector<std::string> optionsOfHeaders(const std::vector<std::string> &options) {
  std::vector<std::string> rest;
  for (const std::string &option : options)
    if (isMacro(option) ? isForHeaders(option) : !option.starts_with("-I"))
      rest.push_back(option);
  return rest;
}

bool asksForOtherMacroOf(const Precompiled &header, const std::vector<std::string> &options) {
  for (const std::string &option : options)
    if (isMacro(option) && !isForHeaders(option) && header.identifiers.contains(nameOfMacro(option)))
      return true;
  return false;
}

/// The files of the libraries: another version compiles to something else.
std::vector<std::string> librariesOfClang() {
  std::vector<std::string> files;
  for (const void *place : placesInClang())
    if (Dl_info info; ::dladdr(place, &info) && info.dli_fname)
      files.emplace_back(info.dli_fname);
  return files;
}

/// Messages show names as the user knows them.
void removeRoot(std::string &log) {
  const std::string root = kRoot;
  for (size_t at = log.find(root); at != log.npos; at = log.find(root, at))
    log.erase(at, root.size());
}

std::vector<std::byte> bitcodeOf(const llvm::Module &module) {
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::WriteBitcodeToFile(module, stream);
  const auto *first = reinterpret_cast<const std::byte *>(buffer.data());
  return {first, first + buffer.size()};
}

void save(const std::string &name, const char *ending, std::span<const std::byte> bytes) {
  std::ofstream file(name.substr(name.rfind('/') + 1) + ending, std::ios::binary);
  file.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void compile(const CompileRequest &request, Result &result) {
  const std::string text = request.source + nameReferences(request.nameExpressions);
  Files files;
  files.add(request.name, text);
  files.add(kImplicitName, implicitText());
  for (const Header &header : request.headers)
    files.add(header.name, header.text);

  result.status = Status::invalidOption;
  const auto invocation = makeInvocation(request.prefix, request.options, pathOf(request.name), files, result.log);
  if (!invocation)
    return;
  result.status = Status::failed;

  auto precompiled = precompiledFor(request.prefix, optionsOfHeaders(request.options));
  if (precompiled && asksForOtherMacroOf(*precompiled, request.options))
    precompiled = nullptr;
  result.parsedHeaders = !precompiled;
  clang::PreprocessorOptions &preprocessor = invocation->getPreprocessorOpts();
  if (precompiled) {
    files.add(kPrecompiledName, precompiled->bytes);
    preprocessor.ImplicitPCHInclude = pathOf(kPrecompiledName);
  } else {
    preprocessor.Includes.insert(preprocessor.Includes.begin(), std::begin(kImplicitHeaders),
                                 std::end(kImplicitHeaders));
  }

  llvm::LLVMContext context;
  useTypedPointers(context);
  clang::EmitLLVMOnlyAction action(&context);
  if (!execute(invocation, action, files, result.log))
    return;
  result.dependencies = files.lookedFor();
  for (const std::string &library : librariesOfClang())
    result.dependencies.push_back(library);
  if (precompiled)
    result.dependencies.insert(result.dependencies.end(), precompiled->files.begin(), precompiled->files.end());
  const std::unique_ptr<llvm::Module> module = action.takeModule();
  if (!module)
    return;
  sendMessagesTo(context, result.log);
  // Newer clang marks every module with a variable, and without a file's identity they all have one name.
  if (llvm::GlobalVariable *mark = module->getNamedGlobal("__hip_cuid_"))
    mark->setLinkage(llvm::GlobalValue::InternalLinkage);

  NameTargets names(*module, request.nameExpressions.size());
  if (const size_t unclear = names.firstUnclear(); unclear < request.nameExpressions.size()) {
    result.log += "error: the name expression '" + request.nameExpressions[unclear] +
                  "' is neither a function nor the address of a variable\n";
    return;
  }
  if (request.saveTemps || request.relocatable)
    result.code = bitcodeOf(*module);
  if (request.saveTemps)
    save(request.name, ".bc", result.code);
  if (!request.relocatable && !lower(*module, result.log, result.code))
    return;
  if (request.saveTemps && !request.relocatable)
    save(request.name, ".spv", result.code);
  result.loweredNames = names.names();
  result.status = Status::success;
}

/// Runs one of the two with everything that may go wrong caught.
void guarded(Result &result, const std::function<void()> &work) {
  catchExits();
  const std::string why = runGuarded([&] {
    PassLog passLog(result.log);
    try {
      work();
    } catch (const std::exception &error) {
      result.status = Status::crashed;
      result.log += std::string("error: ") + error.what() + "\n";
    }
  });
  if (!why.empty()) {
    result.status = Status::crashed;
    result.log += "error: " + why + "; the device code contains something that it cannot compile\n";
  }
  if (result.status != Status::success)
    result.code.clear();
  removeRoot(result.log);
}

} // namespace
} // namespace hiplz::rtc

extern "C" {

__attribute__((visibility("default"))) void hiplzRtcCompile(const hiplz::rtc::CompileRequest &request,
                                                            hiplz::rtc::Result &result) {
  hiplz::rtc::guarded(result, [&] { hiplz::rtc::compile(request, result); });
}

__attribute__((visibility("default"))) void hiplzRtcLink(const hiplz::rtc::LinkRequest &request,
                                                         hiplz::rtc::Result &result) {
  hiplz::rtc::guarded(result, [&] { hiplz::rtc::link(request, result); });
}

} // extern "C"

// SPDX-License-Identifier: MIT
#include "rtc/compiler/lower.h"
#include "../../../llvm-passes/diagnostics.h"
#include "../../../llvm-passes/passes.h"
#include "base/llvm_compat.h"
#include "rtc/guard.h"
#include "tools/llvm_spirv/spirv_target.h"
#include "tools/llvm_spirv/translated_module.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>

#include <cstring>
#include <sstream>

namespace hiplz::rtc {
namespace {

thread_local std::string *passLog = nullptr;

void report(const llvm::DiagnosticInfo &info, void *log) {
  if (info.getSeverity() > llvm::DS_Warning)
    return;
  std::string &text = *static_cast<std::string *>(log);
  text += info.getSeverity() == llvm::DS_Error ? "error: " : "warning: ";
  llvm::raw_string_ostream stream(text);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info.print(printer);
  stream << '\n';
}

SPIRV::TranslatorOpts translatorOptions() {
  SPIRV::TranslatorOpts::ExtensionsStatusMap allowed;
  for (const char *name : spirv::kExtensionNames) {
#define EXT(extension)                                                                                                 \
  if (std::strcmp(name, #extension) == 0)                                                                              \
    allowed[SPIRV::ExtensionID::extension] = true;
#include <LLVMSPIRVLib/LLVMSPIRVExtensions.inc>
#undef EXT
  }
  return SPIRV::TranslatorOpts(SPIRV::VersionNumber::SPIRV_1_3, allowed);
}

void runPasses(llvm::Module &module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  llvm::ModulePassManager passes;
  hiplz::passes::addPostLinkPasses(passes);
  passes.run(module, modules);
}

} // namespace

PassLog::PassLog(std::string &log) { passLog = &log; }
PassLog::~PassLog() { passLog = nullptr; }

void sendMessagesTo(llvm::LLVMContext &context, std::string &log) { reportDiagnostics<report>(context, &log); }

bool lower(llvm::Module &module, std::string &log, std::vector<std::byte> &spirv) {
  runPasses(module);

  std::ostringstream stream;
  std::string error;
  if (!llvm::writeSpirv(&module, translatorOptions(), stream, error)) {
    log += "error: the device code cannot be translated to SPIR-V: " + error + "\n";
    return false;
  }
  const std::string bytes = stream.str();
  std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(uint32_t));
  spirv::TranslatedModule translated(std::move(words));
  if (!translated.ok()) {
    log += "error: the translator has made no valid SPIR-V\n";
    return false;
  }
  const std::vector<std::string> undefined = translated.undefinedFunctions();
  for (const std::string &name : undefined)
    log += "error: the device function '" + llvm::demangle(name) + "' is used but not defined\n";
  if (!undefined.empty())
    return false;
  translated.correct();
  spirv.resize(translated.words().size() * sizeof(uint32_t));
  std::memcpy(spirv.data(), translated.words().data(), spirv.size());
  return true;
}

} // namespace hiplz::rtc

namespace hiplz::passes {

void writeDiagnostic(llvm::StringRef text) {
  if (rtc::passLog)
    rtc::passLog->append(text.data(), text.size());
}

void endCompilation() { rtc::leaveGuarded({}); }

} // namespace hiplz::passes

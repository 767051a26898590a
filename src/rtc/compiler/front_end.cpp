// SPDX-License-Identifier: MIT
#include "rtc/compiler/front_end.h"
#include "base/llvm_compat.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>

#include <set>

namespace hiplz::rtc {

/// Notes the names of files and of what is not there. Folders change all the time and are not noted.
class Files::Recorder : public llvm::vfs::ProxyFileSystem {
public:
  Recorder() : ProxyFileSystem(llvm::vfs::createPhysicalFileSystem()) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override {
    auto found = ProxyFileSystem::status(path);
    if (!found || !found->isDirectory())
      names.insert(path.str());
    return found;
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override {
    names.insert(path.str());
    return ProxyFileSystem::openFileForRead(path);
  }

  std::set<std::string> names;
};

Files::Files()
    : disk_(new Recorder), memory_(new llvm::vfs::InMemoryFileSystem), all_(new llvm::vfs::OverlayFileSystem(disk_)) {
  all_->pushOverlay(memory_);
}

Files::~Files() = default;

std::vector<std::string> Files::lookedFor() const {
  std::vector<std::string> files;
  for (const std::string &name : disk_->names)
    if (!startsWith(name, kRoot))
      files.push_back(name);
  return files;
}

void Files::add(const std::string &name, std::string_view text) {
  memory_->addFile(pathOf(name), 0,
                   llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(text.data(), text.size()), name, false));
}

std::string pathOf(const std::string &name) { return llvm::sys::path::is_absolute(name) ? name : kRoot + name; }

std::shared_ptr<clang::CompilerInvocation> makeInvocation(const std::string &prefix,
                                                          const std::vector<std::string> &options,
                                                          const std::string &file, const Files &files,
                                                          std::string &log) {
  // The C++ library would use __float128 with -std=gnu++..., which SPIR-V has no type for.
  std::vector<std::string> words{HIPLZ_RTC_CLANG,
                                 "-x",
                                 "hip",
                                 "--offload=spirv64",
                                 "--hip-path=" + prefix,
                                 "--cuda-device-only",
                                 "-c",
                                 "-emit-llvm",
                                 "-fuse-cuid=none",
                                 std::string("-ffile-prefix-map=") + kRoot + "=",
                                 "-U__FLOAT128__",
                                 "-U__SIZEOF_FLOAT128__",
                                 "-D__HIPCC_RTC__=1"}; // as AMD's hipRTC
  words.insert(words.end(), options.begin(), options.end());
  // After the user's folders, so that it does not hide files of the same name there.
  words.insert(words.end(), {std::string("-I") + kRoot, file});
  std::vector<const char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(word.c_str());

  llvm::raw_string_ostream stream(log);
#if LLVM_VERSION_MAJOR >= 21
  clang::DiagnosticOptions diagnosticOptions;
  clang::TextDiagnosticPrinter printer(stream, diagnosticOptions);
#else
  llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> diagnosticOptions(new clang::DiagnosticOptions);
  clang::TextDiagnosticPrinter printer(stream, diagnosticOptions.get());
#endif
  clang::DiagnosticsEngine diagnostics(new clang::DiagnosticIDs, diagnosticOptions, &printer, false);
  clang::driver::Driver driver(HIPLZ_RTC_CLANG, "x86_64-pc-linux-gnu", diagnostics, "hipRTC", files.all());
  const std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(arguments));
  if (!compilation || compilation->containsError() || diagnostics.hasErrorOccurred())
    return nullptr;
  for (const clang::driver::Command &job : compilation->getJobs()) {
    llvm::ArrayRef<const char *> jobArguments = job.getArguments();
    if (jobArguments.empty() || llvm::StringRef(jobArguments[0]) != "-cc1")
      continue;
    auto invocation = std::make_shared<clang::CompilerInvocation>();
    if (!clang::CompilerInvocation::CreateFromArgs(*invocation, jobArguments.drop_front(), diagnostics,
                                                   HIPLZ_RTC_CLANG) ||
        diagnostics.hasErrorOccurred())
      return nullptr;
    invocation->getFrontendOpts().DisableFree = false;
    invocation->getCodeGenOpts().DisableFree = false;
    // The driver asks for these by options that hold for the whole process.
    invocation->getCodeGenOpts().VectorizeLoop = false;
    invocation->getCodeGenOpts().VectorizeSLP = false;
    // Kernels hand on variables that only some work-items have set; with this clang concludes that all have.
    invocation->getCodeGenOpts().EnableNoundefAttrs = false;
    // One of the passes runs in clang, which asks the library that has it.
    if (Dl_info own; ::dladdr(reinterpret_cast<const void *>(&makeInvocation), &own) && own.dli_fname)
      invocation->getCodeGenOpts().PassPlugins.push_back(own.dli_fname);
    // C++20 modules. With them clang takes a function of the host and its overload for the device for one function when it
    // reads both from a precompiled header.
    clang::LangOptions &language = object(invocation->getLangOpts());
    language.Modules = false;
    language.CPlusPlusModules = false;
    return invocation;
  }
  stream << "error: these options leave nothing to compile\n";
  return nullptr;
}

bool execute(std::shared_ptr<clang::CompilerInvocation> invocation, clang::FrontendAction &action, const Files &files,
             std::string &log) {
  llvm::raw_string_ostream stream(log);
#if LLVM_VERSION_MAJOR >= 21
  clang::CompilerInstance instance(std::move(invocation));
  clang::TextDiagnosticPrinter printer(stream, instance.getDiagnosticOpts());
#else
  clang::CompilerInstance instance;
  instance.setInvocation(std::move(invocation));
  clang::TextDiagnosticPrinter printer(stream, &instance.getDiagnosticOpts());
#endif
#if LLVM_VERSION_MAJOR >= 20
  instance.createDiagnostics(*files.all(), &printer, false);
#else
  instance.createDiagnostics(&printer, false);
#endif
  instance.createFileManager(files.all());
  instance.setVerboseOutputStream(llvm::nulls()); // the number of errors
  return instance.ExecuteAction(action);
}

} // namespace hiplz::rtc

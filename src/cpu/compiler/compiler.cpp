// The compiler library: its one exported function, and the order of the stages.
#include "base/env.h"
#include "base/log.h"
#include "cpu/compiler/codegen.h"
#include "cpu/compiler/import.h"
#include "cpu/compiler/prepare.h"
#include "cpu/compiler/spirv_check.h"
#include "cpu/compiler/work_group.h"
#include "cpu/program/compiler_api.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <atomic>
#include <mutex>
#include <unistd.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

/// Writes "<folder>/<process>.<module>.<stage>-<name>" for each stage if HIPLZ_DUMP names a folder.
class Dump {
public:
  Dump() : folder_(envString(EnvVar::HIPLZ_DUMP)) {
    static std::atomic<unsigned> modules{0};
    if (folder_.empty())
      return;
    prefix_ = folder_ + "/cpu-" + std::to_string(::getpid()) + "." + std::to_string(modules++) + ".";
    sys::fs::create_directories(folder_);
  }

  void bytes(const char *name, StringRef content) {
    if (folder_.empty())
      return;
    std::error_code failure;
    raw_fd_ostream stream(prefix_ + std::to_string(stage_++) + "-" + name, failure);
    if (failure)
      HIPLZ_LOG_INFO("HIPLZ_DUMP: nothing can be written to %s: %s", folder_.c_str(), failure.message().c_str());
    else
      stream << content;
  }

  void module(const char *name, const Module &module) {
    if (folder_.empty())
      return;
    std::string text;
    raw_string_ostream stream(text);
    module.print(stream, nullptr);
    bytes(name, stream.str());
  }

private:
  std::string folder_;
  std::string prefix_;
  unsigned stage_ = 0;
};

class Compilation {
public:
  Compilation(std::span<const std::byte> spirv, std::string_view flags, std::string hostKey)
      : spirv_(spirv), hostKey_(std::move(hostKey)), options_(parseOptions(flags, log_)) {}

  bool run() {
    context_.setOpaquePointers(true); // otherwise the first bitcode decides
    dump_.bytes("module.spv", StringRef(reinterpret_cast<const char *>(spirv_.data()), spirv_.size()));
    std::string error;
    if (stages(error))
      return true;
    log_ += error + "\n";
    return false;
  }

  const std::string &log() const { return log_; }
  const std::vector<std::byte> &binary() const { return binary_; }

private:
  bool stages(std::string &error) {
    if (!checkSpirv(spirv_, error))
      return false;
    auto module = importSpirv(spirv_, context_, error);
    if (!module)
      return false;
    dump_.module("imported.ll", *module);
    auto machine = createHostMachine(options_, error);
    ModuleTable table;
    if (!machine || !prepareModule(*module, *machine, options_, table, error))
      return false;
    dump_.module("prepared.ll", *module);
    ScalarLowering scalar;
    for (Kernel &kernel : table.kernels)
      scalar.lower(kernel, options_);
    dump_.module("work-groups.ll", *module);
    if (table.contraction || options_.fastMath)
      machine->Options.AllowFPOpFusion = FPOpFusion::Fast;
    optimizeModule(*module, *machine, options_);
    dump_.module("optimized.ll", *module);
    SmallVector<char, 0> object;
    if (!emitObject(*module, *machine, object, error))
      return false;
    dump_.bytes("object.o", StringRef(object.data(), object.size()));
    serialize(table, object);
    return true;
  }

  void serialize(ModuleTable &table, const SmallVectorImpl<char> &object) {
    BinaryContents contents;
    contents.hostKey = hostKey_;
    contents.hasDebugInfo = options_.debugInfo;
    for (Kernel &kernel : table.kernels)
      contents.kernels.push_back(std::move(kernel.info));
    contents.globals = std::move(table.globals);
    contents.object = {reinterpret_cast<const std::byte *>(object.data()), object.size()};
    binary_ = serializeBinary(contents);
  }

  std::span<const std::byte> spirv_;
  std::string hostKey_;
  std::string log_;
  CompileOptions options_;
  Dump dump_;
  LLVMContext context_;
  std::vector<std::byte> binary_;
};

} // namespace
} // namespace hiplz::cpu

extern "C" __attribute__((visibility("default"))) int hiplzCpuCompile(const HiplzCpuCompileRequest *request,
                                                                      const HiplzCpuCompileSink *sink) try {
  // One compilation at a time: import forks, and a child must not inherit locks that libLLVM holds in another thread.
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  hiplz::cpu::Compilation compilation({static_cast<const std::byte *>(request->spirv), request->spirvBytes},
                                      request->buildFlags, request->hostKey);
  bool good = compilation.run();
  if (!compilation.log().empty())
    sink->log(sink->user, compilation.log().data(), compilation.log().size());
  if (good)
    sink->binary(sink->user, compilation.binary().data(), compilation.binary().size());
  return good;
} catch (const std::exception &exception) {
  std::string text = std::string("compiler: ") + exception.what() + "\n";
  sink->log(sink->user, text.data(), text.size());
  return 0;
}

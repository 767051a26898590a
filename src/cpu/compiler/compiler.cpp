// The compiler library: its one exported function, and the order of the stages. All stages run in a child process: neither
// the translator nor LLVM can be kept from ending the process when something in the module surprises them.
#include "base/env.h"
#include "base/log.h"
#include "cpu/compiler/codegen.h"
#include "cpu/compiler/import.h"
#include "cpu/compiler/isolate.h"
#include "cpu/compiler/prepare.h"
#include "cpu/compiler/spirv_check.h"
#include "cpu/compiler/work_group.h"
#include "cpu/program/compiler_api.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <cstring>
#include <unistd.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

/// Writes "<folder>/cpu-<process>.<stage>-<name>" for each stage if HIPLZ_DUMP names a folder; each module has a process of
/// its own.
class Dump {
public:
  Dump() : folder_(envString(EnvVar::HIPLZ_DUMP)) {
    if (folder_.empty())
      return;
    prefix_ = folder_ + "/cpu-" + std::to_string(::getpid()) + ".";
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

/// Which part of the compilation the child was in, sent before it begins.
enum class Stage : char { translate = 't', compile = 'c', done = 'd' };

/// One compilation, in the child.
class Compilation {
public:
  Compilation(const HiplzCpuCompileRequest &request, AnswerPipe &pipe)
      : spirv_(static_cast<const std::byte *>(request.spirv), request.spirvBytes), hostKey_(request.hostKey), pipe_(pipe),
        options_(parseOptions(request.buildFlags, log_)) {}

  /// Sends the stages, then the size of the log, the log, and the binary if there is one.
  void run() {
    context_.setOpaquePointers(true); // otherwise the first bitcode decides
    dump_.bytes("module.spv", StringRef(reinterpret_cast<const char *>(spirv_.data()), spirv_.size()));
    std::string error;
    std::vector<std::byte> binary;
    if (!stages(binary, error)) {
      binary.clear();
      log_ += error + "\n";
    }
    enter(Stage::done);
    uint64_t sizes[2] = {log_.size(), binary.size()};
    pipe_.send(sizes, sizeof sizes);
    pipe_.send(log_.data(), log_.size());
    pipe_.send(binary.data(), binary.size());
  }

private:
  void enter(Stage stage) { pipe_.send(&stage, sizeof stage); }

  bool stages(std::vector<std::byte> &binary, std::string &error) {
    enter(Stage::translate);
    auto module = importSpirv(spirv_, context_, error);
    if (!module)
      return false;
    enter(Stage::compile);
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
    binary = serialize(table, object);
    return true;
  }

  std::vector<std::byte> serialize(ModuleTable &table, const SmallVectorImpl<char> &object) {
    BinaryContents contents;
    contents.hostKey = hostKey_;
    contents.hasDebugInfo = options_.debugInfo;
    for (Kernel &kernel : table.kernels)
      contents.kernels.push_back(std::move(kernel.info));
    contents.globals = std::move(table.globals);
    contents.object = {reinterpret_cast<const std::byte *>(object.data()), object.size()};
    return serializeBinary(contents);
  }

  std::span<const std::byte> spirv_;
  std::string hostKey_;
  AnswerPipe &pipe_;
  std::string log_;
  CompileOptions options_;
  Dump dump_;
  LLVMContext context_;
};

/// The child's answer taken apart.
struct Answer {
  StringRef stages;
  StringRef log;
  StringRef binary;
  bool whole = false;
};

Answer parseAnswer(StringRef bytes) {
  Answer answer;
  size_t end = bytes.find(static_cast<char>(Stage::done));
  answer.stages = bytes.take_front(end);
  if (end == StringRef::npos)
    return answer;
  StringRef rest = bytes.drop_front(end + 1);
  uint64_t sizes[2];
  if (rest.size() < sizeof sizes)
    return answer;
  std::memcpy(sizes, rest.data(), sizeof sizes);
  rest = rest.drop_front(sizeof sizes);
  answer.whole = sizes[0] <= rest.size() && sizes[1] == rest.size() - sizes[0];
  if (answer.whole) {
    answer.log = rest.take_front(sizes[0]);
    answer.binary = rest.drop_front(sizes[0]);
  }
  return answer;
}

std::string describeFailure(const ChildResult &result, const Answer &answer) {
  if (!result.started)
    return "compiler: no process for the compilation: " + result.messages + "\n";
  bool translating = !answer.stages.contains(static_cast<char>(Stage::compile));
  std::string text = translating ? "SPIR-V: the translator does not accept the module"
                                 : "compiler: LLVM cannot compile the module";
  if (result.signal)
    text += std::string(" (") + ::strsignal(result.signal) + ")";
  if (!result.messages.empty())
    text += ": " + result.messages;
  return text + "\n";
}

bool compile(const HiplzCpuCompileRequest &request, const HiplzCpuCompileSink &sink) {
  std::string error;
  if (!checkSpirv({static_cast<const std::byte *>(request.spirv), request.spirvBytes}, error)) {
    error += "\n";
    sink.log(sink.user, error.data(), error.size());
    return false;
  }
  ChildResult result = runIsolated([&](AnswerPipe &pipe) { Compilation(request, pipe).run(); });
  Answer answer = parseAnswer(result.answer);
  if (!answer.whole) {
    error = describeFailure(result, answer);
    sink.log(sink.user, error.data(), error.size());
    return false;
  }
  if (!result.messages.empty())
    HIPLZ_LOG_INFO("compiler of the CPU device: %s", result.messages.c_str());
  if (!answer.log.empty())
    sink.log(sink.user, answer.log.data(), answer.log.size());
  if (!answer.binary.empty())
    sink.binary(sink.user, answer.binary.data(), answer.binary.size());
  return !answer.binary.empty();
}

} // namespace
} // namespace hiplz::cpu

extern "C" __attribute__((visibility("default"))) int hiplzCpuCompile(const HiplzCpuCompileRequest *request,
                                                                      const HiplzCpuCompileSink *sink) try {
  return hiplz::cpu::compile(*request, *sink);
} catch (const std::exception &exception) {
  std::string text = std::string("compiler: ") + exception.what() + "\n";
  sink->log(sink->user, text.data(), text.size());
  return 0;
}

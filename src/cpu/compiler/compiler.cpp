// The compiler program: the request from standard input, the order of the stages, the answer to standard output. It is a
// process of its own because neither the translator nor LLVM can be kept from ending it when something in the module
// surprises them, and because loading libLLVM would cost every program that uses the device.
#include "base/env.h"
#include "base/llvm_compat.h"
#include "base/log.h"
#include "cpu/compiler/codegen.h"
#include "cpu/compiler/import.h"
#include "cpu/compiler/prepare.h"
#include "cpu/compiler/spirv_check.h"
#include "cpu/compiler/work_group.h"
#include "cpu/program/compiler_protocol.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <sys/resource.h>
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

constexpr rlim_t kMaxSeconds = 600; // of processor time, against endless loops

/// Where the answer goes, piece by piece. Pieces that were sent before a crash arrive.
class AnswerPipe {
public:
  explicit AnswerPipe(int descriptor) : descriptor_(descriptor) {}
  void send(const void *data, size_t size) {
    auto *bytes = static_cast<const char *>(data);
    while (size > 0) {
      ssize_t written = ::write(descriptor_, bytes, size);
      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        ::_exit(1); // nobody listens
      bytes += written;
      size -= static_cast<size_t>(written);
    }
  }

private:
  int descriptor_;
};

/// The request's three parts.
struct Request {
  std::string spirv, flags, hostKey;
};

bool readExactly(void *to, size_t size) {
  for (auto *at = static_cast<char *>(to); size > 0;) {
    ssize_t got = ::read(STDIN_FILENO, at, size);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    at += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

bool readRequest(Request &request) {
  CompileRequestHeader header;
  if (!readExactly(&header, sizeof header))
    return false;
  request.spirv.resize(header.spirvBytes);
  request.flags.resize(header.flagsBytes);
  request.hostKey.resize(header.hostKeyBytes);
  return readExactly(request.spirv.data(), request.spirv.size()) &&
         readExactly(request.flags.data(), request.flags.size()) &&
         readExactly(request.hostKey.data(), request.hostKey.size());
}

// Whether the debug information says of the functions of the program that no compiler has optimised them.
bool isDescribedAsUnoptimized(const Module &module) {
  bool described = false;
  for (const Function &function : module)
    if (const DISubprogram *program = function.getSubprogram()) {
      if (program->isOptimized())
        return false;
      described = true;
    }
  return described;
}

/// One compilation.
class Compilation {
public:
  Compilation(const Request &request, AnswerPipe &pipe)
      : spirv_(std::as_bytes(std::span(request.spirv))), hostKey_(request.hostKey), pipe_(pipe),
        options_(parseOptions(request.flags, log_)) {}

  /// Sends the stages, then the size of the log, the log, and the binary if there is one.
  void run() {
    useOpaquePointers(context_);
    dump_.bytes("module.spv", StringRef(reinterpret_cast<const char *>(spirv_.data()), spirv_.size()));
    std::string error;
    std::vector<std::byte> binary;
    if (!stages(binary, error)) {
      binary.clear();
      log_ += error + "\n";
    }
    enter(CompileStage::done);
    const CompileAnswerHeader header{log_.size(), binary.size()};
    pipe_.send(&header, sizeof header);
    pipe_.send(log_.data(), log_.size());
    pipe_.send(binary.data(), binary.size());
  }

private:
  void enter(CompileStage stage) { pipe_.send(&stage, sizeof stage); }

  bool stages(std::vector<std::byte> &binary, std::string &error) {
    if (!checkSpirv(spirv_, error))
      return false;
    enter(CompileStage::translate);
    auto module = importSpirv(spirv_, context_, error);
    if (!module)
      return false;
    enter(CompileStage::compile);
    dump_.module("imported.ll", *module);
    if (options_.debugInfo && isDescribedAsUnoptimized(*module))
      options_.optimize = false; // whoever compiled it with -g and without -O wants to step through the code
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

} // namespace
} // namespace hiplz::cpu

int main() {
  using namespace hiplz::cpu;
  std::atexit([] { ::_exit(1); }); // the translator calls exit: nothing of libLLVM needs to be taken down in order
  const rlimit none{0, 0}, time{kMaxSeconds, kMaxSeconds};
  ::setrlimit(RLIMIT_CORE, &none);
  ::setrlimit(RLIMIT_CPU, &time);
  AnswerPipe pipe(::dup(STDOUT_FILENO));
  ::dup2(STDERR_FILENO, STDOUT_FILENO); // what libraries print is a message and no part of the answer
  try {
    Request request;
    if (!readRequest(request)) {
      errs() << "this is the compiler of HIPLZ's CPU device, which its driver runs; it takes no arguments\n";
      ::_exit(2);
    }
    Compilation(request, pipe).run();
  } catch (const std::exception &exception) {
    errs() << exception.what() << '\n';
    ::_exit(1);
  }
  ::_exit(0);
}

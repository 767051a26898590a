// SPDX-License-Identifier: MIT
// The compiler program: the request and the answer by the socket that the driver gave it, the order of the stages. It is a
// process of its own because neither the translator nor LLVM can be kept from ending it when something in the module
// surprises them, and because loading libLLVM would cost every program that uses the device.
#include "base/env.h"
#include "base/llvm_compat.h"
#include "base/log.h"
#include "base/sanitizer.h"
#include "cpu/compiler/codegen.h"
#include "cpu/compiler/import.h"
#include "cpu/compiler/one_by_one.h"
#include "cpu/compiler/prepare.h"
#include "cpu/compiler/spirv_check.h"
#include "cpu/compiler/vector.h"
#include "cpu/compiler/work_group.h"
#include "cpu/program/child_process.h"
#include "cpu/program/compiler_protocol.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
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

// What a module may cost: a fixed sum and a rate for its size, of memory and of processor time. A large module of a hundred
// kernels stays below a tenth of it; a small one that is damaged, or made for that, does not take the machine along.
constexpr uint64_t kBaseBytes = uint64_t{2} << 30, kBytesPerByte = 8 << 10;
constexpr uint64_t kBaseSeconds = 120, kBytesPerSecond = 1 << 10;

void limit(decltype(RLIMIT_AS) resource, uint64_t most) {
  rlimit now{};
  if (::getrlimit(resource, &now) != 0 || most >= now.rlim_cur)
    return;
  now.rlim_cur = most; // not the hard limit: at that, a process that runs for too long is killed without the reason
  ::setrlimit(resource, &now);
}

void limitCosts(uint64_t spirvBytes) {
  limit(RLIMIT_CPU, kBaseSeconds + spirvBytes / kBytesPerSecond);
#if !HIPLZ_ADDRESS_SANITIZER && !defined(__SANITIZE_THREAD__) // their shadows are larger than any memory
  limit(RLIMIT_AS, kBaseBytes + spirvBytes * kBytesPerByte);
#endif
}

/// Where the answer goes, piece by piece. Pieces that were sent before a crash arrive.
class AnswerSocket {
public:
  explicit AnswerSocket(int descriptor) : descriptor_(descriptor) {}
  void send(const void *data, size_t size) {
    auto *bytes = static_cast<const char *>(data);
    while (size > 0) {
      ssize_t written = ::send(descriptor_, bytes, size, MSG_NOSIGNAL);
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

/// Says under HIPLZ_LOG=debug where the processor time goes.
class PhaseClock {
public:
  /// The phase that began with the process, or where the one before ended, ends here.
  void end(const char *phase) {
    const std::clock_t now = std::clock();
    HIPLZ_LOG_DEBUG("compiler: %s: %.1f ms", phase, 1e3 * static_cast<double>(now - last_) / CLOCKS_PER_SEC);
    last_ = now;
  }

private:
  std::clock_t last_ = 0;
};

/// The request's three parts.
struct Request {
  std::string spirv, flags, hostKey;
};

bool readExactly(void *to, size_t size) {
  for (auto *at = static_cast<char *>(to); size > 0;) {
    ssize_t got = ::read(kExchangeDescriptor, at, size);
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
  limitCosts(header.spirvBytes);
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
  Compilation(const Request &request, AnswerSocket &socket)
      : spirv_(std::as_bytes(std::span(request.spirv))), hostKey_(request.hostKey), socket_(socket),
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
    socket_.send(&header, sizeof header);
    socket_.send(log_.data(), log_.size());
    socket_.send(binary.data(), binary.size());
  }

private:
  void enter(CompileStage stage) { socket_.send(&stage, sizeof stage); }

  bool stages(std::vector<std::byte> &binary, std::string &error) {
    clock_.end("start");
    if (!checkSpirv(spirv_, error))
      return false;
    enter(CompileStage::translate);
    auto module = importSpirv(spirv_, context_, error);
    if (!module)
      return false;
    enter(CompileStage::compile);
    clock_.end("translate");
    dump_.module("imported.ll", *module);
    if (options_.debugInfo && isDescribedAsUnoptimized(*module))
      options_.optimize = false; // whoever compiled it with -g and without -O wants to step through the code
    auto machine = createHostMachine(options_, error);
    ModuleTable table;
    if (!machine || !prepareModule(*module, *machine, options_, table, error))
      return false;
    clock_.end("prepare");
    dump_.module("prepared.ll", *module);
    for (Kernel &kernel : table.kernels)
      addOneByOne(kernel);
    VectorLowering vector(*machine);
    ScalarLowering scalar;
    for (Kernel &kernel : table.kernels)
      if (!vector.lower(kernel, options_))
        scalar.lower(kernel, options_);
    clock_.end("lower");
    dump_.module("work-groups.ll", *module);
    if (table.contraction || options_.fastMath)
      machine->Options.AllowFPOpFusion = FPOpFusion::Fast;
    optimizeModule(*module, *machine, options_);
    clock_.end("optimize");
    dump_.module("optimized.ll", *module);
    SmallVector<char, 0> object;
    if (!emitObject(*module, *machine, object, error))
      return false;
    clock_.end("generate code");
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
  AnswerSocket &socket_;
  std::string log_;
  CompileOptions options_;
  Dump dump_;
  PhaseClock clock_;
  LLVMContext context_;
};

} // namespace
} // namespace hiplz::cpu

int main() {
  using namespace hiplz::cpu;
  std::atexit([] { ::_exit(1); }); // the translator calls exit: nothing of libLLVM needs to be taken down in order
  limit(RLIMIT_CORE, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody else wants the answer
  ::fcntl(kExchangeDescriptor, F_SETFD, FD_CLOEXEC);
  AnswerSocket socket(kExchangeDescriptor);
  try {
    Request request;
    if (!readRequest(request)) {
      errs() << "this is the compiler of HIPLZ's CPU device, which its driver runs; it takes no arguments\n";
      ::_exit(2);
    }
    Compilation(request, socket).run();
  } catch (const std::exception &exception) {
    errs() << exception.what() << '\n';
    ::_exit(1);
  }
  ::_exit(0);
}

// SPDX-License-Identifier: MIT
// The compiler program: it takes the request and sends the answer through the socket that the driver gave it. It is a
// process of its own because neither the translator nor LLVM can be kept from ending it when something in the module
// surprises them, and because loading libLLVM would cost every program that uses the device.
#include "base/env.h"
#include "cpu/compiler/compilation.h"
#include "cpu/program/child_process.h"

#include <llvm/Support/raw_ostream.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// The limits of a module: a fixed sum and a rate for its size, of memory and of processor time. A large module of a
// hundred kernels stays below a tenth of it; a small one that is damaged, or malicious, does not take the machine down.
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
  const uint64_t seconds = envNumber(EnvVar::HIPLZ_CPU_COMPILE_SECONDS).value_or(0);
  limit(RLIMIT_CPU, seconds ? seconds : kBaseSeconds + spirvBytes / kBytesPerSecond);
  if constexpr (!HIPLZ_SANITIZED) // the shadow of a sanitizer is larger than any memory
    limit(RLIMIT_AS, kBaseBytes + spirvBytes * kBytesPerByte);
}

/// Where the answer goes, piece by piece. Pieces that were sent before a crash arrive.
class AnswerSocket final : public AnswerSink {
public:
  explicit AnswerSocket(int descriptor) : descriptor_(descriptor) {}
  void send(const void *data, size_t size) override {
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

bool readRequest(CompileRequest &request) {
  CompileRequestHeader header;
  if (!readExactly(&header, sizeof header))
    return false;
  limitCosts(header.inputBytes);
  request.task = header.task;
  request.kind = static_cast<GroupShape>(header.shape);
  if (header.size[0])
    request.kind = GroupKind(GroupSize(header.size[0], header.size[1], header.size[2]));
  request.haste = header.haste;
  request.input.resize(header.inputBytes);
  request.flags.resize(header.flagsBytes);
  request.hostKey.resize(header.hostKeyBytes);
  request.kernel.resize(header.kernelBytes);
  for (std::string *part : {&request.input, &request.flags, &request.hostKey, &request.kernel})
    if (!readExactly(part->data(), part->size()))
      return false;
  return true;
}

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
    CompileRequest request;
    if (!readRequest(request)) {
      errs() << "this is the compiler of HIPLZ's CPU device, which its driver runs; it takes no arguments\n";
      ::_exit(2);
    }
    // Kernels that run meanwhile need the processors more, but the code must come some day, even if they need all.
    constexpr int kNicer = 5;
    if (request.haste == CompileHaste::background && ::nice(kNicer) == -1)
      errs() << "the compiler cannot lower its priority\n";
    compile(request, socket);
  } catch (const std::exception &exception) {
    errs() << exception.what() << '\n';
    ::_exit(1);
  }
  ::_exit(0);
}

// The translator ends the process for many kinds of invalid input (exit, abort, failed assertions), so it runs in a
// forked child, which sends back bitcode. The bitcode is needed anyway: the translator produces typed pointers, and
// reading its bitcode in another context turns them into opaque ones.
#include "cpu/compiler/import.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>

#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hiplz::cpu {
namespace {

constexpr rlim_t kMaxSeconds = 300; // of processor time, against endless loops in the translator

/// A pipe whose ends are closed by the destructor.
struct Pipe {
  int ends[2] = {-1, -1};
  bool open() { return ::pipe2(ends, O_CLOEXEC) == 0; }
  void close(int end) {
    if (ends[end] >= 0)
      ::close(ends[end]);
    ends[end] = -1;
  }
  ~Pipe() {
    close(0);
    close(1);
  }
};

bool writeAll(int descriptor, const void *data, size_t size) {
  auto *bytes = static_cast<const char *>(data);
  while (size > 0) {
    ssize_t written = ::write(descriptor, bytes, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes += written;
    size -= static_cast<size_t>(written);
  }
  return true;
}

// Reads both streams until both are closed.
void readBoth(int first, std::string &firstText, int second, std::string &secondText) {
  pollfd polled[2] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
  std::string *texts[2] = {&firstText, &secondText};
  char buffer[65536];
  for (int open = 2; open > 0;) {
    if (::poll(polled, 2, -1) < 0 && errno != EINTR)
      return;
    for (int i = 0; i < 2; ++i) {
      if (polled[i].fd < 0 || !(polled[i].revents & (POLLIN | POLLHUP | POLLERR)))
        continue;
      ssize_t got = ::read(polled[i].fd, buffer, sizeof buffer);
      if (got > 0) {
        texts[i]->append(buffer, static_cast<size_t>(got));
      } else if (got == 0 || errno != EINTR) {
        polled[i].fd = -1;
        --open;
      }
    }
  }
}

// In the child. The answer is the bitcode followed by its size, so that a partial answer is recognised.
[[noreturn]] void translate(std::span<const std::byte> spirv, int output) {
  llvm::LLVMContext context;
  context.setOpaquePointers(false);
  SPIRV::TranslatorOpts options;
  options.enableAllExtensions();
  options.setDesiredBIsRepresentation(SPIRV::BIsRepresentation::SPIRVFriendlyIR);
  std::istringstream input(std::string(reinterpret_cast<const char *>(spirv.data()), spirv.size()));
  llvm::Module *module = nullptr;
  std::string error;
  if (!llvm::readSpirv(context, options, input, module, error) || !module) {
    error += '\n';
    writeAll(STDERR_FILENO, error.data(), error.size());
    ::_exit(1);
  }
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*module, stream);
  uint64_t size = bitcode.size();
  bool sent = writeAll(output, bitcode.data(), size) && writeAll(output, &size, sizeof size);
  ::_exit(sent ? 0 : 1);
}

[[noreturn]] void runChild(std::span<const std::byte> spirv, Pipe &answer, Pipe &messages) {
  for (int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGPIPE, SIGTRAP})
    ::signal(signal, SIG_DFL);
  std::atexit([] { ::_exit(1); }); // before every handler that the program has registered
  rlimit none{0, 0}, time{kMaxSeconds, kMaxSeconds};
  ::setrlimit(RLIMIT_CORE, &none);
  ::setrlimit(RLIMIT_CPU, &time);
  ::dup2(messages.ends[1], STDERR_FILENO);
  ::dup2(messages.ends[1], STDOUT_FILENO);
  translate(spirv, answer.ends[1]);
}

std::string describeFailure(std::string messages, int status) {
  while (!messages.empty() && std::isspace(static_cast<unsigned char>(messages.back())))
    messages.pop_back();
  std::string text = "SPIR-V: the translator does not accept the module";
  if (WIFSIGNALED(status))
    text += std::string(" (") + ::strsignal(WTERMSIG(status)) + ")";
  return messages.empty() ? text : text + ": " + messages;
}

// True if `bitcode` holds a whole answer.
bool translateInChild(std::span<const std::byte> spirv, std::string &bitcode, std::string &error) {
  Pipe answer, messages;
  if (!answer.open() || !messages.open()) {
    error = "compiler: no pipe to the translator: " + std::string(std::strerror(errno));
    return false;
  }
  pid_t child = ::fork();
  if (child < 0) {
    error = "compiler: no process for the translator: " + std::string(std::strerror(errno));
    return false;
  }
  if (child == 0)
    runChild(spirv, answer, messages);
  answer.close(1);
  messages.close(1);
  std::string text;
  readBoth(answer.ends[0], bitcode, messages.ends[0], text);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  uint64_t size = 0;
  if (bitcode.size() > sizeof size) {
    std::memcpy(&size, bitcode.data() + bitcode.size() - sizeof size, sizeof size);
    bitcode.resize(bitcode.size() - sizeof size);
  }
  if (size != 0 && size == bitcode.size())
    return true;
  error = describeFailure(text, status);
  return false;
}

} // namespace

std::unique_ptr<llvm::Module> importSpirv(std::span<const std::byte> spirv, llvm::LLVMContext &context,
                                          std::string &error) {
  std::string bitcode;
  if (!translateInChild(spirv, bitcode, error))
    return nullptr;
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "spirv"), context);
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

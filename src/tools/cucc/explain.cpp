// SPDX-License-Identifier: MIT
#include "tools/cucc/explain.h"

#include "tools/long_command.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

namespace hiplz::cucc {

namespace {

void writeAll(const char *text, size_t length) {
  while (length > 0) {
    const ssize_t written = ::write(STDERR_FILENO, text, length);
    if (written < 0 && errno != EINTR)
      return;
    text += written < 0 ? 0 : written;
    length -= written < 0 ? 0 : static_cast<size_t>(written);
  }
}

} // namespace

std::string explanationOf(std::string_view messages) {
  // What clang says depends on whether the kernel is a template.
  size_t launch = messages.find("reference to __global__ function");
  if (launch == messages.npos)
    launch = messages.find("reference to __host__ function '__hipPushCallConfiguration'");
  if (launch == messages.npos)
    return {};
  const std::string_view line = messages.substr(launch, messages.find('\n', launch) - launch);
  if (line.find("in __global__ function") == line.npos && line.find("in __device__ function") == line.npos &&
      line.find("in __host__ __device__ function") == line.npos)
    return {};
  return "kernels cannot launch kernels here (CUDA's dynamic parallelism is not supported): launch them from the host";
}

int runAndExplain(hipcc::Words command) {
  int ends[2];
  if (::pipe(ends) != 0) { // without descriptors there is no explanation, but a command
    execCommand(command);
    return 127;
  }
  if (::isatty(STDERR_FILENO)) // clang sees a pipe
    command.insert(command.begin() + 1, "-fcolor-diagnostics");
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    execCommand(command);
    std::fprintf(stderr, "cucc: cannot run %s: %s\n", command[0].c_str(), std::strerror(errno));
    ::_exit(127);
  }
  ::close(ends[1]);
  std::string messages;
  char buffer[4096];
  for (ssize_t length = 1; child > 0 && length != 0;) {
    length = ::read(ends[0], buffer, sizeof buffer);
    if (length < 0 && errno != EINTR)
      break;
    if (length > 0) {
      writeAll(buffer, static_cast<size_t>(length));
      messages.append(buffer, static_cast<size_t>(length));
    }
    length = length < 0 ? 1 : length;
  }
  ::close(ends[0]);
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) {
    std::fprintf(stderr, "cucc: cannot run %s: %s\n", command[0].c_str(), std::strerror(errno));
    return 127;
  }
  if (WIFSIGNALED(status)) {
    std::signal(WTERMSIG(status), SIG_DFL);
    ::raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
  }
  if (const std::string sentence = explanationOf(messages); !sentence.empty())
    std::fprintf(stderr, "cucc: %s\n", sentence.c_str());
  return WEXITSTATUS(status);
}

} // namespace hiplz::cucc

// SPDX-License-Identifier: MIT
#include "tools/cucc/explain.h"

#include "tools/cucc/lenient.h"
#include "tools/long_command.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>
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

/// Which package has a header that CUDA's libraries stand on here.
static std::string packageOf(std::string_view messages) {
  struct Library {
    std::string_view header, sentence;
  };
  constexpr Library kLibraries[] = {
      {"'thrust/", "Thrust is rocThrust here: install librocthrust-dev (Debian 13), or give the folder of its headers "
                   "with -isystem"},
      {"'hipcub/",
       "CUB is hipCUB here: install libhipcub-dev (Debian 13), or give the folder of its headers with -isystem"},
      {"'rocprim/",
       "CUB and Thrust need rocPRIM: install librocprim-dev, or give the folder of its headers with -isystem"},
      {"'rocrand/",
       "cuRAND in kernels is rocRAND here: install librocrand-dev, or give the folder of its headers with -isystem"},
  };
  for (const auto &[header, sentence] : kLibraries)
    if (const size_t at = messages.find(std::string("fatal error: ") += header); at != messages.npos) {
      const std::string_view line = messages.substr(at, messages.find('\n', at) - at);
      if (line.find("file not found") != line.npos)
        return std::string(sentence);
    }
  return {};
}

std::string explanationOf(std::string_view messages) {
  if (std::string package = packageOf(messages); !package.empty())
    return package;
  // Clang's message depends on whether the kernel is a template.
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

namespace {

/// How a command ended, and what it wrote to stderr. The lines from `shown` on have not been passed on yet.
struct Outcome {
  int status = 127;
  std::string messages;
  size_t shown = 0;
};

/// Passes on all complete lines in front of one that another attempt may make obsolete.
void showLines(Outcome &outcome) {
  const size_t held = findLeniency(outcome.messages, outcome.shown);
  const size_t end = outcome.messages.rfind('\n', held == std::string::npos ? held : held - 1);
  if (end == std::string::npos || end + 1 <= outcome.shown)
    return;
  writeAll(outcome.messages.data() + outcome.shown, end + 1 - outcome.shown);
  outcome.shown = end + 1;
}

/// Runs a command to its end, unless it cannot be started.
std::optional<Outcome> runCommand(const hipcc::Words &command) {
  int ends[2];
  if (::pipe(ends) != 0) { // without descriptors there is no explanation, but a command
    execCommand(command);
    return std::nullopt;
  }
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
  Outcome outcome;
  char buffer[4096];
  for (ssize_t length = 1; child > 0 && length != 0;) {
    length = ::read(ends[0], buffer, sizeof buffer);
    if (length < 0 && errno != EINTR)
      break;
    if (length > 0) {
      outcome.messages.append(buffer, static_cast<size_t>(length));
      showLines(outcome);
    }
    length = length < 0 ? 1 : length;
  }
  ::close(ends[0]);
  if (child < 0 || ::waitpid(child, &outcome.status, 0) != child) {
    std::fprintf(stderr, "cucc: cannot run %s: %s\n", command[0].c_str(), std::strerror(errno));
    return std::nullopt;
  }
  return outcome;
}

} // namespace

int runAndExplain(hipcc::Words command) {
  if (::isatty(STDERR_FILENO)) // clang sees a pipe
    command.insert(command.begin() + 1, "-fcolor-diagnostics");
  SourceOverlay overlay;
  std::optional<Outcome> outcome = runCommand(command);
  hipcc::Words again = command;
  for (int attempt = 0; outcome && outcome->status != 0 && attempt < 20 && overlay.add(outcome->messages); ++attempt) {
    if (attempt == 0)
      again.insert(again.begin() + 1, {overlay.option(), "-ferror-limit=0"});
    outcome = runCommand(again);
    if (outcome && outcome->status == 0)
      std::fprintf(
          stderr,
          "cucc: note: a copy of the source was compiled in which what nvcc accepts and clang does not is put right\n");
  }
  if (!outcome)
    return 127;
  writeAll(outcome->messages.data() + outcome->shown, outcome->messages.size() - outcome->shown);
  if (WIFSIGNALED(outcome->status)) {
    std::signal(WTERMSIG(outcome->status), SIG_DFL);
    ::raise(WTERMSIG(outcome->status));
    return 128 + WTERMSIG(outcome->status);
  }
  if (const std::string sentence = explanationOf(outcome->messages); !sentence.empty())
    std::fprintf(stderr, "cucc: %s\n", sentence.c_str());
  return WEXITSTATUS(outcome->status);
}

} // namespace hiplz::cucc

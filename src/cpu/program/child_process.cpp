// A child with three files: the request in memory, and two pipes.
#include "cpu/program/child_process.h"

#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hiplz::cpu {
namespace {

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

// Reads both streams until both are closed.
void readBoth(int first, std::string &firstText, int second, std::string &secondText) {
  pollfd polled[2] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
  std::string *texts[2] = {&firstText, &secondText};
  char buffer[65536];
  for (int open = 2; open > 0;) {
    if (::poll(polled, 2, -1) < 0) {
      if (errno != EINTR)
        return;
      continue;
    }
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

/// A file in memory that is closed by the destructor.
class MemoryFile {
public:
  MemoryFile() : descriptor_(::memfd_create("hiplz-request", MFD_CLOEXEC)) {}
  ~MemoryFile() {
    if (descriptor_ >= 0)
      ::close(descriptor_);
  }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;
  int descriptor() const { return descriptor_; }

  bool append(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        return false;
      bytes = bytes.subspan(static_cast<size_t>(written));
    }
    return true;
  }
  bool rewind() { return ::lseek(descriptor_, 0, SEEK_SET) == 0; }

private:
  int descriptor_;
};

/// posix_spawn; 0 or the number of the error.
int spawn(pid_t &child, const std::string &path, int input, int output, int errors) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  std::string name = path;
  char *arguments[] = {name.data(), nullptr};
  int error = ::posix_spawn(&child, path.c_str(), &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

} // namespace

ChildResult runProgram(const std::string &path, std::span<const std::span<const std::byte>> request) {
  ChildResult result;
  Pipe answer, messages;
  MemoryFile input;
  bool ready = input.descriptor() >= 0 && answer.open() && messages.open();
  for (std::span<const std::byte> piece : request)
    ready = ready && input.append(piece);
  int error = ready && input.rewind() ? 0 : errno;
  pid_t child = -1;
  if (!error)
    error = spawn(child, path, input.descriptor(), answer.ends[1], messages.ends[1]);
  if (error) {
    result.messages = path + ": " + std::strerror(error);
    return result;
  }
  result.started = true;
  answer.close(1);
  messages.close(1);
  readBoth(answer.ends[0], result.answer, messages.ends[0], result.messages);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) { // the program has its own way with children; the answer tells whether all went well
      status = 0;
      break;
    }
  }
  if (WIFSIGNALED(status))
    result.signal = WTERMSIG(status);
  while (!result.messages.empty() && std::isspace(static_cast<unsigned char>(result.messages.back())))
    result.messages.pop_back();
  return result;
}

} // namespace hiplz::cpu

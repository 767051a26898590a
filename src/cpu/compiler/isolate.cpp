#include "cpu/compiler/isolate.h"

#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hiplz::cpu {
namespace {

constexpr rlim_t kMaxSeconds = 600; // of processor time, against endless loops

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

[[noreturn]] void runChild(const std::function<void(AnswerPipe &)> &work, Pipe &answer, Pipe &messages) {
  for (int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGINT, SIGPIPE, SIGTRAP, SIGXCPU})
    ::signal(signal, SIG_DFL);
  std::atexit([] { ::_exit(1); }); // runs before every handler that the program has registered
  rlimit none{0, 0}, time{kMaxSeconds, kMaxSeconds};
  ::setrlimit(RLIMIT_CORE, &none);
  ::setrlimit(RLIMIT_CPU, &time);
  ::dup2(messages.ends[1], STDERR_FILENO);
  ::dup2(messages.ends[1], STDOUT_FILENO);
  AnswerPipe pipe(answer.ends[1]);
  work(pipe);
  ::_exit(0);
}

} // namespace

void AnswerPipe::send(const void *data, size_t size) {
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

ChildResult runIsolated(const std::function<void(AnswerPipe &)> &work) {
  ChildResult result;
  Pipe answer, messages;
  pid_t child = answer.open() && messages.open() ? ::fork() : -1;
  if (child < 0) {
    result.messages = std::strerror(errno);
    return result;
  }
  if (child == 0)
    runChild(work, answer, messages);
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

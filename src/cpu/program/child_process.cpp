// SPDX-License-Identifier: MIT
// A child with a socket for the request and the answer, and a pipe for what it and the libraries in it print. The end is the
// child's end, not that of its descriptors: a process that another thread forks has copies of them. No file is made, not even
// one in memory: the system may forbid those, and limits of the size of files end the process that exceeds them.
#include "cpu/program/child_process.h"
#include "base/cancellation.h"
#include "base/shortage.h"

#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace hiplz::cpu {
namespace {

constexpr int kPollMilliseconds = 10; // between looks at a child whose end nothing announces

/// A descriptor that is closed on exec and by the destructor.
class Descriptor {
public:
  Descriptor() = default;
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  int get() const { return number_; }
  void reset(int number = -1) {
    if (number_ >= 0)
      ::close(number_);
    number_ = number;
  }
  /// Makes room for the numbers that the child uses. False with errno set if there is no other number.
  bool moveUp() {
    if (number_ > kExchangeDescriptor)
      return true;
    const int moved = ::fcntl(number_, F_DUPFD_CLOEXEC, kExchangeDescriptor + 1);
    if (moved < 0)
      return false;
    reset(moved);
    return true;
  }
  bool dontBlock() { return ::fcntl(number_, F_SETFL, ::fcntl(number_, F_GETFL) | O_NONBLOCK) == 0; }

private:
  int number_ = -1;
};

struct Channels {
  Descriptor exchange, childExchange, messages, childMessages;

  /// False with errno set.
  bool open() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      return false;
    exchange.reset(ends[0]);
    childExchange.reset(ends[1]);
    if (::pipe2(ends, O_CLOEXEC) != 0)
      return false;
    messages.reset(ends[0]);
    childMessages.reset(ends[1]);
    return childExchange.moveUp() && childMessages.moveUp() && exchange.dontBlock() && messages.dontBlock();
  }
};

/// posix_spawn; 0 or the number of the error.
int spawn(pid_t &child, const std::string &path, const Channels &channels) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) // the pipe cannot be read at this end
    posix_spawn_file_actions_adddup2(&actions, channels.childMessages.get(), standard);
  posix_spawn_file_actions_adddup2(&actions, channels.childExchange.get(), kExchangeDescriptor);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  std::string name = path;
  char *arguments[] = {name.data(), nullptr}, *nothing[] = {nullptr};
  const bool foreignRights = ::getauxval(AT_SECURE) != 0;
  int error = ::posix_spawn(&child, path.c_str(), &actions, &attributes, arguments, foreignRights ? nothing : environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

bool isPassing(int error) { return isShortOfHandles(error) || error == ENOMEM || error == ENOBUFS; }

/// Talks to a child until it has ended.
class Conversation {
public:
  Conversation(pid_t child, Channels &channels, std::span<const std::span<const std::byte>> request,
               int endsWhenReadable, ChildResult &result)
      : child_(child), channels_(channels), request_(request), endsWhenReadable_(endsWhenReadable), result_(result) {
    end_.reset(static_cast<int>(::syscall(SYS_pidfd_open, child, 0))); // Linux 5.3
  }

  /// The child's status, or 0 if somebody else has fetched it.
  int run() {
    while (!hasEnded()) {
      pollfd polled[4] = {{channels_.exchange.get(), static_cast<short>(POLLIN | (request_.empty() ? 0 : POLLOUT)), 0},
                          {channels_.messages.get(), POLLIN, 0},
                          {end_.get(), POLLIN, 0},
                          {endsWhenReadable_, POLLIN, 0}};
      if (exchangeIsOver_)
        polled[0].fd = -1;
      if (messagesAreOver_)
        polled[1].fd = -1;
      const int ready = ::poll(polled, 4, end_.get() >= 0 ? -1 : kPollMilliseconds);
      mayHaveEnded_ = end_.get() < 0 || (ready > 0 && polled[2].revents != 0);
      if (ready > 0 && polled[3].revents != 0) { // it has not been waited for, so the number is still its own
        ::kill(child_, SIGKILL);
        endsWhenReadable_ = -1;
      }
      send();
      receive();
    }
    receive();
    return status_;
  }

private:
  bool hasEnded() {
    if (!mayHaveEnded_)
      return false;
    pid_t ended;
    while ((ended = ::waitpid(child_, &status_, WNOHANG)) < 0 && errno == EINTR) {
    }
    if (ended < 0)
      status_ = 0; // the program handles its children itself; the answer shows whether all went well
    return ended != 0;
  }

  void send() {
    while (!request_.empty()) {
      const auto piece = request_.front().subspan(sent_);
      const ssize_t written =
          piece.empty() ? 0 : ::send(channels_.exchange.get(), piece.data(), piece.size(), MSG_NOSIGNAL);
      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0 && errno == EAGAIN)
        return;
      if (written < 0) { // nobody reads it any more
        request_ = {};
        break;
      }
      sent_ += static_cast<size_t>(written);
      if (sent_ == request_.front().size()) {
        request_ = request_.subspan(1);
        sent_ = 0;
      }
    }
    if (!std::exchange(hasShutDown_, true))
      ::shutdown(channels_.exchange.get(), SHUT_WR);
  }

  void receive() {
    exchangeIsOver_ = exchangeIsOver_ || readAll(channels_.exchange.get(), result_.answer);
    messagesAreOver_ = messagesAreOver_ || readAll(channels_.messages.get(), result_.messages);
  }

  // Reads what is there. True if nothing can follow. Not through the stack: that of the application's thread may be
  // small.
  static bool readAll(int descriptor, std::string &text) {
    constexpr size_t kStep = 65536;
    for (;;) {
      const size_t before = text.size();
      text.resize(before + kStep);
      const ssize_t got = ::read(descriptor, text.data() + before, kStep);
      text.resize(before + (got > 0 ? static_cast<size_t>(got) : 0));
      if (got > 0)
        continue;
      if (got == 0 || (errno != EINTR && errno != EAGAIN))
        return true;
      if (errno == EAGAIN)
        return false;
    }
  }

  const pid_t child_;
  Channels &channels_;
  std::span<const std::span<const std::byte>> request_;
  int endsWhenReadable_;
  ChildResult &result_;
  Descriptor end_;
  size_t sent_ = 0; // of the first piece
  bool hasShutDown_ = false, exchangeIsOver_ = false, messagesAreOver_ = false, mayHaveEnded_ = false;
  int status_ = 0;
};

} // namespace

ChildResult runProgram(const std::string &path, std::span<const std::span<const std::byte>> request,
                       int endsWhenReadable) {
  const CancellationOff notNow;
  ChildResult result;
  Channels channels;
  pid_t child = -1;
  const int error = channels.open() ? spawn(child, path, channels) : errno;
  if (error) {
    result.shortage = isPassing(error) ? error : 0;
    result.messages = path + ": " + describeSystemError(error);
    return result;
  }
  result.started = true;
  channels.childExchange.reset();
  channels.childMessages.reset();
  const int status = Conversation(child, channels, request, endsWhenReadable, result).run();
  if (WIFSIGNALED(status))
    result.signal = WTERMSIG(status);
  while (!result.messages.empty() && std::isspace(static_cast<unsigned char>(result.messages.back())))
    result.messages.pop_back();
  return result;
}

} // namespace hiplz::cpu

// SPDX-License-Identifier: MIT
#include "prof/tool/launcher.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hiplz::prof {
namespace {

volatile sig_atomic_t child = 0;

void forward(int signal) {
  if (child)
    ::kill(child, signal);
}

} // namespace

Ended runProfiled(const std::vector<std::string> &program, const std::string &traces, const std::string &parts) {
  Ended ended;
  ::setenv("HIPLZ_PROF", traces.c_str(), 1);
  ::setenv("HIPLZ_PROF_TRACE", parts.c_str(), 1);
  std::vector<char *> arguments;
  for (const std::string &argument : program)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);

  // The terminal sends these to the program as well; the tool has to outlive them.
  struct sigaction ignore {
  }, pass{};
  ignore.sa_handler = SIG_IGN;
  pass.sa_handler = forward;
  pass.sa_flags = SA_RESTART;
  sigset_t defaults;
  sigemptyset(&defaults);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  for (const int signal : {SIGINT, SIGQUIT}) {
    struct sigaction before {};
    ::sigaction(signal, &ignore, &before);
    if (before.sa_handler != SIG_IGN)
      sigaddset(&defaults, signal);
  }
  for (const int signal : {SIGTERM, SIGHUP})
    ::sigaction(signal, &pass, nullptr); // exec resets it
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, arguments[0], nullptr, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  if (error) {
    ended.problem = program[0] + ": " + std::strerror(error);
    ended.exitCode = error == ENOENT ? 127 : 126;
    return ended;
  }
  child = ended.pid = pid;
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  child = 0;
  ended.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  ended.exitCode = ended.signal ? 128 + ended.signal : WEXITSTATUS(status);
  return ended;
}

} // namespace hiplz::prof

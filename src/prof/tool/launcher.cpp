// SPDX-License-Identifier: MIT
#include "prof/tool/launcher.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace hiplz::prof {
namespace {

volatile sig_atomic_t child = 0;

void forward(int signal) {
  if (child)
    ::kill(child, signal);
}

// This process's environment with these variables; an empty value removes one.
std::vector<std::string> changedEnvironment(const std::vector<std::pair<std::string, std::string>> &changes) {
  std::vector<std::string> all;
  for (char **entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    if (std::none_of(changes.begin(), changes.end(), [&](const auto &change) {
          return text.starts_with(change.first) && text.substr(change.first.size()).starts_with('=');
        }))
      all.emplace_back(text);
  }
  for (const auto &[name, value] : changes)
    if (!value.empty())
      all.push_back(name + "=" + value);
  return all;
}

// As exec wants them, with a null pointer at the end.
std::vector<char *> pointersTo(const std::vector<std::string> &texts) {
  std::vector<char *> pointers;
  for (const std::string &text : texts)
    pointers.push_back(const_cast<char *>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

} // namespace

Ended runProgram(const std::vector<std::string> &program,
                 const std::vector<std::pair<std::string, std::string>> &environment, Streams streams) {
  Ended ended;
  const std::vector<std::string> all = changedEnvironment(environment);
  const std::vector<char *> variables = pointersTo(all), arguments = pointersTo(program);
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
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (streams == Streams::silent) {
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  }
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, arguments[0], &actions, &attributes, arguments.data(), variables.data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
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

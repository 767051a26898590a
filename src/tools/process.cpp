// SPDX-License-Identifier: MIT
#include "tools/process.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hiplz {

Outcome run(const std::string &program, const std::vector<std::string> &arguments, Collect collect) {
  Outcome outcome;
  std::vector<char *> argv{const_cast<char *>(program.c_str())};
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);

  int channel[2];
  if (pipe2(channel, O_CLOEXEC) != 0) {
    outcome.messages = std::strerror(errno);
    return outcome;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, channel[1], STDERR_FILENO);
  if (collect == Collect::everything)
    posix_spawn_file_actions_adddup2(&actions, channel[1], STDOUT_FILENO);
  pid_t child = 0;
  int error = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(channel[1]);
  if (error != 0) {
    close(channel[0]);
    outcome.messages = std::strerror(error);
    return outcome;
  }
  char buffer[4096];
  for (ssize_t count; (count = read(channel[0], buffer, sizeof buffer)) != 0;) {
    if (count > 0)
      outcome.messages.append(buffer, size_t(count));
    else if (errno != EINTR)
      break;
  }
  close(channel[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  outcome.started = true;
  if (WIFSIGNALED(status))
    outcome.signal = WTERMSIG(status);
  else
    outcome.exitCode = WEXITSTATUS(status);
  return outcome;
}

} // namespace hiplz

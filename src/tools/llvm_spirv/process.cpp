#include "process.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <regex>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace hiplz::spirv {

Outcome run(const std::string& program, const std::vector<std::string>& arguments, Collect collect) {
  Outcome outcome;
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments)
    argv.push_back(const_cast<char*>(argument.c_str()));
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

std::string messagesWithoutTrace(const Outcome& outcome) {
  std::istringstream lines(outcome.messages);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("PLEASE submit") || line.starts_with("Stack dump"))
      break;
    result += line + '\n';
  }
  return result;
}

std::string explain(const Outcome& outcome) {
  const std::string& text = outcome.messages;
  std::smatch match;
  if (std::regex_search(text, match, std::regex("Unexpected llvm intrinsic:\\s*(\\S+)")))
    return "the device code uses the LLVM intrinsic '" + match[1].str() + "', which has no form in SPIR-V";
  if (std::regex_search(text, match, std::regex("Can't translate llvm instruction:\\s*([^\\n]*)")))
    return "the device code contains an instruction that has no form in SPIR-V: " + match[1].str();
  if (std::regex_search(text, match, std::regex("InvalidBitWidth[^\\n]*\\n\\s*([^\\n]*)")))
    return "the device code uses an integer type of a width that SPIR-V does not have: " + match[1].str();
  if (text.find("FunctionPointers:") != std::string::npos)
    return "the device code uses a pointer to a function, which is not supported on the device";
  if (std::regex_search(text, match, std::regex("Unsupported vector type with (\\d+) elements")))
    return "the device code uses vectors of " + match[1].str() + " elements; the device has 2, 3, 4, 8 and 16";
  if (outcome.signal != 0) {
    std::string reason = std::string("the SPIR-V translator stopped on a signal (") + strsignal(outcome.signal) + ")";
    if (std::regex_search(text, match, std::regex("Assertion `([^\\n]*)' failed")))
      reason += ", assertion " + match[1].str();
    return reason + "; the device code contains something that it cannot translate";
  }
  return "the SPIR-V translator failed with status " + std::to_string(outcome.exitCode);
}

} // namespace hiplz::spirv

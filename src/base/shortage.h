// SPDX-License-Identifier: MIT
// Which resource the system has run out of, in words: "Too many open files" does not say whose limit that is, nor who can raise it.
#pragma once
#include <cerrno>
#include <cstring>
#include <string>
#include <sys/resource.h>

namespace hiplz {

/// True if the system has refused something for want of descriptors or processes, as opposed to memory.
constexpr bool isShortOfHandles(int error) { return error == EMFILE || error == ENFILE || error == EAGAIN; }

/// The text of an error number, and what can be done about a limit. Thread-safe.
inline std::string describeSystemError(int error) {
  const std::string text = std::strerror(error);
  rlimit limit{};
  if (error == EMFILE && ::getrlimit(RLIMIT_NOFILE, &limit) == 0)
    return text + ": the process has all " + std::to_string(limit.rlim_cur) +
           " file descriptors that it may have; raise the limit (ulimit -n)";
  if (error == ENFILE)
    return text + ": the system has all the file descriptors that it may have; raise the limit (sysctl fs.file-max)";
  if (error == EAGAIN)
    return text + ": no process or thread can be started; raise the limit (ulimit -u, or that of the control group)";
  return text;
}

} // namespace hiplz

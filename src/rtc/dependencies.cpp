// SPDX-License-Identifier: MIT
#include "rtc/dependencies.h"

#include <cstdlib>
#include <sys/stat.h>

namespace hiplz::rtc {
namespace {

constexpr const char *kVariables[] = {
    "CPATH",     "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",  "OBJC_INCLUDE_PATH",    "COMPILER_PATH", "SOURCE_DATE_EPOCH",
    "ROCM_PATH", "HIP_PATH",       "HIP_DEVICE_LIB_PATH", "OBJCPLUS_INCLUDE_PATH"};

/// All zeros: not there.
struct State {
  uint64_t size = 0, inode = 0, modified = 0, changed = 0;
  bool operator==(const State &) const = default;
};

uint64_t nanoseconds(const timespec &time) {
  return static_cast<uint64_t>(time.tv_sec) * 1000000000u + static_cast<uint64_t>(time.tv_nsec);
}

State stateOf(const char *file) {
  struct stat status;
  if (::stat(file, &status) != 0)
    return {};
  // Files that are copied with their times, or put in another's place, differ in the others.
  return {static_cast<uint64_t>(status.st_size), status.st_ino, nanoseconds(status.st_mtim),
          nanoseconds(status.st_ctim)};
}

} // namespace

std::string compilerEnvironment() {
  std::string text;
  for (const char *name : kVariables)
    if (const char *value = std::getenv(name))
      text += std::string(name) + "=" + value + '\0';
  return text;
}

timespec fileTime() {
  timespec time;
  ::clock_gettime(CLOCK_REALTIME_COARSE, &time);
  return time;
}

bool writeDependencies(SerialWriter &writer, const std::vector<std::string> &files, const timespec &begin) {
  bool settled = true;
  writer.number(files.size());
  for (const std::string &file : files) {
    const State state = stateOf(file.c_str());
    settled = settled && state.changed < nanoseconds(begin);
    writer.text(file);
    writer.number(state.size);
    writer.number(state.inode);
    writer.number(state.modified);
    writer.number(state.changed);
  }
  return settled;
}

bool readDependencies(SerialReader &reader, std::vector<std::string> *files) {
  bool same = true;
  for (uint64_t count = reader.count(); count > 0 && reader.good(); --count) {
    const std::string file(reader.text());
    State state;
    state.size = reader.number();
    state.inode = reader.number();
    state.modified = reader.number();
    state.changed = reader.number();
    same = same && stateOf(file.c_str()) == state;
    if (files)
      files->push_back(file);
  }
  return same && reader.good();
}

} // namespace hiplz::rtc

#include "rtc/dependencies.h"

#include <sys/stat.h>

namespace hiplz::rtc {
namespace {

struct State {
  uint64_t size = 0, time = 0;
  bool operator==(const State &) const = default;
};

State stateOf(const char *file) {
  struct stat status;
  if (::stat(file, &status) != 0)
    return {};
  return {static_cast<uint64_t>(status.st_size),
          static_cast<uint64_t>(status.st_mtim.tv_sec) * 1000000000u + static_cast<uint64_t>(status.st_mtim.tv_nsec)};
}

} // namespace

void writeDependencies(SerialWriter &writer, const std::vector<std::string> &files) {
  writer.number(files.size());
  for (const std::string &file : files) {
    const State state = stateOf(file.c_str());
    writer.text(file);
    writer.number(state.size);
    writer.number(state.time);
  }
}

bool readDependencies(SerialReader &reader) {
  bool same = true;
  for (uint64_t count = reader.number(); count > 0 && reader.good(); --count) {
    const std::string file(reader.text());
    const uint64_t size = reader.number(), time = reader.number();
    same = same && stateOf(file.c_str()) == State{size, time};
  }
  return same && reader.good();
}

} // namespace hiplz::rtc

// SPDX-License-Identifier: MIT
#include "roofline/system_caches.h"

#include "base/processors.h"

#include <algorithm>
#include <fstream>
#include <set>

namespace hiplz::roofline {

namespace {

std::string readLine(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// "48K" or "2M".
uint64_t sizeOf(const std::string &text) {
  if (text.empty() || text[0] < '0' || text[0] > '9')
    return 0;
  size_t end = 0;
  const uint64_t number = std::stoull(text, &end);
  const char unit = end < text.size() ? text[end] : ' ';
  return number << (unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0);
}

} // namespace

std::vector<Level> systemCaches(const std::string &root) {
  const Processors processors = readProcessors(root);
  const auto folder = [&](unsigned processor, int index) {
    return root + "/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/cache/index" + std::to_string(index) +
           "/";
  };
  std::vector<Level> levels;
  const unsigned first = processors.allowed.front().number;
  for (int index = 0;; ++index) {
    const std::string type = readLine(folder(first, index) + "type");
    if (type.empty())
      break;
    if (type == "Instruction")
      continue;
    Level level;
    level.name = "L" + readLine(folder(first, index) + "level");
    level.bytes = sizeOf(readLine(folder(first, index) + "size"));
    level.source = "system";
    // Processors that share an instance have the same list.
    std::set<std::string> instances;
    for (const Processor &processor : processors.allowed)
      instances.insert(readLine(folder(processor.number, index) + "shared_cpu_list"));
    level.instances = std::max(1u, static_cast<unsigned>(std::min<size_t>(instances.size(), processors.limit)));
    if (level.bytes)
      levels.push_back(level);
  }
  std::ranges::sort(levels, {}, &Level::bytes);
  return levels;
}

} // namespace hiplz::roofline

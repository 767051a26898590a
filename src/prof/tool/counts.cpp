// SPDX-License-Identifier: MIT
#include "prof/tool/counts.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>

namespace hiplz::prof {
namespace {

constexpr const char *kNameColumn = "\"Kernel_Name\"";

std::string tableHead() {
  std::string head = kNameColumn;
  for (const char *column : counts::kColumns)
    head.append(",").append(column);
  return head;
}

// A page that a process did not come to fill has no magic number.
void addPages(const std::string &path, std::vector<KernelCounts> &all) {
  std::ifstream in(path, std::ios::binary);
  const auto page = std::make_unique<counts::Page>();
  std::vector<char> bytes(counts::kPageBytes);
  while (in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
    std::memcpy(static_cast<void *>(page.get()), bytes.data(), sizeof *page);
    if (std::all_of(std::begin(page->magic), std::end(page->magic), [](char letter) { return letter == 0; }))
      continue;
    if (std::memcmp(page->magic, counts::Page::kMagic, sizeof page->magic) != 0 ||
        page->nameBytes > counts::Page::kLongestName) {
      std::fprintf(stderr, "hiplz-prof: %s is damaged\n", path.c_str());
      return;
    }
    KernelCounts kernel;
    kernel.kernel.assign(page->name, page->nameBytes);
    std::copy_n(page->counters, counts::counterCount, kernel.counters.begin());
    if (kernel[counts::launches])
      mergeCounts(all, {kernel});
  }
}

} // namespace

void mergeCounts(std::vector<KernelCounts> &into, const std::vector<KernelCounts> &more) {
  for (const KernelCounts &kernel : more) {
    const auto found = std::lower_bound(into.begin(), into.end(), kernel.kernel,
                                        [](const KernelCounts &a, const std::string &b) { return a.kernel < b; });
    if (found == into.end() || found->kernel != kernel.kernel)
      into.insert(found, kernel);
    else
      std::transform(kernel.counters.begin(), kernel.counters.end(), found->counters.begin(), found->counters.begin(),
                     std::plus<>());
  }
}

std::vector<KernelCounts> readCounts(const std::string &folder) {
  std::vector<KernelCounts> all;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == counts::kSuffix)
      addPages(entry.path().string(), all);
  return all;
}

void writeCountsTable(std::ostream &out, const std::vector<KernelCounts> &counts) {
  out << tableHead() << '\n';
  for (const KernelCounts &kernel : counts) {
    out << '"' << kernel.kernel << '"';
    for (const uint64_t counter : kernel.counters)
      out << ',' << counter;
    out << '\n';
  }
}

std::vector<KernelCounts> readCountsTable(const std::string &path) {
  std::ifstream in(path);
  std::string line;
  if (!in || !std::getline(in, line))
    throw std::runtime_error(path + " cannot be read");
  if (line != tableHead())
    throw std::runtime_error(path + " is not a table of counts that this version of hiplz-prof has written");
  std::vector<KernelCounts> all;
  while (std::getline(in, line)) {
    KernelCounts kernel;
    const size_t quote = line.rfind('"');
    bool good = quote != line.npos && quote > 0 && line.front() == '"';
    if (good)
      kernel.kernel = line.substr(1, quote - 1);
    const char *at = line.data() + quote + 1, *end = line.data() + line.size();
    for (uint64_t &counter : kernel.counters) {
      if (!good || at == end || *at != ',') {
        good = false;
        break;
      }
      const auto [next, error] = std::from_chars(at + 1, end, counter);
      good = error == std::errc();
      at = next;
    }
    if (!good || at != end)
      throw std::runtime_error(path + " has a line that is no kernel's: " + line);
    mergeCounts(all, {kernel});
  }
  return all;
}

} // namespace hiplz::prof

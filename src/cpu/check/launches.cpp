// SPDX-License-Identifier: MIT
// See launches.h. Programs launch from few places, so each stack is kept once.
#include "cpu/check/launches.h"
#include "base/kernel_name.h"
#include "base/lockable.h"
#include "base/name_pattern.h"
#include "cpu/check/tools.h"

#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace hiplz::cpu::check {
namespace {

struct Launch {
  uint32_t submission;
  bool isReported;
  const std::string *kernel;
};

struct Launches {
  std::map<std::vector<void *>, uint32_t> numbers;
  std::vector<HostStack> stacks{HostStack{}};
  std::vector<uint32_t> submissions{0}; // their stacks

  const HostStack &stackOf(uint32_t submission) const { return stacks[submissions[submission]]; }

  std::set<std::string> kernels{""};
  std::vector<Launch> all{{0, true, &*kernels.begin()}};
  uint64_t counted = 0;
};

Lockable<Launches> &launches() {
  static auto *all = new Lockable<Launches>(LockRank::cpuCheckLaunches); // kernels may run when the process ends
  return *all;
}

/// Which launches the user of hiplz-check has asked for.
struct Wanted {
  uint64_t skip = 0, count = 0;
  std::optional<NamePattern> kernels;

  Wanted() {
    std::ifstream file(optionsFile());
    std::string names;
    file >> skip >> count >> std::ws;
    std::getline(file, names);
    if (!names.empty())
      kernels.emplace(names); // hiplz-check has seen that it is an expression
  }
  bool isAll() const { return !skip && !count && !kernels; }
  static const Wanted &get() {
    static const Wanted wanted;
    return wanted;
  }
};

} // namespace

uint32_t addSubmission() {
  if (!tools().any())
    return 0;
  const HostStack stack = hostStack();
  const std::vector<void *> frames(stack.frames.begin(), stack.frames.begin() + stack.count);
  const auto all = launches().lock();
  const auto [entry, isNew] = all->numbers.try_emplace(frames, static_cast<uint32_t>(all->stacks.size()));
  if (isNew)
    all->stacks.push_back(stack);
  all->submissions.push_back(entry->second);
  return static_cast<uint32_t>(all->submissions.size() - 1);
}

uint32_t addLaunch(const std::string &kernel, uint32_t submission) {
  const Wanted &wanted = Wanted::get();
  const bool counts = !wanted.kernels || wanted.kernels->isIn(readableKernel(kernel));
  const auto all = launches().lock();
  const uint64_t before = counts ? all->counted++ : 0;
  const bool isReported = counts && before >= wanted.skip && (!wanted.count || before - wanted.skip < wanted.count);
  all->all.push_back({submission, isReported, &*all->kernels.insert(kernel).first});
  return static_cast<uint32_t>(all->all.size() - 1);
}

bool isReported(uint32_t launch) {
  if (Wanted::get().isAll())
    return true;
  const auto all = launches().lock();
  return launch >= all->all.size() || all->all[launch].isReported;
}

HostStack hostStackOf(uint32_t launch) {
  const auto all = launches().lock();
  return launch < all->all.size() ? all->stackOf(all->all[launch].submission) : HostStack{};
}

std::string kernelOf(uint32_t launch) {
  const auto all = launches().lock();
  return launch < all->all.size() ? *all->all[launch].kernel : "";
}

HostStack stackOf(uint32_t submission) {
  const auto all = launches().lock();
  return submission < all->submissions.size() ? all->stackOf(submission) : HostStack{};
}

} // namespace hiplz::cpu::check

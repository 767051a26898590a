// SPDX-License-Identifier: MIT
// See launches.h.
#include "launches.h"
#include "cpu/exec/scheduler.h"
#include "cpu/exec/stream.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <sys/wait.h>
#include <unistd.h>

namespace hiplz::simulation {
namespace {

// Of the launch in execution.
std::vector<unsigned> executedBy;
std::vector<unsigned> executions;
const Launches *asked = nullptr;

uint64_t timeOf(uint64_t group) {
  return asked->groupNanoseconds * (asked->slowEvery && group % asked->slowEvery == 0 ? 10 : 1);
}

void body(const cpu::Job &, cpu::Worker &, uint64_t begin, uint64_t end) {
  for (uint64_t group = begin; group < end; ++group) {
    spend(timeOf(group));
    executedBy[group] = processor();
    ++executions[group];
  }
}

double share(const std::vector<unsigned> &a, const std::vector<unsigned> &b, bool ofNodes) {
  uint64_t equal = 0;
  for (size_t index = 0; index < a.size(); ++index)
    equal += ofNodes ? node(a[index]) == node(b[index]) : a[index] == b[index];
  return static_cast<double>(equal) / static_cast<double>(a.size());
}

Outcome launch(const Machine &machine, const Launches &launches) {
  Outcome outcome;
  asked = &launches;
  outcome.complete = true;
  run(machine, [&] {
    cpu::Stream stream;
    std::vector<unsigned> first, before;
    for (unsigned round = 0; round < launches.count; ++round) {
      spend(launches.pause);
      before = executedBy;
      executedBy.assign(launches.groups, 0);
      executions.assign(launches.groups, 0);
      resetCounts();
      const uint64_t begin = clock();
      stream.launchAndWait(body, launches.groups);
      outcome.time = clock() - begin;
      outcome.counts = counts();
      if (outcome.counts.lastWake)
        outcome.counts.lastWake -= begin;
      outcome.complete &= std::all_of(executions.begin(), executions.end(), [](unsigned times) { return times == 1; });
      if (round == 0)
        first = executedBy;
    }
    outcome.sameProcessor = share(executedBy, before, false);
    outcome.sameNode = share(executedBy, first, true);
    std::sort(before.begin(), before.end());
    outcome.took = static_cast<unsigned>(std::unique(before.begin(), before.end()) - before.begin());
    for (uint64_t group = 0; group < launches.groups; ++group)
      outcome.least += timeOf(group);
    outcome.least /= machine.processors;
  });
  return outcome;
}

} // namespace

Outcome simulate(const Machine &machine, const Launches &launches) {
  Outcome outcome;
  int ends[2];
  if (::pipe(ends) != 0)
    return outcome;
  const pid_t child = ::fork();
  if (child == 0) {
    const Outcome found = launch(machine, launches);
    std::_Exit(::write(ends[1], &found, sizeof found) == sizeof found ? 0 : 1);
  }
  ::close(ends[1]);
  if (::read(ends[0], &outcome, sizeof outcome) != sizeof outcome)
    outcome = {};
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return outcome;
}

} // namespace hiplz::simulation

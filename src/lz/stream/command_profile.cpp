// SPDX-License-Identifier: MIT
// The thread that reads timestamps. It looks a hundred times a second; waking it for each command would cost those who submit
// more than everything else does.
#include "lz/stream/command_profile.h"
#include "base/lockable.h"
#include "lz/device/device.h"
#include "lz/stream/node_profile.h"

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <iterator>
#include <thread>
#include <unordered_map>
#include <vector>

namespace hiplz {
namespace {

constexpr std::chrono::milliseconds kPause(10);
// Two clocks drift apart by some microseconds a second; in between hiplz-prof interpolates.
constexpr uint64_t kBetweenClocks = 200'000'000;

struct Pending {
  uint64_t command, stream;
  LZDevice *device; // non-owning
  LZEventRef done, before;
  std::shared_ptr<const NodeTimes> nodes; // of a graph
};

using Commands = std::deque<Pending>;

struct State {
  std::vector<Pending> fresh;
  std::unordered_map<uint64_t, Commands> streams;
  bool stopping = false;

  void sortIn() {
    for (Pending &pending : fresh)
      streams[pending.stream].push_back(std::move(pending));
    fresh.clear();
  }
};

class Reader {
public:
  static Reader &instance() {
    static auto &reader = *new Reader; // used until the process ends
    return reader;
  }
  static std::atomic<bool> exists;

  void add(const ProfilerHooks &hooks, Pending pending) {
    const auto state = state_.lock();
    if (state->stopping)
      return;
    if (!thread_.joinable()) [[unlikely]]
      start(hooks);
    state->fresh.push_back(std::move(pending));
  }

  // The commands leave the list while they are looked at: dropping their events takes a lock that comes before this one.
  void readStream(const ProfilerHooks &hooks, uint64_t stream, bool withClock) {
    Commands commands;
    {
      const auto state = state_.lock();
      state->sortIn();
      const auto found = state->streams.find(stream);
      if (found == state->streams.end())
        return;
      commands = std::move(found->second);
      state->streams.erase(found);
    }
    if (withClock) // of the thread alone
      clockIsDue(hooks, *commands.front().device);
    readTimes(hooks, commands);
    if (commands.empty())
      return;
    const auto state = state_.lock();
    Commands &later = state->streams[stream];
    later.insert(later.begin(), std::make_move_iterator(commands.begin()), std::make_move_iterator(commands.end()));
  }

  void stop() noexcept {
    {
      auto state = state_.lock();
      state->stopping = true;
      if (!thread_.joinable())
        return;
    }
    changed_.notify_all();
    thread_.join();
  }

private:
  Reader() : state_(LockRank::profiledCommands) { exists = true; }

  void start(const ProfilerHooks &hooks) {
    // The application's signals are not for a thread that it does not know.
    sigset_t all, previous;
    sigfillset(&all);
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS})
      sigdelset(&all, signal);
    ::pthread_sigmask(SIG_BLOCK, &all, &previous);
    thread_ = std::thread([this, &hooks] { run(hooks); });
    ::pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  }

  void run(const ProfilerHooks &hooks) {
    ::pthread_setname_np(::pthread_self(), "hiplz-prof");
    std::vector<uint64_t> waiting;
    for (bool last = false; !last;) {
      waiting.clear();
      {
        auto state = state_.lock();
        state.waitFor(changed_, kPause, [&] { return state->stopping; });
        last = state->stopping;
        state->sortIn();
        for (const auto &[stream, commands] : state->streams)
          waiting.push_back(stream);
      }
      for (const uint64_t stream : waiting)
        readStream(hooks, stream, true);
    }
  }

  // The commands of a stream end in their order.
  static void readTimes(const ProfilerHooks &hooks, Commands &commands) {
    for (; !commands.empty(); commands.pop_front()) {
      const Pending &command = commands.front();
      const ze_result_t result = command.done.query();
      if (result == ZE_RESULT_NOT_READY)
        return;
      ze_kernel_timestamp_result_t done{}, before{};
      if (result != ZE_RESULT_SUCCESS || zeEventQueryKernelTimestamp(command.done.ze(), &done) != ZE_RESULT_SUCCESS ||
          (command.before && zeEventQueryKernelTimestamp(command.before.ze(), &before) != ZE_RESULT_SUCCESS))
        continue; // the device is lost
      trace::Times times{};
      times.command = command.command;
      times.begin = command.before ? before.global.kernelEnd : done.global.kernelStart;
      times.end = done.global.kernelEnd;
      times.collected = hooks.now();
      times.device = static_cast<uint32_t>(command.device->ordinal());
      record(hooks, times);
      if (command.nodes)
        recordNodes(hooks, command, times);
    }
  }

  static void recordNodes(const ProfilerHooks &hooks, const Pending &graph, const trace::Times &times) {
    const auto *stamps = reinterpret_cast<const ze_kernel_timestamp_result_t *>(graph.nodes->timestamps.get());
    for (const ProfiledNode &node : *graph.nodes->nodes) {
      trace::Node entry = node.note;
      entry.command = graph.command;
      entry.begin = node.begin == node.end ? stamps[node.end].global.kernelStart : stamps[node.begin].global.kernelEnd;
      entry.end = stamps[node.end].global.kernelEnd;
      entry.collected = times.collected;
      entry.device = times.device;
      record(hooks, entry);
    }
  }

  void clockIsDue(const ProfilerHooks &hooks, LZDevice &device) {
    const uint64_t now = hooks.now();
    uint64_t &last = clocks_[&device];
    if (last && now - last < kBetweenClocks)
      return;
    last = now;
    readClock(hooks, device);
  }

public:
  static void readClock(const ProfilerHooks &hooks, LZDevice &device) {
    // The driver's own reading of the host's clock may be of another one, so it is read around the call.
    // Whatever interrupts the thread meanwhile makes the reading inexact, so the quickest one counts.
    trace::Clock clock{};
    uint64_t shortest = UINT64_MAX;
    for (int reading = 0; reading < 4; ++reading) {
      uint64_t driversHost = 0, ticks = 0;
      const uint64_t before = hooks.now();
      if (zeDeviceGetGlobalTimestamps(device.ze(), &driversHost, &ticks) != ZE_RESULT_SUCCESS)
        return;
      const uint64_t took = hooks.now() - before;
      if (took < shortest) {
        shortest = took;
        clock.host = before + took / 2;
        clock.ticks = ticks;
      }
    }
    clock.device = static_cast<uint32_t>(device.ordinal());
    record(hooks, clock);
  }

private:
  Lockable<State> state_;
  std::condition_variable changed_;
  std::thread thread_;                              // started under the lock
  std::unordered_map<LZDevice *, uint64_t> clocks_; // of the thread alone
};

std::atomic<bool> Reader::exists{false};

} // namespace

void LZCommandProfile::submitted(const ProfilerHooks &hooks, LZDevice &device, uint64_t stream, CommandNote note,
                                 LZEventRef done, LZEventRef before) {
  note.id = hooks.newCommand();
  note.stream = stream;
  record(hooks, note);
  Reader::instance().add(hooks, {note.id, stream, &device, std::move(done), std::move(before), {}});
}

void recordGraphLaunch(const ProfilerHooks &hooks, LZDevice &device, uint64_t stream, LZEventRef begin, LZEventRef end,
                       std::shared_ptr<const NodeTimes> nodes) {
  CommandNote note = commandNote(trace::CommandType::graph);
  note.id = hooks.newCommand();
  note.stream = stream;
  record(hooks, note);
  Reader::instance().add(hooks, {note.id, stream, &device, std::move(end), std::move(begin), std::move(nodes)});
}

uint64_t LZCommandProfile::submittedToHost(const ProfilerHooks &hooks, uint64_t stream, CommandNote note) {
  note.id = hooks.newCommand();
  note.stream = stream;
  record(hooks, note);
  return note.id;
}

void LZCommandProfile::executedByHost(const ProfilerHooks &hooks, uint64_t command, uint64_t begin, uint64_t end) {
  trace::Times times{};
  times.command = command;
  times.begin = begin;
  times.end = times.collected = end;
  times.device = trace::Times::kHost;
  record(hooks, times);
}

void LZCommandProfile::collect(const ProfilerHooks &hooks, uint64_t stream) {
  if (Reader::exists)
    Reader::instance().readStream(hooks, stream, false);
}

void LZCommandProfile::describe(const ProfilerHooks &hooks, LZDevice &device) {
  trace::Device entry{};
  entry.ordinal = static_cast<uint32_t>(device.ordinal());
  entry.timestampBits = device.properties().kernelTimestampValidBits;
  entry.tick = device.timestampPeriod();
  entry.multiprocessors = device.multiprocessors();
  entry.residentThreads = device.residentThreads();
  entry.memoryBytes = device.totalMemory();
  record(hooks, entry, device.properties().name);
  Reader::readClock(hooks, device);
}

void LZCommandProfile::stop() noexcept {
  if (Reader::exists)
    Reader::instance().stop();
}

} // namespace hiplz

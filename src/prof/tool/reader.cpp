// SPDX-License-Identifier: MIT
// Trace files into memory. A process that was killed leaves chunks that are not sealed: their records are complete as far as
// `used` goes. What does not fit is taken for damage, and the rest of its chunk is left out.
#include "prof/given_name.h"
#include "prof/tool/clock_map.h"
#include "prof/tool/profile.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

namespace hiplz::prof {
namespace {

/// One record and the thread that wrote it.
struct Reading {
  const std::byte *at;
  uint32_t thread;
  trace::Record head() const {
    trace::Record record;
    std::memcpy(&record, at, sizeof record);
    return record;
  }
};

template <class Type> bool take(const Reading &reading, Type &out) {
  if (reading.head().bytes < sizeof out)
    return false;
  std::memcpy(&out, reading.at, sizeof out);
  return true;
}

template <class Type> std::string textOf(const Reading &reading) {
  const size_t bytes = reading.head().bytes;
  if (bytes <= sizeof(Type))
    return {};
  const char *begin = reinterpret_cast<const char *>(reading.at) + sizeof(Type);
  return {begin, ::strnlen(begin, bytes - sizeof(Type))};
}

bool known(trace::Kind kind) { return kind >= trace::Kind::process && kind <= trace::Kind::end; }

// The records of a chunk; false if a part of it is damaged.
bool cutChunk(const std::byte *chunk, size_t bytes, std::vector<Reading> &readings) {
  trace::ChunkHeader header;
  if (bytes < sizeof header)
    return false;
  std::memcpy(&header, chunk, sizeof header);
  if (header.magic == 0)
    return true; // its process was killed before it wrote
  if (header.magic != trace::ChunkHeader::kMagic || header.used < sizeof header || header.used > trace::kChunkBytes ||
      header.used % 8)
    return false;
  const size_t end = std::min<size_t>(header.used, bytes); // the file may be torn
  if (header.sealed && end == header.used &&
      header.checksum != trace::checksumOf(chunk + sizeof header, end - sizeof header))
    return false;
  for (size_t at = sizeof header; at < end;) {
    const Reading reading{chunk + at, header.thread};
    if (end - at < sizeof(trace::Record))
      return false;
    const trace::Record record = reading.head();
    if (!known(record.kind) || record.bytes < sizeof record || record.bytes % 8 || record.bytes > end - at)
      return false;
    readings.push_back(reading);
    at += record.bytes;
  }
  return end == header.used;
}

class Builder {
public:
  Builder(Process &process, const std::vector<Reading> &readings) : process_(process), readings_(readings) {}

  void build() {
    for (const Reading &reading : readings_)
      first(reading);
    for (const auto &[thread, name] : threadNames_)
      process_.threads[thread] = name;
    for (const auto &[ordinal, name] : deviceNames_)
      if (const auto device = process_.devices.find(ordinal); device != process_.devices.end())
        device->second.given = name;
    nameStreams();
    for (const auto &[ordinal, device] : process_.devices)
      clocks_.emplace(ordinal, ClockMap(device.about.tick, device.about.timestampBits, std::move(moments_[ordinal])));
    for (const Reading &reading : readings_)
      second(reading);
    addTimes();
    sort();
    for (Command &command : process_.commands)
      if (!command.executed && command.about.type == trace::CommandType::kernel)
        see(command.about.submitted);
  }

private:
  void see(uint64_t time) {
    if (time == 0)
      return;
    process_.first = process_.first ? std::min(process_.first, time) : time;
    process_.last = std::max(process_.last, time);
  }

  std::string_view name(uint32_t id) const {
    const auto found = process_.names.find(id);
    return found == process_.names.end() ? std::string_view() : std::string_view(found->second);
  }

  uint64_t onHost(uint32_t device, uint64_t ticks, uint64_t near) const {
    const auto clock = clocks_.find(device);
    return clock == clocks_.end() ? ticks : clock->second.toHost(ticks, near);
  }

  // Records that others refer to.
  void first(const Reading &reading) {
    const bool given = reading.head().name == kGivenName;
    switch (reading.head().kind) {
    case trace::Kind::process:
      if (take(reading, process_.about)) {
        see(process_.about.time);
        std::string line = textOf<trace::Process>(reading);
        for (size_t begin = 0, end; begin < line.size(); begin = end + 1) {
          end = std::min(line.find('\n', begin), line.size());
          process_.arguments.push_back(line.substr(begin, end - begin));
        }
      }
      break;
    case trace::Kind::name: process_.names[reading.head().name] = textOf<trace::Name>(reading); break;
    case trace::Kind::thread:
      if (given)
        threadNames_[reading.thread] = textOf<trace::Thread>(reading);
      else
        process_.threads[reading.thread] = textOf<trace::Thread>(reading);
      break;
    case trace::Kind::device:
      if (Device device; take(reading, device.about)) {
        device.name = textOf<trace::Device>(reading);
        if (given)
          deviceNames_[device.about.ordinal] = device.name;
        else
          process_.devices[device.about.ordinal] = std::move(device);
      }
      break;
    case trace::Kind::stream:
      if (trace::Stream stream{}; take(reading, stream)) {
        if (given)
          streamNames_.emplace_back(stream, textOf<trace::Stream>(reading));
        else
          process_.streams[stream.id] = stream;
      }
      break;
    case trace::Kind::clock:
      if (trace::Clock clock{}; take(reading, clock))
        moments_[clock.device].push_back({clock.host, clock.ticks});
      break;
    case trace::Kind::end: process_.ended = true; break;
    default: break;
    }
  }

  void second(const Reading &reading) {
    switch (reading.head().kind) {
    case trace::Kind::call:
      if (trace::Call call{}; take(reading, call)) {
        process_.calls.push_back({reading.thread, name(call.name), call.id, call.begin, call.end, call.result});
        see(call.begin);
        see(call.end);
      }
      break;
    case trace::Kind::command:
      if (Command command{}; take(reading, command.about)) {
        command.kernel = name(command.about.name);
        command.thread = reading.thread;
        see(command.about.submitted);
        process_.commands.push_back(command);
      }
      break;
    case trace::Kind::times:
      if (trace::Times times{}; take(reading, times))
        times_.push_back(times);
      break;
    case trace::Kind::node:
      if (Node node{}; take(reading, node.about)) {
        node.kernel = name(node.about.name);
        node.begin = onHost(node.about.device, node.about.begin, node.about.collected);
        node.end = std::max(node.begin, onHost(node.about.device, node.about.end, node.about.collected));
        process_.nodes.push_back(node);
      }
      break;
    case trace::Kind::memory:
      if (trace::Memory memory{}; take(reading, memory)) {
        process_.memory.push_back(memory);
        see(memory.time);
      }
      break;
    case trace::Kind::compilation:
      if (trace::Compilation compilation{}; take(reading, compilation)) {
        process_.compilations.push_back(
            {reading.thread, name(compilation.name), compilation.begin, compilation.end, compilation.bytes, {}});
        see(compilation.end);
      }
      break;
    case trace::Kind::kernel:
      if (trace::Kernel kernel{}; take(reading, kernel))
        process_.kernels.push_back({name(kernel.name), kernel});
      break;
    case trace::Kind::marker:
      if (trace::Marker marker{}; take(reading, marker)) {
        see(marker.time);
        process_.markers.push_back({reading.thread, marker, textOf<trace::Marker>(reading)});
      }
      break;
    case trace::Kind::end:
      if (trace::End end{}; take(reading, end))
        see(end.time);
      break;
    default: break;
    }
  }

  // A name is that of the youngest stream that had the handle then, and the last one counts.
  void nameStreams() {
    std::stable_sort(streamNames_.begin(), streamNames_.end(),
                     [](const auto &a, const auto &b) { return a.first.time < b.first.time; });
    for (const auto &[given, name] : streamNames_) {
      const trace::Stream *named = nullptr;
      for (const auto &[id, stream] : process_.streams) {
        const bool isIt = given.handle == 0
                              ? stream.type == trace::Stream::Type::null // which may come into being later
                              : stream.handle == given.handle && stream.time <= given.time;
        if (isIt && (!named || named->time < stream.time))
          named = &stream;
      }
      if (named)
        process_.streamNames[named->id] = name;
    }
  }

  void addTimes() {
    std::sort(process_.commands.begin(), process_.commands.end(),
              [](const Command &a, const Command &b) { return a.about.id < b.about.id; });
    for (const trace::Times &times : times_) {
      const auto found = std::lower_bound(process_.commands.begin(), process_.commands.end(), times.command,
                                          [](const Command &command, uint64_t id) { return command.about.id < id; });
      if (found == process_.commands.end() || found->about.id != times.command)
        continue;
      const bool host = times.device == trace::Times::kHost;
      found->begin = host ? times.begin : onHost(times.device, times.begin, times.collected);
      found->end = std::max(found->begin, host ? times.end : onHost(times.device, times.end, times.collected));
      found->executed = true;
      see(found->end);
    }
  }

  void sort() {
    auto byBegin = [](const auto &a, const auto &b) { return a.begin < b.begin; };
    std::stable_sort(process_.calls.begin(), process_.calls.end(), byBegin);
    std::stable_sort(process_.nodes.begin(), process_.nodes.end(), byBegin);
    std::stable_sort(process_.compilations.begin(), process_.compilations.end(), byBegin);
    std::stable_sort(process_.memory.begin(), process_.memory.end(),
                     [](const trace::Memory &a, const trace::Memory &b) { return a.time < b.time; });
    std::stable_sort(process_.markers.begin(), process_.markers.end(),
                     [](const Marker &a, const Marker &b) { return a.about.time < b.about.time; });
  }

  Process &process_;
  const std::vector<Reading> &readings_;
  std::map<uint32_t, std::vector<ClockMap::Moment>> moments_;
  std::map<uint32_t, ClockMap> clocks_;
  std::map<uint32_t, std::string> threadNames_, deviceNames_; // that the application gave
  std::vector<std::pair<trace::Stream, std::string>> streamNames_;
  std::vector<trace::Times> times_;
};

} // namespace

std::string Process::title() const {
  const std::string program =
      arguments.empty() ? "process" : std::filesystem::path(arguments.front()).filename().string();
  return program + " (" + std::to_string(about.pid) +
         (about.rank >= 0 ? ", rank " + std::to_string(about.rank) + ")" : ")");
}

Process readTrace(const std::string &path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in)
    throw std::runtime_error(path + " cannot be read");
  const auto bytes = static_cast<size_t>(in.tellg());
  // Records are read as words.
  std::vector<uint64_t> words((bytes + 7) / 8);
  in.seekg(0);
  in.read(reinterpret_cast<char *>(words.data()), static_cast<std::streamsize>(bytes));
  const auto *data = reinterpret_cast<const std::byte *>(words.data());
  trace::FileHeader header{};
  if (bytes >= sizeof header)
    std::memcpy(&header, data, sizeof header);
  if (std::memcmp(header.magic, trace::kMagic, sizeof header.magic) != 0)
    throw std::runtime_error(path + " is not a trace of hiplz-prof");
  if (header.version != trace::kVersion || header.chunkBytes != trace::kChunkBytes)
    throw std::runtime_error(path + " was written by another version of hiplz-prof");
  Process process;
  process.file = path;
  std::vector<Reading> readings;
  for (size_t at = trace::kChunkBytes; at < bytes; at += trace::kChunkBytes)
    if (!cutChunk(data + at, std::min<size_t>(bytes - at, trace::kChunkBytes), readings))
      ++process.damagedChunks;
  Builder(process, readings).build();
  return process;
}

std::vector<Process> readTraces(const std::string &folder) {
  std::vector<Process> processes;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".hlzt")
      try {
        processes.push_back(readTrace(entry.path().string()));
      } catch (const std::runtime_error &error) {
        std::fprintf(stderr, "hiplz-prof: %s\n", error.what());
      }
  std::sort(processes.begin(), processes.end(),
            [](const Process &a, const Process &b) { return a.about.time < b.about.time; });
  return processes;
}

const char *copyDirection(trace::Place from, trace::Place to) {
  auto onDevice = [](trace::Place place) { return place == trace::Place::device || place == trace::Place::managed; };
  if (from == trace::Place::unknown || to == trace::Place::unknown)
    return "unknown";
  return onDevice(from) ? (onDevice(to) ? "DtoD" : "DtoH") : (onDevice(to) ? "HtoD" : "HtoH");
}

std::string commandTitle(const trace::CommandType &type, trace::Place from, trace::Place to) {
  switch (type) {
  case trace::CommandType::kernel: return "kernel";
  case trace::CommandType::copy: return std::string("copy ") + copyDirection(from, to);
  case trace::CommandType::fill: return "fill";
  case trace::CommandType::hostFunction: return "host function";
  case trace::CommandType::wait: return "wait";
  case trace::CommandType::graph: return "graph";
  case trace::CommandType::write: return "write";
  }
  return "command";
}

} // namespace hiplz::prof

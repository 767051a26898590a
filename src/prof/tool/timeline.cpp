// SPDX-License-Identifier: MIT
// Each process of the run is a group of tracks with its threads, and each device that it uses another one, with a track a
// stream. An arrow leads from the call that submitted a command to its execution.
#include "prof/tool/timeline.h"
#include "prof/tool/json.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

namespace hiplz::prof {
namespace {

// Linux has no larger process numbers, so those behind it are free for devices.
constexpr int64_t kMostProcesses = 4194304;
// Perfetto takes a number of a thread for the same thread in all groups, and numbers have 32 bits. Tracks of devices have those
// from here on.
constexpr int64_t kFirstTrack = int64_t{3} << 30;

class Timeline {
public:
  Timeline(std::ostream &out, uint64_t origin) : json_(out), origin_(origin) {}

  void begin() { json_.beginObject().pair("displayTimeUnit", "ns").key("traceEvents").beginArray(); }
  void end() { json_.endArray().endObject(); }

  void write(const Process &process) {
    process_ = &process;
    calls_.clear();
    writeNames();
    writeCalls();
    writeCommands();
    writeNodes();
    writeMarkers();
    writeMemory();
  }

private:
  int64_t pid() const { return process_->about.pid; }
  int64_t devicePid(uint32_t device) const { return kMostProcesses * (int64_t{device} + 1) + pid(); }
  uint32_t deviceOf(uint64_t stream) const {
    const auto found = process_->streams.find(stream);
    return found == process_->streams.end() ? 0 : found->second.device;
  }
  // Of a stream; behind it is the one with the nodes of its graphs.
  int64_t trackOf(uint64_t stream) {
    return kFirstTrack +
           2 * static_cast<int64_t>(
                   tracks_.try_emplace({devicePid(deviceOf(stream)), stream}, tracks_.size()).first->second);
  }
  uint64_t since(uint64_t time) const { return time - std::min(time, origin_); }

  JsonWriter &event(const char *phase, int64_t pid, int64_t tid) {
    return json_.line().beginObject().pair("ph", phase).pair("pid", pid).pair("tid", tid);
  }
  JsonWriter &timed(const char *phase, int64_t pid, int64_t tid, uint64_t time) {
    event(phase, pid, tid).key("ts").microseconds(since(time));
    return json_;
  }
  JsonWriter &slice(int64_t pid, int64_t tid, uint64_t begin, uint64_t end, std::string_view name,
                    const char *category) {
    timed("X", pid, tid, begin).key("dur").microseconds(end - begin);
    return json_.pair("name", name).pair("cat", category);
  }
  void meta(const char *what, int64_t pid, int64_t tid, const char *key, std::string_view value) {
    event("M", pid, tid).pair("name", what).key("args").beginObject().pair(key, value).endObject().endObject();
  }
  void order(const char *what, int64_t pid, int64_t tid, int64_t index) {
    event("M", pid, tid).pair("name", what).key("args").beginObject().pair("sort_index", index).endObject().endObject();
  }

  void writeNames() {
    meta("process_name", pid(), pid(), "name", process_->title());
    for (const auto &[thread, name] : process_->threads)
      meta("thread_name", pid(), thread, "name", name);
    for (const auto &[ordinal, device] : process_->devices)
      meta("process_name", devicePid(ordinal), devicePid(ordinal), "name",
           "device " + std::to_string(ordinal) + ": " + device.title() + ", " + process_->title());
    for (const auto &[id, stream] : process_->streams) {
      std::string name;
      switch (stream.type) {
      case trace::Stream::Type::null: name = "null stream"; break;
      case trace::Stream::Type::internal: name = "stream of the runtime"; break;
      default: name = "stream " + std::to_string(id); break;
      }
      if (const auto given = process_->streamNames.find(id); given != process_->streamNames.end())
        name = given->second + " (" + name + ")";
      meta("thread_name", devicePid(stream.device), trackOf(id), "name", name);
      order("thread_sort_index", devicePid(stream.device), trackOf(id), trackOf(id));
    }
  }

  void writeCalls() {
    for (const Call &call : process_->calls) {
      slice(pid(), call.thread, call.begin, call.end, call.function, "api").key("args").beginObject();
      json_.pair("correlation", call.id).pair("result", call.result).endObject().endObject();
      calls_.emplace(call.id, &call);
    }
    for (const Compilation &compilation : process_->compilations) {
      const std::string name = compilation.kernel.empty()
                                   ? "load a module of " + std::to_string(compilation.bytes) + " bytes"
                                   : "compile " + std::string(compilation.title);
      slice(pid(), compilation.thread, compilation.begin, compilation.end, name, "compile").endObject();
    }
  }

  void writeCommands() {
    std::unordered_map<uint64_t, uint64_t> ends; // of the streams
    for (const Command &command : process_->commands) {
      if (!command.wanted)
        continue;
      const trace::Command &about = command.about;
      const int64_t group = devicePid(deviceOf(about.stream)), track = trackOf(about.stream);
      const std::string name =
          command.kernel.empty() ? commandTitle(about.type, about.from, about.to) : std::string(command.title);
      if (!command.executed) {
        timed("i", group, track, about.submitted).pair("s", "t").pair("name", "did not end: " + name).endObject();
        continue;
      }
      // Slices of a track must not overlap, no command begins before it is submitted, and clocks are not exact.
      uint64_t &last = ends[about.stream];
      const uint64_t earliest = std::max(last, about.submitted);
      const uint64_t begin = std::max(command.begin, earliest);
      const uint64_t end = std::max(command.end, begin + 1); // an arrow cannot lead to nothing
      last = end;
      slice(group, track, begin, end, name, commandTitle(about.type, about.from, about.to).c_str());
      json_.key("args").beginObject().pair("correlation", about.call);
      if (about.type == trace::CommandType::kernel) {
        writeShape("grid", about.grid);
        writeShape("block", about.block);
        json_.pair("dynamic shared bytes", about.sharedBytes).pair("mangled", command.kernel);
      } else if (about.bytes) {
        json_.pair("bytes", about.bytes);
        if (end > begin)
          json_.pair("GB/s", static_cast<double>(about.bytes) / static_cast<double>(end - begin));
      }
      json_.endObject().endObject();
      const auto call = calls_.find(about.call);
      if (call == calls_.end())
        continue;
      const uint64_t id = ++arrows_; // Perfetto takes numbers alone
      const uint64_t lastMoment = std::max(call->second->end, call->second->begin + 1) - 1; // within the slice
      timed("s", pid(), call->second->thread, std::clamp(about.submitted, call->second->begin, lastMoment))
          .pair("id", id)
          .pair("name", "submit")
          .pair("cat", "submit");
      json_.endObject();
      timed("f", group, track, begin).pair("id", id).pair("name", "submit").pair("cat", "submit").pair("bp", "e");
      json_.endObject();
    }
  }

  void writeShape(const char *name, const uint32_t (&shape)[3]) {
    json_.key(name).beginArray().value(shape[0]).value(shape[1]).value(shape[2]).endArray();
  }

  void writeNodes() {
    std::unordered_map<uint64_t, const Command *> graphs;
    for (const Command &command : process_->commands)
      if (command.about.type == trace::CommandType::graph)
        graphs.emplace(command.about.id, &command);
    std::unordered_map<uint64_t, bool> named;
    for (const Node &node : process_->nodes) {
      const auto graph = graphs.find(node.about.command);
      if (graph == graphs.end() || !node.wanted)
        continue;
      const uint64_t stream = graph->second->about.stream;
      const int64_t group = devicePid(deviceOf(stream)), track = trackOf(stream) + 1;
      if (!named[stream]) {
        named[stream] = true;
        meta("thread_name", group, track, "name", "nodes of graphs in stream " + std::to_string(stream));
        order("thread_sort_index", group, track, track);
      }
      const std::string name =
          node.kernel.empty() ? commandTitle(node.about.type, node.about.from, node.about.to) : std::string(node.title);
      slice(group, track, node.begin, node.end, name, "node").endObject();
    }
  }

  void writeMarkers() {
    std::unordered_map<uint32_t, std::vector<const Marker *>> open;
    std::unordered_map<uint64_t, std::string> started;
    for (const Marker &marker : process_->markers) {
      const trace::Marker &about = marker.about;
      switch (about.type) {
      case trace::Marker::Type::mark:
        timed("i", pid(), marker.thread, about.time).pair("s", "t").pair("name", marker.message).pair("cat", "roctx");
        json_.endObject();
        break;
      case trace::Marker::Type::push: open[marker.thread].push_back(&marker); break;
      case trace::Marker::Type::pop:
        if (auto &ranges = open[marker.thread]; !ranges.empty()) {
          slice(pid(), marker.thread, ranges.back()->about.time, about.time, ranges.back()->message, "roctx")
              .endObject();
          ranges.pop_back();
        }
        break;
      case trace::Marker::Type::start:
      case trace::Marker::Type::stop: {
        const bool start = about.type == trace::Marker::Type::start;
        if (start)
          started[about.id] = marker.message;
        timed(start ? "b" : "e", pid(), marker.thread, about.time).pair("cat", "roctx").pair("name", started[about.id]);
        json_.pair("id", std::to_string(pid()) + ".range" + std::to_string(about.id)).endObject();
        break;
      }
      }
    }
    for (const auto &[thread, ranges] : open) // of a process that did not come to their end
      for (const Marker *range : ranges)
        slice(pid(), thread, range->about.time, std::max(process_->last, range->about.time), range->message, "roctx")
            .endObject();
  }

  void writeMemory() {
    std::map<std::pair<uint32_t, trace::Place>, int64_t> held;
    for (const trace::Memory &memory : process_->memory) {
      int64_t &bytes = held[{memory.device, memory.place}] += memory.bytes;
      const char *place = memory.place == trace::Place::device   ? "device memory"
                          : memory.place == trace::Place::pinned ? "pinned memory"
                                                                 : "managed memory";
      timed("C", devicePid(memory.device), devicePid(memory.device), memory.time)
          .pair("name", place)
          .key("args")
          .beginObject();
      json_.pair("bytes", bytes).endObject().endObject();
    }
  }

  JsonWriter json_;
  const uint64_t origin_;
  const Process *process_ = nullptr;
  std::map<std::pair<int64_t, uint64_t>, size_t> tracks_; // of all processes, by group and stream
  uint64_t arrows_ = 0;
  std::unordered_map<uint64_t, const Call *> calls_;
};

} // namespace

void writeTimeline(std::ostream &out, std::span<const Process> processes) {
  uint64_t origin = UINT64_MAX;
  for (const Process &process : processes)
    origin = std::min(origin, process.first);
  Timeline timeline(out, origin);
  timeline.begin();
  for (const Process &process : processes)
    timeline.write(process);
  timeline.end();
  out << '\n';
}

} // namespace hiplz::prof

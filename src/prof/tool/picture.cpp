// SPDX-License-Identifier: MIT
// Slices are collected by track, cut to the time that is shown, and laid out in rows: nested slices of a thread stand below the
// one that they are in. Slices too narrow to see are drawn once per pixel, so that long runs do not make large files.
#include "prof/tool/picture.h"
#include "base/format.h"
#include "base/xml.h"
#include "roofline/chart.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <unordered_set>

namespace hiplz::prof {
namespace {

constexpr double kWidth = 1000, kLeft = 190, kRight = 12, kTop = 10, kRow = 22, kGap = 6, kAxis = 30;
constexpr double kLetter = 6.4;    // pixels of a letter of a slice's name, at most
constexpr double kNarrowest = 0.7; // pixels of a slice
constexpr size_t kTitleLetters = 27;

struct Slice {
  uint64_t begin, end;
  std::string name;
  const char *colour;
};

struct Track {
  std::string title;
  std::vector<Slice> slices;
};

struct Period {
  uint64_t begin, end;
};

constexpr const char *kCall = "#8f969d", *kCompile = "#c0443c", *kRange = "#b4509a", *kNode = "#6ba9b0";

const char *colourOf(trace::CommandType type, trace::Place from, trace::Place to) {
  switch (type) {
  case trace::CommandType::kernel: return "#3b82c4";
  case trace::CommandType::copy: return std::string_view(copyDirection(from, to)) == "DtoH" ? "#d97a2b" : "#4a9a5b";
  case trace::CommandType::fill: return "#8a7a2a";
  case trace::CommandType::graph: return "#3f9ea8";
  default: return "#b9bfc5";
  }
}

// Ranges of push and pop, with the thread.
template <class Visit> void eachRange(const Process &process, Visit visit) {
  std::map<uint32_t, std::vector<const Marker *>> open;
  for (const Marker &marker : process.markers) {
    auto &ranges = open[marker.thread];
    if (marker.about.type == trace::Marker::Type::push) {
      ranges.push_back(&marker);
    } else if (marker.about.type == trace::Marker::Type::pop && !ranges.empty()) {
      visit(marker.thread, *ranges.back(), marker.about.time);
      ranges.pop_back();
    }
  }
}

Period periodOf(std::span<const Process> processes, const std::string &range) {
  if (range.empty()) {
    Period all = {UINT64_MAX, 0};
    for (const Process &process : processes)
      all = {std::min(all.begin, process.first), std::max(all.end, process.last)};
    return all;
  }
  std::optional<Period> found;
  const Process *owner = nullptr;
  for (const Process &process : processes)
    eachRange(process, [&](uint32_t, const Marker &marker, uint64_t end) {
      if (marker.message == range && (!found || marker.about.time >= found->begin)) {
        found = {marker.about.time, end};
        owner = &process;
      }
    });
  if (!found)
    throw std::runtime_error("the program has no range of roctxRangePush called \"" + range + "\"");
  // Work that was submitted in the range may run after it.
  std::unordered_set<uint64_t> calls;
  for (const Call &call : owner->calls)
    if (call.begin >= found->begin && call.begin <= found->end)
      calls.insert(call.id);
  for (const Command &command : owner->commands)
    if (command.executed && calls.contains(command.about.call))
      found->end = std::max(found->end, command.end);
  return *found;
}

std::string streamTitle(const Process &process, uint64_t id) {
  if (const auto given = process.streamNames.find(id); given != process.streamNames.end())
    return given->second;
  const auto stream = process.streams.find(id);
  const bool null = stream != process.streams.end() && stream->second.type == trace::Stream::Type::null;
  return null ? "null stream" : "stream " + std::to_string(id);
}

void collect(const Process &process, std::vector<Track> &tracks) {
  std::map<uint32_t, Track> threads;
  const auto thread = [&](uint32_t id) -> Track & {
    const auto [at, isNew] = threads.try_emplace(id);
    const auto named = process.threads.find(id);
    if (isNew)
      at->second.title = named == process.threads.end() ? "thread " + std::to_string(id) : named->second;
    return at->second;
  };
  for (const Call &call : process.calls)
    thread(call.thread).slices.push_back({call.begin, call.end, std::string(call.function), kCall});
  for (const Compilation &compilation : process.compilations)
    thread(compilation.thread)
        .slices.push_back({compilation.begin, compilation.end,
                           compilation.kernel.empty() ? "load a module" : "compile " + std::string(compilation.title),
                           kCompile});
  eachRange(process, [&](uint32_t id, const Marker &marker, uint64_t end) {
    thread(id).slices.push_back({marker.about.time, end, marker.message, kRange});
  });
  std::map<uint64_t, Track> streams, graphs;
  std::unordered_map<uint64_t, uint64_t> streamOfGraph;
  for (const Command &command : process.commands) {
    const trace::Command &about = command.about;
    if (about.type == trace::CommandType::graph)
      streamOfGraph.emplace(about.id, about.stream);
    if (!command.wanted || !command.executed)
      continue;
    streams[about.stream].slices.push_back(
        {command.begin, command.end,
         command.kernel.empty() ? commandTitle(about.type, about.from, about.to) : std::string(command.title),
         colourOf(about.type, about.from, about.to)});
  }
  for (const Node &node : process.nodes)
    if (const auto stream = streamOfGraph.find(node.about.command); stream != streamOfGraph.end() && node.wanted)
      graphs[stream->second].slices.push_back({node.begin, node.end,
                                               node.kernel.empty()
                                                   ? commandTitle(node.about.type, node.about.from, node.about.to)
                                                   : std::string(node.title),
                                               kNode});
  for (auto &[id, track] : threads)
    tracks.push_back(std::move(track));
  for (auto &[id, track] : streams) {
    track.title = streamTitle(process, id);
    tracks.push_back(std::move(track));
    if (const auto nodes = graphs.find(id); nodes != graphs.end()) {
      nodes->second.title = "graphs in " + streamTitle(process, id);
      tracks.push_back(std::move(nodes->second));
    }
  }
}

// One, two or five times a power of ten, so that there are at most ten steps.
double stepOf(double nanoseconds) {
  const double power = std::pow(10, std::floor(std::log10(nanoseconds / 10)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (nanoseconds / (power * factor) <= 10)
      return power * factor;
  return power * 10;
}

std::string timeText(double nanoseconds, double step) {
  if (step >= 1e9)
    return format("%g s", nanoseconds / 1e9);
  if (step >= 1e6)
    return format("%g ms", nanoseconds / 1e6);
  return step >= 1e3 ? format("%g us", nanoseconds / 1e3) : format("%g ns", nanoseconds);
}

class Picture {
public:
  explicit Picture(Period period) : period_(period), scale_((kWidth - kLeft - kRight) / length()) {}

  void draw(Track &track) {
    std::erase_if(track.slices,
                  [&](const Slice &slice) { return slice.end < period_.begin || slice.begin > period_.end; });
    if (track.slices.empty())
      return;
    std::ranges::stable_sort(track.slices, [](const Slice &a, const Slice &b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    std::string title = track.title;
    if (title.size() > kTitleLetters)
      title = title.substr(0, kTitleLetters - 2) + "..";
    body_ += format("<text class=\"t\" x=\"8\" y=\"%.0f\">", y_ + 15) + xmlEscaped(title) + "</text>\n";
    struct Row {
      uint64_t end;
      double right; // pixels that are drawn
    };
    std::vector<Row> rows;
    for (const Slice &slice : track.slices) {
      auto row = std::ranges::find_if(rows, [&](const Row &one) { return one.end <= slice.begin; });
      if (row == rows.end())
        row = rows.insert(row, {0, 0});
      row->end = slice.end;
      const double left = xOf(std::max(slice.begin, period_.begin)), right = xOf(std::min(slice.end, period_.end));
      if (right <= row->right)
        continue; // on a pixel that has something already
      row->right = std::max(right, left + kNarrowest);
      drawSlice(slice, left, row->right - left, y_ + kRow * static_cast<double>(row - rows.begin()));
    }
    y_ += kRow * static_cast<double>(rows.size()) + kGap;
  }

  std::string svg() {
    const double step = stepOf(length());
    std::string axis;
    for (double at = 0; at <= length(); at += step) {
      const double x = kLeft + at * scale_;
      axis += format("<line class=\"g\" x1=\"%.1f\" y1=\"%.0f\" x2=\"%.1f\" y2=\"%.0f\"/>\n", x, kTop - 4, x, y_ + 4);
      axis += format("<text class=\"t\" x=\"%.1f\" y=\"%.0f\" text-anchor=\"%s\">", x, y_ + 19,
                     x > kWidth - 40 ? "end" : "middle") +
              timeText(at, step) + "</text>\n";
    }
    return format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\">\n",
                  kWidth, y_ + kAxis) +
           "<style>.t{font-size:12px;fill:#3c4248}.n{font-size:11px;fill:#fff}.g{stroke:#3c4248;stroke-opacity:.25}"
           "@media(prefers-color-scheme:dark){.t{fill:#c8ced4}.g{stroke:#c8ced4}}</style>\n" +
           axis + body_ + "</svg>\n";
  }

private:
  double length() const { return std::max<double>(1, static_cast<double>(period_.end - period_.begin)); }
  double xOf(uint64_t time) const { return kLeft + static_cast<double>(time - period_.begin) * scale_; }

  void drawSlice(const Slice &slice, double left, double width, double top) {
    const double nanoseconds = static_cast<double>(slice.end - slice.begin);
    body_ +=
        format("<g><title>%s, %.4g us</title><rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%.0f\" fill=\"%s\"/>",
               xmlEscaped(slice.name).c_str(), nanoseconds / 1e3, left, top, width, kRow - 2, slice.colour);
    if (width > kLetter * static_cast<double>(slice.name.size()) + 8)
      body_ +=
          format("<text class=\"n\" x=\"%.1f\" y=\"%.0f\">", left + 4, top + 14) + xmlEscaped(slice.name) + "</text>";
    body_ += "</g>\n";
  }

  const Period period_;
  const double scale_; // pixels of a nanosecond
  double y_ = kTop;
  std::string body_;
};

} // namespace

void writePicture(std::ostream &out, std::span<const Process> processes, const std::string &range) {
  Picture picture(periodOf(processes, range));
  std::vector<Track> tracks;
  for (const Process &process : processes)
    collect(process, tracks);
  for (Track &track : tracks)
    picture.draw(track);
  out << picture.svg();
}

} // namespace hiplz::prof

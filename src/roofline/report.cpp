// SPDX-License-Identifier: MIT
#include "roofline/report.h"
#include "base/format.h"

#include "roofline/chart.h"

#include <algorithm>
#include <map>
#include <span>

namespace hiplz::roofline {

namespace {

const Peak *peakOf(const Result &result, const char *operation, const char *type) {
  for (const Peak &peak : result.peaks)
    if (peak.operation == operation && peak.type == type)
      return &peak;
  return nullptr;
}

std::string powerOf(const Sample &sample, const char *what) {
  return sample.watts ? format("  %6.1f W  %.3g G%s/J", *sample.watts, sample.perJoule.value_or(0), what)
                      : std::string();
}

std::string peaksText(const Result &result) {
  std::string out;
  for (const Peak &peak : result.peaks) {
    const Sample &sample = result.samples[peak.sample];
    out += format("  %-3s %-6s %9.4g Gop/s", peak.operation.c_str(), peak.type.c_str(), peak.value);
    out += peak.theoretical > 0 ? format("  %5.1f %% of %.4g", 100 * peak.value / peak.theoretical, peak.theoretical)
                                : std::string("  theoretical peak not known");
    out += format("  (x%u, %u chains, %u blocks of %u, spread %.1f %%)", sample.width, sample.chains, sample.blocks,
                  sample.threads, 100 * sample.time.spread);
    out += powerOf(sample, "op") + "\n";
  }
  for (const Peak &peak : result.peaks)
    if (peak.operation == "mad" && peak.type == "float" && !peak.formula.empty())
      out += "  theoretical mad float: " + peak.formula + "\n";
  if (result.reference)
    out += format("  intrinsics in the same program (%s): %.4g Gop/s; the device in turn with them: %.2f of that\n",
                  result.referenceCode.c_str(), *result.reference, result.referenceShare.value_or(0));
  return out;
}

// The study's figures for its GPU, and those of this device.
std::string studyText(const Result &result) {
  struct Row {
    const char *what, *unit;
    double study, theoretical, here;
  };
  const auto peak = [&](const char *operation, const char *type) {
    const Peak *found = peakOf(result, operation, type);
    return found ? found->value : 0;
  };
  double near = 0, watts = 0, low = 1e300;
  for (const Level &level : result.levels)
    near = std::max(near, level.name == "memory" ? 0 : level.bandwidth);
  for (const Sample &sample : result.samples)
    if (sample.section == "throughput" && sample.watts) {
      watts = std::max(watts, *sample.watts);
      low = std::min(low, *sample.watts);
    }
  double cacheLatency = 0, memoryLatency = 0;
  for (const Level &level : result.levels) {
    if (level.name == "memory")
      memoryLatency = level.latency;
    else if (cacheLatency <= 0)
      cacheLatency = level.latency;
  }
  const Row rows[] = {{"add float", "Gop/s", 172, 184, peak("add", "float")},
                      {"mad float", "Gop/s", 345, 368, peak("mad", "float")},
                      {"add int", "Gop/s", 172, 184, peak("add", "int")},
                      {"add double", "Gop/s", 43, 46, peak("add", "double")},
                      {"mad double", "Gop/s", 80, 92, peak("mad", "double")},
                      {"fastest cache", "GB/s", 181, 192, near},
                      {"latency of the first cache", "ns", 119, 0, cacheLatency},
                      {"latency of memory", "ns", 301, 0, memoryLatency}};
  std::string out = "  figure                      unit     UHD 630 (theoretical)   this device\n";
  for (const Row &row : rows)
    out += format("  %-27s %-6s %9g %-14s %9s\n", row.what, row.unit, row.study,
                  row.theoretical > 0 ? format("(%g)", row.theoretical).c_str() : "",
                  row.here > 0 ? format("%.4g", row.here).c_str() : "-");
  out += format("  %-27s %-6s %9s %-14s %9s\n", "power under load", "W", "8-10", "",
                watts > 0 ? format("%.1f-%.1f", low, watts).c_str() : "-");
  return out;
}

std::string levelsText(const Result &result) {
  std::string out;
  for (const Level &level : result.levels) {
    out += format("  %-8s %10s", level.name.c_str(),
                  level.bytes ? bytesText(static_cast<double>(level.bytes)).c_str() : "");
    out += level.instances > 1 ? format(" x %-4u", level.instances) : std::string("       ");
    out += level.latency > 0 ? format(" %8.2f ns", level.latency) : std::string("           -");
    out += level.bandwidth > 0 ? format(" %9.4g GB/s", level.bandwidth) : std::string("         -     ");
    std::string origin =
        level.source == "latency" ? "found by latency" : "not seen in the latencies; size as the system says";
    for (const Level &known : result.device.systemCaches)
      if (level.source == "latency" && known.name == level.name)
        origin += format(", the system says %s", bytesText(static_cast<double>(known.bytes)).c_str());
    out += (level.bytes ? "  " + origin : "") + "\n";
  }
  return out;
}

// One line for each kernel of a section.
std::string linesText(const Result &result, const std::string &section) {
  std::string out;
  for (const Sample &sample : result.samples) {
    if (sample.section != section)
      continue;
    out += format("  %-30s %-8s", sample.kernel.c_str(), sample.type.c_str());
    if (sample.stride)
      out += format(" stride %5lu B", static_cast<unsigned long>(sample.stride));
    if (sample.bytes)
      out += format(" %9s", bytesText(static_cast<double>(sample.bytes)).c_str());
    if (sample.intensity > 0)
      out += format(" %6.2f op/B", sample.intensity);
    out += format(" %10.4g %-5s spread %4.1f %%", sample.value, sample.unit.c_str(), 100 * sample.time.spread);
    out += powerOf(sample, section == "special" || section == "atomics" ? "op" : "B") + "\n";
  }
  return out;
}

// The best of the sizes of each kernel.
std::string bestLinesText(const Result &result, const std::string &section) {
  std::map<std::string, const Sample *> best;
  for (const Sample &sample : result.samples)
    if (sample.section == section) {
      const Sample *&entry = best[sample.kernel + (sample.type.empty() ? "" : ", " + sample.type) +
                                  (sample.width ? " x" + std::to_string(sample.width) : "")];
      if (!entry || sample.value > entry->value)
        entry = &sample;
    }
  std::string out;
  for (const auto &[name, sample] : best)
    out += format("  %-30s %10.4g %s at %s%s\n", name.c_str(), sample->value, sample->unit.c_str(),
                  bytesText(static_cast<double>(sample->bytes)).c_str(), powerOf(*sample, "B").c_str());
  return out;
}

std::string keyOf(const Sample &s) {
  return s.section + " " + s.kernel + " " + s.type + (s.width ? " x" + std::to_string(s.width) : "") +
         (s.chains ? " c" + std::to_string(s.chains) : "") +
         (s.bytes ? " " + bytesText(static_cast<double>(s.bytes)) : "") +
         (s.stride ? " stride " + std::to_string(s.stride) : "") +
         (s.section == "throughput" ? " " + std::to_string(s.blocks) + "x" + std::to_string(s.threads) : "");
}

std::string driftText(const Result &result) {
  return result.drift ? format("the clock drifted by %.1f %%", 100 * *result.drift) : "the clock's drift is not known";
}

// The search for a peak measures some shapes more than once.
std::map<std::string, const Sample *> lastOfEach(std::span<const Sample> samples) {
  std::map<std::string, const Sample *> last;
  for (const Sample &sample : samples)
    last[keyOf(sample)] = &sample;
  return last;
}

} // namespace

std::string asText(const Result &result) {
  const Facts &device = result.device;
  std::string out = format("%s (%s, %u units, %g MHz, %s)\n", device.name.c_str(), device.kind.c_str(), device.units,
                           device.megahertz, bytesText(static_cast<double>(device.memory)).c_str());
  out += format("%s run of %s, %.1f s, HIPLZ %s; %s; energy: %s\n", result.mode.c_str(), result.date.c_str(),
                result.seconds, result.version.c_str(), driftText(result).c_str(), result.energySource.c_str());
  const auto chapter = [&](const char *title, const std::string &text) {
    if (!text.empty())
      out += std::string("\n") + title + "\n" + text;
  };
  chapter("Peak throughput", peaksText(result));
  chapter("Caches and memory", levelsText(result));
  chapter("Bandwidth, best sizes", bestLinesText(result, "bandwidth"));
  chapter("Strided reads", linesText(result, "strided"));
  chapter("Shared memory", linesText(result, "shared"));
  chapter("Reads mixed with multiply-adds", linesText(result, "mixed"));
  chapter("Special functions, each with an addition", linesText(result, "special"));
  chapter("Atomic additions", linesText(result, "atomics"));
  chapter("Copies, best sizes", bestLinesText(result, "copies"));
  chapter("Overhead on the host", linesText(result, "overhead"));
  chapter("Beside the study of a Gen9.5 GPU (UHD Graphics 630, 23 execution units at 1 GHz)", studyText(result));
  std::string notes;
  for (const std::string &note : result.notes)
    notes += "  " + note + "\n";
  chapter("Notes", notes);
  return out;
}

std::string asComparison(const Result &before, const Result &after) {
  std::string out =
      format("before: %s, %s run of %s\nafter:  %s, %s run of %s\n", before.device.name.c_str(), before.mode.c_str(),
             before.date.c_str(), after.device.name.c_str(), after.mode.c_str(), after.date.c_str());
  out += "\n  peak                    before      after  after/before\n";
  for (const Peak &peak : after.peaks)
    if (const Peak *old = peakOf(before, peak.operation.c_str(), peak.type.c_str()); old && old->value > 0)
      out += format("  %-3s %-14s %10.4g %10.4g  %.3f\n", peak.operation.c_str(), peak.type.c_str(), old->value,
                    peak.value, peak.value / old->value);
  const auto known = lastOfEach(before.samples), now = lastOfEach(after.samples);
  const double drift = before.drift.value_or(0) + after.drift.value_or(0);
  std::string changed;
  unsigned common = 0, different = 0;
  for (const Sample &sample : after.samples) {
    const auto found = known.find(keyOf(sample));
    if (found == known.end() || found->second->value <= 0 || now.at(found->first) != &sample)
      continue;
    ++common;
    const Sample &old = *found->second;
    const double ratio = sample.value / old.value;
    // Quartiles of the two that overlap say nothing; drift moves all of a run.
    if (std::abs(ratio - 1) <= sample.time.spread + old.time.spread + drift)
      continue;
    ++different;
    changed += format("  %-60s %10.4g %10.4g %-5s  %.3f\n", found->first.c_str(), old.value, sample.value,
                      sample.unit.c_str(), ratio);
  }
  for (const Result *result : {&before, &after})
    if (!result->drift)
      out += format("\n%s run of %s: %s\n", result->mode.c_str(), result->date.c_str(), driftText(*result).c_str());
  out += format("\n%u of %u measurements in both differ by more than spread and drift\n", different, common) + changed;
  return out;
}

std::vector<std::pair<std::string, std::string>> headlines(const Result &result) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const char *type : {"float", "double"})
    if (const Peak *peak = peakOf(result, "mad", type))
      lines.emplace_back(std::string("peak ") + type, format("%.4g GFLOP/s", peak->value));
  for (const Level &level : result.levels)
    if (level.bandwidth > 0)
      lines.emplace_back(level.name + " bandwidth", format("%.4g GB/s", level.bandwidth));
  for (const Sample &sample : result.samples)
    if (sample.section == "overhead" && sample.kernel == "launch")
      lines.emplace_back("launch", format("%.3g us", sample.value));
  if (!lines.empty())
    lines.emplace_back("measured", result.date + ", " + result.mode);
  return lines;
}

} // namespace hiplz::roofline

// SPDX-License-Identifier: MIT
// hiplz-prof: runs a program, reads what its processes have recorded and writes what was asked for.
#include "hiplz/version.h"
#include "prof/tool/csv.h"
#include "prof/tool/launcher.h"
#include "prof/tool/options.h"
#include "prof/tool/output_file.h"
#include "prof/tool/picture.h"
#include "prof/tool/roofline.h"
#include "prof/tool/roofs.h"
#include "prof/tool/summary.h"
#include "prof/tool/timeline.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace hiplz::prof;

namespace {

/// A folder for traces, of the user's alone, that goes with the object unless it is kept.
class TraceFolder {
public:
  explicit TraceFolder(const fs::path &directory) {
    std::string path = (directory / ".hiplz-prof-XXXXXX").string();
    if (!::mkdtemp(path.data()))
      throw std::runtime_error(directory.string() + " cannot be written: " + std::strerror(errno));
    path_ = fs::absolute(path);
  }
  ~TraceFolder() {
    std::error_code error;
    if (!path_.empty())
      fs::remove_all(path_, error);
  }
  TraceFolder(const TraceFolder &) = delete;
  TraceFolder &operator=(const TraceFolder &) = delete;
  const fs::path &path() const { return path_; }
  void keepAs(const fs::path &name) {
    fs::rename(path_, name);
    path_.clear();
  }

private:
  fs::path path_;
};

// A choice of kinds is one of the outputs as well: kernels and copies are recorded together.
void leaveOut(Process &process, const Options &options) {
  if (!options.chooses())
    return;
  std::erase_if(process.commands, [&](const Command &command) {
    const hiplz::trace::CommandType type = command.about.type;
    const bool copy = type == hiplz::trace::CommandType::copy || type == hiplz::trace::CommandType::fill;
    return copy ? !options.copies : !options.kernels;
  });
  // Traces that were kept have more, and markers are recorded for the names of kernels.
  if (!options.calls)
    process.calls.clear();
  if (!options.memory)
    process.memory.clear();
  if (!options.markers)
    process.markers.clear();
}

/// Inputs of the roofline besides the profile.
struct Counting {
  std::vector<KernelCounts> counts;
  std::string folder; ///< for files that go with the tool
};

// The device of the first kernel.
const Device *deviceOf(const std::vector<Process> &processes) {
  for (const Process &process : processes)
    for (const Command &command : process.commands)
      if (command.about.type == hiplz::trace::CommandType::kernel ||
          command.about.type == hiplz::trace::CommandType::graph)
        if (const auto stream = process.streams.find(command.about.stream); stream != process.streams.end())
          if (const auto device = process.devices.find(stream->second.device); device != process.devices.end())
            return &device->second;
  return nullptr;
}

template <class Write>
void writeRoofline(const Options &options, const std::vector<Process> &processes, const Summary &summary,
                   const Counting &counting, Write write, std::ostream &tables) {
  std::vector<KernelCounts> counts = options.counts.empty() ? counting.counts : readCountsTable(options.counts);
  if (summary.kernels.empty() || counts.empty()) {
    std::fprintf(stderr, "hiplz-prof: there is no roofline: %s\n",
                 summary.kernels.empty() ? "no kernel has run" : "nothing was counted");
    return;
  }
  if (options.counts.empty())
    write("_counts.csv", [&](std::ostream &out) { writeCountsTable(out, counts); });
  const Device *device = deviceOf(processes);
  const auto roofs =
      findRoofs(options.roofs, device ? device->name : "", device ? device->about.ordinal : 0, counting.folder);
  const ProgramRoofline program = placeKernels(summary.functions, counts, roofs ? &*roofs : nullptr);
  if (options.csv)
    write("_roofline.csv", [&](std::ostream &out) { writeRooflineCsv(out, program); });
  if (options.json)
    write("_roofline.json", [&](std::ostream &out) { writeRooflineJson(out, program, roofs ? &*roofs : nullptr); });
  for (const bool cacheAware : {true, false})
    if (const std::string picture = roofs ? drawRoofline(program, *roofs, cacheAware) : ""; !picture.empty())
      write(cacheAware ? "_roofline.svg" : "_roofline_memory.svg", [&](std::ostream &out) { out << picture; });
  if (options.summary)
    printRoofline(tables, program, options.style);
}

int rankOf(const std::vector<Process> &processes) { return processes.size() == 1 ? processes.front().about.rank : -1; }

void writeOutputs(const Options &options, std::vector<Process> &processes, const std::string &prefix,
                  const Counting &counting) {
  uint64_t start = UINT64_MAX;
  for (const Process &process : processes)
    start = std::min(start, process.first);
  for (Process &process : processes) {
    if (!options.periods.empty())
      keepPeriods(process, options.periods, options.periodUnit, start);
    chooseKernels(process, options.choice);
    leaveOut(process, options);
  }
  const Summary summary = summarise(processes);
  auto write = [&](const char *end, auto content) {
    OutputFile file(prefix + end);
    content(file.out());
    file.close();
    std::fprintf(stderr, "hiplz-prof: %s%s\n", prefix.c_str(), end);
  };
  if (options.timeline)
    write("_timeline.json", [&](std::ostream &out) { writeTimeline(out, processes); });
  if (options.picture)
    write("_timeline.svg", [&](std::ostream &out) { writePicture(out, processes, options.range); });
  if (options.json)
    write("_summary.json", [&](std::ostream &out) { writeSummaryJson(out, summary); });
  if (options.csv || options.statistics) {
    writeCsv(prefix, processes, summary, options.csv, options.statistics);
    std::fprintf(stderr, "hiplz-prof: %s_*.csv\n", prefix.c_str());
  }
  std::optional<OutputFile> file;
  const bool toFile = options.summary && options.tables != "stderr" && options.tables != "stdout";
  if (toFile)
    file.emplace(expandKeys(options.tables, processes.front().about.pid, rankOf(processes)));
  std::ostream &tables = file ? file->out() : options.tables == "stdout" ? std::cout : std::cerr;
  if (options.summary)
    printSummary(tables, summary, options.style);
  if (options.roofline)
    writeRoofline(options, processes, summary, counting, write, tables);
  if (file)
    file->close();
}

std::string prefixFor(const Options &options, const std::string &program, int pid, int rank) {
  std::string name = options.name;
  if (name.empty())
    name = fs::path(program).filename().string() + (rank >= 0 ? "-rank%rank%" : "") + "-%pid%";
  const fs::path prefix = fs::path(expandKeys(options.directory, pid, rank)) / expandKeys(name, pid, rank);
  fs::create_directories(prefix.parent_path());
  return prefix.string();
}

int readKept(const Options &options) {
  std::vector<Process> processes;
  TraceFolder scratch(fs::temp_directory_path());
  Counting counting{{}, scratch.path().string()};
  for (const std::string &folder : options.folders) {
    for (Process &process : readTraces(folder))
      processes.push_back(std::move(process));
    mergeCounts(counting.counts, readCounts(folder));
  }
  if (processes.empty()) {
    std::fprintf(stderr, "hiplz-prof: there are no traces in %s\n", options.folders.front().c_str());
    return 1;
  }
  std::sort(processes.begin(), processes.end(),
            [](const Process &a, const Process &b) { return a.about.time < b.about.time; });
  const Process &first = processes.front();
  const std::string program = first.arguments.empty() ? "profile" : first.arguments.front();
  writeOutputs(options, processes, prefixFor(options, program, first.about.pid, rankOf(processes)), counting);
  return 0;
}

// The libraries of --preload, in front of those that are preloaded anyway.
std::vector<std::pair<std::string, std::string>> preloaded(const Options &options) {
  if (options.preload.empty())
    return {};
  const char *before = std::getenv("LD_PRELOAD");
  return {{"LD_PRELOAD", options.preload + (before && *before ? std::string(":") + before : "")}};
}

// Runs the program once more on the CPU device, with code that counts. Its times mean nothing, so it is not recorded.
std::vector<KernelCounts> count(const Options &options, const std::string &folder) {
  std::fprintf(stderr,
               "hiplz-prof: running the program a second time, without input and output, to count what its kernels "
               "do\n");
  std::vector<std::pair<std::string, std::string>> environment = preloaded(options);
  environment.insert(
      environment.end(),
      {{"HIPLZ_PROF", ""}, {"HIPLZ_PROF_TRACE", ""}, {"HIPLZ_CPU_COUNTS", folder}, {"HIPLZ_DEVICES", "cpu"}});
  const Ended ended = runProgram(options.program, environment, Streams::silent);
  if (!ended.problem.empty() || ended.exitCode != 0)
    std::fprintf(stderr, "hiplz-prof: that run has failed (exit code %d); what it has counted until then is used\n",
                 ended.exitCode);
  return readCounts(folder);
}

int run(const Options &options) {
  // Before the program runs, which may take long.
  if (!options.counts.empty())
    readCountsTable(options.counts);
  if (!options.roofs.empty())
    findRoofs(options.roofs, "", 0, "");
  const fs::path directory = expandKeys(options.directory, ::getpid(), -1);
  fs::create_directories(directory);
  TraceFolder traces(directory);
  const std::string folder = traces.path().string();
  std::vector<std::pair<std::string, std::string>> environment = preloaded(options);
  environment.insert(environment.end(), {{"HIPLZ_PROF", folder}, {"HIPLZ_PROF_TRACE", recordedParts(options)}});
  const Ended ended = runProgram(options.program, environment, Streams::inherited);
  if (!ended.problem.empty()) {
    std::fprintf(stderr, "hiplz-prof: %s\n", ended.problem.c_str());
    return ended.exitCode;
  }
  if (ended.signal)
    std::fprintf(stderr, "hiplz-prof: the program was ended by signal %d (%s)\n", ended.signal,
                 ::strsignal(ended.signal));
  std::vector<Process> processes = readTraces(folder);
  if (processes.empty()) {
    std::fprintf(stderr,
                 "hiplz-prof: the program has recorded nothing: it calls no HIP function, or it does not use HIPLZ\n");
    return ended.exitCode;
  }
  Counting counting{{}, folder};
  if (options.roofline && options.counts.empty() && !ended.signal)
    counting.counts = count(options, folder);
  try {
    const std::string prefix = prefixFor(options, options.program.front(), ended.pid, rankOf(processes));
    if (options.keep) {
      traces.keepAs(prefix + "_traces");
      counting.folder = prefix + "_traces";
      std::fprintf(stderr, "hiplz-prof: %s_traces\n", prefix.c_str());
    }
    writeOutputs(options, processes, prefix, counting);
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "hiplz-prof: %s\n", problem.what());
    return ended.exitCode ? ended.exitCode : 1;
  }
  return ended.exitCode;
}

} // namespace

int main(int count, char **arguments) {
  const Options options = parseOptions({arguments + 1, arguments + count});
  if (!options.problem.empty()) {
    std::fprintf(stderr, "hiplz-prof: %s\n%s", options.problem.c_str(), kHelp);
    return 2;
  }
  try {
    switch (options.action) {
    case Options::Action::help: std::fputs(kHelp, stdout); return 0;
    case Options::Action::version: std::puts("hiplz-prof " HIPLZ_VERSION_STRING); return 0;
    case Options::Action::read: return readKept(options);
    case Options::Action::run: return run(options);
    }
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "hiplz-prof: %s\n", problem.what());
  }
  return 1;
}

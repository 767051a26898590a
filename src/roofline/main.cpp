// SPDX-License-Identifier: MIT
// hiplz-roofline: what a device can do. Options, the order of the chapters, and where results go.
#include "hiplz/version.h"
#include "roofline/pictures.h"
#include "roofline/report.h"
#include "roofline/result_files.h"
#include "roofline/session.h"
#include "roofline/sizes.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <unistd.h>

namespace hiplz::roofline {

namespace {

struct Chapter {
  const char *name;
  void (*run)(Session &);
  double weight; // of the time of a run
};
constexpr Chapter kChapters[] = {
    {"throughput", measureThroughput, 30},
    {"special", measureSpecial, 5},
    {"atomics", measureAtomics, 4},
    {"bandwidth", measureBandwidth, 30},
    {"strided", measureStrides, 5},
    {"shared", measureShared, 3},
    {"mixed", measureMixed, 4},
    {"latency", measureLatency, 12},
    {"copies", measureCopies, 5},
    {"overhead", measureOverhead, 2},
};

struct Options {
  int device = 0;
  bool quick = false, smoke = false, quiet = false, save = false;
  std::string load, json, csv, svg, compare;
  std::vector<std::string> sections;

  bool wants(const Chapter &chapter) const {
    return sections.empty() || std::ranges::find(sections, chapter.name) != sections.end();
  }
};

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

Result measure(const Options &options) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  Result result;
  result.version = HIPLZ_VERSION_STRING;
  result.date = now();
  result.mode = options.smoke ? "smoke" : options.quick ? "quick" : "full";
  double weights = 0;
  for (const Chapter &chapter : kChapters)
    weights += options.wants(chapter) ? chapter.weight : 0;
  Progress progress(weights, !options.quiet && isatty(STDERR_FILENO));
  Session session(options.device,
                  options.smoke   ? Mode::Smoke
                  : options.quick ? Mode::Quick
                                  : Mode::Full,
                  result, progress);
  session.probeClock();
  for (const Chapter &chapter : kChapters) {
    if (!options.wants(chapter))
      continue;
    progress.chapter(chapter.name, chapter.weight);
    try {
      chapter.run(session);
    } catch (const DeviceError &error) {
      session.note(std::string(chapter.name) + ": " + error.what());
    }
    session.probeClock();
  }
  result.levels = makeLevels(result);
  if (!options.smoke) // it does not go far enough to see any
    for (const std::string &sentence : unseenCaches(result))
      result.notes.push_back(sentence);
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

// Before anything is measured, so that a run of minutes does not end with a file that cannot be written.
void requireWritable(const std::string &path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const std::string in = folder.empty() ? "." : folder.string();
  const bool exists = std::filesystem::exists(path);
  if (std::filesystem::is_directory(path) || access(exists ? path.c_str() : in.c_str(), W_OK) != 0)
    throw FileError(path + ": cannot be written");
}

void makeFolder(const std::string &path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error || !std::filesystem::is_directory(path) || access(path.c_str(), W_OK) != 0)
    throw FileError(path + ": cannot write into this folder" + (error ? ": " + error.message() : std::string()));
}

int run(Options &options) {
  std::optional<Result> before;
  if (!options.compare.empty())
    before = fromJson(readFile(options.compare), options.compare);
  for (const std::string &path : {options.json, options.csv})
    if (!path.empty())
      requireWritable(path);
  if (!options.svg.empty())
    makeFolder(options.svg);

  Result result;
  if (!options.load.empty()) {
    result = fromJson(readFile(options.load), options.load);
  } else {
    int count = 0;
    const hipError_t error = hipGetDeviceCount(&count);
    if (error != hipSuccess || count == 0) {
      std::fprintf(stderr, "hiplz-roofline: there is no device (%s); hiplz-info says why\n", hipGetErrorName(error));
      return 1;
    }
    if (options.device < 0 || options.device >= count) {
      std::fprintf(stderr, "hiplz-roofline: there is no device %d; there are %d, from 0 on\n", options.device, count);
      return 1;
    }
    result = measure(options);
  }
  if (!options.quiet)
    std::fputs((before ? asComparison(*before, result) : asText(result)).c_str(), stdout);
  if (options.save) {
    const std::string path = savedPath(result.device.uuid);
    if (path.empty())
      throw FileError("--save: neither XDG_DATA_HOME nor HOME is set");
    makeFolder(std::filesystem::path(path).parent_path());
    writeFile(path, toJson(result));
  }
  if (!options.json.empty())
    writeFile(options.json, toJson(result));
  if (!options.csv.empty())
    writeFile(options.csv, toCsv(result));
  if (!options.svg.empty())
    for (const Picture &picture : pictures(result))
      writeFile(options.svg + "/" + picture.file, picture.svg);
  return result.samples.empty() ? 1 : 0;
}

} // namespace

} // namespace hiplz::roofline

// An exception that is not one of ours ends the program, which is right. NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argumentCount, char **arguments) {
  using namespace hiplz::roofline;
  // Drivers have energy counters only if this is set when Level Zero is initialised.
  setenv("ZES_ENABLE_SYSMAN", "1", 0);
  Options options;
  CLI::App app(
      "Measures what a device can do: throughput, bandwidth, latency, overhead, energy; and draws its rooflines.");
  app.add_option("-d,--device", options.device, "number of the HIP device (0)");
  auto *quick = app.add_flag("--quick", options.quick, "about 20 seconds, with fewer points");
  app.add_flag("--smoke", options.smoke, "the smallest run: shows that everything works, its figures mean nothing")
      ->excludes(quick);
  std::vector<std::string> names;
  for (const Chapter &chapter : kChapters)
    names.emplace_back(chapter.name);
  app.add_option("--sections", options.sections, "only these, comma-separated")
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  app.add_option("--json", options.json, "file for the result as JSON");
  app.add_option("--csv", options.csv, "file for the measurements as CSV");
  app.add_option("--svg", options.svg, "folder for the pictures");
  app.add_flag("--save", options.save, "keep the result for this device: hiplz-info shows it");
  app.add_option("--load", options.load, "measure nothing, take the result in this JSON file");
  app.add_option("--compare", options.compare, "print the differences to the result in this JSON file");
  app.add_flag("-q,--quiet", options.quiet, "print nothing but errors");
  CLI11_PARSE(app, argumentCount, arguments);
  try {
    return run(options);
  } catch (const std::runtime_error &error) { // FileError, DeviceError
    std::fprintf(stderr, "hiplz-roofline: %s\n", error.what());
    return 1;
  }
}

// SPDX-License-Identifier: MIT
// hiplz-check: runs a program with HIPLZ_CHECK, reads what its processes have found and writes it. A process writes each finding when it
// finds it, so that those of a program that crashes are there, and once more with its count at the end.
#include "base/temporary_folder.h"
#include "check/options.h"
#include "check/output.h"
#include "check/suppressions.h"
#include "hiplz/version.h"
#include "prof/tool/launcher.h"
#include "prof/tool/output_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace hiplz;
using namespace hiplz::checking;

namespace {

bool isSame(const CheckReport &a, const CheckReport &b) {
  return a.tool == b.tool && a.what == b.what && a.kernel == b.kernel && a.place == b.place && a.other == b.other &&
         (!a.place.empty() || a.allocated == b.allocated);
}

// Of a call of the API.
bool isOfApi(const CheckReport &report) {
  return report.kernel.empty() && report.what.find(" failed: ") != std::string::npos;
}

bool isWanted(const CheckReport &report, const Options &options, const Suppressions &suppressions) {
  if (!options.kernels.isEmpty() && !options.kernels.matches(report.kernel))
    return false;
  if (!options.excluded.isEmpty() && options.excluded.matches(report.kernel))
    return false;
  if (!options.apiErrors && isOfApi(report) && !report.isError())
    return false;
  const Level level = report.isError() ? Level::error : report.severity == "warning" ? Level::warning : Level::info;
  if (report.tool == "racecheck" && level < options.raceLevel)
    return false;
  return level >= options.level && !suppressions.matches(report);
}

// The parts of it that people do not want to see.
void shorten(CheckReport &report, const Options &options) {
  forEachStack(report, [&](const char *, std::vector<std::string> &frames) {
    frames.resize(options.hostStacks ? std::min<size_t>(frames.size(), options.hostFrames) : 0);
  });
  if (!options.deviceStacks)
    report.place = report.place.substr(0, report.place.find(", inlined at "));
}

void readReports(const fs::path &path, std::vector<CheckReport> &all) {
  std::ifstream file(path);
  const auto first = static_cast<ptrdiff_t>(all.size()); // of this process
  for (CheckReport report; readRecord(file, report);) {
    const auto found =
        std::find_if(all.begin() + first, all.end(), [&](const CheckReport &other) { return isSame(other, report); });
    if (found == all.end())
      all.push_back(report);
    else
      found->count = std::max(found->count, report.count);
  }
}

std::vector<CheckReport> readReports(const Options &options, const std::string &folder, int application) {
  std::vector<fs::path> files;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".findings" &&
        (!options.onlyApplication || options.stops || entry.path().stem() == std::to_string(application)))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<CheckReport> all;
  for (const fs::path &path : files)
    readReports(path, all);
  return all;
}

std::string expanded(std::string name) {
  for (size_t at; (at = name.find("%p")) != std::string::npos;)
    name.replace(at, 2, std::to_string(::getpid()));
  return name;
}

bool isColoured(const Options &options) {
  if (options.colours != Colours::automatic)
    return options.colours == Colours::yes;
  return options.logFile.empty() && !std::getenv("NO_COLOR") && ::isatty(STDERR_FILENO);
}

void writeFile(const std::string &path, const std::function<void(std::ostream &)> &write) {
  if (path.empty())
    return;
  prof::OutputFile file(expanded(path));
  write(file.out());
  file.close();
}

/// Runs the program.
prof::Ended run(const Options &options, const std::string &folder) {
  std::vector<std::string> program = options.program;
  if (options.stops)
    program.insert(program.begin(), {"gdb", "-q", "-ex", "run", "--args"});
  std::vector<std::pair<std::string, std::string>> environment{
      {"HIPLZ_CHECK", options.tools + (options.leaks ? ",leaks" : "")},
      {"HIPLZ_CHECK_REPORTS", folder},
      {"HIPLZ_DEVICES", "cpu"}};
  const std::string path = folder + "/" + kCheckOptions;
  if (options.launchSkip || options.launchCount)
    writeFile(path, [&](std::ostream &out) {
      out << options.launchSkip << ' ' << options.launchCount << '\n' << options.kernels.expression() << '\n';
    });
  if (options.stops)
    writeFile(path + kCheckStop, [](std::ostream &) {});
  if (options.blocking)
    environment.emplace_back("HIP_LAUNCH_BLOCKING", "1");
  prof::Ended ended = prof::runProgram(program, environment, prof::Streams::inherited);
  if (!ended.problem.empty())
    throw std::runtime_error(ended.problem);
  return ended;
}

int check(const Options &options) {
  Suppressions suppressions;
  for (const std::string &path : options.suppressions)
    suppressions.read(path);
  prof::Ended ended;
  std::vector<CheckReport> reports;
  if (!options.read.empty()) {
    if (!fs::exists(options.read))
      throw std::runtime_error(options.read + " cannot be read");
    readReports(options.read, reports);
  } else {
    const TemporaryFolder folder(TemporaryFolder::pattern("hiplz-check"));
    if (folder.path().empty())
      throw std::runtime_error("a temporary folder cannot be made: " + std::string(std::strerror(errno)));
    ended = run(options, folder.path());
    reports = readReports(options, folder.path(), ended.pid);
  }
  writeFile(options.saved, [&](std::ostream &out) {
    for (const CheckReport &report : reports)
      out << recordOf(report);
  });
  std::erase_if(reports, [&](const CheckReport &report) { return !isWanted(report, options, suppressions); });
  for (CheckReport &report : reports)
    shorten(report, options);
  auto write = [&](std::ostream &out) {
    if (options.xml)
      return writeXml(out, reports);
    writeText(out, reports,
              {.limit = options.printLimit,
               .prefix = options.prefix,
               .colours = isColoured(options),
               .quiet = options.quiet});
    if (options.checkExitCode && ended.exitCode)
      out << options.prefix << " the program has ended with "
          << (ended.signal ? "signal " + std::to_string(ended.signal) : "exit code " + std::to_string(ended.exitCode))
          << '\n';
  };
  if (options.logFile.empty())
    write(std::cerr);
  writeFile(options.logFile, write);
  writeFile(options.json, [&](std::ostream &out) { writeJson(out, reports); });
  writeFile(options.sarif, [&](std::ostream &out) { writeSarif(out, reports); });
  writeFile(options.generated, [&](std::ostream &out) { writeSuppressions(out, reports); });
  const bool hasErrors =
      std::any_of(reports.begin(), reports.end(), [](const auto &report) { return report.isError(); });
  return ended.exitCode == 0 && hasErrors && options.errorExitCode ? options.errorExitCode : ended.exitCode;
}

} // namespace

int main(int argc, char **argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (!arguments.empty() && (arguments.front() == "--help" || arguments.front() == "-h"))
      return std::fputs(kHelp, stdout) < 0;
    if (!arguments.empty() && (arguments.front() == "--version" || arguments.front() == "-v"))
      return std::puts("hiplz-check " HIPLZ_VERSION_STRING) < 0;
    return check(parseOptions(arguments));
  } catch (const std::exception &error) {
    std::fprintf(stderr, "hiplz-check: %s\n", error.what());
    return 1;
  }
}

// SPDX-License-Identifier: MIT
// hiplz-check: runs a program with HIPLZ_CHECK, reads what its processes have found and writes it. A process writes each finding when it
// finds it, so that those of a program that crashes are there, and once more with its count at the end.
#include "base/temporary_folder.h"
#include "check/options.h"
#include "check/output.h"
#include "hiplz/version.h"
#include "prof/tool/launcher.h"
#include "prof/tool/output_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
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

bool isWanted(const CheckReport &report, const Options &options) {
  if (options.kernels && !std::regex_search(report.kernel, *options.kernels))
    return false;
  return report.kernel.find(options.kernelPart) != std::string::npos;
}

std::vector<CheckReport> readReports(const Options &options, const std::string &folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<CheckReport> all;
  for (const fs::path &path : files) {
    std::ifstream file(path);
    const auto first = static_cast<ptrdiff_t>(all.size()); // of this process
    for (CheckReport report; readRecord(file, report);) {
      if (!isWanted(report, options))
        continue;
      const auto found =
          std::find_if(all.begin() + first, all.end(), [&](const CheckReport &other) { return isSame(other, report); });
      if (found == all.end())
        all.push_back(report);
      else
        found->count = std::max(found->count, report.count);
    }
  }
  return all;
}

std::string expanded(std::string name) {
  for (size_t at; (at = name.find("%p")) != std::string::npos;)
    name.replace(at, 2, std::to_string(::getpid()));
  return name;
}

int check(const Options &options) {
  const TemporaryFolder folder(TemporaryFolder::pattern("hiplz-check"));
  if (folder.path().empty())
    throw std::runtime_error("a temporary folder cannot be made: " + std::string(std::strerror(errno)));
  const prof::Ended ended = prof::runProgram(options.program,
                                             {{"HIPLZ_CHECK", options.tools + (options.leaks ? ",leaks" : "")},
                                              {"HIPLZ_CHECK_REPORTS", folder.path()},
                                              {"HIPLZ_DEVICES", "cpu"}},
                                             prof::Streams::inherited);
  if (!ended.problem.empty())
    throw std::runtime_error(ended.problem);
  const std::vector<CheckReport> reports = readReports(options, folder.path());
  auto write = [&](std::ostream &out) {
    options.xml ? writeXml(out, reports) : writeText(out, reports, options.printLimit);
  };
  if (options.logFile.empty()) {
    write(std::cerr);
  } else {
    prof::OutputFile file(expanded(options.logFile));
    write(file.out());
    file.close();
  }
  if (!options.json.empty()) {
    prof::OutputFile file(expanded(options.json));
    writeJson(file.out(), reports);
    file.close();
  }
  const bool hasErrors =
      std::any_of(reports.begin(), reports.end(), [](const auto &report) { return report.isError(); });
  return ended.exitCode == 0 && hasErrors && options.errorExitCode ? options.errorExitCode : ended.exitCode;
}

} // namespace

int main(int argc, char **argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (!arguments.empty() && arguments.front() == "--help")
      return std::fputs(kHelp, stdout) < 0;
    if (!arguments.empty() && arguments.front() == "--version")
      return std::puts("hiplz-check " HIPLZ_VERSION_STRING) < 0;
    return check(parseOptions(arguments));
  } catch (const std::exception &error) {
    std::fprintf(stderr, "hiplz-check: %s\n", error.what());
    return 1;
  }
}

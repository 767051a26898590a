// SPDX-License-Identifier: MIT
#include "prof/tool/options.h"

#include <algorithm>
#include <cctype>
#include <climits>
#include <map>
#include <stdexcept>
#include <unistd.h>

namespace hiplz::prof {

const char kHelp[] = R"(hiplz-prof [options] -- program [arguments]      shows what a HIP program does
hiplz-prof [options] --read FOLDER...            makes the outputs from traces that were kept, as of MPI ranks

  -d, --output-directory DIR   where outputs go (.)
  -o, --output-file NAME       what their names begin with (PROGRAM-%pid%); %pid%, %rank% and %hostname% are replaced
  -f, --output-format FORMAT   pftrace (the default): a timeline for ui.perfetto.dev, NAME_timeline.json
                               svg: the timeline as a picture, NAME_timeline.svg; --range MESSAGE: only this range of roctx
                               json: the summary as NAME_summary.json
                               csv: tables NAME_kernel_trace.csv, NAME_hip_api_trace.csv and so on
                               none: the terminal alone; several with commas or blanks between them
  -r, -s, --runtime-trace, --sys-trace   everything (the default); or only what is named:
  --hip-trace, --hip-runtime-trace       calls of HIP functions
  --kernel-trace                         kernels
  --memory-copy-trace                    copies and fills
  --memory-allocation-trace              memory in use
  --marker-trace                         markers of roctx
  -M, --mangled-kernels        kernels as the module calls them
  -T, --truncate-kernels       without namespaces and arguments of templates
  --kernel-rename              after the innermost range of roctxRangePush in which they were launched
  --kernel-include-regex, --kernel-exclude-regex EXPRESSION   kernels whose names match are in the outputs, or are not
  --kernel-iteration-range RANGE...      only these launches of each kernel: [2-4] or 1,7
  -P, --collection-period DELAY:TIME:REPEAT...   only what begins in these times, counted from the first record on;
                               REPEAT 0 goes on forever; --collection-period-unit hour, min, sec (the default), msec, usec, nsec
  --selected-regions           only between roctxProfilerResume(0) and roctxProfilerPause(0)
  --roofline                   each kernel under the roofs of the device, as a table and as pictures NAME_roofline.svg and
                               NAME_roofline_memory.svg; runs the program a second time, on the CPU device, to count
                               operations and bytes (NAME_counts.csv)
  --counts FILE                takes the counts from this file instead, as for a GPU; --roofs FILE: a result of
                               hiplz-roofline --json instead of a saved or a new one
  --stats                      CSV files with the sums as well
  -S, -D, --summary, --summary-per-domain   tables on the terminal (the default); --no-summary: none
  --summary-output-file FILE   tables go there; stderr (the default) or stdout; -u, --summary-units sec, msec, usec or nsec
  --full                       all rows of the tables
  --preload LIBRARY...         for LD_PRELOAD of the program
  --keep-traces                keeps what the program has recorded, in NAME_traces
  -h, --help; -v, --version

Options without a value take =true and =false too. The exit code is the program's.
)";

namespace {

class Parser {
public:
  explicit Parser(const std::vector<std::string> &arguments)
      : rest_(arguments), dashes_(std::ranges::find(arguments, "--") != arguments.end()) {}

  Options parse() {
    while (at_ < rest_.size() && out_.problem.empty()) {
      const std::string argument = rest_[at_];
      if (argument == "--") {
        ++at_;
        break;
      }
      if (!argument.starts_with('-'))
        break;
      ++at_;
      option(argument);
    }
    auto &left = out_.action == Options::Action::read ? out_.folders : out_.program;
    left.insert(left.end(), rest_.begin() + static_cast<std::ptrdiff_t>(at_), rest_.end());
    if (out_.problem.empty() && left.empty() && out_.action == Options::Action::run)
      out_.problem = "there is no program to run";
    if (out_.problem.empty() && left.empty() && out_.action == Options::Action::read)
      out_.problem = "--read needs a folder of traces";
    if (out_.roofline && out_.chooses())
      out_.kernels = true;
    if (!formats_)
      out_.timeline = true;
    return out_;
  }

private:
  void option(std::string argument) {
    std::string value;
    bool hasValue = false;
    if (const size_t equals = argument.find('='); argument.starts_with("--") && equals != argument.npos) {
      value = argument.substr(equals + 1);
      argument.erase(equals);
      hasValue = true;
    }
    auto next = [&]() -> std::string {
      if (hasValue)
        return value;
      if (at_ < rest_.size())
        return rest_[at_++];
      out_.problem = argument + " needs a value";
      return {};
    };
    static const std::map<std::string, bool Options::*> kFlags = {
        {"--hip-trace", &Options::calls},
        {"--hip-runtime-trace", &Options::calls},
        {"--kernel-trace", &Options::kernels},
        {"--memory-copy-trace", &Options::copies},
        {"--memory-allocation-trace", &Options::memory},
        {"--marker-trace", &Options::markers},
        {"--roofline", &Options::roofline},
        {"--stats", &Options::statistics},
        {"-S", &Options::summary},
        {"--summary", &Options::summary},
        {"-D", &Options::summary},
        {"--summary-per-domain", &Options::summary},
        {"--selected-regions", &Options::selectedRegions},
        {"--keep-traces", &Options::keep},
    };
    // Of an option that is on or off.
    auto flag = [&]() -> bool { return !hasValue || isTrue(argument, value); };
    // An option with one or more values, as rocprofv3 takes them: up to the next option.
    auto each = [&](auto add) {
      add(next());
      while (!hasValue && dashes_ && at_ < rest_.size() && !rest_[at_].starts_with('-'))
        add(rest_[at_++]);
    };
    if (const auto known = kFlags.find(argument); known != kFlags.end())
      out_.*known->second = flag();
    else if (argument == "--full")
      out_.style.full = flag();
    else if (argument == "-d" || argument == "--output-directory")
      out_.directory = next();
    else if (argument == "-o" || argument == "--output-file")
      out_.name = next();
    else if (argument == "-f" || argument == "--output-format")
      addFormats(next(), hasValue);
    else if (argument == "--range") {
      out_.range = next();
      formats_ = out_.picture = true;
    } else if (argument == "--counts")
      out_.counts = next(), out_.roofline = true;
    else if (argument == "--roofs")
      out_.roofs = next(), out_.roofline = true;
    else if (argument == "-r" || argument == "--runtime-trace" || argument == "-s" || argument == "--sys-trace")
      out_.calls = out_.kernels = out_.copies = out_.memory = out_.markers = flag();
    else if (argument == "-M" || argument == "--mangled-kernels")
      setNames(flag(), KernelChoice::Names::mangled);
    else if (argument == "-T" || argument == "--truncate-kernels")
      setNames(flag(), KernelChoice::Names::truncated);
    else if (argument == "--kernel-rename")
      out_.choice.rename = flag();
    else if (argument == "--kernel-include-regex")
      out_.choice.included = expression(argument, next());
    else if (argument == "--kernel-exclude-regex")
      out_.choice.excluded = expression(argument, next());
    else if (argument == "--kernel-iteration-range")
      each([&](const std::string &word) {
        refuseUnless(addIterations(out_.choice.iterations, word), word, "a range of launches, as [2-4]");
      });
    else if (argument == "-P" || argument == "--collection-period")
      each([&](const std::string &word) {
        refuseUnless(out_.periods.emplace_back().parse(word), word, "a period, DELAY:TIME:REPEAT");
      });
    else if (argument == "--collection-period-unit" || argument == "-pu") {
      const std::string word = next();
      out_.periodUnit = nanosecondsOf(word);
      refuseUnless(out_.periodUnit > 0, word, "a unit: hour, min, sec, msec, usec or nsec");
    } else if (argument == "-u" || argument == "--summary-units")
      setUnit(next());
    else if (argument == "--summary-output-file")
      out_.tables = next();
    else if (argument == "--preload")
      each([&](const std::string &word) { out_.preload += (out_.preload.empty() ? "" : ":") + word; });
    else if (argument == "--no-summary")
      out_.summary = false;
    else if (argument == "--read")
      out_.action = Options::Action::read;
    else if (argument == "-h" || argument == "--help")
      out_.action = Options::Action::help;
    else if (argument == "-v" || argument == "--version")
      out_.action = Options::Action::version;
    else
      refuse("there is no option " + argument);
  }

  // The first mistake is the one to tell.
  void refuse(const std::string &why) {
    if (out_.problem.empty())
      out_.problem = why;
  }
  void refuseUnless(bool good, const std::string &word, const char *what) {
    if (!good)
      refuse("'" + word + "' is not " + what);
  }

  bool isTrue(const std::string &option, std::string word) {
    std::ranges::transform(word, word.begin(), [](unsigned char letter) { return std::tolower(letter); });
    for (const char *yes : {"1", "on", "true", "t", "yes", "y"})
      if (word == yes)
        return true;
    for (const char *no : {"0", "off", "false", "f", "no", "n"})
      if (word == no)
        return false;
    refuse(option + "=" + word + ": neither true nor false");
    return false;
  }

  void setNames(bool on, KernelChoice::Names names) {
    if (on)
      out_.choice.names = names;
    else if (out_.choice.names == names)
      out_.choice.names = KernelChoice::Names::readable;
  }

  std::optional<NamePattern> expression(const std::string &option, const std::string &text) {
    try {
      return NamePattern(text);
    } catch (const std::invalid_argument &error) {
      refuse(option + " " + text + ": " + error.what());
      return std::nullopt;
    }
  }

  void setUnit(const std::string &word) {
    static const std::map<std::string, TableStyle::Unit> kUnits = {{"sec", TableStyle::Unit::seconds},
                                                                   {"msec", TableStyle::Unit::milliseconds},
                                                                   {"usec", TableStyle::Unit::microseconds},
                                                                   {"nsec", TableStyle::Unit::nanoseconds}};
    const auto unit = kUnits.find(word);
    refuseUnless(unit != kUnits.end(), word, "a unit: sec, msec, usec or nsec");
    if (unit != kUnits.end())
      out_.style.unit = unit->second;
  }

  bool addFormat(const std::string &word) {
    if (word == "csv")
      out_.csv = true;
    else if (word == "json")
      out_.json = true;
    else if (word == "pftrace")
      out_.timeline = true;
    else if (word == "svg")
      out_.picture = true;
    else if (word != "none")
      return false;
    return formats_ = true;
  }

  void addFormats(const std::string &text, bool joined) {
    for (size_t begin = 0; begin <= text.size();) {
      const size_t end = std::min(text.find(',', begin), text.size());
      const std::string word = text.substr(begin, end - begin);
      refuseUnless(addFormat(word), word, "a format: pftrace, svg, json, csv or none");
      begin = end + 1;
    }
    // rocprofv3 takes several words.
    while (!joined && at_ < rest_.size() && addFormat(rest_[at_]))
      ++at_;
  }

  std::vector<std::string> rest_;
  const bool dashes_; // before the program
  size_t at_ = 0;
  bool formats_ = false;
  Options out_;
};

void replaceAll(std::string &text, const std::string &key, const std::string &value) {
  for (size_t at = 0; (at = text.find(key, at)) != text.npos; at += value.size())
    text.replace(at, key.size(), value);
}

} // namespace

Options parseOptions(const std::vector<std::string> &arguments) { return Parser(arguments).parse(); }

std::string recordedParts(const Options &options) {
  if (!options.chooses())
    return options.selectedRegions ? "paused,all" : "all";
  std::string parts = options.selectedRegions ? "paused," : "";
  for (const auto &[wanted, word] :
       {std::pair(options.calls, "calls,"), std::pair(options.kernels || options.copies, "commands,"),
        std::pair(options.memory, "memory,"), std::pair(options.markers || options.choice.rename, "markers,")})
    if (wanted)
      parts += word;
  parts.pop_back();
  return parts;
}

std::string expandKeys(std::string text, int pid, int rank) {
  char host[HOST_NAME_MAX + 1] = "";
  ::gethostname(host, sizeof host - 1);
  replaceAll(text, "%pid%", std::to_string(pid));
  replaceAll(text, "%rank%", std::to_string(std::max(rank, 0)));
  replaceAll(text, "%hostname%", host);
  return text;
}

} // namespace hiplz::prof

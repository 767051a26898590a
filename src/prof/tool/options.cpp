// SPDX-License-Identifier: MIT
#include "prof/tool/options.h"

#include <algorithm>
#include <climits>
#include <map>
#include <unistd.h>

namespace hiplz::prof {

const char kHelp[] = R"(hiplz-prof [options] -- program [arguments]      shows what a HIP program does
hiplz-prof [options] --read FOLDER...            makes the outputs from traces that were kept, as of MPI ranks

  -d, --output-directory DIR   where outputs go (.)
  -o, --output-file NAME       what their names begin with (PROGRAM-%pid%); %pid%, %rank% and %hostname% are replaced
  -f, --output-format FORMAT   pftrace (the default): a timeline for ui.perfetto.dev, NAME_timeline.json
                               json: the summary as NAME_summary.json
                               csv: tables NAME_kernel_trace.csv, NAME_hip_api_trace.csv and so on
                               none: the terminal alone; several with commas or blanks between them
  -r, -s, --runtime-trace, --sys-trace   everything (the default); or only what is named:
  --hip-trace, --hip-runtime-trace       calls of HIP functions
  --kernel-trace                         kernels
  --memory-copy-trace                    copies and fills
  --memory-allocation-trace              memory in use
  --marker-trace                         markers of roctx
  --roofline                   each kernel under the roofs of the device, as a table and as pictures NAME_roofline.svg and
                               NAME_roofline_memory.svg; runs the program a second time, on the CPU device, to count
                               operations and bytes (NAME_counts.csv)
  --counts FILE                takes the counts from this file instead, as for a GPU; --roofs FILE: a result of
                               hiplz-roofline --json instead of a saved or a new one
  --stats                      CSV files with the sums as well
  -S, --summary                tables on the terminal (the default); --no-summary: none
  --full                       all rows of the tables
  --keep-traces                keeps what the program has recorded, in NAME_traces
  -h, --help; --version

The exit code is the program's. The tables go to standard error.
)";

namespace {

class Parser {
public:
  explicit Parser(const std::vector<std::string> &arguments) : rest_(arguments) {}

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
        {"--full", &Options::full},
        {"--keep-traces", &Options::keep},
    };
    if (const auto flag = kFlags.find(argument); flag != kFlags.end())
      out_.*flag->second = true;
    else if (argument == "-d" || argument == "--output-directory")
      out_.directory = next();
    else if (argument == "-o" || argument == "--output-file")
      out_.name = next();
    else if (argument == "-f" || argument == "--output-format")
      addFormats(next(), hasValue);
    else if (argument == "--counts")
      out_.counts = next(), out_.roofline = true;
    else if (argument == "--roofs")
      out_.roofs = next(), out_.roofline = true;
    else if (argument == "-r" || argument == "--runtime-trace" || argument == "-s" || argument == "--sys-trace")
      out_.calls = out_.kernels = out_.copies = out_.memory = out_.markers = true;
    else if (argument == "--no-summary")
      out_.summary = false;
    else if (argument == "--read")
      out_.action = Options::Action::read;
    else if (argument == "-h" || argument == "--help")
      out_.action = Options::Action::help;
    else if (argument == "--version")
      out_.action = Options::Action::version;
    else
      out_.problem = "there is no option " + argument;
  }

  bool addFormat(const std::string &word) {
    if (word == "csv")
      out_.csv = true;
    else if (word == "json")
      out_.json = true;
    else if (word == "pftrace")
      out_.timeline = true;
    else if (word != "none")
      return false;
    return formats_ = true;
  }

  void addFormats(const std::string &text, bool joined) {
    for (size_t begin = 0; begin <= text.size();) {
      const size_t end = std::min(text.find(',', begin), text.size());
      if (const std::string word = text.substr(begin, end - begin); !addFormat(word) && out_.problem.empty())
        out_.problem = "'" + word + "' is not a format: pftrace, json, csv or none";
      begin = end + 1;
    }
    // rocprofv3 takes several words.
    while (!joined && at_ < rest_.size() && addFormat(rest_[at_]))
      ++at_;
  }

  std::vector<std::string> rest_;
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
    return "all";
  std::string parts;
  for (const auto &[wanted, word] :
       {std::pair(options.calls, "calls,"), std::pair(options.kernels || options.copies, "commands,"),
        std::pair(options.memory, "memory,"), std::pair(options.markers, "markers,")})
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

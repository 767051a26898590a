// SPDX-License-Identifier: MIT
#include "check/options.h"
#include "check/foreign_options.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <stdexcept>

namespace hiplz::checking {

const char kHelp[] =
    R"(hiplz-check [options] program [arguments]: runs a HIP program on the CPU device and checks its kernels.

  --tool NAMES             memcheck, racecheck, synccheck, initcheck, several with commas between them, or all (the default)
  --leak-check full|no     full: memory that the program has not freed when it ends is an error of memcheck; the default is no
  --report-api-errors all|explicit|no
                           all, explicit: failed calls that are no error of memcheck are warnings; no: they are not reported
  --kernel-regex FILTER, --kernel-name FILTER
                           only findings of some kernels. kregex=EXPRESSION: a part of the name matches;
                           kns=TEXT: the name has this part; kne=NAME: it is this name
  --kernel-regex-exclude FILTER, --kernel-name-exclude FILTER
                           no findings of those kernels
  --launch-skip N          no findings of the first N launches (of kernels that the filter takes)
  --launch-count N         findings of N launches at most; 0, the default: of all
  --target-processes all|application-only
                           application-only: no findings of processes that the program starts; the default is all
  --force-blocking-launches
                           the host waits for each kernel
  --break                  runs the program in gdb, which stops at each finding

  --error-exitcode N       the exit code if there are errors; 0, the default: that of the program
  --check-exit-code yes|no yes, the default: says that the program has failed
  --print-level info|warn|error
                           error: only errors are reported; info: notes as well; the default is warn
  --racecheck-detect-level info|warn|error
                           the same for findings of racecheck alone
  --print-limit N          how many findings are printed; 0: all; by default 100
  --show-backtrace yes|host|device|no
                           call stacks of the host, and lines that calls have been inlined at in kernels; yes is the default
  --num-callers-host N     how many frames of each call stack
  --prefix TEXT            begins each line, instead of =========
  --color auto|yes|no      by default on a terminal
  --quiet                  no summary if nothing was found

  --log-file FILE          where findings go instead of standard error; %p is the number of the process
  --xml                    findings as XML
  --json FILE              a file that receives the findings as JSON as well
  --sarif FILE             a file that receives them as SARIF 2.1.0, for tools that review code
  --save FILE, --read FILE writes findings to a file; prints those of such a file instead of running a program
  --suppressions FILE      findings that the file describes are not reported
  --gen-suppressions FILE  writes such a file, with what was found
  --help, --version
Other options of compute-sanitizer are accepted where they ask for nothing that is not done anyway.
)";

namespace {

uint64_t number(const std::string &option, const std::string &text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty())
    throw std::runtime_error(option + " takes a number, not '" + text + "'");
  return value;
}

std::string toolsOf(const std::string &text) {
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    if (name != "memcheck" && name != "racecheck" && name != "synccheck" && name != "initcheck" && name != "all")
      throw std::runtime_error("there is no tool '" + name +
                               "'; there are memcheck, racecheck, synccheck and initcheck");
    begin = end + 1;
  }
  return text;
}

/// The index of one of the words.
size_t choice(const std::string &option, const std::string &text, const std::vector<std::string> &words) {
  std::string list;
  for (size_t index = 0; index < words.size(); ++index) {
    if (text == words[index])
      return index;
    list += (index == 0 ? "" : index + 1 == words.size() ? " or " : ", ") + words[index];
  }
  throw std::runtime_error(option + " takes " + list + ", not '" + text + "'");
}

bool isYesOrNo(const std::string &text) { return text == "yes" || text == "no"; }

std::string quoted(const std::string &text) {
  std::string expression;
  for (const char letter : text) {
    if (std::string_view("\\^$.|?*+()[]{}").find(letter) != std::string_view::npos)
      expression += '\\';
    expression += letter;
  }
  return expression;
}

} // namespace

void KernelFilter::add(const std::string &option, const std::string &text) {
  const size_t equals = text.find('=');
  const std::string kind = text.substr(0, equals), rest = equals == std::string::npos ? "" : text.substr(equals + 1);
  std::string pattern;
  if (kind == "kregex" || kind == "kernel_regex")
    pattern = rest;
  else if (kind == "kns" || kind == "kernel_substring")
    pattern = quoted(rest);
  else if (kind == "kne" || kind == "kernel_name")
    pattern = "^" + quoted(rest) + "($|\\(|<)"; // without parameters and template arguments as well
  else
    throw std::runtime_error(option + " takes kregex=EXPRESSION, kns=TEXT or kne=NAME, not '" + text + "'");
  try {
    all_.push_back({pattern, NamePattern(pattern)});
  } catch (const std::invalid_argument &error) {
    throw std::runtime_error("'" + rest + "' is no regular expression: " + error.what());
  }
}

bool KernelFilter::matches(const std::string &kernel) const {
  return std::any_of(all_.begin(), all_.end(), [&](const One &one) { return one.expression.isIn(kernel); });
}

std::string KernelFilter::expression() const {
  std::string expression;
  for (const One &one : all_)
    expression += (expression.empty() ? "(" : "|(") + one.text + ")";
  return expression;
}

Options parseOptions(const std::vector<std::string> &arguments) {
  Options options;
  using Take = std::function<void(const std::string &name, const std::string &value)>;
  const auto toNumber = [](uint64_t &to) {
    return Take([&to](const std::string &name, const std::string &value) { to = number(name, value); });
  };
  const auto toText = [](std::string &to) {
    return Take([&to](const std::string &, const std::string &value) { to = value; });
  };
  const auto toFilter = [](KernelFilter &to) {
    return Take([&to](const std::string &name, const std::string &value) { to.add(name, value); });
  };
  const std::map<std::string, Take> takers{
      {"--tool", [&](auto &, auto &value) { options.tools = toolsOf(value); }},
      {"--leak-check",
       [&](auto &name, auto &value) {
         options.leaks = choice(name, value, {"no", "full"});
       }},
      {"--report-api-errors",
       [&](auto &name, auto &value) {
         options.apiErrors = choice(name, value, {"no", "all", "explicit"});
       }},
      {"--kernel-regex", toFilter(options.kernels)},
      {"--kernel-name", toFilter(options.kernels)},
      {"--filter", toFilter(options.kernels)},
      {"--kernel-regex-exclude", toFilter(options.excluded)},
      {"--kernel-name-exclude", toFilter(options.excluded)},
      {"--launch-skip", toNumber(options.launchSkip)},
      {"--launch-count", toNumber(options.launchCount)},
      {"--target-processes",
       [&](auto &name, auto &value) {
         options.onlyApplication = choice(name, value, {"all", "application-only"});
       }},
      {"--error-exitcode",
       [&](auto &name, auto &value) {
         const uint64_t code = number(name, value);
         if (code > 255)
           throw std::runtime_error("--error-exitcode takes a number up to 255");
         options.errorExitCode = static_cast<int>(code);
       }},
      {"--check-exit-code",
       [&](auto &name, auto &value) {
         options.checkExitCode = choice(name, value, {"no", "yes"});
       }},
      {"--print-level",
       [&](auto &name, auto &value) {
         options.level =
             static_cast<Level>(std::min<size_t>(choice(name, value, {"info", "warn", "error", "fatal"}), 2));
       }},
      {"--racecheck-detect-level",
       [&](auto &name, auto &value) {
         options.raceLevel = static_cast<Level>(choice(name, value, {"info", "warn", "error"}));
       }},
      {"--print-limit", toNumber(options.printLimit)},
      {"--show-backtrace",
       [&](auto &name, auto &value) {
         const size_t which = choice(name, value, {"yes", "host", "device", "no"});
         options.hostStacks = which < 2;
         options.deviceStacks = which == 0 || which == 2;
       }},
      {"--num-callers-host", toNumber(options.hostFrames)},
      {"--prefix", toText(options.prefix)},
      {"--color",
       [&](auto &name, auto &value) {
         options.colours = static_cast<Colours>(choice(name, value, {"auto", "yes", "no"}));
       }},
      {"--log-file", toText(options.logFile)},
      {"--json", toText(options.json)},
      {"--sarif", toText(options.sarif)},
      {"--save", toText(options.saved)},
      {"--read", toText(options.read)},
      {"--suppressions", [&](auto &, auto &value) { options.suppressions.push_back(value); }},
      {"--gen-suppressions", toText(options.generated)},
  };
  const std::map<std::string, bool *> switches{{"--xml", &options.xml},
                                               {"--break", &options.stops},
                                               {"--quiet", &options.quiet},
                                               {"--force-blocking-launches", &options.blocking}};
  const std::map<std::string, std::string> shortNames{{"-c", "--launch-count"}, {"-s", "--launch-skip"}};
  size_t next = 0;
  for (; next < arguments.size() && arguments[next].starts_with("-"); ++next) {
    const std::string &argument = arguments[next];
    const size_t equals = argument.find('=');
    const std::string given = argument.substr(0, equals);
    const auto longer = shortNames.find(given);
    const std::string &name = longer == shortNames.end() ? given : longer->second;
    if (name == "--") {
      ++next;
      break;
    }
    const auto isSwitch = switches.find(name);
    const auto found = takers.find(name);
    const Foreign foreign = foreignOption(name);
    if (isSwitch == switches.end() && found == takers.end() && foreign == Foreign::unknown)
      throw std::runtime_error("there is no option " + name + " (--help lists them)");
    if (isSwitch != switches.end() || foreign == Foreign::takesYesOrNo) { // a value may follow
      std::string value = equals == std::string::npos ? "yes" : argument.substr(equals + 1);
      if (equals == std::string::npos && next + 1 < arguments.size() && isYesOrNo(arguments[next + 1]))
        value = arguments[++next];
      if (isSwitch != switches.end())
        *isSwitch->second = choice(name, value, {"no", "yes"});
      else
        checkForeignValue(name, value);
      continue;
    }
    if (equals == std::string::npos && ++next == arguments.size())
      throw std::runtime_error(name + " takes a value");
    const std::string value = equals == std::string::npos ? arguments[next] : argument.substr(equals + 1);
    if (found != takers.end())
      found->second(name, value);
    else
      checkForeignValue(name, value);
  }
  if (options.leaks && ("," + options.tools + ",").find(",memcheck,") == std::string::npos &&
      ("," + options.tools + ",").find(",all,") == std::string::npos)
    throw std::runtime_error("--leak-check=full needs memcheck among the tools");
  options.program.assign(arguments.begin() + static_cast<ptrdiff_t>(next), arguments.end());
  if (options.program.empty() == options.read.empty())
    throw std::runtime_error(options.read.empty() ? "which program? (--help)" : "--read takes the place of a program");
  return options;
}

} // namespace hiplz::checking

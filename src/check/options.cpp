// SPDX-License-Identifier: MIT
#include "check/options.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace hiplz::checking {

const char kHelp[] =
    R"(hiplz-check [options] program [arguments]: runs a HIP program on the CPU device and checks its kernels.

  --tool NAMES             memcheck, racecheck, synccheck, several with commas between them, or all (the default)
  --leak-check full|no     full: memory that the program has not freed when it ends is an error of memcheck; the default is no
  --error-exitcode N       the exit code if there are errors; 0, the default: that of the program
  --log-file FILE          where findings go instead of standard error; %p is the number of the process
  --xml                    findings as XML
  --json FILE              a file that receives the findings as JSON as well
  --print-limit N          how many findings are printed; 0: all; by default 100
  --kernel-regex FILTER    kregex=EXPRESSION: findings of kernels whose name has a part that matches;
                           kns=TEXT: of kernels whose name has this part
  --help, --version
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
    if (name != "memcheck" && name != "racecheck" && name != "synccheck" && name != "all")
      throw std::runtime_error("there is no tool '" + name + "'; there are memcheck, racecheck and synccheck");
    begin = end + 1;
  }
  return text;
}

bool isFull(const std::string &text) {
  if (text != "full" && text != "no")
    throw std::runtime_error("--leak-check takes full or no, not '" + text + "'");
  return text == "full";
}

void setFilter(Options &options, const std::string &text) {
  if (text.starts_with("kregex="))
    try {
      options.kernels.emplace(text.substr(7));
    } catch (const std::regex_error &error) {
      throw std::runtime_error("'" + text.substr(7) + "' is no regular expression: " + error.what());
    }
  else if (text.starts_with("kns="))
    options.kernelPart = text.substr(4);
  else
    throw std::runtime_error("--kernel-regex takes kregex=EXPRESSION or kns=TEXT, not '" + text + "'");
}

} // namespace

Options parseOptions(const std::vector<std::string> &arguments) {
  Options options;
  size_t next = 0;
  for (; next < arguments.size() && arguments[next].starts_with("--"); ++next) {
    const std::string &argument = arguments[next];
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    if (name == "--") {
      ++next;
      break;
    }
    auto value = [&]() -> std::string {
      if (equals != std::string::npos)
        return argument.substr(equals + 1);
      if (++next == arguments.size())
        throw std::runtime_error(name + " takes a value");
      return arguments[next];
    };
    if (name == "--tool")
      options.tools = toolsOf(value());
    else if (name == "--leak-check")
      options.leaks = isFull(value());
    else if (name == "--log-file")
      options.logFile = value();
    else if (name == "--xml")
      options.xml = true;
    else if (name == "--json")
      options.json = value();
    else if (name == "--error-exitcode")
      options.errorExitCode = static_cast<int>(number(name, value()));
    else if (name == "--print-limit")
      options.printLimit = number(name, value());
    else if (name == "--kernel-regex")
      setFilter(options, value());
    else
      throw std::runtime_error("there is no option " + name + " (--help lists them)");
  }
  if (options.leaks && ("," + options.tools + ",").find(",memcheck,") == std::string::npos &&
      ("," + options.tools + ",").find(",all,") == std::string::npos)
    throw std::runtime_error("--leak-check=full needs memcheck among the tools");
  options.program.assign(arguments.begin() + static_cast<ptrdiff_t>(next), arguments.end());
  if (options.program.empty())
    throw std::runtime_error("which program? (--help)");
  if (options.errorExitCode > 255)
    throw std::runtime_error("--error-exitcode takes a number up to 255");
  return options;
}

} // namespace hiplz::checking

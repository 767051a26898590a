// SPDX-License-Identifier: MIT
#include "rtc/options.h"
#include "base/hip_version.h"

#include <optional>
#include <string_view>
#include <utility>

namespace hiplz::rtc {
namespace {

/// An option of clang for one with a value, "--name=value", "-name=value" or "--name value".
struct WithValue {
  std::string_view name;
  std::string_view clang; // what stands before the value; empty: the option has no meaning here
};
constexpr WithValue kWithValue[] = {
    {"gpu-architecture", ""},
    {"arch", ""},
    {"offload-arch", ""},
    {"gpu-name", ""},
    {"maxrregcount", ""},
    {"gpu-max-threads-per-block", ""},
    {"define-macro", "-D"},
    {"undefine-macro", "-U"},
    {"include-path", "-I"},
    {"std", "-std="},
    {"pre-include", "-include"},
    {"amdgpu-target", ""},
    {"extra-device-vectorization", ""},
    {"ptxas-options", ""},
    {"hip-version", ""},
};

struct Flag {
  std::string_view name; // without dashes
  std::string_view clang;
};
constexpr Flag kFlags[] = {
    {"use_fast_math", "-ffast-math"},
    {"device-debug", "-g"},
    {"G", "-g"},
    {"generate-line-info", "-gline-tables-only"},
    {"lineinfo", "-gline-tables-only"},
    {"disable-warnings", "-w"},
    {"restrict", ""},
    {"device-as-default-execution-space", ""},
    {"extensible-whole-program", ""},
    {"hip-pch", ""},
    {"mprintf-kind=buffered", "-D__HIPLZ_PRINTF_BUFFERED__"},
    {"mprintf-kind=hostcall", "-U__HIPLZ_PRINTF_BUFFERED__"},
    {"mcumode", ""},
    {"mno-cumode", ""},
    {"mno-wavefrontsize64", ""},
    {"fgpu-flush-denormals-to-zero", ""},
    {"fno-gpu-flush-denormals-to-zero", ""},
    {"munsafe-fp-atomics", ""},
    {"mno-unsafe-fp-atomics", ""},
    {"fno-gpu-rdc", ""},
    {"fmad=true", "-ffp-contract=fast"},
    {"fmad=false", "-ffp-contract=off"},
    {"ftz=true", ""},
    {"ftz=false", ""},
    {"rdc=false", ""},
    {"relocatable-device-code=false", ""},
};

/// With these, clang's driver would do something other than compile one source to code.
constexpr std::string_view kForbidden[] = {
    "-E",        "-S",      "-c",   "-M", "-MM",       "-MD",   "-MMD",   "-fsyntax-only",    "-emit-llvm",
    "-emit-ast", "-shared", "-###", "-v", "--version", "-help", "--help", "--cuda-host-only", "-save-temps=cwd",
};

bool isForbidden(std::string_view option) {
  for (std::string_view forbidden : kForbidden)
    if (option == forbidden)
      return true;
  return option.starts_with("-o") || option.starts_with("-x") || option.starts_with("-l") ||
         option.starts_with("--offload=") || option.starts_with("--target=") || option == "-target" ||
         option.starts_with("-print-") || option.starts_with("--print-") || option.starts_with("--analyze");
}

std::string_view withoutDashes(std::string_view option) {
  option.remove_prefix(option.starts_with("--") ? 2 : 1);
  return option;
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\n");
  if (first == text.npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

class Parser {
public:
  explicit Parser(std::span<const char *const> options) : options_(options) {
    // AMD's hipRTC optimises unless it is told otherwise.
    result_.forClang = {"-std=c++17", "-O3"};
  }

  Options parse() {
    while (at_ < options_.size() && result_.error.empty())
      one(trimmed(options_[at_++]));
    if (!result_.cuda) // whose headers know the version they need
      pass(followsHip7() ? "-DHIPLZ_HIP_VERSION=7" : "-DHIPLZ_HIP_VERSION=6");
    // Drivers round both kinds correctly or neither. Clang's driver knows the option for AMD's processors only.
    if (!divides_ && !roots_) {
      pass("-Xclang");
      pass("-fno-hip-fp32-correctly-rounded-divide-sqrt");
    }
    return std::move(result_);
  }

private:
  void one(std::string_view option) {
    if (option.empty())
      return;
    if (option.size() < 2 || option[0] != '-')
      return fail(option, "is not an option");
    const std::string_view name = withoutDashes(option);
    if (name == "fgpu-rdc" || name == "dc" || name == "rdc=true" || name == "relocatable-device-code=true") {
      result_.relocatable = true;
      return pass("-fgpu-rdc");
    }
    if (name == "hiplz-cuda") {
      result_.cuda = true;
      return;
    }
    if (name == "no-source-include") {
      result_.searchesSourceFolder = false;
      return;
    }
    if (name == "mwavefrontsize64") {
      result_.warnings += "warning: '-mwavefrontsize64' is ignored: warps have 32 lanes on every device\n";
      return;
    }
    if (name == "save-temps") {
      result_.saveTemps = true;
      return;
    }
    for (const Flag &flag : kFlags)
      if (name == flag.name) {
        if (!flag.clang.empty())
          pass(std::string(flag.clang));
        return;
      }
    if (name == "mllvm" || name.starts_with("mllvm ") || name.starts_with("mllvm=")) {
      const std::string value = name == "mllvm" ? next().value_or("") : std::string(name.substr(6));
      result_.warnings += "warning: '-mllvm " + value + "' is ignored: such options hold for the whole process\n";
      return;
    }
    for (const WithValue &known : kWithValue)
      if (name.starts_with(known.name) && withValue(known, option, name.substr(known.name.size())))
        return;
    // "-D NAME" may come as one string or as two.
    if (option.starts_with("-D") || option.starts_with("-U") || option.starts_with("-I")) {
      std::string value(trimmed(option.substr(2)));
      if (value.empty()) {
        const std::optional<std::string> following = next();
        if (!following)
          return fail(option, "has no value");
        value = *following;
      }
      pass(std::string(option.substr(0, 2)) + value);
      // AMD's header has ptrdiff_t by this macro.
      constexpr std::string_view kLongLong = "__HIPRTC_PTRDIFF_T_IS_LONG_LONG__";
      if (option.starts_with("-D") && (value == kLongLong || value == std::string(kLongLong) + "=1")) {
        pass("-U__PTRDIFF_TYPE__");
        pass("-D__PTRDIFF_TYPE__=long long int");
        pass("-Wno-builtin-macro-redefined");
      }
      return;
    }
    const bool exact = name == "fhip-fp32-correctly-rounded-divide-sqrt";
    if (exact || name == "fno-hip-fp32-correctly-rounded-divide-sqrt") {
      divides_ = roots_ = exact;
      return;
    }
    for (auto [precise, start] : {std::pair(&divides_, "prec-div="), std::pair(&roots_, "prec-sqrt=")})
      if (name.starts_with(start) && (name.ends_with("=true") || name.ends_with("=false"))) {
        *precise = name.ends_with("=true");
        return;
      }
    if (isForbidden(option))
      return fail(option, "cannot be used with hipRTC");
    pass(std::string(option));
    // Options of clang whose value is a word of its own.
    if (option == "-include" || option == "-isystem" || option == "-iquote" || option == "-idirafter" ||
        option == "-imacros" || option == "-Xclang") {
      const std::optional<std::string> value = next();
      if (!value)
        return fail(option, "has no value");
      pass(*value);
    }
  }

  /// `rest` is what follows the name. False if that is another option which begins alike.
  bool withValue(const WithValue &known, std::string_view option, std::string_view rest) {
    std::string value;
    if (rest.starts_with("=") || rest.starts_with(" ")) {
      value = trimmed(rest.substr(1));
    } else if (rest.empty()) {
      const std::optional<std::string> following = next();
      if (!following) {
        fail(option, "has no value");
        return true;
      }
      value = *following;
    } else {
      return false;
    }
    if (known.clang == "-include") {
      pass("-include");
      pass(value);
    } else if (!known.clang.empty()) {
      pass(std::string(known.clang) + value);
    }
    return true;
  }

  std::optional<std::string> next() {
    if (at_ == options_.size())
      return std::nullopt;
    return std::string(trimmed(options_[at_++]));
  }
  void pass(std::string option) { result_.forClang.push_back(std::move(option)); }
  void fail(std::string_view option, const char *why) {
    result_.error = "error: '" + std::string(option) + "' " + why + "\n";
  }

  std::span<const char *const> options_;
  size_t at_ = 0;
  bool divides_ = true, roots_ = true; // correctly rounded, of float
  Options result_;
};

} // namespace

Options parseOptions(std::span<const char *const> options) { return Parser(options).parse(); }

} // namespace hiplz::rtc

// SPDX-License-Identifier: MIT
// hipconfig: tells build systems where HIP is and what it compiles for. Values are printed without a newline, as build
// systems that read them with $(shell ...) and execute_process expect.
#include "tools/prefix.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr const char kHelp[] = R"(usage: hipconfig [options]
  -p, --path           the folder HIPLZ is installed in
  -R, --rocmpath       the same: programs look there for the other libraries of HIP
  -v, --version        the version of the HIP API and of HIPLZ
  -P, --platform       the platform that kernels are compiled for (HIP_PLATFORM overrides it)
  -c, --compiler       the compiler hipcc runs
  -r, --runtime        the runtime that programs link with
  -l, --hipclangpath   the folder of a clang++ that compiles HIP
      --cxx            that clang++
  -C, --cpp_config     preprocessor options for host code compiled without hipcc
  -f, --full           everything in a table (also without options)
      --check          see whether the installation is complete
  -n, --newline        end the output with a newline
  -h, --help           this text
)";

std::string variable(const char *name, const std::string &otherwise) {
  const char *value = std::getenv(name);
  return value && *value ? value : otherwise;
}

std::string prefix() { return hiplz::installedPrefix(); }
std::string platform() { return variable("HIP_PLATFORM", "spirv"); }
std::string compiler() { return "clang"; }
std::string runtime() { return "hiplz"; }
// The clang++ there compiles HIP without further options, as build systems expect of it.
std::string clangPath() { return prefix() + "/lib/hiplz/clang"; }
std::string stockClangPath() {
  const std::string clang = hiplz::findClang().path;
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(clang, error);
  return error ? std::string() : real.parent_path().string();
}

std::string cppConfig() {
  std::string macro;
  for (const char c : platform())
    macro += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return " -D__HIP_PLATFORM_" + macro + "__= -I" + prefix() + "/include";
}

struct Value {
  const char *shortName;
  const char *longName;
  const char *label;
  std::function<std::string()> get;
};

const std::vector<Value> &values() {
  static const std::vector<Value> all = {
      {"-v", "--version", "HIP version", hiplz::hipVersionText},
      {"-p", "--path", "HIP_PATH", prefix},
      {"-R", "--rocmpath", "ROCM_PATH", prefix},
      {"-P", "--platform", "HIP_PLATFORM", platform},
      {"-c", "--compiler", "HIP_COMPILER", compiler},
      {"-r", "--runtime", "HIP_RUNTIME", runtime},
      {"-l", "--hipclangpath", "HIP_CLANG_PATH", clangPath},
      {"--cxx", "--cxx", "HIP_CXX", [] { return clangPath() + "/clang++"; }},
      {"-C", "--cpp_config", "CPP_CONFIG", cppConfig},
  };
  return all;
}

std::string table() {
  std::string text;
  for (const Value &value : values()) {
    std::string label = value.label;
    label.resize(std::max(label.size(), size_t{16}), ' ');
    text += label + ": " + value.get() + "\n";
  }
  return text;
}

// Says what the installation lacks; an empty string if it is complete.
std::string missingParts() {
  std::string text;
  for (const char *part :
       {"bin/hipcc", "bin/.hipVersion", "include/hip/hip_runtime.h", "lib/libhiplz.so", "lib/libLLVMHipSpvPasses.so",
        "lib/hip-device-lib/hipspv-spirv64.bc", "lib/hiplz/bin/llvm-spirv"})
    if (!std::filesystem::exists(prefix() + "/" + part))
      text += "missing: " + prefix() + "/" + part + "\n";
  const std::string clang = stockClangPath();
  if (!clang.empty() && !std::filesystem::exists(clang + "/clang-offload-bundler"))
    text += "missing: " + clang + "/clang-offload-bundler (install clang-tools-" HIPLZ_CLANG_MAJOR ")\n";
  if (clang.empty())
    text += "missing: clang++ (install clang-" HIPLZ_CLANG_MAJOR ", or let HIPLZ_CLANG name the one to use)\n";
  return text;
}

} // namespace

int main(int count, char **arguments) {
  std::string output;
  int code = 0;
  bool newline = false;
  if (count == 1)
    output = table();
  for (int i = 1; i < count; ++i) {
    const std::string_view option = arguments[i];
    const Value *wanted = nullptr;
    for (const Value &value : values())
      if (option == value.shortName || option == value.longName)
        wanted = &value;
    if (wanted) {
      output += wanted->get();
    } else if (option == "-f" || option == "--full") {
      output += table();
    } else if (option == "-n" || option == "--newline") {
      newline = true;
    } else if (option == "--check") {
      const std::string missing = missingParts();
      output += missing.empty() ? "the installation is complete\n" : missing;
      code = missing.empty() ? 0 : 1;
    } else if (option == "-h" || option == "--help") {
      output += kHelp;
    } else {
      std::fprintf(stderr, "hipconfig: unknown option %s\n%s", arguments[i], kHelp);
      return 1;
    }
  }
  if (newline)
    output += '\n';
  std::fputs(output.c_str(), stdout);
  return code;
}

// SPDX-License-Identifier: MIT
// Clang's HIPSPV path calls `llvm-spirv` with a version and extensions that suit neither Intel's drivers nor the CPU
// device, and passes its crashes on to the user. This program stands in front of the translator (clang finds it through
// -BP/lib/hiplz/bin): it corrects the options, explains failures, and corrects the module that comes out.
#include "command_line.h"
#include "explain.h"
#include "translated_module.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <fstream>
#include <iostream>
#include <iterator>
#include <unistd.h>

using namespace hiplz::spirv;

static int fail(const std::string &message) {
  std::cerr << "hiplz llvm-spirv: error: " << message << '\n';
  return 1;
}

static std::string selfPath() {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, size_t(length)) : "";
}

static std::string demangled(const std::string &name) {
  int status = 0;
  char *text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 && text ? text : name;
  std::free(text);
  return result;
}

/// Corrects the module in \p path in place. Returns the exit code.
static int correctModule(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in)
    return fail("cannot read '" + path + "'");
  std::vector<uint32_t> words(bytes.size() / 4);
  std::copy_n(bytes.data(), words.size() * 4, reinterpret_cast<char *>(words.data()));
  TranslatedModule module(std::move(words));
  if (!module.ok())
    return fail("the translator wrote no valid module to '" + path + "'");
  if (std::vector<std::string> undefined = module.undefinedFunctions(); !undefined.empty()) {
    for (const std::string &name : undefined)
      fail("the device function '" + demangled(name) + "' is used but not defined");
    return 1;
  }
  module.correct();
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char *>(module.words().data()), std::streamsize(module.words().size() * 4));
  return out.flush() ? 0 : fail("cannot write '" + path + "'");
}

int main(int argc, char **argv) {
  CommandLine line = rewriteCommandLine({argv + 1, argv + argc});
  std::string translator = findTranslator(selfPath());
  if (translator.empty())
    return fail("no SPIR-V translator found; install llvm-spirv-" HIPLZ_LLVM_VERSION
                " or name the program in HIPLZ_LLVM_SPIRV");
  hiplz::Outcome outcome = hiplz::run(translator, line.arguments);
  std::cerr << messagesWithoutTrace(outcome);
  if (!outcome.started)
    return fail("cannot start '" + translator + "'");
  if (outcome.signal != 0 || outcome.exitCode != 0)
    return fail(explain(outcome));
  return line.output.empty() ? 0 : correctModule(line.output);
}

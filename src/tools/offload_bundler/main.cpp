// SPDX-License-Identifier: MIT
// Clang's HIPSPV path makes fat binaries with one SPIR-V module. This program stands in front of clang's bundler (clang
// finds it through -BP/lib/hiplz/native, which hipcc adds for --offload-arch=pvc and the like): it lets Intel's ocloc make
// native code of the module, and puts that beside it.
#include "base/env.h"
#include "base/kernel_name.h"
#include "base/temporary_folder.h"
#include "fatbin/bundle.h"
#include "fatbin/module_cutter.h"
#include "fatbin/reflection.h"
#include "spirv/has_mark.h"
#include "tools/hipcc/arguments.h"
#include "tools/offload_bundler/bundler_line.h"
#include "tools/prefix.h"
#include "tools/process.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unordered_set>

using namespace hiplz;

namespace {

int fail(const std::string &message) {
  std::fprintf(stderr, "hipcc: %s\n", message.c_str());
  return 1;
}

bool isSpirv(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::byte magic[sizeof(uint32_t)];
  return file.read(reinterpret_cast<char *>(magic), sizeof magic) && spirv::isSpirv(magic);
}

/// True if the module in a file carries a mark.
bool hasMark(const std::string &path, std::string_view mark) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return spirv::hasMark(std::as_bytes(std::span(text)), mark);
}

/// The output of ocloc, each line once: its compiler repeats an error for every attempt.
std::string withoutRepetition(const std::string &text) {
  std::istringstream lines(text);
  std::unordered_set<std::string> seen;
  std::string result;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && seen.insert(line).second)
      result += "\n" + line;
  return result;
}

/// The outcome of one run of ocloc: empty if it wrote the output, else what it said, or how it ended.
std::string runOcloc(const std::string &ocloc, const std::string &device, const std::string &spirv,
                     const std::string &output) {
  // The options are those that the runtime gives when the driver compiles SPIR-V (src/lz/module/module.cpp). Which driver
  // will read the code is not known, so buffers may be larger than 4 GiB.
  std::string options = "-ze-take-global-address";
  if (hasMark(spirv, spirv::kCorrectlyRounded))
    options += std::string(" ") + spirv::kCorrectlyRoundedOption;
  const Outcome outcome = run(ocloc,
                              {"compile", "-spirv_input", "-file", spirv, "-device", device, "-64", "-options", options,
                               "-internal_options", "-cl-intel-greater-than-4GB-buffer-required", "-exclude_ir",
                               "-output_no_suffix", "-output", output},
                              Collect::everything);
  std::error_code error;
  if (outcome.started && outcome.signal == 0 && outcome.exitCode == 0 &&
      std::filesystem::file_size(output, error) > 0 && !error)
    return {};
  std::string text = withoutRepetition(outcome.messages);
  // A program that handles the signal itself ends with its number and 128.
  if (const int signal = outcome.signal ? outcome.signal : outcome.exitCode - 128; signal > 0)
    text += std::string("\nocloc crashed: ") + strsignal(signal);
  else if (!outcome.started)
    text += "\nocloc cannot be started";
  else if (text.empty())
    text += "\nocloc ended with " + std::to_string(outcome.exitCode) + " and said nothing";
  return text;
}

std::vector<std::byte> bytesOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

void writeFile(const std::string &path, std::span<const std::byte> bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Makes native code for the device. `cut` is a path for a part of the module. Returns an empty string or what went wrong.
std::string compile(const std::string &ocloc, const std::string &device, const std::string &spirv,
                    const std::string &cut, const std::string &output) {
  try {
    const std::vector<std::byte> bytes = bytesOf(spirv);
    const spirv::Module contents = spirv::reflect(bytes);
    const bool recursion = contents.recursion; // GPUs take the second form of kernels that recurse
    if (recursion)
      writeFile(cut, spirv::ModuleCutter(bytes).cut([](const auto &) { return true; }));
    std::string why = runOcloc(ocloc, device, recursion ? cut : spirv, output);
    if (why.empty())
      return {};
    // Which kernel it is: each by itself.
    const spirv::ModuleCutter cutter(bytes);
    for (const spirv::Kernel &kernel : contents.kernels) {
      writeFile(cut, cutter.cut([&](const auto &other) { return other.name == kernel.name; }));
      if (std::string ofKernel = runOcloc(ocloc, device, cut, output); !ofKernel.empty()) {
        why = "\nkernel " + readableKernel(kernel.name) + ":" + ofKernel;
        break;
      }
    }
    return ocloc + " cannot make native code for " + device + ":" + why;
  } catch (const ParseError &error) {
    return spirv + ": " + error.what();
  }
}

} // namespace

int main(int count, char **arguments) {
  const std::string folder = findClangFolder();
  const std::string bundler = folder + "/clang-offload-bundler";
  if (folder.empty() || !std::filesystem::exists(bundler))
    return fail(bundler + " does not exist; install clang-tools-" HIPLZ_CLANG_MAJOR);
  BundlerLine line({arguments + 1, arguments + count});
  const std::vector<std::string> devices = hipcc::splitNames(envString(EnvVar::HIPLZ_OFFLOAD_ARCH));
  const std::string ocloc = findOcloc();
  const TemporaryFolder files(TemporaryFolder::pattern("hipcc"));
  const int error = errno;
  unsigned made = 0;
  for (const std::string &spirv : line.deviceFiles()) {
    if (!isSpirv(spirv))
      continue; // bitcode of an object that is linked later
    for (const std::string &device : devices) {
      if (ocloc.empty())
        return fail(kNoOcloc);
      if (files.path().empty())
        return fail(std::string("cannot make a folder for temporary files: ") + std::strerror(error));
      const std::string output = files.path() + "/" + std::to_string(made++);
      if (const std::string why = compile(ocloc, device, spirv, output + ".spv", output); !why.empty())
        return fail(why);
      line.add(std::string(kNativeTargetPrefix) + device, output);
    }
  }
  const Outcome outcome = run(bundler, line.arguments());
  std::fputs(outcome.messages.c_str(), stderr);
  if (!outcome.started)
    return fail("cannot run " + bundler);
  return outcome.signal ? 128 + outcome.signal : outcome.exitCode;
}

// SPDX-License-Identifier: MIT
// Finds the compiler, hands it the module, and takes its answer apart.
#include "cpu/program/compiler_process.h"
#include "base/file_stamp.h"
#include "base/log.h"
#include "cpu/program/child_process.h"
#include "cpu/program/compiler_protocol.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <string_view>

namespace hiplz::cpu {
namespace {

constexpr const char *kCompilerName = "hiplz-cpu-compiler";

/// Below the folder of the library or program that this code is linked into, or in ../lib of it.
std::string findCompiler() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void *>(&findCompiler), &info) || !info.dli_fname)
    return kCompilerName;
  std::string self = info.dli_fname;
  size_t slash = self.rfind('/');
  std::string folder = slash == std::string::npos ? "." : self.substr(0, slash);
  for (const char *relative : {"/hiplz/bin/", "/../lib/hiplz/bin/"}) {
    std::string path = folder + relative + kCompilerName;
    struct stat status;
    if (::stat(path.c_str(), &status) == 0)
      return path;
  }
  return folder + "/hiplz/bin/" + kCompilerName;
}

const std::string &compilerPath() {
  static const std::string path = findCompiler();
  return path;
}

/// An answer of the compiler taken apart; parts point into it.
struct Answer {
  std::string_view stages;
  std::string_view log;
  std::string_view binary;
  std::string_view prepared;
  bool whole = false;
};

/// Takes the next answer off the bytes.
Answer parseAnswer(std::string_view &bytes) {
  Answer answer;
  size_t end = bytes.find(static_cast<char>(CompileStage::done));
  answer.stages = bytes.substr(0, end);
  if (end == std::string_view::npos)
    return answer;
  bytes.remove_prefix(end + 1);
  CompileAnswerHeader header;
  if (bytes.size() < sizeof header)
    return answer;
  std::memcpy(&header, bytes.data(), sizeof header);
  bytes.remove_prefix(sizeof header);
  auto take = [&](uint64_t size) {
    answer.whole = answer.whole && size <= bytes.size();
    const std::string_view part = answer.whole ? bytes.substr(0, size) : std::string_view();
    bytes.remove_prefix(part.size());
    return part;
  };
  answer.whole = true;
  answer.log = take(header.logBytes);
  answer.binary = take(header.binaryBytes);
  answer.prepared = take(header.preparedBytes);
  return answer;
}

std::string describeFailure(const ChildResult &result, const Answer &answer) {
  std::string text = "compiler: it ended without an answer";
  if (answer.stages.find(static_cast<char>(CompileStage::compile)) != std::string_view::npos)
    text = "compiler: LLVM cannot compile it";
  else if (!answer.stages.empty())
    text = "SPIR-V: the translator does not accept the module";
  if (result.signal == SIGXCPU)
    text = "compiler: the module takes more processor time than HIPLZ_CPU_COMPILE_SECONDS, or a limit of the process, "
           "allows";
  else if (result.signal)
    text += std::string(" (") + ::strsignal(result.signal) + ")";
  if (!result.messages.empty())
    text += ": " + result.messages;
  return text + "\n";
}

/// Writes what the compiler and the libraries in it have said to the log, which has its prefix already.
void passOn(std::string_view messages) {
  constexpr std::string_view kPrefix = "hiplz: ";
  while (!messages.empty()) {
    std::string_view line = messages.substr(0, messages.find('\n'));
    messages.remove_prefix(std::min(line.size() + 1, messages.size()));
    if (line.starts_with(kPrefix))
      line.remove_prefix(kPrefix.size());
    HIPLZ_LOG_INFO("compiler of the CPU device: %.*s", static_cast<int>(line.size()), line.data());
  }
}

std::vector<std::byte> bytesOf(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// The memory and time of a compilation beside its input.
struct Order {
  CompileTask task;
  GroupKind kind;
  CompileHaste haste;
  const std::string &flags, &hostKey;
  std::string_view kernel;
  int endsWhenReadable = -1;
};

/// The compiler's answer. Does not move: `answer` and `rest` point into `result`.
struct Outcome {
  ChildResult result;
  Answer answer;
  std::string_view rest; ///< behind the answer
};

/// Runs the compiler. False with a sentence in `log` if it has not compiled.
bool run(const Order &order, std::span<const std::byte> input, Outcome &outcome, std::string &log) {
  auto &[result, answer, rest] = outcome;
  CompileRequestHeader header{};
  header.task = order.task;
  header.shape = static_cast<uint32_t>(order.kind.shape);
  if (const auto &size = order.kind.size)
    for (unsigned d = 0; d < 3; ++d)
      header.size[d] = (*size)[d];
  header.haste = order.haste;
  header.inputBytes = input.size();
  header.flagsBytes = order.flags.size();
  header.hostKeyBytes = order.hostKey.size();
  header.kernelBytes = order.kernel.size();
  const std::span<const std::byte> pieces[] = {
      std::as_bytes(std::span(&header, 1)), input, std::as_bytes(std::span(order.flags)),
      std::as_bytes(std::span(order.hostKey)), std::as_bytes(std::span(order.kernel))};
  result = runProgram(compilerPath(), pieces, order.endsWhenReadable);
  if (!result.started) {
    log = "compiler: it cannot be started: " + result.messages + "\n";
    if (result.shortage)
      throw CompilerMissing(log, result.shortage);
    return false;
  }
  rest = result.answer;
  answer = parseAnswer(rest);
  if (!answer.whole) {
    log = describeFailure(result, answer);
    return false;
  }
  passOn(result.messages);
  log = answer.log;
  return !answer.binary.empty();
}

} // namespace

std::string compilerBuildId() {
  std::string id;
  for (const char *file : {compilerPath().c_str(), HIPLZ_COMPILER_LIBRARIES}) {
    const std::string stamp = fileStamp(file);
    if (stamp.empty() && id.empty())
      return {};
    id += stamp + "/";
  }
  return id;
}

bool compileModule(std::span<const std::byte> spirv, const std::string &flags, const std::string &hostKey,
                   CompileHaste haste, CompiledModule &module, std::string &log) {
  Outcome outcome;
  if (!run({CompileTask::module, GroupShape::rows32, haste, flags, hostKey, ""}, spirv, outcome, log))
    return false;
  module.binary = bytesOf(outcome.answer.binary);
  module.prepared = bytesOf(outcome.answer.prepared);
  if (outcome.rest.empty())
    return true;
  const Answer kernel = parseAnswer(outcome.rest);
  if (!kernel.whole)
    module.kernelFailure = describeFailure(outcome.result, kernel);
  else if (kernel.binary.empty())
    module.kernelFailure = kernel.log;
  else
    module.firstKernel = bytesOf(kernel.binary);
  return true;
}

bool compileKernel(std::span<const std::byte> prepared, const std::string &flags, const std::string &hostKey,
                   const KernelOrder &wanted, std::vector<std::byte> &binary, std::string &log) {
  Outcome outcome;
  if (!run({CompileTask::kernel, wanted.kind, wanted.haste, flags, hostKey, wanted.kernel, wanted.endsWhenReadable},
           prepared, outcome, log))
    return false;
  binary = bytesOf(outcome.answer.binary);
  return true;
}

std::string compilerSourceLine(std::span<const std::byte> image, const std::string &place) {
  Outcome outcome;
  std::string log;
  try {
    run({CompileTask::line, GroupShape::any, CompileHaste::none, "", "", place}, image, outcome, log);
  } catch (const CompilerMissing &) {
    return {};
  }
  return outcome.answer.whole ? log : std::string();
}

} // namespace hiplz::cpu

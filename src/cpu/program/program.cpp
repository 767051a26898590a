// SPDX-License-Identifier: MIT
// From SPIR-V to kernels in memory: cache, compiler, loader.
#include "cpu/program/program.h"
#include "base/disk_cache.h"
#include "base/env.h"
#include "base/log.h"
#include "cpu/program/binary_format.h"
#include "cpu/program/compiler_process.h"
#include "cpu/program/compiler_protocol.h"
#include "cpu/program/elf_object.h"
#include "cpu/program/host_processor.h"

#include <algorithm>
#include <iterator>

namespace hiplz::cpu {
namespace {

class LoadedProgram final : public Program {
public:
  static std::unique_ptr<Program> load(std::vector<std::byte> binary, std::string &buildLog) {
    auto program = std::make_unique<LoadedProgram>();
    program->binary_ = std::move(binary);
    auto contents = parseBinary(program->binary_, buildLog);
    if (!contents)
      return nullptr;
    if (contents->hostKey != hostProcessorKey()) {
      buildLog = "native binary: made for another processor (" + contents->hostKey + ") than this one (" +
                 hostProcessorKey() + ")";
      return nullptr;
    }
    program->object_ = ElfObject::load(contents->object, contents->hasDebugInfo, buildLog);
    if (!program->object_)
      return nullptr;
    program->kernels_ = std::move(contents->kernels);
    program->globals_ = std::move(contents->globals);
    for (KernelInfo &kernel : program->kernels_) {
      ElfObject::Symbol symbol = program->object_->find(kernelSymbol(kernel.name));
      if (!symbol.address || !symbol.executable) {
        buildLog = "program binary: the kernel " + kernel.name + " has no code";
        return nullptr;
      }
      kernel.function = reinterpret_cast<KernelFunction>(symbol.address);
      ElfObject::Symbol slow = program->object_->find(oneByOneSymbol(kernel.name));
      kernel.oneByOne = slow.executable ? reinterpret_cast<KernelFunction>(slow.address) : nullptr;
    }
    for (GlobalInfo &global : program->globals_) {
      ElfObject::Symbol symbol = program->object_->find(globalSymbol(global.name));
      if (!symbol.address || symbol.executable || symbol.size < global.size) {
        buildLog = "program binary: the variable " + global.name + " has no memory";
        return nullptr;
      }
      global.address = symbol.address;
    }
    return program;
  }

  std::span<const KernelInfo> kernels() const override { return kernels_; }
  std::span<const GlobalInfo> globals() const override { return globals_; }
  std::span<const std::byte> nativeBinary() const override { return binary_; }

private:
  std::vector<std::byte> binary_;
  std::unique_ptr<ElfObject> object_;
  std::vector<KernelInfo> kernels_;
  std::vector<GlobalInfo> globals_;
};

/// The caller's flags and those that stand for environment variables.
std::string allFlags(const char *buildFlags) {
  std::string flags = buildFlags ? buildFlags : "";
  if (!envFlag(EnvVar::HIPLZ_CPU_VECTORIZE))
    flags.append(" ").append(kScalarFlag);
  const std::string instructions = envString(EnvVar::HIPLZ_CPU_ISA);
  if (std::ranges::find(kInstructionSets, instructions) == std::end(kInstructionSets)) {
    if (!instructions.empty())
      HIPLZ_LOG_INFO("HIPLZ_CPU_ISA=%s is ignored: x86-64-v2, avx2 and avx512 are what it may be",
                     instructions.c_str());
  } else {
    flags.append(" ").append(kInstructionsFlag).append(instructions);
  }
  return flags;
}

} // namespace

std::unique_ptr<Program> Program::fromSpirv(std::span<const std::byte> spirv, const char *buildFlags,
                                            std::string &buildLog) {
  buildLog.clear();
  const std::string flags = allFlags(buildFlags);
  DiskCache cache("cpu");
  std::string compilerId = compilerBuildId(); // without it, an entry may come from another compiler
  std::string key = contentKey(spirv) + "|" + flags + "|" + hostProcessorKey() + "|" + compilerId + "|" +
                    std::to_string(kBinaryVersion);
  if (auto cached = compilerId.empty() ? std::nullopt : cache.load(key)) {
    std::string reason;
    if (auto program = LoadedProgram::load(std::move(*cached), reason))
      return program;
    HIPLZ_LOG_INFO("a cached module of the CPU device is not used: %s", reason.c_str());
  }
  std::vector<std::byte> binary;
  if (!compileModule(spirv, flags, hostProcessorKey(), binary, buildLog))
    return nullptr;
  std::string reason;
  auto program = LoadedProgram::load(std::move(binary), reason);
  if (!program)
    buildLog += reason;
  else if (!compilerId.empty())
    cache.store(key, program->nativeBinary());
  return program;
}

std::unique_ptr<Program> Program::fromNative(std::span<const std::byte> binary, std::string &buildLog) {
  buildLog.clear();
  return LoadedProgram::load({binary.begin(), binary.end()}, buildLog);
}

const KernelInfo *Program::findKernel(std::string_view name) const {
  for (const KernelInfo &kernel : kernels())
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

const GlobalInfo *Program::findGlobal(std::string_view name) const {
  for (const GlobalInfo &global : globals())
    if (global.name == name)
      return &global;
  return nullptr;
}

} // namespace hiplz::cpu

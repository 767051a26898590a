// SPDX-License-Identifier: MIT
// Compilation: native code that came with the SPIR-V or a native binary from the cache if there is one that the driver
// accepts, else the SPIR-V, whose native binary is then cached. What a driver reports as success is checked: compilers
// have been seen to leave kernels out.
#include "amdgcn/object/code_object.h"
#include "base/cache_lock.h"
#include "base/disk_cache.h"
#include "base/driver_extensions.h"
#include "base/env.h"
#include "base/log.h"
#include "base/spirv_dump.h"
#include "lz/core/ze_extensions.h"
#include "lz/device/device.h"
#include "lz/device/driver.h"
#include "lz/module/build.h"
#include "lz/module/module_state.h"
#include "spirv/has_mark.h"

#include <algorithm>

namespace hiplz {
namespace {

DiskCache moduleCache() { return DiskCache("modules"); }

// True if the code was compiled with -g: it then imports the instructions that describe source code.
bool hasDebugInfo(std::span<const std::byte> spirv) {
  const std::string_view text(reinterpret_cast<const char *>(spirv.data()), spirv.size());
  return text.find("OpenCL.DebugInfo.100") != text.npos;
}

} // namespace

/// Native code is whole. Undefined symbols are an error of the whole, and descriptions of the source are lost when code is
/// divided.
void LZModule::plan(LZDevice &device, OnDevice &state, bool together) {
  const bool isMachineCode = amdgcn::isCodeObject(image_.spirv);
  if (isMachineCode && !device.driver().hasExtension(kZeMachineCodeExtension))
    throw HipError(hipErrorNoBinaryForGpu, origin_ + " holds machine code for AMD's GPUs only, which " +
                                               device.properties().name +
                                               " does not run; HIPLZ_DEVICES=cpu runs it on the CPU device");
  std::optional<ZeModule> native = takeNativeCode(device, state, buildOptions(device));
  if (native || isMachineCode) {
    state.plan = {};
  } else {
    together |= device.driver().hasExtension(kZeKernelsOnDemandExtension) || !reflection_.imports.empty() ||
                hasDebugInfo(image_.spirv);
    // Processors have a stack; compilers of GPUs stumble over many recursive functions.
    const bool recurses =
        device.driver().hasExtension(kZeProcessorExtension) && !envFlag(EnvVar::HIPLZ_RECURSION_FRAMES);
    state.plan = ModulePlan(
        reflection_, image_.spirv, [&](const spirv::Needs &needs) { return lackingOn(device, needs); }, together,
        recurses ? spirv::Recursion::native : spirv::Recursion::frames);
  }
  const size_t groups = state.plan.groups().size();
  state.partLines.clear();
  state.choice = PartChoice(state.plan.groups());
  state.ofGroup = std::deque<std::atomic<Part *>>(groups);
  if (native) {
    Part &part = partOf(state, 0);
    part.module = std::move(*native);
    complete(device, part);
  }
  if (groups > 1) {
    HIPLZ_LOG_DEBUG("%s: %zu kernels in %zu groups, compiled when they are needed", origin_.c_str(),
                    reflection_.kernels.size(), groups);
    dumpSpirv(image_.spirv);
    state.partLines = "parts of " + cacheKey(device, image_.spirv);
    if (const auto lines = moduleCache().load(state.partLines))
      state.choice.recall({reinterpret_cast<const char *>(lines->data()), lines->size()});
  }
  state.hasPlan = true;
}

/// The part to take a group from, as things stand.
LZModule::Part &LZModule::partOf(OnDevice &state, size_t group) {
  const size_t index = state.choice.want(group);
  if (index == state.parts.size())
    state.parts.emplace_back(index, state.choice.groupsOf(index));
  return state.parts[index];
}

/// Later processes take the groups of the part from it as well, whatever they launch first.
void LZModule::rememberPart(const OnDevice &state, const Part &part) const {
  const CacheLock lock(moduleCache().pathFor(state.partLines));
  const std::string line = PartChoice::line(part.groups);
  std::string lines;
  if (const auto known = moduleCache().load(state.partLines))
    lines.assign(reinterpret_cast<const char *>(known->data()), known->size());
  if (("\n" + lines).find("\n" + line) != std::string::npos)
    return;
  lines += line;
  moduleCache().store(state.partLines, std::as_bytes(std::span(lines)));
}

std::string LZModule::cacheKey(LZDevice &device, std::span<const std::byte> spirv) const {
  return "spirv " + contentKey(spirv) + "\noptions " + buildOptions(device) + "\n" + device.binaryIdentity();
}

std::string LZModule::buildOptions(LZDevice &device) const {
  constexpr uint64_t kFourGiB = uint64_t(1) << 32;
  // Intel's compiler exports program-scope variables only on request, and else may address buffers with 32 bits. What
  // makes code ahead of time (src/tools/offload_bundler) says the same to it.
  std::string options = "-ze-take-global-address";
  if (device.properties().maxMemAllocSize > kFourGiB)
    options += " -ze-opt-greater-than-4GB-buffer-required";
  if (spirv::hasMark(image_.spirv, spirv::kCorrectlyRounded))
    options += std::string(" ") + spirv::kCorrectlyRoundedOption;
  if (hasDebugInfo(image_.spirv))
    options += " -g";
  return options;
}

void LZModule::compile(LZDevice &device, const OnDevice &state, Part &part) {
  const std::string options = buildOptions(device);
  const std::optional<std::vector<std::byte>> cut = state.plan.cut(part.groups);
  const std::span<const std::byte> spirv = cut ? *cut : image_.spirv;
  const std::vector<std::string> kernels = kernelsIn(state, part.groups);
  const bool isCached = !device.driver().hasExtension(kZeKernelsOnDemandExtension);
  const std::string key = isCached ? cacheKey(device, spirv) : "";
  if (std::optional<std::vector<std::byte>> cached = isCached ? moduleCache().load(key) : std::nullopt) {
    Build built = buildModule(device, ZE_MODULE_FORMAT_NATIVE, *cached, options);
    if (built.result == ZE_RESULT_SUCCESS && missingFrom(built.module.get(), kernels).empty()) {
      part.module = std::move(built.module);
      return;
    }
    HIPLZ_LOG_INFO("%s: the driver rejects the cached binary (%s); compiling again", origin_.c_str(),
                   zeResultName(built.result));
  }

  const bool isMachineCode = amdgcn::isCodeObject(spirv);
  if (!isMachineCode)
    dumpSpirv(spirv);
  Build built =
      buildModule(device, isMachineCode ? ZE_MODULE_FORMAT_NATIVE : ZE_MODULE_FORMAT_IL_SPIRV, spirv, options);
  part.log = built.log;
  std::vector<std::string> missing;
  const bool together = part.groups.size() > 1;
  if (built.result == ZE_RESULT_SUCCESS) {
    missing = missingFrom(built.module.get(), kernels);
    if (!missing.empty() && (together || missing.size() == kernels.size()))
      built.result = ZE_RESULT_ERROR_MODULE_BUILD_FAILURE; // whatever the driver says
  }
  if (built.result != ZE_RESULT_SUCCESS) {
    std::string what = origin_;
    if (state.plan.groups().size() > 1)
      what = commaSeparated(kernels) + " of " + origin_;
    if (together) // no error yet: one of the kernels that nobody has launched may be the reason
      HIPLZ_LOG_DEBUG("%s cannot be compiled together (%s).\n%s", what.c_str(), zeResultName(built.result),
                      built.log.c_str());
    else
      HIPLZ_LOG_ERROR("%s cannot be compiled for %s (%s).%s%s\n%s", what.c_str(), device.properties().name,
                      zeResultName(built.result), reflection_.imports.empty() ? "" : " Undefined symbols: ",
                      commaSeparated(reflection_.imports).c_str(), built.log.c_str());
    if (!together && !state.partLines.empty())
      rememberPart(state, part); // so that other kernels do not get it for company
    throw HipError(toHipError(built.result), what + " cannot be compiled for " + device.properties().name,
                   built.result);
  }
  part.module = std::move(built.module);
  if (!missing.empty()) {
    HIPLZ_LOG_ERROR("%s: the driver's compiler reports success but left these kernels out: %s\n%s", origin_.c_str(),
                    commaSeparated(missing).c_str(), built.log.c_str());
    return; // not worth keeping
  }
  if (!built.log.empty())
    HIPLZ_LOG_DEBUG("%s: the compiler says:\n%s", origin_.c_str(), built.log.c_str());
  if (kernels.size() == 1 && device.mayHaveLargeRegisters())
    if (ZeModule better =
            withLargeRegisters(device, byName_.at(kernels.front())->reflection(), spirv, options, part.module.get()))
      part.module = std::move(better);
  if (!isCached)
    return;
  if (std::vector<std::byte> binary = nativeBinary(part.module.get()); !binary.empty())
    moduleCache().store(key, binary);
  if (!state.partLines.empty())
    rememberPart(state, part);
}

/// The first native code of the fat binary that the driver accepts. Only the driver knows which devices a name of
/// ocloc's stands for, and it refuses code for others at once.
std::optional<ZeModule> LZModule::takeNativeCode(LZDevice &device, const OnDevice &state,
                                                 const std::string &options) const {
  if (image_.native.empty() || !device.isIntelGpu())
    return std::nullopt;
  const size_t whole[] = {0};
  const std::vector<std::string> kernels = kernelsIn(state, whole);
  std::string refused;
  for (const NativeCode &code : image_.native) {
    Build built = buildModule(device, ZE_MODULE_FORMAT_NATIVE, code.bytes, options);
    if (built.result == ZE_RESULT_SUCCESS && missingFrom(built.module.get(), kernels).empty()) {
      HIPLZ_LOG_DEBUG("%s: %s runs the native code for %s", origin_.c_str(), device.properties().name,
                      code.device.c_str());
      return std::move(built.module);
    }
    const char *reason = built.result == ZE_RESULT_SUCCESS ? "kernels are missing" : zeResultName(built.result);
    refused += (refused.empty() ? "" : ", ") + code.device + " (" + reason + ")";
  }
  HIPLZ_LOG_INFO("%s: %s accepts none of the native code, which is for %s; compiling the SPIR-V", origin_.c_str(),
                 device.properties().name, refused.c_str());
  return std::nullopt;
}

std::vector<std::string> LZModule::kernelsIn(const OnDevice &state, std::span<const size_t> groups) const {
  std::vector<std::string> names;
  for (const spirv::Kernel &kernel : reflection_.kernels)
    if (!state.plan.leftOut().contains(kernel.name) &&
        std::find(groups.begin(), groups.end(), state.plan.groupOfKernel(kernel.name)) != groups.end())
      names.push_back(kernel.name);
  return names;
}

} // namespace hiplz

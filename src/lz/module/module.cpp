// SPDX-License-Identifier: MIT
// Compilation: native code that came with the SPIR-V or a native binary from the cache if there is one that the driver
// accepts, else the SPIR-V, whose native binary is then cached. What a driver reports as success is checked: compilers
// have been seen to leave kernels out.
#include "lz/module/module.h"
#include "base/disk_cache.h"
#include "base/env.h"
#include "base/log.h"
#include "lz/core/ze_extensions.h"
#include "lz/device/device.h"
#include "lz/device/device_list.h"
#include "lz/device/driver.h"
#include "lz/memory/memory.h"
#include "lz/module/abort.h"
#include "lz/module/build.h"
#include "lz/module/device_heap.h"
#include "lz/module/module_plan.h"
#include "lz/module/printf.h"
#include "lz/module/texture_reference.h"

#include <hip/spirv/runtime_variables.h>

#include <algorithm>
#include <unordered_set>

namespace hiplz {
namespace {

constexpr std::string_view kAbortVariable = __hiplz::abortVariable, kHeapVariable = __hiplz::heapVariable,
                           kPrintfVariable = __hiplz::printfVariable, kManagedSuffix = __hiplz::managedSuffix;
constexpr size_t kManagedAlignment = 256;

spirv::Module reflectImage(const DeviceImage &image, const std::string &origin) {
  try {
    return spirv::reflect(image.spirv);
  } catch (const ParseError &error) {
    throw HipError(hipErrorInvalidImage, origin + ": " + error.what());
  }
}

std::string commaSeparated(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

// Whether the code was compiled with -g: it then imports the instructions that describe source code.
bool hasDebugInfo(std::span<const std::byte> spirv) {
  const std::string_view text(reinterpret_cast<const char *>(spirv.data()), spirv.size());
  return text.find("OpenCL.DebugInfo.100") != text.npos;
}

} // namespace

struct LZModule::Part {
  Mutex mutex{LockRank::modulePart};               // guards everything while the handle is null, later only the log
  std::atomic<ze_module_handle_t> handle{nullptr}; // stored (release) once everything below is final
  ZeModule module;
  std::unordered_map<std::string_view, Global> globals;
  std::unordered_map<std::string_view, Global> managed; // what their pointers hold, by the names that the pointers have
  std::optional<HipError> failure;
  std::string log;
};

struct LZModule::OnDevice {
  std::atomic<bool> planned{false}; // stored (release) once the plan and the number of parts are final
  ModulePlan plan;
  std::deque<Part> parts;
  std::vector<ZeKernel> nativeKernels; // for the application or from it; destroyed before the parts
  std::unordered_map<const LZKernel *, ze_kernel_handle_t> nativeKernelOf; // the last one of each
  bool adopted = false;                                                    // the module is one of the application's
};

LZModule::LZModule(DeviceImage image, std::string origin)
    : image_(std::move(image)), origin_(std::move(origin)), reflection_(reflectImage(image_, origin_)),
      textureReferences_(LockRank::moduleReferences), onDevice_(new OnDevice[allDevices().size()]) {
  for (const spirv::Kernel &kernel : reflection_.kernels) {
    kernels_.emplace_back(*this, kernel);
    byName_.emplace(kernel.name, &kernels_.back());
  }
  prints_ = std::any_of(reflection_.globals.begin(), reflection_.globals.end(),
                        [](const spirv::Global &global) { return global.name == kPrintfVariable; });
}

LZModule::~LZModule() {
  if (!runtimeUsable())
    return;
  for (LZDevice *device : existingDevices())
    for (Part &part : onDevice_[device->ordinal()].parts)
      forgetGlobals(part);
  for (void *memory : ownManaged_)
    freeManagedVariable(memory);
}

LZKernel *LZModule::findKernel(std::string_view name) {
  auto found = byName_.find(name);
  if (found != byName_.end())
    return found->second;
  for (const spirv::RefusedKernel &refused : reflection_.refused)
    if (refused.name == name)
      HIPLZ_LOG_INFO("%s: the kernel %s cannot be launched by HIP: %s", origin_.c_str(), refused.name.c_str(),
                     refused.reason.c_str());
  return nullptr;
}

LZModule::Global LZModule::global(LZDevice &device, std::string_view name) {
  OnDevice &state = planned(device);
  const Part &part = built(device, state, state.plan.partOfVariable(std::string(name)));
  if (auto found = part.managed.find(name); found != part.managed.end())
    return found->second;
  auto found = part.globals.find(name);
  if (found == part.globals.end())
    throw HipError(hipErrorNotFound, origin_ + " has no variable " + std::string(name));
  return found->second;
}

std::string LZModule::buildLog(LZDevice &device) {
  std::string text;
  OnDevice &state = onDevice_[device.ordinal()];
  if (state.planned.load(std::memory_order_acquire))
    for (Part &part : state.parts) {
      Lock lock(part.mutex);
      text += part.log;
    }
  return text;
}

LZTextureReference &LZModule::textureReference(const std::string &name, ::textureReference *host) {
  const bool known =
      std::any_of(reflection_.globals.begin(), reflection_.globals.end(), [&](const spirv::Global &global) {
        return global.name == name && global.size == sizeof(::textureReference);
      });
  if (!known)
    throw HipError(hipErrorNotFound, origin_ + " has no texture reference " + name);
  const auto references = textureReferences_.lock();
  std::unique_ptr<LZTextureReference> &reference = (*references)[name];
  if (!reference)
    reference = std::make_unique<LZTextureReference>(*this, name, host);
  return *reference;
}

void LZModule::bindManaged(std::string name, void *address) { managed_.emplace_back(std::move(name), address); }

LZModule::OnDevice &LZModule::planned(LZDevice &device) {
  OnDevice &state = onDevice_[device.ordinal()];
  if (!state.planned.load(std::memory_order_acquire)) {
    Lock lock(mutex_);
    if (!state.planned.load(std::memory_order_relaxed))
      plan(device, state, false);
  }
  return state;
}

/// Native code is whole. Undefined symbols are an error of the whole, and descriptions of the source are lost when code is
/// divided.
void LZModule::plan(LZDevice &device, OnDevice &state, bool together) {
  std::optional<ZeModule> native = takeNativeCode(device, state, buildOptions(device));
  if (native) {
    state.plan = {};
  } else {
    together |= device.driver().hasExtension(kZeKernelsOnDemandExtension) || !reflection_.imports.empty() ||
                hasDebugInfo(image_.spirv);
    state.plan = ModulePlan(
        reflection_, image_.spirv, [&](const spirv::Needs &needs) { return lackingOn(device, needs); }, together);
  }
  state.parts.clear();
  for (size_t i = 0; i < state.plan.parts(); ++i)
    state.parts.emplace_back();
  if (native) {
    state.parts.front().module = std::move(*native);
    complete(device, state.parts.front());
  }
  if (state.plan.parts() > 1) {
    HIPLZ_LOG_DEBUG("%s: %zu kernels in %zu parts, compiled when they are needed", origin_.c_str(),
                    reflection_.kernels.size(), state.plan.parts());
    dumpSpirv(image_.spirv);
  }
  state.planned.store(true, std::memory_order_release);
}

void LZModule::prepare(LZDevice &device) {
  if (OnDevice &state = planned(device); state.plan.parts() == 1)
    built(device, state, 0);
}

ze_module_handle_t LZModule::whole(LZDevice &device) {
  OnDevice &state = onDevice_[device.ordinal()];
  {
    Lock lock(mutex_);
    if (!state.planned.load(std::memory_order_relaxed))
      plan(device, state, true);
  }
  if (state.plan.parts() > 1)
    throw HipError(hipErrorNotSupported, origin_ +
                                             " has been divided into parts that are compiled when they are needed; "
                                             "ask for the native module before anything else of it");
  return built(device, state, 0).module.get();
}

LZModule::Part &LZModule::built(LZDevice &device, OnDevice &state, size_t index) {
  Part &part = state.parts[index];
  if (part.handle.load(std::memory_order_acquire)) [[likely]]
    return part;
  Lock lock(part.mutex);
  if (part.handle.load(std::memory_order_relaxed))
    return part;
  if (part.failure)
    throw *part.failure;
  try {
    compile(device, state, part, index);
  } catch (const HipError &error) {
    // What has run out may be there again the next time.
    if (error.zeResult() != ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY &&
        error.zeResult() != ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)
      part.failure.emplace(error);
    throw;
  }
  Lock variables(mutex_);
  complete(device, part);
  return part;
}

ze_module_handle_t LZModule::on(LZDevice &device, const LZKernel &kernel) {
  OnDevice &state = planned(device);
  const auto &leftOut = state.plan.leftOut();
  if (auto found = leftOut.find(kernel.name()); found != leftOut.end())
    throw HipError(hipErrorNoBinaryForGpu, "the kernel " + kernel.name() + " needs " + found->second + ", which " +
                                               device.properties().name +
                                               " lacks; docs/using.md says what helps (GPUs that lack something)");
  return built(device, state, state.plan.partOfKernel(kernel.name())).module.get();
}

/// Fills the variables that the runtime fills, and lets everybody see the part.
void LZModule::complete(LZDevice &device, Part &part) {
  try {
    findGlobals(device, part);
    placeManaged(device, part);
    if (part.globals.contains(kPrintfVariable))
      fillPointer(device, part, kPrintfVariable, reinterpret_cast<void *>(LZPrintf::of(device).address()));
    if (part.globals.contains(kAbortVariable))
      fillPointer(device, part, kAbortVariable, LZAbort::of(device).address());
    if (part.globals.contains(kHeapVariable))
      fillPointer(device, part, kHeapVariable, LZDeviceHeap::of(device).address());
    for (auto &[name, address] : managed_) {
      fillPointer(device, part, name, address);
      if (auto initial = part.globals.find(name + __hiplz::managedSuffix); initial != part.globals.end())
        part.managed[name] = {address, initial->second.size};
    }
  } catch (...) {
    forgetGlobals(part);
    part.module.reset();
    throw;
  }
  part.handle.store(part.module.get(), std::memory_order_release);
}

void LZModule::adopt(LZDevice &device, ze_module_handle_t native) {
  OnDevice &state = onDevice_[device.ordinal()];
  Lock lock(mutex_);
  if (std::vector<std::string> missing = missingKernels(native, state, 0); !missing.empty())
    throw HipError(hipErrorInvalidImage, "the native module lacks kernels of the SPIR-V: " + commaSeparated(missing));
  state.adopted = true;
  state.parts.emplace_back().module = ZeModule(native, false);
  complete(device, state.parts.front());
  state.planned.store(true, std::memory_order_release);
}

void LZModule::ownNative(LZDevice &device) { onDevice_[device.ordinal()].parts.front().module.own(); }

LZKernel &LZModule::adopt(LZDevice &device, ze_kernel_handle_t native, bool owned) {
  size_t size = 0;
  LZ_CALL(zeKernelGetName, (native, &size, nullptr));
  std::string name(size, '\0');
  LZ_CALL(zeKernelGetName, (native, &size, name.data()));
  name.resize(std::min(name.find('\0'), name.size()));
  LZKernel *kernel = findKernel(name);
  if (!kernel)
    throw HipError(hipErrorInvalidDeviceFunction, origin_ + " has no kernel " + name);
  on(device, *kernel);
  Lock lock(mutex_);
  OnDevice &state = onDevice_[device.ordinal()];
  state.nativeKernelOf[kernel] = native;
  state.nativeKernels.emplace_back(native, false);
  if (owned)
    state.nativeKernels.back().own();
  return *kernel;
}

ze_kernel_handle_t LZModule::nativeKernel(LZDevice &device, const LZKernel &kernel) {
  on(device, kernel);
  OnDevice &state = onDevice_[device.ordinal()];
  {
    Lock lock(mutex_);
    if (auto found = state.nativeKernelOf.find(&kernel); found != state.nativeKernelOf.end())
      return found->second;
  }
  ZeKernel created = kernel.createHandle(device);
  Lock lock(mutex_);
  auto [entry, inserted] = state.nativeKernelOf.emplace(&kernel, created.get());
  if (inserted) // else another thread was faster
    state.nativeKernels.push_back(std::move(created));
  return entry->second;
}

std::string LZModule::buildOptions(LZDevice &device) const {
  constexpr uint64_t kFourGiB = uint64_t(1) << 32;
  // Intel's compiler exports program-scope variables only on request, and else may address buffers with 32 bits. What
  // makes code ahead of time (src/tools/offload_bundler) says the same to it.
  std::string options = "-ze-take-global-address";
  if (device.properties().maxMemAllocSize > kFourGiB)
    options += " -ze-opt-greater-than-4GB-buffer-required";
  if (hasDebugInfo(image_.spirv))
    options += " -g";
  return options;
}

void LZModule::compile(LZDevice &device, const OnDevice &state, Part &part, size_t index) {
  const std::string options = buildOptions(device);
  const std::vector<std::byte> spirv = state.plan.spirv(index);
  const DiskCache cache("modules");
  const bool isCached = !device.driver().hasExtension(kZeKernelsOnDemandExtension);
  const std::string key =
      isCached ? "spirv " + contentKey(spirv) + "\noptions " + options + "\n" + device.binaryIdentity() : "";
  if (std::optional<std::vector<std::byte>> cached = isCached ? cache.load(key) : std::nullopt) {
    Build built = buildModule(device, ZE_MODULE_FORMAT_NATIVE, *cached, options);
    if (built.result == ZE_RESULT_SUCCESS && missingKernels(built.module.get(), state, index).empty()) {
      part.module = std::move(built.module);
      return;
    }
    HIPLZ_LOG_INFO("%s: the driver rejects the cached binary (%s); compiling again", origin_.c_str(),
                   zeResultName(built.result));
  }

  dumpSpirv(spirv);
  Build built = buildModule(device, ZE_MODULE_FORMAT_IL_SPIRV, spirv, options);
  part.log = built.log;
  std::vector<std::string> missing;
  if (built.result == ZE_RESULT_SUCCESS) {
    missing = missingKernels(built.module.get(), state, index);
    if (!missing.empty() && missing.size() == kernelsIn(state, index).size())
      built.result = ZE_RESULT_ERROR_MODULE_BUILD_FAILURE; // whatever the driver says
  }
  if (built.result != ZE_RESULT_SUCCESS) {
    std::string what = origin_;
    if (state.plan.parts() > 1)
      what = commaSeparated(kernelsIn(state, index)) + " of " + origin_;
    HIPLZ_LOG_ERROR("%s cannot be compiled for %s (%s).%s%s\n%s", what.c_str(), device.properties().name,
                    zeResultName(built.result), reflection_.imports.empty() ? "" : " Undefined symbols: ",
                    commaSeparated(reflection_.imports).c_str(), built.log.c_str());
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
  if (const std::vector<std::string> kernels = kernelsIn(state, index); kernels.size() == 1 && device.isIntelGpu())
    if (ZeModule better =
            withLargeRegisters(device, byName_.at(kernels.front())->reflection(), spirv, options, part.module.get()))
      part.module = std::move(better);
  if (!isCached)
    return;
  if (std::vector<std::byte> binary = nativeBinary(part.module.get()); !binary.empty())
    cache.store(key, binary);
}

/// The first native code of the fat binary that the driver accepts. Only the driver knows which devices a name of
/// ocloc's stands for, and it refuses code for others at once.
std::optional<ZeModule> LZModule::takeNativeCode(LZDevice &device, const OnDevice &state,
                                                 const std::string &options) const {
  if (image_.native.empty() || !device.isIntelGpu())
    return std::nullopt;
  std::string refused;
  for (const NativeCode &code : image_.native) {
    Build built = buildModule(device, ZE_MODULE_FORMAT_NATIVE, code.bytes, options);
    if (built.result == ZE_RESULT_SUCCESS && missingKernels(built.module.get(), state, 0).empty()) {
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

/// The kernels of a part.
std::vector<std::string> LZModule::kernelsIn(const OnDevice &state, size_t part) const {
  std::vector<std::string> names;
  for (const spirv::Kernel &kernel : reflection_.kernels)
    if (!state.plan.leftOut().contains(kernel.name) && state.plan.partOfKernel(kernel.name) == part)
      names.push_back(kernel.name);
  return names;
}

/// The kernels of a part that its compiled module lacks; none if the driver does not list its kernels.
std::vector<std::string> LZModule::missingKernels(ze_module_handle_t module, const OnDevice &state, size_t part) const {
  uint32_t count = 0;
  if (zeModuleGetKernelNames(module, &count, nullptr) != ZE_RESULT_SUCCESS)
    return {};
  std::vector<const char *> names(count);
  if (zeModuleGetKernelNames(module, &count, names.data()) != ZE_RESULT_SUCCESS)
    return {};
  const std::unordered_set<std::string_view> there(names.begin(), names.begin() + count);
  std::vector<std::string> missing;
  for (std::string &name : kernelsIn(state, part))
    if (!there.contains(name))
      missing.push_back(std::move(name));
  return missing;
}

/// All variables, also those that nobody asks for by name: kernels hand out their addresses.
void LZModule::findGlobals(LZDevice &device, Part &part) {
  AllocationTable &allocations = allocationTable();
  for (const spirv::Global &global : reflection_.globals) {
    Global found{};
    if (global.size == 0 ||
        zeModuleGetGlobalPointer(part.module.get(), global.name.c_str(), &found.size, &found.address) !=
            ZE_RESULT_SUCCESS ||
        !found.address)
      continue; // the compiler may remove variables that no kernel uses
    found.size = global.size;
    if (part.globals.emplace(global.name, found).second)
      allocations.insert({found.address, found.size, MemoryKind::device, &device, 0, MemoryOwner::moduleVariable});
  }
}

/// Managed variables that no host code has registered, because the module was loaded by itself, live in memory of the
/// module. A variable has two parts on the device: a pointer under its name, and its initial value.
void LZModule::placeManaged(LZDevice &device, Part &part) {
  for (const spirv::Global &global : reflection_.globals) {
    const std::string_view whole = global.name;
    if (!whole.ends_with(kManagedSuffix))
      continue;
    const std::string_view name = whole.substr(0, whole.rfind(kManagedSuffix));
    const auto initial = part.globals.find(whole), pointer = part.globals.find(name);
    const bool placed =
        std::any_of(managed_.begin(), managed_.end(), [&](const auto &known) { return known.first == name; });
    if (placed || initial == part.globals.end() || pointer == part.globals.end() ||
        pointer->second.size != sizeof(void *))
      continue;
    ownManaged_.reserve(ownManaged_.size() + 1);
    void *memory = allocateManagedVariable(device, global.size, kManagedAlignment);
    ownManaged_.push_back(memory);
    device.copyBlocking(memory, initial->second.address, global.size);
    bindManaged(std::string(name), memory);
  }
}

void LZModule::forgetGlobals(Part &part) {
  AllocationTable &allocations = allocationTable();
  for (auto &[name, global] : part.globals)
    allocations.remove(global.address, MemoryOwner::moduleVariable);
  part.globals.clear();
}

void LZModule::discard(LZDevice &device) {
  std::vector<LZTextureReference *> references;
  {
    const auto known = textureReferences_.lock();
    for (const auto &[name, reference] : *known)
      references.push_back(reference.get());
  }
  for (LZTextureReference *reference : references)
    reference->unbind(device);
  OnDevice &state = onDevice_[device.ordinal()];
  {
    Lock lock(mutex_);
    if (state.adopted)
      return;
    state.nativeKernelOf.clear();
    state.nativeKernels.clear();
  }
  for (Part &part : state.parts) {
    Lock lock(part.mutex);
    part.failure.reset();
    if (!part.handle.load(std::memory_order_relaxed))
      continue;
    part.handle.store(nullptr, std::memory_order_relaxed);
    forgetGlobals(part);
    part.module.reset();
  }
}

void LZModule::fillPointer(LZDevice &device, Part &part, std::string_view name, const void *value) {
  if (auto found = part.globals.find(name); found != part.globals.end())
    device.copyBlocking(found->second.address, &value, sizeof value);
}

} // namespace hiplz

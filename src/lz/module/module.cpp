// SPDX-License-Identifier: MIT
// Compilation: native code that came with the SPIR-V or a native binary from the cache if there is one that the driver
// takes, else the SPIR-V, whose native binary is then cached. What a driver reports as success is checked: compilers have
// been seen to leave kernels out.
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
#include "lz/module/device_heap.h"
#include "lz/module/printf.h"
#include "lz/module/runnable_part.h"
#include "lz/module/texture_reference.h"

#include <hip/spirv/runtime_variables.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
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

std::string buildLogText(ze_module_build_log_handle_t log) {
  size_t size = 0;
  if (!log || zeModuleBuildLogGetString(log, &size, nullptr) != ZE_RESULT_SUCCESS || size <= 1)
    return {};
  std::string text(size, '\0');
  if (zeModuleBuildLogGetString(log, &size, text.data()) != ZE_RESULT_SUCCESS)
    return {};
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
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

struct Build {
  ze_result_t result;
  ZeModule module;
  std::string log;
};
Build build(LZDevice &device, ze_module_format_t format, std::span<const std::byte> input, const std::string &options) {
  ze_module_desc_t description{ZE_STRUCTURE_TYPE_MODULE_DESC,
                               nullptr,
                               format,
                               input.size(),
                               reinterpret_cast<const uint8_t *>(input.data()),
                               options.c_str(),
                               nullptr};
  Build out{};
  ZeBuildLog log;
  out.result = zeModuleCreate(device.zeContext(), device.ze(), &description, out.module.receive(), log.receive());
  out.log = buildLogText(log.get());
  if (out.result != ZE_RESULT_SUCCESS)
    out.module.release(); // a failed call defines no handle
  return out;
}

std::vector<std::byte> nativeBinary(ze_module_handle_t module) {
  size_t size = 0;
  if (zeModuleGetNativeBinary(module, &size, nullptr) != ZE_RESULT_SUCCESS)
    return {};
  std::vector<std::byte> binary(size);
  if (zeModuleGetNativeBinary(module, &size, reinterpret_cast<uint8_t *>(binary.data())) != ZE_RESULT_SUCCESS)
    return {};
  return binary;
}

/// HIPLZ_DUMP: the SPIR-V under the hash of its content.
void dump(std::span<const std::byte> spirv) {
  std::string folder = envString(EnvVar::HIPLZ_DUMP);
  if (folder.empty())
    return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string content = contentKey(spirv);
  std::ofstream file(folder + "/" + content.substr(0, content.find(':')) + ".spv", std::ios::binary);
  file.write(reinterpret_cast<const char *>(spirv.data()), static_cast<std::streamsize>(spirv.size()));
  if (!file)
    HIPLZ_LOG_INFO("the SPIR-V cannot be written to %s", folder.c_str());
}

} // namespace

struct LZModule::OnDevice {
  std::atomic<ze_module_handle_t> handle{nullptr}; // stored (release) once everything below is final
  ZeModule module;
  std::unordered_map<std::string_view, Global> globals;
  std::unordered_map<std::string_view, Global> managed; // what their pointers hold, by the names that the pointers have
  std::vector<ZeKernel> nativeKernels;                  // for the application or from it; destroyed before the module
  std::unordered_map<const LZKernel *, ze_kernel_handle_t> nativeKernelOf; // the last one of each
  bool adopted = false;                                                    // the module is one of the application's
  std::unordered_map<std::string, std::string> leftOut; // kernels, and what the device lacks for them
  std::optional<HipError> failure;
  std::string log;
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
    forgetGlobals(onDevice_[device->ordinal()]);
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
  on(device);
  const OnDevice &state = onDevice_[device.ordinal()];
  if (auto found = state.managed.find(name); found != state.managed.end())
    return found->second;
  auto found = state.globals.find(name);
  if (found == state.globals.end())
    throw HipError(hipErrorNotFound, origin_ + " has no variable " + std::string(name));
  return found->second;
}

std::string LZModule::buildLog(LZDevice &device) {
  Lock lock(mutex_);
  return onDevice_[device.ordinal()].log;
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

ze_module_handle_t LZModule::on(LZDevice &device) {
  OnDevice &state = onDevice_[device.ordinal()];
  if (ze_module_handle_t handle = state.handle.load(std::memory_order_acquire)) [[likely]]
    return handle;
  Lock lock(mutex_);
  if (ze_module_handle_t handle = state.handle.load(std::memory_order_relaxed))
    return handle;
  if (state.failure)
    throw *state.failure;
  try {
    compile(device, state);
  } catch (const HipError &error) {
    // What has run out may be there again the next time.
    if (error.zeResult() != ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY &&
        error.zeResult() != ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)
      state.failure.emplace(error);
    throw;
  }
  complete(device, state);
  return state.module.get();
}

ze_module_handle_t LZModule::on(LZDevice &device, const LZKernel &kernel) {
  const ze_module_handle_t module = on(device);
  const auto &leftOut = onDevice_[device.ordinal()].leftOut;
  if (auto found = leftOut.find(kernel.name()); found != leftOut.end())
    throw HipError(hipErrorNoBinaryForGpu, "the kernel " + kernel.name() + " needs " + found->second + ", which " +
                                               device.properties().name +
                                               " lacks; docs/using.md says what helps (GPUs that lack something)");
  return module;
}

/// Fills the variables that the runtime fills, and lets everybody see the module.
void LZModule::complete(LZDevice &device, OnDevice &state) {
  try {
    findGlobals(device, state);
    placeManaged(device, state);
    if (prints_)
      fillPointer(device, state, kPrintfVariable, reinterpret_cast<void *>(LZPrintf::of(device).address()));
    if (state.globals.contains(kAbortVariable))
      fillPointer(device, state, kAbortVariable, LZAbort::of(device).address());
    if (state.globals.contains(kHeapVariable))
      fillPointer(device, state, kHeapVariable, LZDeviceHeap::of(device).address());
    for (auto &[name, address] : managed_) {
      fillPointer(device, state, name, address);
      if (auto initial = state.globals.find(name + __hiplz::managedSuffix); initial != state.globals.end())
        state.managed[name] = {address, initial->second.size};
    }
  } catch (...) {
    forgetGlobals(state);
    state.module.reset();
    throw;
  }
  state.handle.store(state.module.get(), std::memory_order_release);
}

void LZModule::adopt(LZDevice &device, ze_module_handle_t native) {
  OnDevice &state = onDevice_[device.ordinal()];
  Lock lock(mutex_);
  if (std::vector<std::string> missing = missingKernels(native, state); !missing.empty())
    throw HipError(hipErrorInvalidImage, "the native module lacks kernels of the SPIR-V: " + commaSeparated(missing));
  state.module = ZeModule(native, false);
  state.adopted = true;
  complete(device, state);
}

void LZModule::ownNative(LZDevice &device) { onDevice_[device.ordinal()].module.own(); }

LZKernel &LZModule::adopt(LZDevice &device, ze_kernel_handle_t native, bool owned) {
  size_t size = 0;
  LZ_CALL(zeKernelGetName, (native, &size, nullptr));
  std::string name(size, '\0');
  LZ_CALL(zeKernelGetName, (native, &size, name.data()));
  name.resize(std::min(name.find('\0'), name.size()));
  LZKernel *kernel = findKernel(name);
  if (!kernel)
    throw HipError(hipErrorInvalidDeviceFunction, origin_ + " has no kernel " + name);
  on(device);
  Lock lock(mutex_);
  OnDevice &state = onDevice_[device.ordinal()];
  state.nativeKernelOf[kernel] = native;
  state.nativeKernels.emplace_back(native, false);
  if (owned)
    state.nativeKernels.back().own();
  return *kernel;
}

ze_kernel_handle_t LZModule::nativeKernel(LZDevice &device, const LZKernel &kernel) {
  on(device);
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

void LZModule::compile(LZDevice &device, OnDevice &state) {
  constexpr uint64_t kFourGiB = uint64_t(1) << 32;
  // Intel's compiler exports program-scope variables only on request, and else may address buffers with 32 bits. What
  // makes code ahead of time (src/tools/offload_bundler) says the same to it.
  std::string options = "-ze-take-global-address";
  if (device.properties().maxMemAllocSize > kFourGiB)
    options += " -ze-opt-greater-than-4GB-buffer-required";
  if (hasDebugInfo(image_.spirv))
    options += " -g";
  state.leftOut.clear();
  if (std::optional<ZeModule> native = takeNativeCode(device, state, options)) {
    state.module = std::move(*native);
    return;
  }
  const RunnablePart part(reflection_, image_.spirv, device);
  state.leftOut = part.leftOut();
  const DiskCache cache("modules");
  const bool isCached = !device.driver().hasExtension(kZeKernelsOnDemandExtension);
  const std::string key =
      isCached ? "spirv " + contentKey(part.spirv()) + "\noptions " + options + "\n" + device.binaryIdentity() : "";
  if (std::optional<std::vector<std::byte>> cached = isCached ? cache.load(key) : std::nullopt) {
    Build built = build(device, ZE_MODULE_FORMAT_NATIVE, *cached, options);
    if (built.result == ZE_RESULT_SUCCESS && missingKernels(built.module.get(), state).empty()) {
      state.module = std::move(built.module);
      return;
    }
    HIPLZ_LOG_INFO("%s: the driver rejects the cached binary (%s); compiling again", origin_.c_str(),
                   zeResultName(built.result));
  }

  dump(part.spirv());
  Build built = build(device, ZE_MODULE_FORMAT_IL_SPIRV, part.spirv(), options);
  state.log = built.log;
  std::vector<std::string> missing;
  if (built.result == ZE_RESULT_SUCCESS) {
    missing = missingKernels(built.module.get(), state);
    const auto kernels = reflection_.kernels.size() -
                         static_cast<size_t>(std::count_if(
                             reflection_.kernels.begin(), reflection_.kernels.end(),
                             [&](const spirv::Kernel &kernel) { return state.leftOut.contains(kernel.name); }));
    if (!missing.empty() && missing.size() == kernels)
      built.result = ZE_RESULT_ERROR_MODULE_BUILD_FAILURE; // whatever the driver says
  }
  if (built.result != ZE_RESULT_SUCCESS) {
    HIPLZ_LOG_ERROR("%s cannot be compiled for %s (%s).%s%s\n%s", origin_.c_str(), device.properties().name,
                    zeResultName(built.result), reflection_.imports.empty() ? "" : " Undefined symbols: ",
                    commaSeparated(reflection_.imports).c_str(), built.log.c_str());
    throw HipError(toHipError(built.result), origin_ + " cannot be compiled for " + device.properties().name,
                   built.result);
  }
  state.module = std::move(built.module);
  if (!missing.empty()) {
    HIPLZ_LOG_ERROR("%s: the driver's compiler reports success but left these kernels out: %s\n%s", origin_.c_str(),
                    commaSeparated(missing).c_str(), built.log.c_str());
    return; // not worth keeping
  }
  if (!built.log.empty())
    HIPLZ_LOG_DEBUG("%s: the compiler says:\n%s", origin_.c_str(), built.log.c_str());
  if (!isCached)
    return;
  if (std::vector<std::byte> binary = nativeBinary(state.module.get()); !binary.empty())
    cache.store(key, binary);
}

/// The first native code of the fat binary that the driver takes. Which devices a name of ocloc's means, the driver alone
/// knows, and it refuses code for others at once.
std::optional<ZeModule> LZModule::takeNativeCode(LZDevice &device, const OnDevice &state,
                                                 const std::string &options) const {
  if (image_.native.empty() || !device.isIntelGpu())
    return std::nullopt;
  std::string refused;
  for (const NativeCode &code : image_.native) {
    Build built = build(device, ZE_MODULE_FORMAT_NATIVE, code.bytes, options);
    if (built.result == ZE_RESULT_SUCCESS && missingKernels(built.module.get(), state).empty()) {
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

/// The kernels of the SPIR-V that the compiled module lacks, beside those that were left out; none if the driver does not
/// list its kernels.
std::vector<std::string> LZModule::missingKernels(ze_module_handle_t module, const OnDevice &state) const {
  uint32_t count = 0;
  if (zeModuleGetKernelNames(module, &count, nullptr) != ZE_RESULT_SUCCESS)
    return {};
  std::vector<const char *> names(count);
  if (zeModuleGetKernelNames(module, &count, names.data()) != ZE_RESULT_SUCCESS)
    return {};
  const std::unordered_set<std::string_view> there(names.begin(), names.begin() + count);
  std::vector<std::string> missing;
  for (const spirv::Kernel &kernel : reflection_.kernels)
    if (!there.contains(kernel.name) && !state.leftOut.contains(kernel.name))
      missing.push_back(kernel.name);
  return missing;
}

/// All variables, also those that nobody asks for by name: kernels hand out their addresses.
void LZModule::findGlobals(LZDevice &device, OnDevice &state) {
  AllocationTable &allocations = allocationTable();
  for (const spirv::Global &global : reflection_.globals) {
    Global found{};
    if (global.size == 0 ||
        zeModuleGetGlobalPointer(state.module.get(), global.name.c_str(), &found.size, &found.address) !=
            ZE_RESULT_SUCCESS ||
        !found.address)
      continue; // the compiler may remove variables that no kernel uses
    found.size = global.size;
    if (state.globals.emplace(global.name, found).second)
      allocations.insert({found.address, found.size, MemoryKind::device, &device, 0, MemoryOwner::moduleVariable});
  }
}

/// Managed variables that no host code has registered, because the module was loaded by itself, live in memory of the
/// module. A variable has two parts on the device: a pointer under its name, and its initial value.
void LZModule::placeManaged(LZDevice &device, OnDevice &state) {
  for (const spirv::Global &global : reflection_.globals) {
    const std::string_view whole = global.name;
    if (!whole.ends_with(kManagedSuffix))
      continue;
    const std::string_view name = whole.substr(0, whole.rfind(kManagedSuffix));
    const auto initial = state.globals.find(whole), pointer = state.globals.find(name);
    const bool placed =
        std::any_of(managed_.begin(), managed_.end(), [&](const auto &known) { return known.first == name; });
    if (placed || initial == state.globals.end() || pointer == state.globals.end() ||
        pointer->second.size != sizeof(void *))
      continue;
    ownManaged_.reserve(ownManaged_.size() + 1);
    void *memory = allocateManagedVariable(device, global.size, kManagedAlignment);
    ownManaged_.push_back(memory);
    device.copyBlocking(memory, initial->second.address, global.size);
    bindManaged(std::string(name), memory);
  }
}

void LZModule::forgetGlobals(OnDevice &state) {
  AllocationTable &allocations = allocationTable();
  for (auto &[name, global] : state.globals)
    allocations.remove(global.address, MemoryOwner::moduleVariable);
  state.globals.clear();
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
  Lock lock(mutex_);
  OnDevice &state = onDevice_[device.ordinal()];
  state.failure.reset();
  if (!state.handle.load(std::memory_order_relaxed) || state.adopted)
    return;
  state.handle.store(nullptr, std::memory_order_relaxed);
  forgetGlobals(state);
  state.nativeKernelOf.clear();
  state.nativeKernels.clear();
  state.module.reset();
}

void LZModule::fillPointer(LZDevice &device, OnDevice &state, std::string_view name, const void *value) {
  if (auto found = state.globals.find(name); found != state.globals.end())
    device.copyBlocking(found->second.address, &value, sizeof value);
}

} // namespace hiplz

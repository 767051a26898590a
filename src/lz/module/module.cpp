// SPDX-License-Identifier: MIT
// Which compiled code a kernel or variable is taken from, and what the runtime puts into it.
#include "lz/module/module.h"
#include "amdgcn/object/code_object.h"
#include "base/log.h"
#include "fatbin/machine_code.h"
#include "lz/device/check_marks.h"
#include "lz/device/device.h"
#include "lz/device/device_list.h"
#include "lz/memory/memory.h"
#include "lz/module/abort.h"
#include "lz/module/build.h"
#include "lz/module/device_heap.h"
#include "lz/module/hostcall.h"
#include "lz/module/module_state.h"
#include "lz/module/printf.h"
#include "lz/module/texture_reference.h"

#include <hip/spirv/abort_state.h>
#include <hip/spirv/runtime_variables.h>

#include <algorithm>

namespace hiplz {
namespace {

constexpr std::string_view kAbortVariable = __hiplz::abortVariable, kHeapVariable = __hiplz::heapVariable,
                           kHostcallVariable = __hiplz::hostcallVariable, kPrintfVariable = __hiplz::printfVariable,
                           kManagedSuffix = __hiplz::managedSuffix, kHiddenHostcall = "hidden_hostcall_buffer",
                           kHiddenPrintf = "hidden_printf_buffer";
constexpr size_t kManagedAlignment = 256;

/// A variable that kernels find a service of the runtime with, as our passes and as machine code name it.
struct ServiceVariable {
  std::string_view name;
  void *(*address)(LZDevice &);
};
constexpr ServiceVariable kServiceVariables[] = {
    {kPrintfVariable, [](LZDevice &device) { return reinterpret_cast<void *>(LZPrintf::of(device).address()); }},
    {kAbortVariable, [](LZDevice &device) { return LZAbort::of(device).address(); }},
    {kHeapVariable, [](LZDevice &device) { return LZDeviceHeap::of(device).address(); }},
    {kHostcallVariable, [](LZDevice &device) { return LZHostcall::of(device).address(); }},
    {kHiddenHostcall, [](LZDevice &device) { return LZHostcall::of(device).address(); }},
    {kHiddenPrintf, [](LZDevice &device) { return LZHostcall::of(device).printfAddress(); }},
    {"hidden_heap_v1", [](LZDevice &device) { return LZHostcall::of(device).heapAddress(); }},
    {amdgcn::kTrapVariable, [](LZDevice &device) { return LZAbort::of(device).address(); }},
};
static_assert(sizeof(amdgcn::TrapState) == sizeof(__hiplz::AbortState) &&
              offsetof(amdgcn::TrapState, raised) == offsetof(__hiplz::AbortState, raised) &&
              offsetof(amdgcn::TrapState, reason) == offsetof(__hiplz::AbortState, reason) &&
              amdgcn::TrapState::trapped == __hiplz_end_abort);

spirv::Module reflectImage(const DeviceImage &image, const std::string &origin) {
  try {
    return amdgcn::isCodeObject(image.spirv) ? reflectMachineCode(image.spirv) : spirv::reflect(image.spirv);
  } catch (const ParseError &error) {
    throw HipError(hipErrorInvalidImage, origin + ": " + error.what());
  }
}

} // namespace

LZModule::LZModule(DeviceImage image, std::string origin)
    : image_(std::move(image)), origin_(std::move(origin)), reflection_(reflectImage(image_, origin_)),
      textureReferences_(LockRank::moduleReferences), onDevice_(new OnDevice[allDevices().size()]) {
  const auto has = [this](std::string_view name) {
    return std::any_of(reflection_.globals.begin(), reflection_.globals.end(),
                       [&](const spirv::Global &global) { return global.name == name; });
  };
  const LZKernel::Services services{has(kPrintfVariable), has(kHostcallVariable) || has(kHiddenHostcall),
                                    has(kHiddenPrintf)};
  LZHostcall::learnFormats(reflection_.formats);
  for (const spirv::Kernel &kernel : reflection_.kernels) {
    kernels_.emplace_back(*this, kernel, services);
    byName_.emplace(kernel.name, &kernels_.back());
  }
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
  const Part &part = built(device, state, state.plan.groupOfVariable(std::string(name)));
  if (auto found = part.managed.find(name); found != part.managed.end())
    return found->second;
  auto found = part.globals.find(name);
  if (found == part.globals.end())
    throw HipError(hipErrorNotFound, origin_ + " has no variable " + std::string(name));
  return found->second;
}

/// Without the lock, which those who hold a part's lock take.
std::vector<LZModule::Part *> LZModule::partsSoFar(OnDevice &state) {
  Lock lock(mutex_);
  std::vector<Part *> parts;
  for (Part &part : state.parts)
    parts.push_back(&part);
  return parts;
}

std::string LZModule::buildLog(LZDevice &device) {
  std::string text;
  OnDevice &state = onDevice_[device.ordinal()];
  for (Part *part : partsSoFar(state)) {
    Lock lock(part->mutex);
    text += part->log;
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

bool LZModule::isManaged(std::string_view name) const {
  const std::string variable = std::string(name).append(kManagedSuffix);
  return std::any_of(reflection_.globals.begin(), reflection_.globals.end(),
                     [&](const spirv::Global &global) { return global.name == variable; });
}

void LZModule::bindManaged(std::string name, void *address) { managed_.emplace_back(std::move(name), address); }

void LZModule::declareConstant(std::string name) { constants_.insert(std::move(name)); }

LZModule::OnDevice &LZModule::planned(LZDevice &device) {
  OnDevice &state = onDevice_[device.ordinal()];
  if (!state.planned.load(std::memory_order_acquire)) {
    Lock lock(mutex_);
    if (!state.hasPlan)
      plan(device, state, false);
    state.planned.store(true, std::memory_order_release);
  }
  return state;
}

void LZModule::prepare(LZDevice &device) {
  OnDevice &state = onDevice_[device.ordinal()];
  {
    Lock lock(mutex_);
    if (!state.hasPlan)
      plan(device, state, false);
    if (state.plan.groups().size() > 1)
      return; // whole() may still want another plan
    state.planned.store(true, std::memory_order_release);
  }
  built(device, state, 0);
}

ze_module_handle_t LZModule::whole(LZDevice &device) {
  OnDevice &state = onDevice_[device.ordinal()];
  {
    Lock lock(mutex_);
    if (!state.planned.load(std::memory_order_relaxed) && (!state.hasPlan || state.plan.groups().size() > 1))
      plan(device, state, true);
    state.planned.store(true, std::memory_order_release);
  }
  if (state.plan.groups().size() > 1)
    throw HipError(hipErrorNotSupported, origin_ +
                                             " has been divided into parts that are compiled when they are needed; "
                                             "ask for the native module before anything else of it");
  return built(device, state, 0).module.get();
}

/// A part that nobody has asked for as it is, because kernels were added to the one that is wanted, can turn out to be wrong for
/// a group: its compilation fails, maybe because of another kernel, or its kernel spills and had better be compiled with the large
/// register file, which is chosen for a part. The group then gets another part.
LZModule::Part &LZModule::built(LZDevice &device, OnDevice &state, size_t group) {
  if (Part *part = state.ofGroup[group].load(std::memory_order_acquire);
      part && part->handle.load(std::memory_order_acquire)) [[likely]]
    return *part;
  for (;;) {
    Part *part = nullptr;
    {
      Lock lock(mutex_);
      part = &partOf(state, group);
    }
    const bool alone = part->groups.size() == 1;
    try {
      build(device, state, *part);
    } catch (const HipError &) {
      if (alone)
        throw;
      Lock lock(mutex_);
      state.choice.divide(part->index);
      continue;
    }
    if (alone || !device.mayHaveLargeRegisters() ||
        !spills(device, part->module.get(), kernelsIn(state, std::span(&group, 1)).front())) {
      state.ofGroup[group].store(part, std::memory_order_release);
      return *part;
    }
    Lock lock(mutex_);
    state.choice.separate(group, part->index);
  }
}

void LZModule::build(LZDevice &device, const OnDevice &state, Part &part) {
  if (part.handle.load(std::memory_order_acquire))
    return;
  Lock lock(part.mutex);
  if (part.handle.load(std::memory_order_relaxed))
    return;
  if (part.failure)
    throw *part.failure;
  try {
    compile(device, state, part);
  } catch (const HipError &error) {
    // A resource that has run out may be there again the next time.
    if (error.zeResult() != ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY &&
        error.zeResult() != ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY && error.zeResult() != ZE_RESULT_ERROR_NOT_AVAILABLE)
      part.failure.emplace(error);
    throw;
  }
  Lock variables(mutex_);
  complete(device, part);
}

void LZModule::want(LZDevice &device, const LZKernel &kernel) {
  OnDevice &state = planned(device);
  if (state.plan.leftOut().contains(kernel.name()))
    return;
  const size_t group = state.plan.groupOfKernel(kernel.name());
  if (state.ofGroup[group].load(std::memory_order_acquire))
    return;
  Lock lock(mutex_);
  partOf(state, group);
}

ze_module_handle_t LZModule::on(LZDevice &device, const LZKernel &kernel) {
  OnDevice &state = planned(device);
  const auto &leftOut = state.plan.leftOut();
  if (auto found = leftOut.find(kernel.name()); found != leftOut.end())
    throw HipError(hipErrorNoBinaryForGpu, "the kernel " + kernel.name() + " needs " + found->second + ", which " +
                                               device.properties().name +
                                               " lacks; docs/using.md says what helps (GPUs that lack something)");
  return built(device, state, state.plan.groupOfKernel(kernel.name())).module.get();
}

/// Fills the variables that the runtime fills, and lets everybody see the part.
void LZModule::complete(LZDevice &device, Part &part) {
  try {
    findGlobals(device, part);
    placeManaged(device, part);
    for (const ServiceVariable &variable : kServiceVariables)
      if (part.globals.contains(variable.name))
        fillPointer(device, part, variable.name, variable.address(device));
    writeAddresses(device, part);
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
  const size_t whole[] = {0};
  if (std::vector<std::string> missing = missingFrom(native, kernelsIn(state, whole)); !missing.empty())
    throw HipError(hipErrorInvalidImage, "the native module lacks kernels of the SPIR-V: " + commaSeparated(missing));
  state.adopted = true;
  Part &part = partOf(state, 0);
  part.module = ZeModule(native, false);
  complete(device, part);
  state.hasPlan = true;
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

/// All variables, also those that nobody asks for by name: kernels hand out their addresses.
void LZModule::findGlobals(LZDevice &device, Part &part) {
  AllocationTable &allocations = allocationTable();
  for (const spirv::Global &global : reflection_.globals) {
    Global found{};
    if (global.size == 0)
      continue;
    const ze_result_t result =
        zeModuleGetGlobalPointer(part.module.get(), global.name.c_str(), &found.size, &found.address);
    // The compiler may remove variables that no kernel uses. Intel's driver says so with another error than the specification.
    if (result != ZE_RESULT_ERROR_INVALID_GLOBAL_NAME && result != ZE_RESULT_ERROR_INVALID_ARGUMENT)
      zeCheck(result, "zeModuleGetGlobalPointer");
    if (!found.address)
      continue;
    found.size = global.size;
    if (part.globals.emplace(global.name, found).second)
      allocations.insert({found.address, found.size, MemoryKind::device, &device, 0, MemoryOwner::moduleVariable});
    if (constants_.contains(global.name))
      (void)markMemory(device.driver(), nullptr,
                       {.kind = ZeCheckMark::Kind::constant, .begin = found.address, .bytes = found.size});
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
  for (Part *part : partsSoFar(state)) {
    Lock lock(part->mutex);
    part->failure.reset();
    if (!part->handle.load(std::memory_order_relaxed))
      continue;
    part->handle.store(nullptr, std::memory_order_relaxed);
    forgetGlobals(*part);
    part->module.reset();
  }
}

/// Completes initial values that refer to each other.
void LZModule::writeAddresses(LZDevice &device, Part &part) {
  using Row = __hiplz::AddressRow;
  const auto table = part.globals.find(__hiplz::addressesVariable);
  if (table == part.globals.end())
    return;
  std::vector<Row> rows(table->second.size / sizeof(Row));
  device.copyBlocking(rows.data(), table->second.address, rows.size() * sizeof(Row));
  for (const Row &row : rows) {
    const uint64_t value = row.target + row.difference;
    device.copyBlocking(reinterpret_cast<void *>(row.variable + row.offset), &value, sizeof value);
  }
}

void LZModule::fillPointer(LZDevice &device, Part &part, std::string_view name, const void *value) {
  if (auto found = part.globals.find(name); found != part.globals.end())
    device.copyBlocking(found->second.address, &value, sizeof value);
}

} // namespace hiplz

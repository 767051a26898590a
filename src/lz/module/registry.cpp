// SPDX-License-Identifier: MIT
// One address may be registered by several fat binaries: a kernel template in a header is instantiated in every source
// file that uses it, the linker keeps one host function, and each file's fat binary has the kernel. The first one that
// registered serves the address; when its library is unloaded, the next one does.
#include "lz/module/registry.h"
#include "amdgcn/object/code_object.h"
#include "base/env.h"
#include "base/lockable.h"
#include "base/log.h"
#include "lz/core/owned_objects.h"
#include "lz/device/device.h"
#include "lz/device/device_list.h"
#include "lz/memory/memory.h"
#include "lz/module/linker.h"

#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <optional>

namespace hiplz {

struct LZRegistry::Function {
  Function(FatBinary &binary, const void *host, std::string name) : binary(binary), host(host), name(std::move(name)) {}
  FatBinary &binary;
  const void *host;
  std::string name;
  std::atomic<LZKernel *> kernel{nullptr}; // stored (release) once found
  Function *next = nullptr;                // registered for the same address later; guarded by the registry's mutex
};

struct LZRegistry::Variable {
  FatBinary &binary;
  const void *host;
  std::string name;
  size_t size;
  bool constant = false;
  void *managed = nullptr;
  const void *initialValue = nullptr; // of a managed one
  Variable *next = nullptr;
};

struct LZRegistry::FatBinary {
  explicit FatBinary(const void *wrapper) : wrapper_(wrapper) {}

  /// The module, reflected at the first call. Throws HipError.
  LZModule &module();
  /// The same if somebody has asked for it; else null. Lock-free.
  LZModule *moduleIfCreated() const { return module_.load(std::memory_order_acquire); }
  /// The processor whose machine code is taken; empty for SPIR-V, and for what cannot be read.
  std::string machineTarget() const;
  std::unique_ptr<LZModule> takeModule() { return std::move(created_.lock()->module); }

  // Guarded by the registry's mutex. Compiled code registers all of them before anything else can use the fat binary.
  std::deque<Function> functions;
  std::deque<Variable> variables;

private:
  struct Created {
    std::unique_ptr<LZModule> module;
    std::optional<HipError> failure;
  };
  std::unique_ptr<LZModule> create();
  std::string origin() const;

  const void *const wrapper_;
  Lockable<Created> created_{LockRank::fatBinary}; // locked while the module is made
  std::atomic<LZModule *> module_{nullptr};        // stored (release) once it is there
};

namespace {

template <class Record> void link(PointerMap<Record> &map, Record &record) {
  Record *head = map.find(record.host);
  if (!head) {
    map.set(record.host, &record);
    return;
  }
  while (head->next)
    head = head->next;
  head->next = &record;
}

template <class Record> void unlink(PointerMap<Record> &map, Record &record) {
  Record *head = map.find(record.host);
  if (head == &record) {
    if (record.next)
      map.set(record.host, record.next);
    else
      map.erase(record.host);
    return;
  }
  while (head && head->next != &record)
    head = head->next;
  if (head)
    head->next = record.next;
}

} // namespace

LZModule &LZRegistry::FatBinary::module() {
  if (LZModule *module = module_.load(std::memory_order_acquire)) [[likely]]
    return *module;
  const auto created = created_.lock();
  if (created->failure)
    throw *created->failure;
  if (!created->module) {
    requireRuntime(); // without devices there is nothing to blame the fat binary for
    try {
      created->module = create();
    } catch (const HipError &error) {
      created->failure.emplace(error);
      throw;
    }
    module_.store(created->module.get(), std::memory_order_release);
  }
  return *created->module;
}

std::unique_ptr<LZModule> LZRegistry::FatBinary::create() {
  try {
    DeviceImage image = findSpirv(unwrapFatBinary(wrapper_));
    std::string said;
    makeLoadable(image, origin(), said);
    if (!said.empty())
      HIPLZ_LOG_INFO("%s: %s", origin().c_str(), said.c_str());
    auto module = std::make_unique<LZModule>(std::move(image), origin());
    for (const Variable &variable : variables)
      if (variable.managed)
        module->bindManaged(variable.name, variable.managed);
      else if (variable.constant)
        module->declareConstant(variable.name);
    return module;
  } catch (const ParseError &error) {
    throw HipError(error.kind() == ParseError::Kind::otherTargets ? hipErrorNoBinaryForGpu : hipErrorInvalidImage,
                   origin() + ": " + error.what());
  }
}

std::string LZRegistry::FatBinary::machineTarget() const {
  try {
    const DeviceImage image = findSpirv(unwrapFatBinary(wrapper_));
    return amdgcn::isCodeObject(image.spirv) ? amdgcn::processorOf(image.spirv) : "";
  } catch (const ParseError &) {
    return {}; // the first use says why
  }
}

/// The file that the compiler put the fat binary into, for the log.
std::string LZRegistry::FatBinary::origin() const {
  Dl_info info;
  return ::dladdr(wrapper_, &info) && info.dli_fname ? info.dli_fname : "the program";
}

LZRegistry &LZRegistry::instance() {
  static LZRegistry *const registry = new LZRegistry;
  return *registry;
}

LZRegistry::FatBinary *LZRegistry::registerFatBinary(const void *wrapper) {
  auto binary = std::make_unique<FatBinary>(wrapper);
  FatBinary *handle = binary.get();
  Lock lock(mutex_);
  binaries_.emplace(handle, std::move(binary));
  unseen_.push_back(handle);
  return handle;
}

std::string LZRegistry::machineTarget() {
  if (std::string forced = envString(EnvVar::HIPLZ_AMD_TARGET); amdgcn::isTranslated(forced))
    return forced;
  Lock lock(mutex_);
  for (const FatBinary *binary : unseen_)
    if (machineTarget_.empty())
      machineTarget_ = binary->machineTarget();
  unseen_.clear();
  return machineTarget_;
}

void LZRegistry::unregisterFatBinary(FatBinary *handle) {
  std::unique_ptr<FatBinary> binary;
  {
    Lock lock(mutex_);
    auto found = binaries_.find(handle);
    if (found == binaries_.end())
      return;
    binary = std::move(found->second);
    binaries_.erase(found);
    std::erase(unseen_, handle);
    for (Function &function : binary->functions)
      unlink(functions_, function);
    for (Variable &variable : binary->variables)
      unlink(variables_, variable);
  }
  destroyModule(binary->takeModule());
  if (!runtimeUsable())
    return;
  for (Variable &variable : binary->variables)
    if (variable.managed && variable.host == variable.managed) // of its two records, the one that stands for the memory
      freeManagedVariable(variable.managed);
}

void LZRegistry::registerFunction(FatBinary &binary, const void *hostFunction, const char *deviceName) {
  if (!hostFunction || !deviceName)
    return;
  Lock lock(mutex_);
  link(functions_, binary.functions.emplace_back(binary, hostFunction, deviceName));
}

void LZRegistry::registerVariable(FatBinary &binary, const void *hostVariable, const char *deviceName, size_t size,
                                  bool constant) {
  if (!hostVariable || !deviceName)
    return;
  Lock lock(mutex_);
  link(variables_,
       binary.variables.emplace_back(
           Variable{.binary = binary, .host = hostVariable, .name = deviceName, .size = size, .constant = constant}));
}

void LZRegistry::registerManaged(FatBinary &binary, void **pointer, void *initialValue, const char *deviceName,
                                 size_t size, size_t alignment) {
  if (!pointer || !initialValue || !deviceName)
    return;
  *pointer = initialValue;
  try {
    void *memory = allocateManagedVariable(*allDevices().front(), size, alignment);
    std::memcpy(memory, initialValue, size);
    *pointer = memory;
  } catch (const HipError &error) {
    HIPLZ_LOG_INFO("the managed variable %s stays in host memory: %s", deviceName, error.what());
  }
  Lock lock(mutex_);
  // Host code names the variable by the memory, because it reads the pointer first; the compiler by the pointer.
  for (const void *host : {static_cast<const void *>(pointer), static_cast<const void *>(*pointer)})
    link(variables_, binary.variables.emplace_back(Variable{
                         .binary = binary,
                         .host = host,
                         .name = deviceName,
                         .size = size,
                         .managed = *pointer == initialValue ? nullptr : *pointer,
                         .initialValue = initialValue,
                     }));
}

LZKernel &LZRegistry::kernelFor(const void *hostFunction) {
  Function *function = hostFunction ? functions_.find(hostFunction) : nullptr;
  if (!function)
    if (LZKernel *kernel = findHandle(hostFunction)) // of a library
      return *kernel;
  if (!function)
    throw HipError(hipErrorInvalidDeviceFunction,
                   hostFunction ? "the function pointer is not a kernel's" : "the function pointer is null");
  if (LZKernel *kernel = function->kernel.load(std::memory_order_acquire)) [[likely]]
    return *kernel;
  LZKernel *kernel = function->binary.module().findKernel(function->name);
  if (!kernel)
    throw HipError(hipErrorInvalidDeviceFunction, "the program's device code has no kernel " + function->name);
  function->kernel.store(kernel, std::memory_order_release);
  return *kernel;
}

LZRegistry::Symbol LZRegistry::symbolFor(const void *hostVariable) {
  Variable *variable = variables_.find(hostVariable);
  if (!variable)
    throw HipError(hipErrorInvalidSymbol,
                   "the address is not that of a __device__, __constant__ or __managed__ variable");
  return {variable->binary.module(), variable->name, variable->size, variable->managed};
}

LZModule &LZRegistry::load(std::unique_ptr<LZModule> module) {
  LZModule &handle = *module;
  {
    Lock lock(mutex_);
    loaded_.emplace(&handle, std::move(module));
  }
  OwnedObjects::made("a module", &handle);
  return handle;
}

void LZRegistry::unload(const void *handle) {
  std::unique_ptr<LZModule> module;
  {
    Lock lock(mutex_);
    auto found = loaded_.find(handle);
    if (found == loaded_.end())
      throw HipError(handle ? hipErrorNotFound : hipErrorInvalidHandle, "the module is not loaded");
    module = std::move(found->second);
    loaded_.erase(found);
  }
  OwnedObjects::gone(handle);
  destroyModule(std::move(module));
}

LZModule &LZRegistry::loaded(const void *handle) {
  Lock lock(mutex_);
  auto found = loaded_.find(handle);
  if (found == loaded_.end())
    throw HipError(handle ? hipErrorNotFound : hipErrorInvalidHandle, "the module is not loaded");
  return *found->second;
}

void LZRegistry::reload(LZDevice &device) {
  Lock lock(mutex_); // no module goes away meanwhile
  auto begin = [&](LZModule &module) {
    dropKernels(module);
    module.discard(device);
  };
  for (const auto &[handle, binary] : binaries_) {
    if (LZModule *module = binary->moduleIfCreated())
      begin(*module);
    for (const Variable &variable : binary->variables)
      if (variable.managed && device.ordinal() == 0) // registerManaged takes the memory of this device
        std::memcpy(variable.managed, variable.initialValue, variable.size);
  }
  for (const auto &[handle, module] : loaded_)
    begin(*module);
}

void LZRegistry::addKernelHolder(KernelHolder holder) {
  Lock lock(mutex_);
  holders_.push_back(holder);
}

// The list is complete when there is a device, and without one nobody holds a kernel.
void LZRegistry::dropKernels(const LZModule &module) const noexcept {
  for (const KernelHolder holder : holders_)
    holder(module);
}

void LZRegistry::addHandle(LZKernel &kernel) {
  Lock lock(mutex_);
  kernelHandles_.set(&kernel, &kernel);
}

LZKernel &LZRegistry::kernelOf(const void *handle) const {
  LZKernel *kernel = findHandle(handle);
  if (!kernel)
    throw HipError(hipErrorInvalidHandle, handle ? "the function does not exist, or its module has been unloaded"
                                                 : "the function handle is null");
  return *kernel;
}

size_t LZRegistry::constantBytes(const LZModule &module) {
  Lock lock(mutex_);
  size_t bytes = 0;
  for (const auto &[handle, binary] : binaries_)
    if (binary->moduleIfCreated() == &module)
      for (const Variable &variable : binary->variables)
        bytes += variable.constant ? variable.size : 0;
  return bytes;
}

const void *LZRegistry::nameOf(const LZKernel &kernel) {
  Lock lock(mutex_);
  for (const auto &[handle, binary] : binaries_)
    for (const Function &function : binary->functions)
      if (function.kernel.load(std::memory_order_relaxed) == &kernel)
        return function.host;
  return &kernel;
}

/// Waits for the kernels of the module and destroys it. At exit, and in a forked child, nothing of Level Zero may be
/// touched: the module is kept instead.
void LZRegistry::destroyModule(std::unique_ptr<LZModule> module) {
  if (!module)
    return;
  {
    Lock lock(mutex_);
    module->forEachKernel([&](LZKernel &kernel) { kernelHandles_.erase(&kernel); });
  }
  if (runtimeUsable()) {
    module->endLife();
    dropKernels(*module);
    return;
  }
  Lock lock(mutex_);
  abandoned_.push_back(std::move(module));
}

} // namespace hiplz

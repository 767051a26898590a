// SPDX-License-Identifier: MIT
// Modules and kernels of the fake. What a kernel does is a function of the test's, found by its name; a module has those that
// its code mentions.
#include "objects.h"

#include <algorithm>

namespace fake_ze {
namespace {

// Filled before main(), in whatever order.
auto &kernels() {
  static std::map<std::string, std::function<void(const Launch &)>> all;
  return all;
}
auto &variableBytes() {
  static std::map<std::string, size_t> all;
  return all;
}

constexpr std::string_view kNativeMark = "native code of the fake: ";
constexpr char kLog[] = "compiled";

bool mentions(const Module &module, const std::string &name) {
  const std::string_view code(reinterpret_cast<const char *>(module.code.data()), module.code.size());
  const std::string whole = name + '\0';
  return code.find(std::string_view(whole.data(), whole.size())) != code.npos;
}

/// Text or bytes by the protocol of two calls.
template <class Byte> void give(const void *bytes, size_t count, size_t *size, Byte *to) {
  if (to && *size)
    std::memcpy(to, bytes, std::min(*size, count));
  *size = count;
}

ze_result_t appendLaunch(ze_command_list_handle_t list, ze_kernel_handle_t handle, const ze_group_count_t *groups,
                         ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
  const auto launched = std::make_shared<Launched>();
  {
    std::unique_lock<std::mutex> lock;
    const Kernel *kernel = begin<Kernel>(lock, handle);
    if (!kernel)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    *launched = {kernels().at(kernel->name), kernel->next};
    launched->launch.groups = *groups;
    launched->launch.variables = &kernel->module.variables;
    if (CommandList *to = findLocked<CommandList>(list); to && to->nextNumber)
      to->changeable[std::exchange(to->nextNumber, 0)] = launched;
  }
  return append(list, signal, waitCount, waits, [launched] {
    launched->kernel(launched->launch);
    return true;
  });
}

} // namespace

void provideKernel(std::string name, std::function<void(const Launch &)> kernel) {
  kernels()[std::move(name)] = std::move(kernel);
}
void provideVariable(std::string name, size_t bytes) { variableBytes()[std::move(name)] = bytes; }

void setArgument(Launch &launch, size_t index, size_t bytes, const void *value) {
  launch.arguments.resize(std::max(launch.arguments.size(), index + 1));
  launch.arguments[index].assign(bytes, std::byte{0});
  if (value)
    std::memcpy(launch.arguments[index].data(), value, bytes);
}

namespace calls {

ze_result_t zeModuleCreate(ze_context_handle_t, ze_device_handle_t, const ze_module_desc_t *description,
                           ze_module_handle_t *handle, ze_module_build_log_handle_t *log) {
  const std::lock_guard lock(state().mutex);
  if (log)
    *log = reinterpret_cast<ze_module_build_log_handle_t>(&makeLocked<BuildLog>());
  std::vector<uint8_t> code(description->pInputModule, description->pInputModule + description->inputSize);
  if (description->format == ZE_MODULE_FORMAT_NATIVE) {
    if (code.size() < kNativeMark.size() || !std::equal(kNativeMark.begin(), kNativeMark.end(), code.begin()))
      return ZE_RESULT_ERROR_INVALID_NATIVE_BINARY;
    code.erase(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(kNativeMark.size()));
  }
  Module &module = makeLocked<Module>();
  module.code = std::move(code);
  for (const auto &[name, bytes] : variableBytes())
    if (mentions(module, name))
      module.variables[name].resize(bytes);
  *handle = reinterpret_cast<ze_module_handle_t>(&module);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleDestroy(ze_module_handle_t handle) {
  return destroy<Module>(handle, [](Module &module) {
    for (const auto &[other, object] : state().alive)
      if (const auto *kernel = dynamic_cast<Kernel *>(object); kernel && &kernel->module == &module)
        noteMistake("the kernel " + kernel->name + " of the module is still there");
  });
}

ze_result_t zeModuleBuildLogGetString(ze_module_build_log_handle_t handle, size_t *size, char *text) {
  std::unique_lock<std::mutex> lock;
  if (!begin<BuildLog>(lock, handle))
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  give(kLog, sizeof kLog, size, text);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleBuildLogDestroy(ze_module_build_log_handle_t handle) { return destroy<BuildLog>(handle); }

ze_result_t zeModuleGetKernelNames(ze_module_handle_t handle, uint32_t *count, const char **names) {
  std::unique_lock<std::mutex> lock;
  const Module *module = begin<Module>(lock, handle);
  if (!module)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  uint32_t found = 0;
  for (const auto &[name, kernel] : kernels())
    if (mentions(*module, name)) {
      if (names && found < *count)
        names[found] = name.c_str();
      ++found;
    }
  *count = found;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleGetGlobalPointer(ze_module_handle_t handle, const char *name, size_t *size, void **pointer) {
  std::unique_lock<std::mutex> lock;
  Module *module = begin<Module>(lock, handle);
  if (!module)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  const auto found = module->variables.find(name);
  if (found == module->variables.end())
    return ZE_RESULT_ERROR_INVALID_GLOBAL_NAME;
  *size = found->second.size();
  *pointer = found->second.data();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleGetNativeBinary(ze_module_handle_t handle, size_t *size, uint8_t *binary) {
  std::unique_lock<std::mutex> lock;
  const Module *module = begin<Module>(lock, handle);
  if (!module)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  std::vector<uint8_t> whole(kNativeMark.begin(), kNativeMark.end());
  whole.insert(whole.end(), module->code.begin(), module->code.end());
  give(whole.data(), whole.size(), size, binary);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelCreate(ze_module_handle_t handle, const ze_kernel_desc_t *description, ze_kernel_handle_t *kernel) {
  std::unique_lock<std::mutex> lock;
  Module *module = begin<Module>(lock, handle);
  if (!module)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  if (!kernels().contains(description->pKernelName) || !mentions(*module, description->pKernelName))
    return ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
  *kernel = reinterpret_cast<ze_kernel_handle_t>(&makeLocked<Kernel>(*module, description->pKernelName));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelDestroy(ze_kernel_handle_t handle) { return destroy<Kernel>(handle); }

ze_result_t zeKernelGetName(ze_kernel_handle_t handle, size_t *size, char *name) {
  std::unique_lock<std::mutex> lock;
  const Kernel *kernel = begin<Kernel>(lock, handle);
  if (!kernel)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  give(kernel->name.c_str(), kernel->name.size() + 1, size, name);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetProperties(ze_kernel_handle_t handle, ze_kernel_properties_t *properties) {
  std::unique_lock<std::mutex> lock;
  if (!begin<Kernel>(lock, handle))
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  properties->maxSubgroupSize = properties->maxNumSubgroups = 32;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetArgumentValue(ze_kernel_handle_t handle, uint32_t index, size_t bytes, const void *value) {
  std::unique_lock<std::mutex> lock;
  Kernel *kernel = begin<Kernel>(lock, handle);
  if (!kernel)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  setArgument(kernel->next, index, bytes, value);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetGroupSize(ze_kernel_handle_t handle, uint32_t x, uint32_t y, uint32_t z) {
  std::unique_lock<std::mutex> lock;
  Kernel *kernel = begin<Kernel>(lock, handle);
  if (!kernel)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  std::copy_n(std::to_array({x, y, z}).begin(), 3, kernel->next.groupSize);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetGlobalOffsetExp(ze_kernel_handle_t handle, uint32_t, uint32_t, uint32_t) {
  std::unique_lock<std::mutex> lock;
  return begin<Kernel>(lock, handle) ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
}

ze_result_t zeKernelSetIndirectAccess(ze_kernel_handle_t handle, ze_kernel_indirect_access_flags_t) {
  std::unique_lock<std::mutex> lock;
  return begin<Kernel>(lock, handle) ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
}

ze_result_t zeKernelSuggestMaxCooperativeGroupCount(ze_kernel_handle_t handle, uint32_t *groups) {
  std::unique_lock<std::mutex> lock;
  *groups = 16;
  return begin<Kernel>(lock, handle) ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
}

ze_result_t zeCommandListAppendLaunchKernel(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                            const ze_group_count_t *groups, ze_event_handle_t signal,
                                            uint32_t waitCount, ze_event_handle_t *waits) {
  return appendLaunch(list, kernel, groups, signal, waitCount, waits);
}

ze_result_t zeCommandListAppendLaunchCooperativeKernel(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                                       const ze_group_count_t *groups, ze_event_handle_t signal,
                                                       uint32_t waitCount, ze_event_handle_t *waits) {
  return appendLaunch(list, kernel, groups, signal, waitCount, waits);
}

} // namespace calls
} // namespace fake_ze

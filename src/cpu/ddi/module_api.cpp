// SPDX-License-Identifier: MIT
// zeModule* and zeKernel*.
#include "base/log.h"
#include "cpu/ddi/entry_points.h"
#include "cpu/ddi/later_types.h"
#include "cpu/program/compiler_process.h"
#include "cpu/program/spec_constants.h"

#include <cstring>

namespace hiplz::cpu::ddi {
namespace {

constexpr ze_kernel_indirect_access_flags_t kIndirectFlags = (ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED << 1) - 1;
constexpr ze_cache_config_flags_t kCacheFlags = (ZE_CACHE_CONFIG_FLAG_LARGE_DATA << 1) - 1;

/// The protocol of zeModuleBuildLogGetString and zeKernelGetName: the size includes the terminator.
ze_result_t stringInto(size_t *size, char *out, const std::string &text) {
  size_t needed = text.size() + 1;
  if (out && deref(size) > 0) {
    size_t copied = std::min(*size, needed);
    std::memcpy(out, text.c_str(), copied);
    out[copied - 1] = '\0';
    *size = copied;
  } else {
    deref(size) = needed;
  }
  return ZE_RESULT_SUCCESS;
}

std::unique_ptr<Program> build(const ze_module_desc_t &desc, std::string &log) {
  std::span<const std::byte> input{reinterpret_cast<const std::byte *>(desc.pInputModule), desc.inputSize};
  if (desc.format == ZE_MODULE_FORMAT_NATIVE)
    return Program::fromNative(input, log);
  if (!desc.pConstants || desc.pConstants->numConstants == 0)
    return Program::fromSpirv(input, desc.pBuildFlags, log);
  const ze_module_constants_t &constants = *desc.pConstants;
  const std::span<const void *const> values(constants.pConstantValues, constants.numConstants);
  std::string flags = desc.pBuildFlags ? desc.pBuildFlags : "";
  flags += specConstantFlags(readSpecConstants(input, {constants.pConstantIds, constants.numConstants}, values));
  return Program::fromSpirv(input, flags.c_str(), log);
}

} // namespace

ze_result_t moduleCreate(ze_context_handle_t context, ze_device_handle_t device, const ze_module_desc_t *desc,
                         ze_module_handle_t *module, ze_module_build_log_handle_t *buildLog) {
  return guarded([&] {
    Context::from(context).requireDevice(Device::from(device));
    const ze_module_desc_t &in = deref(desc);
    deref(module);
    deref(in.pInputModule);
    require(in.format <= ZE_MODULE_FORMAT_NATIVE, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    require(in.inputSize != 0, ZE_RESULT_ERROR_INVALID_SIZE);
    if (const ze_module_constants_t *constants = in.pConstants; constants && constants->numConstants) {
      deref(constants->pConstantIds);
      deref(constants->pConstantValues);
      for (uint32_t index = 0; index < constants->numConstants; ++index)
        require(constants->pConstantValues[index], ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    std::string log;
    ze_result_t failure = in.format == ZE_MODULE_FORMAT_NATIVE ? ZE_RESULT_ERROR_INVALID_NATIVE_BINARY
                                                               : ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
    std::shared_ptr<const Program> program;
    try {
      program = build(in, log);
    } catch (const CompilerMissing &missing) { // no fault of the module
      log = missing.what();
      failure = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (!program)
      HIPLZ_LOG_INFO("a module cannot be built: %s", log.c_str());
    std::shared_ptr<const BuildMessages> later = program ? program->messages() : nullptr;
    std::unique_ptr<Module> object = program ? std::make_unique<Module>(std::move(program)) : nullptr;
    if (buildLog)
      *buildLog = (new BuildLog(std::move(log), std::move(later)))->handle();
    if (!object)
      return failure;
    *module = object.release()->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t moduleDestroy(ze_module_handle_t module) {
  return guarded([&] {
    delete &Module::from(module);
    return ZE_RESULT_SUCCESS;
  });
}

// A module that was built has no imports: the compiler refuses undefined symbols. So there is nothing to link.
ze_result_t moduleDynamicLink(uint32_t count, ze_module_handle_t *modules, ze_module_build_log_handle_t *linkLog) {
  return guarded([&] {
    deref(modules);
    objectsFrom<Module>(count, modules);
    if (linkLog)
      *linkLog = (new BuildLog("", nullptr))->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t moduleBuildLogDestroy(ze_module_build_log_handle_t log) {
  return guarded([&] {
    delete &BuildLog::from(log);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t moduleBuildLogGetString(ze_module_build_log_handle_t log, size_t *size, char *text) {
  return guarded([&] { return stringInto(size, text, BuildLog::from(log).text()); });
}

ze_result_t moduleGetNativeBinary(ze_module_handle_t module, size_t *size, uint8_t *binary) {
  return guarded([&] {
    size_t room = deref(size);
    std::span<const std::byte> bytes;
    try {
      bytes = Module::from(module).program->nativeBinary();
    } catch (const CompilerMissing &missing) {
      HIPLZ_LOG_INFO("the native binary cannot be made now: %s", missing.what());
      return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
    require(!bytes.empty(), ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    *size = bytes.size();
    if (binary) {
      require(room >= bytes.size(), ZE_RESULT_ERROR_INVALID_SIZE);
      std::memcpy(binary, bytes.data(), bytes.size());
    }
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t moduleGetGlobalPointer(ze_module_handle_t module, const char *name, size_t *size, void **pointer) {
  return guarded([&] {
    const Program &program = *Module::from(module).program;
    const GlobalInfo *global = program.findGlobal(&deref(name));
    require(global, ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
    if (size)
      *size = global->size;
    if (pointer)
      *pointer = global->address;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t moduleGetKernelNames(ze_module_handle_t module, uint32_t *count, const char **names) {
  return guarded([&] {
    std::span<const KernelInfo> kernels = Module::from(module).program->kernels();
    return listInto(count, names, kernels.size(),
                    [&](uint32_t index, const char *&name) { name = kernels[index].name.c_str(); });
  });
}

ze_result_t moduleGetProperties(ze_module_handle_t module, ze_module_properties_t *properties) {
  return guarded([&] {
    Module::from(module);
    deref(properties).flags = 0;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelCreate(ze_module_handle_t module, const ze_kernel_desc_t *desc, ze_kernel_handle_t *kernel) {
  return guarded([&] {
    const Module &owner = Module::from(module);
    const ze_kernel_desc_t &in = deref(desc);
    deref(kernel);
    require(in.flags <= (ZE_KERNEL_FLAG_FORCE_RESIDENCY | ZE_KERNEL_FLAG_EXPLICIT_RESIDENCY),
            ZE_RESULT_ERROR_INVALID_ENUMERATION);
    const KernelInfo *info = owner.program->findKernel(&deref(in.pKernelName));
    require(info, ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
    *kernel = (new Kernel(owner.program, *info))->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelDestroy(ze_kernel_handle_t kernel) {
  return guarded([&] {
    delete &Kernel::from(kernel);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelSetCacheConfig(ze_kernel_handle_t kernel, ze_cache_config_flags_t flags) {
  return guarded([&] {
    Kernel::from(kernel);
    require(flags <= kCacheFlags, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelSetGroupSize(ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z) {
  return guarded([&] {
    Kernel::from(kernel).setGroupSize(x, y, z);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelSuggestGroupSize(ze_kernel_handle_t kernel, uint32_t globalX, uint32_t globalY, uint32_t globalZ,
                                   uint32_t *x, uint32_t *y, uint32_t *z) {
  return guarded([&] {
    const Kernel &object = Kernel::from(kernel);
    require(x && y && z, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    require(globalX, ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION);
    uint32_t global[3] = {globalX, globalY, globalZ}, group[3];
    object.suggestGroupSize(global, group);
    *x = group[0];
    *y = group[1];
    *z = group[2];
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelSuggestMaxCooperativeGroupCount(ze_kernel_handle_t kernel, uint32_t *count) {
  return guarded([&] {
    deref(count) = Kernel::from(kernel).maxCooperativeGroups();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelSetArgumentValue(ze_kernel_handle_t kernel, uint32_t index, size_t size, const void *value) {
  return guarded([&] {
    Kernel::from(kernel).setArgument(index, size, value);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelSetIndirectAccess(ze_kernel_handle_t kernel, ze_kernel_indirect_access_flags_t flags) {
  return guarded([&] {
    Kernel &object = Kernel::from(kernel);
    require(flags <= kIndirectFlags, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    object.indirectAccess = flags;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelGetIndirectAccess(ze_kernel_handle_t kernel, ze_kernel_indirect_access_flags_t *flags) {
  return guarded([&] {
    const Kernel &object = Kernel::from(kernel);
    deref(flags) = object.indirectAccess;
    return ZE_RESULT_SUCCESS;
  });
}

// The attributes of the source, such as reqd_work_group_size, are in the kernel's properties; as text there are none.
ze_result_t kernelGetSourceAttributes(ze_kernel_handle_t kernel, uint32_t *size, char **text) {
  return guarded([&] {
    Kernel::from(kernel);
    deref(size) = 1;
    if (text && *text)
      **text = '\0';
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelGetProperties(ze_kernel_handle_t kernel, ze_kernel_properties_t *properties) {
  return guarded([&] {
    Kernel &object = Kernel::from(kernel);
    const KernelInfo &info = object.info();
    ze_kernel_properties_t &out = deref(properties);
    out.numKernelArgs = static_cast<uint32_t>(info.args.size());
    out.requiredGroupSizeX = info.requiredGroupSize[0];
    out.requiredGroupSizeY = info.requiredGroupSize[1];
    out.requiredGroupSizeZ = info.requiredGroupSize[2];
    out.requiredNumSubGroups = 0;
    out.requiredSubgroupSize = info.requiredSubgroupSize;
    out.maxSubgroupSize = kSubgroupSize;
    out.maxNumSubgroups = kMaxGroupItems / kSubgroupSize;
    out.localMemSize = info.staticLocalBytes;
    out.privateMemSize = object.privateBytes();
    out.spillMemSize = 0;
    out.uuid = {};
    if (auto *preferred = findInChain<ze_kernel_preferred_group_size_properties_t>(
            out.pNext, ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES))
      preferred->preferredMultiple = kSubgroupSize;
    if (auto *largest = findInChain<KernelMaxGroupSizeProperties>(out.pNext, KernelMaxGroupSizeProperties::kType))
      largest->maxGroupSize = kMaxGroupItems;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelGetName(ze_kernel_handle_t kernel, size_t *size, char *name) {
  return guarded([&] { return stringInto(size, name, Kernel::from(kernel).info().name); });
}

ze_result_t kernelSetGlobalOffsetExp(ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z) {
  return guarded([&] {
    Kernel::from(kernel).setGlobalOffset(x, y, z);
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace hiplz::cpu::ddi

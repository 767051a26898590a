// SPDX-License-Identifier: MIT
// zeModule* and zeKernel*.
#include "base/log.h"
#include "opencl/entry_points.h"

namespace hiplz::opencl {
namespace {
constexpr ze_kernel_indirect_access_flags_t kIndirectFlags = (ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED << 1) - 1;
} // namespace

ze_result_t moduleCreate(ze_context_handle_t context, ze_device_handle_t device, const ze_module_desc_t *desc,
                         ze_module_handle_t *module, ze_module_build_log_handle_t *buildLog) {
  return guarded([&] {
    Context &owner = Context::from(context);
    Device &of = Device::from(device);
    const ze_module_desc_t &in = deref(desc);
    deref(in.pInputModule);
    deref(module);
    require(in.format <= ZE_MODULE_FORMAT_NATIVE, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    require(in.inputSize != 0, ZE_RESULT_ERROR_INVALID_SIZE);
    require(!in.pNext, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "modules of several parts are not supported");
    std::string log;
    std::unique_ptr<Module> built;
    ze_result_t failure = ZE_RESULT_SUCCESS;
    const char *reason = nullptr;
    try {
      built = std::make_unique<Module>(owner, of, in, log);
    } catch (const Error &error) {
      failure = error.code;
      reason = error.reason;
    }
    if (!built)
      HIPLZ_LOG_INFO("a module cannot be built: %s", log.empty() && reason ? reason : log.c_str());
    if (buildLog)
      *buildLog = (new BuildLog(std::move(log)))->handle();
    if (!built)
      throw Error{failure, reason};
    *module = built.release()->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t moduleDestroy(ze_module_handle_t module) {
  return guarded([&] {
    delete &Module::from(module);
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
  return guarded([&] { return stringInto(size, text, BuildLog::from(log).text); });
}

ze_result_t moduleGetNativeBinary(ze_module_handle_t module, size_t *size, uint8_t *binary) {
  return guarded([&] {
    const Module &object = Module::from(module);
    const size_t room = deref(size);
    const std::vector<std::byte> bytes = object.binary();
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
    Module &object = Module::from(module);
    object.findVariable(&deref(name), size, pointer);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t moduleGetKernelNames(ze_module_handle_t module, uint32_t *count, const char **names) {
  return guarded([&] {
    const std::vector<std::string> &kernels = Module::from(module).kernelNames();
    return listInto(count, names, kernels.size(),
                    [&](uint32_t index, const char *&name) { name = kernels[index].c_str(); });
  });
}

// A program of OpenCL's is linked when it is built.
ze_result_t moduleGetProperties(ze_module_handle_t module, ze_module_properties_t *properties) {
  return guarded([&] {
    Module::from(module);
    deref(properties).flags = 0;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelCreate(ze_module_handle_t module, const ze_kernel_desc_t *desc, ze_kernel_handle_t *kernel) {
  return guarded([&] {
    Module &object = Module::from(module);
    const ze_kernel_desc_t &in = deref(desc);
    deref(kernel);
    require(in.flags <= (ZE_KERNEL_FLAG_FORCE_RESIDENCY | ZE_KERNEL_FLAG_EXPLICIT_RESIDENCY),
            ZE_RESULT_ERROR_INVALID_ENUMERATION);
    *kernel = (new Kernel(object, &deref(in.pKernelName)))->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelDestroy(ze_kernel_handle_t kernel) {
  return guarded([&] {
    delete &Kernel::from(kernel);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelSetGroupSize(ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z) {
  return guarded([&] {
    Kernel::from(kernel).setGroupSize(x, y, z);
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
    object.setIndirectAccess(flags);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelGetIndirectAccess(ze_kernel_handle_t kernel, ze_kernel_indirect_access_flags_t *flags) {
  return tell<Kernel>(kernel, flags, [](const Kernel &object) { return object.indirectAccess; });
}

ze_result_t kernelGetProperties(ze_kernel_handle_t kernel, ze_kernel_properties_t *properties) {
  return guarded([&] {
    Kernel::from(kernel).getProperties(deref(properties));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelGetName(ze_kernel_handle_t kernel, size_t *size, char *name) {
  return guarded([&] { return stringInto(size, name, Kernel::from(kernel).name()); });
}

ze_result_t kernelSetGlobalOffsetExp(ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z) {
  return guarded([&] {
    Kernel &object = Kernel::from(kernel);
    object.offset[0] = x;
    object.offset[1] = y;
    object.offset[2] = z;
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace hiplz::opencl

// The Level Zero side of a kernel.
#include "lz/lz_kernel.h"
#include "lz/lz_module.h"

namespace hiplz {

LZKernel::LZKernel(LZModule &module, const spirv::Kernel &reflection) : module_(module), reflection_(reflection) {}

bool LZKernel::prints() const { return module_.prints(); }

ZeKernel LZKernel::createHandle(LZDevice &device) const {
  ze_kernel_desc_t description{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name().c_str()};
  ZeKernel kernel;
  ze_result_t result = zeKernelCreate(module_.on(device), &description, kernel.receive());
  if (result == ZE_RESULT_ERROR_INVALID_KERNEL_NAME)
    throw HipError(hipErrorInvalidDeviceFunction,
                   "the driver's compiler left the kernel " + name() + " out of " + module_.origin(), result);
  zeCheck(result, "zeKernelCreate");
  // A HIP kernel may follow any pointer it finds in memory.
  LZ_CALL(zeKernelSetIndirectAccess, (kernel.get(), ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST |
                                                        ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE |
                                                        ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED));
  return kernel;
}

ze_kernel_properties_t LZKernel::properties(LZDevice &device) const {
  ze_kernel_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  LZ_CALL(zeKernelGetProperties, (createHandle(device).get(), &properties));
  return properties;
}

} // namespace hiplz

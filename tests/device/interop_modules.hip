// SPDX-License-Identifier: MIT
// Modules and kernels of Level Zero under HIP, and HIP's under Level Zero.
#include "tests/device/interop.h"

#include <fstream>
#include <iterator>
#include <string>

extern "C" __device__ int offset = 5;
extern "C" __global__ void addOffset(int *data, short factor, long bias) {
  data[threadIdx.x] = data[threadIdx.x] * factor + static_cast<int>(bias) + offset;
}
extern "C" __global__ void reverse(int *data) {
  extern __shared__ int copy[];
  copy[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = copy[blockDim.x - 1 - threadIdx.x];
}

constexpr int kCount = 32;

/// The SPIR-V of this program, found in its own fat binary.
static std::string ownSpirv() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string program((std::istreambuf_iterator<char>(file)), {});
  const std::string magic = std::string("__CLANG_OFFLOAD_") + "BUNDLE__";
  const size_t bundle = program.find(magic);
  if (bundle == program.npos)
    std::abort();
  uint64_t entries = 0;
  std::memcpy(&entries, program.data() + bundle + magic.size(), sizeof entries);
  size_t header = bundle + magic.size() + sizeof entries;
  for (uint64_t index = 0; index < entries; ++index) {
    uint64_t entry[3];
    std::memcpy(entry, program.data() + header, sizeof entry);
    header += sizeof entry + entry[2];
    const uint32_t spirvMagic = 0x07230203;
    if (entry[1] > 20 && std::memcmp(program.data() + bundle + entry[0], &spirvMagic, sizeof spirvMagic) == 0)
      return program.substr(bundle + entry[0], entry[1]);
  }
  std::abort();
}

static ze_module_handle_t build(const Native &native, const std::string &spirv) {
  const ze_module_desc_t description{ZE_STRUCTURE_TYPE_MODULE_DESC,
                                     nullptr,
                                     ZE_MODULE_FORMAT_IL_SPIRV,
                                     spirv.size(),
                                     reinterpret_cast<const uint8_t *>(spirv.data()),
                                     "-ze-take-global-address",
                                     nullptr};
  ze_module_handle_t module = nullptr;
  ZE_CHECK(zeModuleCreate(native.context, native.device, &description, &module, nullptr));
  return module;
}

static void launchOnModule(hipModule_t module) {
  hipFunction_t function;
  HIP_CHECK(hipModuleGetFunction(&function, module, "addOffset"));
  DeviceArray<int> array(kCount);
  int *data = array;
  HIP_CHECK(hipMemset(data, 0, kCount * sizeof(int)));
  short factor = 2;
  long bias = 100;
  void *arguments[] = {&data, &factor, &bias};
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, kCount, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK_EQ(array.host()[kCount - 1], 105);
  hipDeviceptr_t address;
  size_t bytes = 0;
  HIP_CHECK(hipModuleGetGlobal(&address, &bytes, module, "offset"));
  CHECK_EQ(bytes, sizeof(int));
  int value = 1;
  HIP_CHECK(hipMemcpyHtoD(address, &value, sizeof value));
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, kCount, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK_EQ(array.host()[0], 105 * 2 + 101);
}

TEST(modules) {
  const Native native;
  const std::string spirv = ownSpirv();
  ze_module_handle_t kept = build(native, spirv), transferred = build(native, spirv);
  hipModule_t module = nullptr;
  CHECK_EQ(hiplzCreateModuleFromNative(nullptr, 0, kept, spirv.data(), spirv.size(), hiplzOwnershipKeep),
           hipErrorInvalidValue);
  CHECK_EQ(hiplzCreateModuleFromNative(&module, 0, nullptr, spirv.data(), spirv.size(), hiplzOwnershipKeep),
           hipErrorInvalidValue);
  CHECK_EQ(hiplzCreateModuleFromNative(&module, 0, kept, nullptr, 0, hiplzOwnershipKeep), hipErrorInvalidValue);
  CHECK_EQ(hiplzCreateModuleFromNative(&module, 0, transferred, "no SPIR-V at all", 16, hiplzOwnershipTransfer),
           hipErrorInvalidImage); // it stays the application's
  HIP_CHECK(hiplzCreateModuleFromNative(&module, 0, kept, spirv.data(), spirv.size(), hiplzOwnershipKeep));
  ze_module_handle_t same = nullptr;
  HIP_CHECK(hiplzGetNativeModule(module, 0, &same));
  CHECK(same == kept);
  launchOnModule(module);
  HIP_CHECK(hipModuleUnload(module));
  CHECK_EQ(hiplzGetNativeModule(module, 0, &same), hipErrorNotFound);
  uint32_t names = 0;
  ZE_CHECK(zeModuleGetKernelNames(kept, &names, nullptr)); // it is still there
  CHECK(names >= 2);
  ZE_CHECK(zeModuleDestroy(kept));

  HIP_CHECK(hiplzCreateModuleFromNative(&module, 0, transferred, spirv.data(), spirv.size(), hiplzOwnershipTransfer));
  launchOnModule(module);
  HIP_CHECK(hipModuleUnload(module));
  CHECK_DESTROYED(zeModuleGetKernelNames(transferred, &names, nullptr));
}

TEST(kernels) {
  const Native native;
  const std::string spirv = ownSpirv();
  hipModule_t module = nullptr;
  HIP_CHECK(hiplzCreateModuleFromNative(&module, 0, build(native, spirv), spirv.data(), spirv.size(),
                                        hiplzOwnershipTransfer));
  ze_module_handle_t zeModule = nullptr;
  HIP_CHECK(hiplzGetNativeModule(module, 0, &zeModule));
  ze_kernel_handle_t kept = nullptr, transferred = nullptr;
  ze_kernel_desc_t description{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "reverse"};
  ZE_CHECK(zeKernelCreate(zeModule, &description, &kept));
  description.pKernelName = "addOffset";
  ZE_CHECK(zeKernelCreate(zeModule, &description, &transferred));
  hipFunction_t reversed = nullptr, added = nullptr;
  CHECK_EQ(hiplzCreateFunctionFromNative(&reversed, module, 0, nullptr, hiplzOwnershipKeep), hipErrorInvalidValue);
  CHECK_EQ(hiplzCreateFunctionFromNative(&reversed, nullptr, 0, kept, hiplzOwnershipKeep), hipErrorInvalidHandle);
  HIP_CHECK(hiplzCreateFunctionFromNative(&reversed, module, 0, kept, hiplzOwnershipKeep));
  HIP_CHECK(hiplzCreateFunctionFromNative(&added, module, 0, transferred, hiplzOwnershipTransfer));
  ze_kernel_handle_t same = nullptr;
  HIP_CHECK(hiplzGetNativeKernel(reinterpret_cast<const void *>(reversed), 0, &same));
  CHECK(same == kept);

  // The application's handle keeps its arguments while HIP launches the function with others.
  DeviceArray<int> first(kCount), second(kCount);
  int *mine = first, *hips = second;
  ZE_CHECK(zeKernelSetGroupSize(kept, kCount, 1, 1));
  ZE_CHECK(zeKernelSetArgumentValue(kept, 0, sizeof mine, &mine));
  ZE_CHECK(zeKernelSetArgumentValue(kept, 1, kCount * sizeof(int), nullptr)); // the dynamic shared memory
  std::vector<int> numbers(kCount);
  for (int index = 0; index < kCount; ++index)
    numbers[index] = index;
  HIP_CHECK(hipMemcpy(mine, numbers.data(), kCount * sizeof(int), hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(hips, numbers.data(), kCount * sizeof(int), hipMemcpyHostToDevice));
  void *arguments[] = {&hips};
  HIP_CHECK(hipModuleLaunchKernel(reversed, 1, 1, 1, kCount, 1, 1, kCount * sizeof(int), nullptr, arguments, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
  ze_command_list_handle_t list = native.immediateList();
  NativeEvents events(native);
  ze_event_handle_t done = events.create();
  const ze_group_count_t one{1, 1, 1};
  ZE_CHECK(zeCommandListAppendLaunchKernel(list, kept, &one, done, 0, nullptr));
  ZE_CHECK(zeEventHostSynchronize(done, UINT64_MAX));
  CHECK_EQ(first.host()[0], kCount - 1);
  CHECK_EQ(second.host()[0], kCount - 1);
  ZE_CHECK(zeEventDestroy(done));
  ZE_CHECK(zeCommandListDestroy(list));
  ZE_CHECK(zeKernelDestroy(kept)); // before its module, which HIP destroys
  HIP_CHECK(hipModuleUnload(module));
  size_t length = 0;
  CHECK_DESTROYED(zeKernelGetName(transferred, &length, nullptr));
}

/// The kernels of the program itself: a host function gives a kernel that Level Zero launches.
TEST(hostFunctions) {
  const Native native;
  ze_kernel_handle_t kernel = nullptr, again = nullptr;
  const void *function = reinterpret_cast<const void *>(addOffset);
  HIP_CHECK(hiplzGetNativeKernel(function, 0, &kernel));
  HIP_CHECK(hiplzGetNativeKernel(function, 0, &again));
  CHECK(kernel && kernel == again);
  CHECK_EQ(hiplzGetNativeKernel(function, 0, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hiplzGetNativeKernel(function, 44, &again), hipErrorInvalidDevice);
  int local = 0;
  CHECK_EQ(hiplzGetNativeKernel(&local, 0, &again), hipErrorInvalidDeviceFunction);
  DeviceArray<int> array(kCount);
  int *data = array;
  HIP_CHECK(hipMemset(data, 0, kCount * sizeof(int)));
  HIP_CHECK(hipDeviceSynchronize());
  short factor = 1;
  long bias = 70;
  ZE_CHECK(zeKernelSetGroupSize(kernel, kCount, 1, 1));
  ZE_CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof data, &data));
  ZE_CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof factor, &factor));
  ZE_CHECK(zeKernelSetArgumentValue(kernel, 2, sizeof bias, &bias));
  ze_command_list_handle_t list = native.immediateList();
  NativeEvents events(native);
  ze_event_handle_t done = events.create();
  const ze_group_count_t one{1, 1, 1};
  ZE_CHECK(zeCommandListAppendLaunchKernel(list, kernel, &one, done, 0, nullptr));
  ZE_CHECK(zeEventHostSynchronize(done, UINT64_MAX));
  CHECK_EQ(array.host()[9], 75);
  ZE_CHECK(zeEventDestroy(done));
  ZE_CHECK(zeCommandListDestroy(list));
}

int main(int argc, char **argv) { return runTests(argc, argv); }

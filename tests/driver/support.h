// SPDX-License-Identifier: MIT
// Shared by the driver tests: a fixture with a context and short forms of the API's verbose creation calls. Everything
// goes through the loader, as in a program that knows nothing of this driver.
#pragma once
#include <gtest/gtest.h>
#include <level_zero/ze_api.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#define ZE_OK(call) ASSERT_EQ(ZE_RESULT_SUCCESS, (call))

constexpr uint64_t kForever = UINT64_MAX;

/// One context on all devices. Objects made through it are destroyed in TearDown, the latest first.
class DriverTest : public testing::Test {
protected:
  void SetUp() override;
  void TearDown() override;

  ze_command_list_handle_t immediate(ze_command_queue_mode_t mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
                                     ze_device_handle_t on = nullptr);
  ze_command_list_handle_t regular();
  ze_command_queue_handle_t queue(ze_command_queue_mode_t mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_event_handle_t event(); ///< host visible, with timestamps
  ze_fence_handle_t fence(ze_command_queue_handle_t queue);

  template <class T> T *device(size_t count) { return static_cast<T *>(allocate(count * sizeof(T))); }
  void *allocate(size_t bytes);

  /// A function of the driver itself: valid as long as the loader does not wrap handles.
  template <class Function> Function extension(const char *name) {
    void *address = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeDriverGetExtensionFunctionAddress(driver, name, &address));
    return reinterpret_cast<Function>(address);
  }
  static bool handlesAreWrapped() { return getenv("ZE_ENABLE_VALIDATION_LAYER"); }

  ze_driver_handle_t driver = nullptr;
  ze_device_handle_t dev = nullptr;
  ze_context_handle_t context = nullptr;

private:
  template <class Handle> Handle keep(Handle handle, ze_result_t (*destroy)(Handle));
  std::vector<std::pair<void *, ze_result_t (*)(void *)>> kept_;
  std::vector<void *> allocations_;
  ze_event_pool_handle_t pool_ = nullptr;
  uint32_t events_ = 0;
};

/// The same with the module of kernels/*.cl.
class KernelTest : public DriverTest {
protected:
  void SetUp() override;
  void TearDown() override;
  /// With which the module is built; null: none.
  virtual const char *buildFlags() const { return nullptr; }
  /// Which module it is.
  virtual const char *moduleFile() const { return "kernels.spv"; }
  ze_kernel_handle_t kernel(const char *name, uint32_t x = 1, uint32_t y = 1, uint32_t z = 1);
  template <class... Args> void setArguments(ze_kernel_handle_t kernel, const Args &...args) {
    uint32_t index = 0;
    bool accepted = ((zeKernelSetArgumentValue(kernel, index++, sizeof(Args), &args) == ZE_RESULT_SUCCESS) && ...);
    EXPECT_TRUE(accepted) << "argument " << index - 1;
  }
  ze_module_handle_t module = nullptr;

private:
  std::vector<ze_kernel_handle_t> kernels_;
};

/// Shares memory by handles.
class IpcTest : public KernelTest {
protected:
  ze_ipc_mem_handle_t handleOf(const void *pointer) {
    ze_ipc_mem_handle_t handle{};
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeMemGetIpcHandle(context, pointer, &handle));
    return handle;
  }
  char *open(const ze_ipc_mem_handle_t &handle) {
    void *pointer = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeMemOpenIpcHandle(context, dev, handle, 0, &pointer));
    return static_cast<char *>(pointer);
  }
};

/// The content of a file below the folder of the compiled kernels.
std::vector<uint8_t> readKernelFile(const std::string &name);

/// The description of a module of SPIR-V. Refers to all of its arguments.
inline ze_module_desc_t spirvModule(std::span<const uint8_t> spirv, const char *flags = nullptr,
                                    const ze_module_constants_t *constants = nullptr) {
  return {
      ZE_STRUCTURE_TYPE_MODULE_DESC, nullptr, ZE_MODULE_FORMAT_IL_SPIRV, spirv.size(), spirv.data(), flags, constants};
}

// SPDX-License-Identifier: MIT
// One owner for every Level Zero handle. Level Zero has no reference counts, and each kind of object has its own
// destroy function; this template calls it. Physical memory, whose function takes the context as well, has a class of
// its own (memory/virtual_memory.h), and so has memory.
#pragma once
#include <level_zero/ze_api.h>

#include <utility>

namespace hiplz {

/// A Level Zero handle that is destroyed with its owner unless it is borrowed, as handles from outside are
/// (interoperability). Move-only; as thread-safe as a plain pointer.
template <class Handle, ze_result_t(ZE_APICALL *Destroy)(Handle)> class ZeHandle {
public:
  ZeHandle() = default;
  explicit ZeHandle(Handle handle, bool owned = true) noexcept : handle_(handle), owned_(owned) {}
  ZeHandle(ZeHandle &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)), owned_(other.owned_) {}
  ZeHandle &operator=(ZeHandle &&other) noexcept {
    if (this != &other) {
      reset();
      handle_ = std::exchange(other.handle_, nullptr);
      owned_ = other.owned_;
    }
    return *this;
  }
  ~ZeHandle() { reset(); }

  Handle get() const noexcept { return handle_; }
  explicit operator bool() const noexcept { return handle_ != nullptr; }

  /// Makes a borrowed handle an owned one.
  void own() noexcept { owned_ = true; }

  /// Gives the handle away: the caller destroys it.
  Handle release() noexcept { return std::exchange(handle_, nullptr); }

  /// Destroys an owned handle now. Its result says nothing that anyone could act on, and at the end of a process the
  /// driver may be gone already.
  void reset() noexcept {
    if (handle_ && owned_)
      Destroy(handle_);
    handle_ = nullptr;
  }

  /// Takes over the new handle that function(arguments..., &handle) creates; this one must be empty. A call that fails may leave
  /// anything in the place of the handle, so that is forgotten.
  template <class Create, class... Arguments> ze_result_t create(Create function, Arguments... arguments) noexcept {
    return createdBy([&](Handle *handle) { return function(arguments..., handle); });
  }
  /// The same for a function that creates another handle besides: create(&handle).
  template <class Create> ze_result_t createdBy(Create create) noexcept {
    const ze_result_t result = create(&handle_);
    owned_ = true;
    if (result != ZE_RESULT_SUCCESS)
      handle_ = nullptr;
    return result;
  }

private:
  Handle handle_ = nullptr;
  bool owned_ = true;
};

using ZeContext = ZeHandle<ze_context_handle_t, zeContextDestroy>;
using ZeCommandList = ZeHandle<ze_command_list_handle_t, zeCommandListDestroy>;
using ZeCommandQueue = ZeHandle<ze_command_queue_handle_t, zeCommandQueueDestroy>;
using ZeEventPool = ZeHandle<ze_event_pool_handle_t, zeEventPoolDestroy>;
using ZeOpenedEventPool = ZeHandle<ze_event_pool_handle_t, zeEventPoolCloseIpcHandle>; // of another process
using ZeEvent = ZeHandle<ze_event_handle_t, zeEventDestroy>;
using ZeModule = ZeHandle<ze_module_handle_t, zeModuleDestroy>;
using ZeBuildLog = ZeHandle<ze_module_build_log_handle_t, zeModuleBuildLogDestroy>;
using ZeKernel = ZeHandle<ze_kernel_handle_t, zeKernelDestroy>;

} // namespace hiplz

// SPDX-License-Identifier: MIT
// A module: SPIR-V with its reflection. On GPUs it is compiled in parts, each when one of its kernels or variables is first
// used there, unless native code for the device came along. The CPU device does that by itself and gets it whole.
#pragma once
#include "base/lockable.h"
#include "fatbin/bundle.h"
#include "fatbin/reflection.h"
#include "lz/core/error.h"
#include "lz/core/ze_handle.h"
#include "lz/module/kernel.h"

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hiplz {

class LZDevice;
class LZTextureReference;

/// Every method may be called by any thread. A pointer to a module that the application loaded is what hipModule_t is.
/// LZRegistry destroys it, after making every queue drop its kernels.
class LZModule {
public:
  /// Reflects the image; compiles nothing. `origin` is what the log calls the module. Throws HipError
  /// (hipErrorInvalidImage if the SPIR-V is malformed). The image's bytes must live as long as the module.
  LZModule(DeviceImage image, std::string origin);
  ~LZModule();
  LZModule(const LZModule &) = delete;
  LZModule &operator=(const LZModule &) = delete;

  const std::string &origin() const { return origin_; }

  /// Expires when the module is unloaded: for those who may keep a kernel of it for longer, such as nodes of graphs.
  std::weak_ptr<const void> life() const { return life_; }
  /// Lets life() expire. Call once, before anybody is made to drop the module's kernels.
  void endLife() { life_.reset(); }

  /// The kernel with this (mangled) name, owned by the module; null if it has none. Compiles nothing.
  LZKernel *findKernel(std::string_view name);

  /// Calls visit(LZKernel &) for each kernel.
  template <class Visit> void forEachKernel(Visit visit) {
    for (LZKernel &kernel : kernels_)
      visit(kernel);
  }

  struct Global {
    void *address;
    size_t size;
  };
  /// Where a program-scope variable lives on a device; it is in the allocation table while the module lives. A __managed__
  /// variable lives in the same place for all of them. Compiles the module at its first use there. Throws HipError (hipErrorNotFound if the module exports no such variable).
  Global global(LZDevice &device, std::string_view name);
  /// True if the module has a __managed__ variable of that name.
  bool isManaged(std::string_view name) const;

  /// The texture reference that a variable of the module is, created at the first call. host is the variable of the
  /// program, null in a module that the application loaded. Throws HipError (hipErrorNotFound).
  LZTextureReference &textureReference(const std::string &name, ::textureReference *host = nullptr);

  /// Finds out how the code can be divided on a device, and compiles it if it is one piece: what fails here fails for all
  /// kernels. Throws HipError.
  void prepare(LZDevice &device);

  /// The module with all its kernels and variables on a device, borrowed, for the application. Throws
  /// HipError{hipErrorNotSupported} if the module can be divided and something of it has been used before.
  ze_module_handle_t whole(LZDevice &device);

  /// The module on a device that has a kernel, borrowed. The first call compiles the kernel's part, which may take seconds and
  /// blocks only callers that need the same part. That it cannot be compiled is remembered and thrown again. Throws
  /// HipError; hipErrorNoBinaryForGpu if the device lacks what the kernel needs.
  ze_module_handle_t on(LZDevice &device, const LZKernel &kernel);

  /// A kernel will be asked for: decides which part has it, and compiles nothing. Throws HipError.
  void want(LZDevice &device, const LZKernel &kernel);

  /// Makes a Level Zero module of the application the compiled code on a device, before anybody has asked for it there. It
  /// is borrowed until ownNative() is called. Throws HipError.
  void adopt(LZDevice &device, ze_module_handle_t native);
  void ownNative(LZDevice &device);

  /// Gives a kernel of the compiled module on a device to the LZKernel of its name, which is returned; borrowed unless
  /// `owned`. Throws HipError{hipErrorInvalidDeviceFunction} if the module has none of that name.
  LZKernel &adopt(LZDevice &device, ze_kernel_handle_t native, bool owned);

  /// A Level Zero kernel that launches do not use, for the application: one that it gave, else a new one. Lives as long as
  /// the module. Throws HipError.
  ze_kernel_handle_t nativeKernel(LZDevice &device, const LZKernel &kernel);

  /// The messages of the driver's compiler about the module on a device; empty if it came from the cache. Nothing is compiled.
  std::string buildLog(LZDevice &device);

  /// Destroys the compiled code on a device, with its variables; its next user gets it from the cache. A module of the
  /// application (adopt) stays as it is. No queue may have a kernel of it left (LZRegistry::addKernelHolder).
  void discard(LZDevice &device);

  /// Declares that the pointer variable `name` of the module holds `address` on every device (a __managed__ variable).
  /// Must be called before the module is compiled anywhere.
  void bindManaged(std::string name, void *address);

  /// Declares that the variable `name` of the module is __constant__, which only the checks want to know (check_marks.h). Must be called
  /// before the module is compiled anywhere.
  void declareConstant(std::string name);

private:
  struct Part;
  struct OnDevice;
  OnDevice &planned(LZDevice &device);
  void plan(LZDevice &device, OnDevice &state, bool together);
  std::string buildOptions(LZDevice &device) const;
  std::vector<Part *> partsSoFar(OnDevice &state);
  static Part &partOf(OnDevice &state, size_t group);
  Part &built(LZDevice &device, OnDevice &state, size_t group);
  void build(LZDevice &device, const OnDevice &state, Part &part);
  void compile(LZDevice &device, const OnDevice &state, Part &part);
  std::string cacheKey(LZDevice &device, std::span<const std::byte> spirv) const;
  void rememberPart(const OnDevice &state, const Part &part) const;
  std::optional<ZeModule> takeNativeCode(LZDevice &device, const OnDevice &state, const std::string &options) const;
  void complete(LZDevice &device, Part &part);
  std::vector<std::string> kernelsIn(const OnDevice &state, std::span<const size_t> groups) const;
  void findGlobals(LZDevice &device, Part &part);
  void forgetGlobals(Part &part);
  void placeManaged(LZDevice &device, Part &part);
  void writeAddresses(LZDevice &device, Part &part);
  void fillPointer(LZDevice &device, Part &part, std::string_view name, const void *value);

  const DeviceImage image_;
  const std::string origin_;
  std::shared_ptr<const void> life_ = std::make_shared<char>();
  const spirv::Module reflection_;
  std::deque<LZKernel> kernels_;                            // immutable after construction
  std::unordered_map<std::string_view, LZKernel *> byName_; // immutable after construction
  std::deque<std::pair<std::string, void *>> managed_;      // written before the first compilation is complete
  std::unordered_set<std::string> constants_;               // immutable once the module is compiled
  std::vector<void *> ownManaged_;                          // of them, the memory that the module allocated
  // Guards OnDevice, but for what is in parts (they have locks of their own) and the plan once it is made, and the managed variables.
  Mutex mutex_{LockRank::module};
  Lockable<std::unordered_map<std::string, std::unique_ptr<LZTextureReference>>> textureReferences_;
  std::unique_ptr<OnDevice[]> onDevice_; // one for each device, by ordinal
};

} // namespace hiplz

// SPDX-License-Identifier: MIT
// Modules and their kernels. OpenCL takes a kernel's argument by different functions for values and for addresses and does not tell
// for a program of SPIR-V which one it is, so the module's text is read.
#pragma once
#include "base/mutex.h"
#include "fatbin/reflection.h"
#include "opencl/context.h"
#include "opencl/variable_block.h"

#include <set>
#include <unordered_map>

namespace hiplz::opencl {

class BuildLog : public driver::Object<BuildLog, ze_module_build_log_handle_t> {
public:
  static constexpr uint64_t kKind = 0x109;
  explicit BuildLog(std::string text) : text(std::move(text)) {}
  const std::string text;
};

/// A program for one device. Thread-safe.
class Module : public driver::Object<Module, ze_module_handle_t> {
public:
  static constexpr uint64_t kKind = 0x108;

  /// Builds SPIR-V, or what binary() has returned. Throws Error; `log` then says why, and may have remarks in any case.
  Module(Context &context, Device &device, const ze_module_desc_t &desc, std::string &log);
  ~Module();

  const std::vector<std::string> &kernelNames() const { return kernelNames_; }
  /// The kernel's parameters; null if there is no such kernel, or the module's text does not say how to set its arguments.
  const spirv::Kernel *kernel(const std::string &name) const;
  /// True if some work-items may miss a barrier of the kernel (see kernelsWithUnevenBarriers).
  bool hasUnevenBarriers(const std::string &kernel) const { return uneven_.contains(kernel); }
  /// True if groups of one work-item end the process.
  bool needsSeveral(const std::string &kernel) const { return needingSeveral_.contains(kernel); }
  /// The bytes of the shared variables that a kernel has.
  uint64_t sharedMemory(const std::string &kernel) const {
    const auto known = shared_.find(kernel);
    return known == shared_.end() ? 0 : known->second;
  }
  bool hasImports() const { return !reflection_.imports.empty(); }
  std::vector<std::byte> binary() const;
  /// Throws Error(INVALID_GLOBAL_NAME).
  void findVariable(const char *name, size_t *size, void **address);
  cl_program program() const { return program_.get(); }
  /// Launches pass one dimension, or no offset (see AdaptedModule).
  bool isFlat() const { return isFlat_; }
  bool withoutOffset() const { return withoutOffset_; }
  /// The argument that a kernel takes behind its own: the address of the module's variables. Null: nothing.
  void *hiddenArgument(const std::string &kernel) const {
    return block_.kernels.contains(kernel) ? blockMemory_.get() : nullptr;
  }

  Context &context;
  Device &device;

private:
  void createFromBinary(const ze_module_desc_t &desc);
  void createFromSpirv(const ze_module_desc_t &desc);
  /// The module for OpenCL's compiler; notes what else follows from it.
  std::vector<std::byte> adapted();
  void placeVariables();
  bool findInBlock(const char *name, size_t &size, void *&address) const;

  std::vector<std::byte> spirv_;
  uint64_t adaptedHash_ = 0; // of what OpenCL compiled
  bool isFlat_ = false, withoutOffset_ = false;
  std::set<std::string> uneven_, needingSeveral_;
  std::map<std::string, uint64_t> shared_;
  spirv::Module reflection_;
  VariableBlock block_; // empty if OpenCL has the variables itself
  Context::Memory blockMemory_;
  ClProgram program_;
  std::vector<std::string> kernelNames_;
  Mutex mutex_{LockRank::openclModule};
  std::vector<void *> variables_; // known to the context
};

/// The sizes that OpenCL is told of a launch.
struct LaunchShape {
  size_t offset[3], group[3];
};

/// A kernel with its arguments. As with every handle of Level Zero, one thread at a time.
class Kernel : public driver::Object<Kernel, ze_kernel_handle_t> {
public:
  static constexpr uint64_t kKind = 0x10a;
  /// Throws Error(INVALID_KERNEL_NAME).
  Kernel(Module &module, const char *name);

  const std::string &name() const { return name_; }
  void setGroupSize(uint32_t x, uint32_t y, uint32_t z);
  void setArgument(uint32_t index, size_t size, const void *value);
  void setIndirectAccess(ze_kernel_indirect_access_flags_t flags);
  void getProperties(ze_kernel_properties_t &out) const;
  /// A kernel of OpenCL's with the arguments of this one as they are, for commands that are executed later or repeatedly.
  ClKernel copy() const;
  cl_kernel own() const { return kernel_.get(); }
  /// Before each launch of it (see Context::allowAll).
  void allowIndirect() {
    if (indirectAccess && namesMemory_) [[unlikely]]
      module.context.allowAll(kernel_.get(), known_);
  }
  /// For launches as the kernel is now.
  LaunchShape shape() const;

  size_t groupSize[3] = {1, 1, 1};
  size_t offset[3] = {0, 0, 0};
  ze_kernel_indirect_access_flags_t indirectAccess = 0;
  Module &module;

private:
  struct Argument {
    bool isSet = false, isNull = false;
    std::vector<std::byte> value; ///< if it is null: of that size, local memory
  };
  template <class Value> Value workGroupInfo(cl_kernel_work_group_info what) const {
    return clValue<Value>([&](size_t size, void *value, size_t *out) {
      return cl().clGetKernelWorkGroupInfo(kernel_.get(), module.device.id, what, size, value, out);
    });
  }
  void apply(cl_kernel kernel, uint32_t index, size_t size, const void *value) const;
  void applyAccess(cl_kernel kernel) const;
  void applyHidden(cl_kernel kernel) const;

  ClKernel kernel_;
  const bool namesMemory_, isFlat_, withoutOffset_; // of the driver and the module: launches look no further than here
  const std::string name_;
  const spirv::Kernel *parameters_;
  std::vector<Argument> arguments_;
  uint64_t known_ = 0; // of the context's memory
};

} // namespace hiplz::opencl

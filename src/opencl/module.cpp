// SPDX-License-Identifier: MIT
// See module.h. A native binary is the SPIR-V, from which the parameters are read, and behind it OpenCL's binary.
#include "opencl/module.h"
#include "base/log.h"
#include "base/parse_error.h"
#include "base/spirv_dump.h"
#include "opencl/barrier_check.h"
#include "opencl/shared_memory.h"
#include "opencl/spirv_stage.h"
#include "opencl/subgroup_users.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>

namespace hiplz::opencl {
namespace {

struct BinaryHeader {
  static constexpr char kMagic[8] = {'H', 'I', 'P', 'L', 'Z', 'O', 'C', '2'};
  char magic[8];
  uint64_t spirvBytes;
  uint64_t
      adapted; ///< hash of the SPIR-V that OpenCL has compiled, which other versions of the driver may write otherwise
};

/// Options of Level Zero as those of OpenCL. What tells a compiler of GPUs how to go about its work has no counterpart.
std::string clOptions(const char *given, const Device &device) {
  std::string options = device.buildOptions();
  std::string_view rest = given ? given : "";
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    if (word == "-ze-opt-disable")
      options += " -cl-opt-disable";
    else if (word == "-ze-fp32-correctly-rounded-divide-sqrt")
      options += " -cl-fp32-correctly-rounded-divide-sqrt";
    else if (word.starts_with("-cl-") && !word.starts_with("-cl-std="))
      options += " " + std::string(word);
  }
  return options;
}

const std::byte *bytesOf(const ze_module_desc_t &desc) {
  return reinterpret_cast<const std::byte *>(desc.pInputModule);
}

std::vector<std::string> split(const std::string &list, char separator) {
  std::vector<std::string> parts;
  for (size_t at = 0; at < list.size();) {
    const size_t end = std::min(list.find(separator, at), list.size());
    parts.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

} // namespace

Module::Module(Context &context, Device &device, const ze_module_desc_t &desc, std::string &log)
    : context(context), device(device) {
  const bool isNative = desc.format == ZE_MODULE_FORMAT_NATIVE;
  if (isNative)
    createFromBinary(desc);
  else
    spirv_.assign(bytesOf(desc), bytesOf(desc) + desc.inputSize);
  try {
    reflection_ = spirv::reflect(spirv_);
    shared_ = sharedMemoryOf(spirv_);
    const bool isDivergenceWrong = device.abilities().subgroups && !device.abilities().divergence;
    if (device.isCpu() || isDivergenceWrong) // work-items of GPUs that have ended hold up nobody
      uneven_ = kernelsWithUnevenBarriers(spirv_, isDivergenceWrong);
    if (isDivergenceWrong)
      needingSeveral_ = kernelsWithSubgroups(spirv_);
    if (!isNative)
      createFromSpirv(desc);
  } catch (const ParseError &error) {
    log = error.what();
    throw Error{ZE_RESULT_ERROR_MODULE_BUILD_FAILURE,
                "the module is not SPIR-V that can be read; the build log says more"};
  }
  const cl_int code =
      cl().clBuildProgram(program(), 1, &device.id, clOptions(desc.pBuildFlags, device).c_str(), nullptr, nullptr);
  log = clText([&](size_t size, void *value, size_t *out) {
    return cl().clGetProgramBuildInfo(program(), device.id, CL_PROGRAM_BUILD_LOG, size, value, out);
  });
  if (code != CL_SUCCESS)
    throw Error{code == CL_OUT_OF_HOST_MEMORY ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
                                              : ZE_RESULT_ERROR_MODULE_BUILD_FAILURE};
  kernelNames_ = split(clText([&](size_t size, void *value, size_t *out) {
                         return cl().clGetProgramInfo(program(), CL_PROGRAM_KERNEL_NAMES, size, value, out);
                       }),
                       ';');
  placeVariables();
}

std::vector<std::byte> Module::adapted() {
  std::vector<std::byte> lowered;
  if (!device.abilities().variables) {
    LoweredModule module = lowerVariables(spirv_);
    lowered = std::move(module.spirv);
    block_ = std::move(module.block);
  }
  AdaptedModule module = adapt(lowered.empty() ? spirv_ : lowered, device.adaptation());
  isFlat_ = module.isFlat;
  withoutOffset_ = module.withoutOffset;
  adaptedHash_ = XXH3_64bits(module.spirv.data(), module.spirv.size());
  return std::move(module.spirv);
}

/// The variables as they are in the beginning, which SPIR-V says of them.
void Module::placeVariables() {
  if (block_.empty())
    return;
  blockMemory_ = context.obtain(ZE_MEMORY_TYPE_DEVICE, &device, block_.size, block_.align);
  const auto address = reinterpret_cast<uint64_t>(blockMemory_.get());
  for (uint64_t place : block_.addresses) {
    const auto piece = std::ranges::upper_bound(block_.pieces, place, {}, &VariableBlock::Piece::offset) - 1;
    std::byte *bytes = piece->bytes.data() + (place - piece->offset);
    uint64_t value;
    std::memcpy(&value, bytes, sizeof value);
    value += address;
    std::memcpy(bytes, &value, sizeof value);
  }
  const MemoryFunctions &memory = context.driver.memory();
  cl_int code = CL_SUCCESS;
  const ClQueue queue(cl().clCreateCommandQueueWithProperties(context.handleOfCl(), device.id, nullptr, &code));
  checkCl(code, "clCreateCommandQueueWithProperties");
  const std::byte zero{};
  checkCl(memory.fill(queue.get(), blockMemory_.get(), &zero, sizeof zero, block_.size, 0, nullptr, nullptr),
          "enqueueing a fill");
  for (const VariableBlock::Piece &piece : block_.pieces)
    checkCl(memory.copy(queue.get(), CL_FALSE, static_cast<std::byte *>(blockMemory_.get()) + piece.offset,
                        piece.bytes.data(), piece.bytes.size(), 0, nullptr, nullptr),
            "enqueueing a copy");
  checkCl(cl().clFinish(queue.get()), "clFinish");
  block_.pieces.clear();
}

void Module::createFromBinary(const ze_module_desc_t &desc) {
  BinaryHeader header;
  constexpr Error kForeign{ZE_RESULT_ERROR_INVALID_NATIVE_BINARY};
  if (desc.inputSize < sizeof header)
    throw kForeign;
  std::memcpy(&header, desc.pInputModule, sizeof header);
  if (std::memcmp(header.magic, BinaryHeader::kMagic, sizeof header.magic) != 0 ||
      header.spirvBytes > desc.inputSize - sizeof header)
    throw kForeign;
  const std::byte *begin = bytesOf(desc) + sizeof header;
  spirv_.assign(begin, begin + header.spirvBytes);
  try {
    adapted();
  } catch (const ParseError &) {
    throw kForeign;
  }
  if (adaptedHash_ != header.adapted)
    throw kForeign;
  const size_t size = desc.inputSize - sizeof header - header.spirvBytes;
  const auto *binary = reinterpret_cast<const unsigned char *>(begin + header.spirvBytes);
  cl_int status = CL_SUCCESS, code = CL_SUCCESS;
  program_ =
      ClProgram(cl().clCreateProgramWithBinary(context.handleOfCl(), 1, &device.id, &size, &binary, &status, &code));
  if (code != CL_SUCCESS || status != CL_SUCCESS)
    throw kForeign;
}

void Module::createFromSpirv(const ze_module_desc_t &desc) {
  const std::vector<std::byte> module = adapted();
  dumpSpirv(module, ".opencl.spv");
  cl_int code = CL_SUCCESS;
  program_ = ClProgram(cl().clCreateProgramWithIL(context.handleOfCl(), module.data(), module.size(), &code));
  if (code == CL_INVALID_VALUE)
    throw Error{ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, "OpenCL does not take the module for SPIR-V"};
  checkCl(code, "clCreateProgramWithIL");
  const ze_module_constants_t *constants = desc.pConstants;
  for (uint32_t index = 0; constants && index < constants->numConstants; ++index) {
    // OpenCL wants to know the size, which is not here; the compiler checks it.
    cl_int set = CL_INVALID_VALUE;
    for (size_t size : {4, 8, 2, 1})
      if (set != CL_SUCCESS)
        set = cl().clSetProgramSpecializationConstant(program(), constants->pConstantIds[index], size,
                                                      constants->pConstantValues[index]);
    checkCl(set, "clSetProgramSpecializationConstant");
  }
}

Module::~Module() {
  for (void *variable : variables_)
    context.forgetVariable(variable);
}

const spirv::Kernel *Module::kernel(const std::string &name) const {
  const auto found = std::ranges::find(reflection_.kernels, name, &spirv::Kernel::name);
  return found == reflection_.kernels.end() ? nullptr : &*found;
}

std::vector<std::byte> Module::binary() const {
  if (device.driver.compilesForBinaries())
    throw Error{ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "OpenCL would compile every kernel of the program for its binary"};
  // One program may be for several devices of the context; only this one's part exists.
  const auto sizes = clValues<size_t>([&](size_t size, void *value, size_t *out) {
    return cl().clGetProgramInfo(program(), CL_PROGRAM_BINARY_SIZES, size, value, out);
  });
  const auto devices = clValues<cl_device_id>([&](size_t size, void *value, size_t *out) {
    return cl().clGetProgramInfo(program(), CL_PROGRAM_DEVICES, size, value, out);
  });
  const auto place = static_cast<size_t>(std::ranges::find(devices, device.id) - devices.begin());
  if (place >= sizes.size() || sizes[place] == 0)
    throw Error{ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "OpenCL does not give the program's binary"};
  std::vector<std::byte> out(sizeof(BinaryHeader) + spirv_.size() + sizes[place]);
  BinaryHeader header{{}, spirv_.size(), adaptedHash_};
  std::memcpy(header.magic, BinaryHeader::kMagic, sizeof header.magic);
  std::memcpy(out.data(), &header, sizeof header);
  std::memcpy(out.data() + sizeof header, spirv_.data(), spirv_.size());
  std::vector<std::byte *> targets(sizes.size(), nullptr);
  targets[place] = out.data() + sizeof header + spirv_.size();
  checkCl(cl().clGetProgramInfo(program(), CL_PROGRAM_BINARIES, targets.size() * sizeof targets[0], targets.data(),
                                nullptr),
          "clGetProgramInfo");
  return out;
}

void Module::findVariable(const char *name, size_t *size, void **address) {
  const auto variable = context.driver.memory().variable;
  if (std::ranges::find(reflection_.globals, name, &spirv::Global::name) == reflection_.globals.end())
    throw Error{ZE_RESULT_ERROR_INVALID_GLOBAL_NAME};
  size_t bytes = 0;
  void *where = nullptr;
  if (!findInBlock(name, bytes, where) && device.abilities().variables)
    if (variable(device.id, program(), name, &bytes, &where) != CL_SUCCESS)
      where = nullptr;
  if (!where)
    throw Error{ZE_RESULT_ERROR_INVALID_GLOBAL_NAME, "OpenCL's compiler has left the variable out"};
  {
    const Lock lock(mutex_);
    if (std::ranges::find(variables_, where) == variables_.end()) {
      variables_.push_back(where);
      context.addVariable(device, where, bytes);
    }
  }
  if (size)
    *size = bytes;
  if (address)
    *address = where;
}

bool Module::findInBlock(const char *name, size_t &size, void *&address) const {
  const auto found = std::ranges::find(block_.variables, name, &VariableBlock::Variable::name);
  if (found == block_.variables.end())
    return false;
  size = found->size;
  address = static_cast<std::byte *>(blockMemory_.get()) + found->offset;
  return true;
}

Kernel::Kernel(Module &module, const char *name)
    : module(module), namesMemory_(module.context.driver.memory().allow != nullptr), isFlat_(module.isFlat()),
      withoutOffset_(module.withoutOffset()), name_(name), parameters_(module.kernel(name_)) {
  if (std::ranges::find(module.kernelNames(), name_) == module.kernelNames().end())
    throw Error{ZE_RESULT_ERROR_INVALID_KERNEL_NAME};
  if (module.hasUnevenBarriers(name_)) {
    HIPLZ_LOG_INFO(
        "kernel %s is refused: some work-items of a group may miss a barrier in it that others wait in, which OpenCL "
        "does not allow%s",
        name,
        module.device.abilities().divergence ? "" : ", or an operation of the warp, which this device gets wrong");
    throw Error{ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "some work-items may miss a barrier of the kernel"};
  }
  if (!parameters_)
    throw Error{ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "the kernel takes images, or several pointers to local memory"};
  cl_int code = CL_SUCCESS;
  kernel_ = ClKernel(cl().clCreateKernel(module.program(), name, &code));
  checkCl(code, "clCreateKernel");
  const auto count = clValue<cl_uint>([&](size_t size, void *value, size_t *out) {
    return cl().clGetKernelInfo(kernel_.get(), CL_KERNEL_NUM_ARGS, size, value, out);
  });
  arguments_.resize(count - (module.hiddenArgument(name_) && count ? 1 : 0));
  applyHidden(kernel_.get());
}

void Kernel::applyHidden(cl_kernel kernel) const {
  if (void *block = module.hiddenArgument(name_))
    checkCl(module.context.driver.memory().setArgument(kernel, static_cast<cl_uint>(arguments_.size()), block),
            "setting an address as an argument");
}

void Kernel::setGroupSize(uint32_t x, uint32_t y, uint32_t z) {
  const size_t total = size_t{x} * y * z;
  if (total == 0 || total > module.device.info<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE))
    throw Error{ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION};
  if (total == 1 && module.needsSeveral(name_)) {
    HIPLZ_LOG_INFO("kernel %s is refused in groups of one work-item: it has operations of the warp", name_.c_str());
    throw Error{ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "the kernel has operations of the warp"};
  }
  groupSize[0] = x;
  groupSize[1] = y;
  groupSize[2] = z;
}

LaunchShape Kernel::shape() const {
  if (withoutOffset_)
    return {{0, 0, 0}, {groupSize[0], groupSize[1], groupSize[2]}};
  if (!isFlat_)
    return {{offset[0], offset[1], offset[2]}, {groupSize[0], groupSize[1], groupSize[2]}};
  return {{shapedOffset(offset[0], groupSize[0]), shapedOffset(offset[1], groupSize[1]),
           shapedOffset(offset[2], groupSize[2])},
          {groupSize[0] * groupSize[1] * groupSize[2], 1, 1}};
}

void Kernel::apply(cl_kernel kernel, uint32_t index, size_t size, const void *value) const {
  const spirv::Arg *parameter = index < parameters_->args.size() ? &parameters_->args[index] : nullptr;
  const bool isPointer = parameter && (parameter->kind == spirv::ArgKind::pointer || parameter->inMemory);
  if (!isPointer) {
    checkCl(cl().clSetKernelArg(kernel, index, size, value), "clSetKernelArg");
    return;
  }
  if (size != sizeof(void *))
    throw Error{ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE};
  void *pointer = nullptr;
  if (value)
    std::memcpy(&pointer, value, sizeof pointer);
  if (!sharesWithHost(module.context.driver.memoryAccess()))
    if (const auto memory = module.context.find(pointer); memory && memory->type == ZE_MEMORY_TYPE_HOST)
      throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "kernels of this device do not reach memory of the host"};
  checkCl(module.context.driver.memory().setArgument(kernel, index, pointer), "setting an address as an argument");
}

void Kernel::setArgument(uint32_t index, size_t size, const void *value) {
  if (index >= arguments_.size())
    throw Error{ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX};
  apply(kernel_.get(), index, size, value);
  Argument &argument = arguments_[index];
  argument.isSet = true;
  argument.isNull = !value;
  argument.value.resize(size);
  if (value)
    std::memcpy(argument.value.data(), value, size);
}

void Kernel::applyAccess(cl_kernel kernel) const {
  const Driver &driver = module.context.driver;
  if (driver.memoryAccess() != MemoryAccess::unified) {
    // Allocations are named when a kernel is launched. This is about memory that OpenCL has not allocated.
    const cl_bool allowed = indirectAccess != 0;
    if (driver.memoryAccess() == MemoryAccess::fineSvm && module.device.reachesAllMemory())
      checkCl(cl().clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof allowed, &allowed),
              "clSetKernelExecInfo");
    return;
  }
  for (const auto &[flag, what] :
       {std::pair(ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL),
        std::pair(ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL),
        std::pair(ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL)}) {
    const cl_bool allowed = (indirectAccess & flag) != 0;
    checkCl(cl().clSetKernelExecInfo(kernel, what, sizeof allowed, &allowed), "clSetKernelExecInfo");
  }
}

void Kernel::setIndirectAccess(ze_kernel_indirect_access_flags_t flags) {
  indirectAccess = flags;
  applyAccess(kernel_.get());
}

ClKernel Kernel::copy() const {
  cl_int code = CL_SUCCESS;
  ClKernel kernel(cl().clCreateKernel(module.program(), name_.c_str(), &code));
  checkCl(code, "clCreateKernel");
  for (uint32_t index = 0; index < arguments_.size(); ++index) {
    const Argument &argument = arguments_[index];
    if (argument.isSet)
      apply(kernel.get(), index, argument.value.size(), argument.isNull ? nullptr : argument.value.data());
  }
  applyHidden(kernel.get());
  if (indirectAccess)
    applyAccess(kernel.get());
  return kernel;
}

void Kernel::getProperties(ze_kernel_properties_t &out) const {
  struct Size {
    size_t size[3];
  };
  const auto required = workGroupInfo<Size>(CL_KERNEL_COMPILE_WORK_GROUP_SIZE);
  out.numKernelArgs = static_cast<uint32_t>(arguments_.size());
  out.requiredGroupSizeX = static_cast<uint32_t>(required.size[0]);
  out.requiredGroupSizeY = static_cast<uint32_t>(required.size[1]);
  out.requiredGroupSizeZ = static_cast<uint32_t>(required.size[2]);
  out.requiredNumSubGroups = 0;
  out.requiredSubgroupSize = 0;
  const auto largest = static_cast<uint32_t>(workGroupInfo<size_t>(CL_KERNEL_WORK_GROUP_SIZE));
  const size_t whole[3] = {largest, 1, 1};
  auto subgroup = clValue<size_t>(
      [&](size_t size, void *value, size_t *written) {
        return cl().clGetKernelSubGroupInfo(kernel_.get(), module.device.id, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                            sizeof whole, whole, size, value, written);
      },
      1);
  // PoCL makes one sub-group of a row, however long, if a kernel has no size of its own. So many execute at once:
  if (const auto listed = module.device.listedSubgroupSizes();
      !listed.empty() && std::ranges::find(listed, subgroup) == listed.end())
    subgroup = module.device.info<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
  out.maxSubgroupSize = static_cast<uint32_t>(std::max<size_t>(subgroup, 1));
  out.maxNumSubgroups = largest / out.maxSubgroupSize;
  out.localMemSize = static_cast<uint32_t>(
      std::max<uint64_t>(workGroupInfo<cl_ulong>(CL_KERNEL_LOCAL_MEM_SIZE), module.sharedMemory(name_)));
  out.privateMemSize = static_cast<uint32_t>(workGroupInfo<cl_ulong>(CL_KERNEL_PRIVATE_MEM_SIZE));
  out.spillMemSize = 0;
  out.uuid = {};
}

} // namespace hiplz::opencl

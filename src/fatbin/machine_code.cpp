// SPDX-License-Identifier: MIT
// See machine_code.h.
#include "fatbin/machine_code.h"
#include "amdgcn/object/code_object.h"

#include <algorithm>

namespace hiplz {
namespace {

/// Where a packed buffer of arguments has a parameter is where the kernel has it: the alignment that leads there from the end of the
/// parameter before.
uint32_t alignmentFor(uint32_t end, uint32_t offset) {
  for (uint32_t align = 1; align <= 256; align *= 2)
    if ((end + align - 1) / align * align == offset)
      return align;
  throw ParseError("the parameters of a kernel of the code object are not in order");
}

} // namespace

std::string_view machineTarget(std::string_view entry) {
  if (entry.find("-amdgcn-") == entry.npos)
    return {};
  const size_t at = entry.find("--");
  if (at == entry.npos)
    return {};
  const std::string_view target = entry.substr(at + 2);
  return target.substr(0, target.find(':'));
}

spirv::Module reflectMachineCode(std::span<const std::byte> bytes) {
  std::string error;
  const auto object = amdgcn::readCodeObject(bytes, error);
  if (!object)
    throw ParseError(error);
  spirv::Module module;
  for (const amdgcn::MachineKernel &machine : object->kernels) {
    spirv::Kernel kernel;
    kernel.name = machine.name;
    uint32_t end = 0;
    for (const amdgcn::Parameter &parameter : machine.parameters) {
      if (parameter.isHidden())
        continue;
      const bool isPointer = parameter.kind == amdgcn::ParameterKind::pointer;
      kernel.args.push_back({isPointer ? spirv::ArgKind::pointer : spirv::ArgKind::byValue, parameter.size,
                             alignmentFor(end, parameter.offset)});
      end = parameter.offset + parameter.size;
    }
    kernel.dynamicLocalIndex = static_cast<int>(kernel.args.size()); // the CPU device's driver adds it to every kernel
    kernel.maxThreads = machine.maxGroupItems;
    module.kernels.push_back(std::move(kernel));
  }
  for (const amdgcn::Symbol &symbol : object->symbols)
    if (!symbol.isFunction && symbol.isExported && symbol.size > 0 && !symbol.name.ends_with(".kd"))
      module.globals.push_back({symbol.name, symbol.size});
  for (std::string &name : amdgcn::ownersVariables(*object))
    module.globals.push_back({std::move(name), sizeof(uint64_t)});
  for (const amdgcn::PrintfFormat &format : object->formats)
    module.formats.push_back({format.number, format.text});
  return module;
}

} // namespace hiplz

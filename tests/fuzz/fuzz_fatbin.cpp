// SPDX-License-Identifier: MIT
// Fat binaries, SPIR-V and code objects: whatever the bytes, the parsers answer or throw ParseError.
#include "amdgcn/object/code_object.h"
#include "fatbin/amd_spirv.h"
#include "fatbin/bundle.h"
#include "fatbin/machine_code.h"
#include "fatbin/reflection.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::span<const std::byte> bytes(reinterpret_cast<const std::byte *>(data), size);
  if (hiplz::spirv::moduleSize(bytes) > size)
    std::abort();
  try {
    hiplz::DeviceImage image = hiplz::findSpirv(bytes);
    if (hiplz::amdgcn::isCodeObject(image.spirv)) {
      hiplz::reflectMachineCode(image.spirv);
      return 0;
    }
    if (hiplz::spirv::isAmdDialect(image.spirv))
      hiplz::spirv::withoutAmdDialect(image.spirv);
    hiplz::spirv::Module module = hiplz::spirv::reflect(image.spirv);
    for (const hiplz::spirv::Kernel &kernel : module.kernels)
      for (const hiplz::spirv::Arg &arg : kernel.args)
        if (arg.align == 0 || (arg.align & (arg.align - 1)) != 0)
          std::abort();
  } catch (const hiplz::ParseError &) {
  }
  return 0;
}

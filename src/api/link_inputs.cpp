// SPDX-License-Identifier: MIT
// Objects and archives carry device code in sections, the other kinds are device code or bundles of it.
#include "api/link_inputs.h"
#include "api/device_code.h"
#include "fatbin/device_objects.h"

namespace hiplz {
namespace {

std::span<const std::byte> bytesOf(std::string_view text) { return std::as_bytes(std::span(text)); }

/// An object that was compiled with -fgpu-rdc has the bitcode of its device code in a section.
bool addObject(const ModuleSink &sink, std::string_view object, const std::string &name) {
  const std::optional<std::string_view> code = deviceCodeOf(object);
  if (code)
    sink(bytesOf(*code), name);
  return code.has_value();
}

void addArchive(const ModuleSink &sink, std::string_view archive, const std::string &name) {
  bool any = false;
  for (const std::string_view member : membersOf(archive).contents) {
    const std::string where = name + ", a member";
    if (member.starts_with("\177ELF"))
      any |= addObject(sink, member, where);
    else {
      const DeviceImage image = findDeviceCode(bytesOf(member), where);
      sink(image.spirv, where);
      any = true;
    }
  }
  if (!any)
    throw HipError(hipErrorInvalidImage, name + " is not an archive with device code");
}

} // namespace

void checkInputType(hipJitInputType type, const std::string &name) {
  switch (type) {
  case hipJitInputObject:
  case hipJitInputLibrary:
  case hipJitInputLLVMArchivesOfBundledBitcode:
  case hipJitInputSpirv:
  case hipJitInputLLVMBitcode:
  case hipJitInputLLVMBundledBitcode:
  case hipJitInputFatBinary: return;
  case hipJitInputCubin:
  case hipJitInputPtx:
  case hipJitInputNvvm: throw HipError(hipErrorInvalidValue, name + " is code for NVIDIA's GPUs only");
  default: throw HipError(hipErrorInvalidValue, "unknown input type " + std::to_string(type));
  }
}

// The bytes say more than the kind does; a kind that contradicts them is refused.
void forEachModule(hipJitInputType type, std::span<const std::byte> bytes, const std::string &name,
                   const ModuleSink &sink) {
  checkInputType(type, name);
  const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  switch (type) {
  case hipJitInputObject:
    if (!addObject(sink, text, name))
      throw HipError(hipErrorInvalidImage,
                     name + " is not an object with device code that was compiled with -fgpu-rdc");
    return;
  case hipJitInputLibrary:
  case hipJitInputLLVMArchivesOfBundledBitcode: return addArchive(sink, text, name);
  default: sink(findDeviceCode(bytes, name).spirv, name);
  }
}

} // namespace hiplz

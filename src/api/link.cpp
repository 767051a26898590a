// The run-time linker: device code in pieces, as SPIR-V, LLVM bitcode, bundles, objects and archives of them.
#include "api/api_scope.h"
#include "api/current.h"
#include "api/device_code.h"
#include "api/jit_options.h"
#include "lz/handle_table.h"
#include "lz/lz_linker.h"
#include "tools/hipcc/device_objects.h"

#include <mutex>

using namespace hiplz;

namespace {

/// What hipLinkState_t points to.
struct Link {
  std::mutex mutex; // guards what follows; held while the programs run
  JitOptions options;
  LZLinker linker;
  std::vector<std::byte> result; // empty: not complete
};

// Never destroyed: a link may end in the destructor of a static object.
HandleTable<Link> &links() {
  static HandleTable<Link> &table = *new HandleTable<Link>;
  return table;
}

Link &linkFrom(hipLinkState_t state) {
  Link *link = state ? links().find(state) : nullptr;
  if (!link)
    throw HipError(hipErrorInvalidHandle, "the link does not exist, or it has been destroyed");
  return *link;
}

std::span<const std::byte> bytesOf(std::string_view text) { return std::as_bytes(std::span(text)); }

/// An object that was compiled with -fgpu-rdc has the bitcode of its device code in a section.
bool addObject(LZLinker &linker, std::string_view object, const std::string &name) {
  const std::optional<std::string_view> code = hipcc::deviceCodeOf(object);
  if (code)
    linker.add(bytesOf(*code), name);
  return code.has_value();
}

void addArchive(LZLinker &linker, std::string_view archive, const std::string &name) {
  bool any = false;
  for (const std::string_view member : hipcc::membersOf(archive).contents) {
    const std::string where = name + ", a member";
    if (member.starts_with("\177ELF"))
      any |= addObject(linker, member, where);
    else {
      const DeviceImage image = findDeviceCode(bytesOf(member), where);
      linker.add(image.spirv, where);
      any = true;
    }
  }
  if (!any)
    throw HipError(hipErrorInvalidImage, name + " is no archive with device code");
}

/// The kind says little that the bytes do not say better; what must not be is refused.
void add(LZLinker &linker, hipJitInputType type, std::span<const std::byte> bytes, const std::string &name) {
  const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  switch (type) {
  case hipJitInputObject:
    if (!addObject(linker, text, name))
      throw HipError(hipErrorInvalidImage, name + " is no object with device code that was compiled with -fgpu-rdc");
    return;
  case hipJitInputLibrary:
  case hipJitInputLLVMArchivesOfBundledBitcode: return addArchive(linker, text, name);
  case hipJitInputSpirv:
  case hipJitInputLLVMBitcode:
  case hipJitInputLLVMBundledBitcode:
  case hipJitInputFatBinary: {
    const DeviceImage image = findDeviceCode(bytes, name);
    return linker.add(image.spirv, name);
  }
  case hipJitInputCubin:
  case hipJitInputPtx:
  case hipJitInputNvvm: throw HipError(hipErrorNoBinaryForGpu, name + " is code for NVIDIA's GPUs only");
  default: throw HipError(hipErrorInvalidValue, "there is no kind of input " + std::to_string(type));
  }
}

hipError_t addTo(hipLinkState_t state, hipJitInputType type, std::span<const std::byte> bytes, const std::string &name,
                 const JitOptions &own) {
  Link &link = linkFrom(state);
  std::lock_guard lock(link.mutex);
  if (!link.result.empty())
    throw HipError(hipErrorIllegalState, "the link is complete already");
  try {
    add(link.linker, type, bytes, name);
  } catch (const HipError &error) {
    link.options.report({}, error.what());
    own.report({}, error.what());
    throw;
  }
  return hipSuccess;
}

} // namespace

extern "C" {

hipError_t hipLinkCreate(unsigned int numOptions, hipJitOption *options, void **optionValues,
                         hipLinkState_t *stateOut) {
  return HIPLZ_API(hipLinkCreate, numOptions, options, optionValues, stateOut)([&] {
    if (!stateOut)
      return hipErrorInvalidValue;
    currentDevice();
    auto link = std::make_unique<Link>();
    link->options = JitOptions(numOptions, options, optionValues);
    links().add(*link);
    *stateOut = reinterpret_cast<hipLinkState_t>(link.release());
    return hipSuccess;
  });
}

hipError_t hipLinkAddData(hipLinkState_t state, hipJitInputType type, void *data, size_t size, const char *name,
                          unsigned int numOptions, hipJitOption *options, void **optionValues) {
  return HIPLZ_API(hipLinkAddData, state, type, data, size, name, numOptions, options, optionValues)([&] {
    if (!data || size == 0)
      return hipErrorInvalidValue;
    return addTo(state, type, {static_cast<const std::byte *>(data), size}, name ? name : "the data of the link",
                 JitOptions(numOptions, options, optionValues));
  });
}

hipError_t hipLinkAddFile(hipLinkState_t state, hipJitInputType type, const char *path, unsigned int numOptions,
                          hipJitOption *options, void **optionValues) {
  return HIPLZ_API(hipLinkAddFile, state, type, path, numOptions, options, optionValues)([&] {
    if (!path)
      return hipErrorInvalidValue;
    linkFrom(state);
    return addTo(state, type, readDeviceFile(path), path, JitOptions(numOptions, options, optionValues));
  });
}

hipError_t hipLinkComplete(hipLinkState_t state, void **hipBinOut, size_t *sizeOut) {
  return HIPLZ_API(hipLinkComplete, state, hipBinOut, sizeOut)([&] {
    if (!hipBinOut || !sizeOut)
      return hipErrorInvalidValue;
    Link &link = linkFrom(state);
    std::lock_guard lock(link.mutex);
    if (link.result.empty()) {
      try {
        link.result = link.linker.link();
      } catch (const HipError &error) {
        link.options.report(link.linker.log(), error.what());
        throw;
      }
      link.options.report(link.linker.log(), {});
    }
    *hipBinOut = link.result.data();
    *sizeOut = link.result.size();
    return hipSuccess;
  });
}

hipError_t hipLinkDestroy(hipLinkState_t state) {
  return HIPLZ_API(hipLinkDestroy, state)([&] {
    Link &link = linkFrom(state);
    if (!links().remove(link))
      return hipErrorInvalidHandle;
    delete &link;
    return hipSuccess;
  });
}

} // extern "C"

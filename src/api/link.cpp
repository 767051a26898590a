// SPDX-License-Identifier: MIT
// The run-time linker: device code in pieces, as SPIR-V, LLVM bitcode, bundles, objects and archives of them.
#include "api/api_scope.h"
#include "api/current.h"
#include "api/device_code.h"
#include "api/jit_options.h"
#include "api/link_inputs.h"
#include "base/lockable.h"
#include "lz/core/handle_table.h"
#include "lz/module/linker.h"

using namespace hiplz;

namespace {

struct LinkState {
  JitOptions options;
  LZLinker linker;
  std::vector<std::byte> result; // empty: not complete
};

/// The object behind hipLinkState_t; locked while the programs run.
using Link = Lockable<LinkState>;

// Never destroyed: a link may end in the destructor of a static object.
HandleTable<Link> &links() {
  static HandleTable<Link> &table = *new HandleTable<Link>;
  return table;
}

/// Throws HipError{otherwise} for what is no link.
Link &linkFrom(hipLinkState_t state, hipError_t otherwise) {
  Link *link = state ? links().find(state) : nullptr;
  if (!link)
    throw HipError(otherwise, "the link does not exist, or it has been destroyed");
  return *link;
}

hipError_t addTo(hipLinkState_t state, hipJitInputType type, std::span<const std::byte> bytes, const std::string &name,
                 const JitOptions &own) {
  const auto link = linkFrom(state, hipErrorInvalidHandle).lock();
  if (!link->result.empty())
    throw HipError(hipErrorIllegalState, "the link is complete already");
  try {
    forEachModule(type, bytes, name,
                  [&](std::span<const std::byte> code, const std::string &where) { link->linker.add(code, where); });
  } catch (const HipError &error) {
    link->options.report({}, error.what());
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
      return refuse(hipErrorInvalidValue, "stateOut is null");
    currentDevice();
    auto link = std::make_unique<Link>(LockRank::linker);
    link->lock()->options = JitOptions(numOptions, options, optionValues);
    links().add(*link);
    *stateOut = reinterpret_cast<hipLinkState_t>(link.release());
    return hipSuccess;
  });
}

hipError_t hipLinkAddData(hipLinkState_t state, hipJitInputType type, void *data, size_t size, const char *name,
                          unsigned int numOptions, hipJitOption *options, void **optionValues) {
  return HIPLZ_API(hipLinkAddData, state, type, data, size, name, numOptions, options, optionValues)([&] {
    HIPLZ_NOT_NULL(data);
    if (size == 0)
      return refuse(hipErrorInvalidValue, "size is 0");
    return addTo(state, type, {static_cast<const std::byte *>(data), size}, name ? name : "the data of the link",
                 JitOptions(numOptions, options, optionValues));
  });
}

hipError_t hipLinkAddFile(hipLinkState_t state, hipJitInputType type, const char *path, unsigned int numOptions,
                          hipJitOption *options, void **optionValues) {
  return HIPLZ_API(hipLinkAddFile, state, type, path, numOptions, options, optionValues)([&] {
    if (!path)
      return refuse(hipErrorInvalidValue, "path is null");
    linkFrom(state, hipErrorInvalidHandle);
    checkInputType(type, path);
    return addTo(state, type, readDeviceFile(path), path, JitOptions(numOptions, options, optionValues));
  });
}

hipError_t hipLinkComplete(hipLinkState_t state, void **hipBinOut, size_t *sizeOut) {
  return HIPLZ_API(hipLinkComplete, state, hipBinOut, sizeOut)([&] {
    HIPLZ_NOT_NULL(hipBinOut, sizeOut);
    const auto link = linkFrom(state, hipErrorInvalidValue).lock();
    if (link->result.empty()) {
      try {
        link->result = link->linker.link();
      } catch (const HipError &error) {
        link->options.report(link->linker.log(), error.what());
        throw;
      }
      link->options.report(link->linker.log(), {});
    }
    *hipBinOut = link->result.data();
    *sizeOut = link->result.size();
    return hipSuccess;
  });
}

hipError_t hipLinkDestroy(hipLinkState_t state) {
  return HIPLZ_API(hipLinkDestroy, state)([&] {
    Link &link = linkFrom(state, hipErrorInvalidValue);
    if (!links().remove(link))
      return refuse(hipErrorInvalidValue, "the link does not exist, or it has been destroyed");
    delete &link;
    return hipSuccess;
  });
}

} // extern "C"

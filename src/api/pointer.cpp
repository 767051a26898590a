// SPDX-License-Identifier: MIT
// Queries about a pointer.
#include "api/api_scope.h"
#include "api/current.h"
#include "base/hip_version.h"
#include "lz/memory/array.h"

#include <cstring>

using namespace hiplz;

namespace {

struct Known {
  Allocation memory;
  std::byte *address; // an array's memory if the pointer is the handle of one
  hipMemoryType type;

  bool onHost() const { return memory.kind != MemoryKind::device; }
};

hipMemoryType typeOf(const Allocation &memory) {
  if (memory.owner == MemoryOwner::array)
    return hipMemoryTypeArray;
  switch (memory.kind) {
  case MemoryKind::device: return hipMemoryTypeDevice;
  case MemoryKind::host: return hipMemoryTypeHost;
  case MemoryKind::managed: return hipMemoryTypeManaged;
  }
  return hipMemoryTypeUnregistered;
}

std::optional<Known> know(const void *pointer) {
  if (!pointer)
    return std::nullopt;
  LZContext &context = LZContext::instance();
  const LZArray *array = context.findArray(pointer);
  auto *address = array ? array->memory() : static_cast<std::byte *>(const_cast<void *>(pointer));
  const std::optional<Allocation> memory = context.allocations().find(address);
  if (!memory)
    return std::nullopt;
  return Known{*memory, address, array ? hipMemoryTypeArray : typeOf(*memory)};
}

template <class Value> void store(void *data, Value value) { std::memcpy(data, &value, sizeof value); }

// Stores one attribute; attributes that an unknown pointer lacks are zero, and its device is invalid.
hipError_t getAttribute(void *data, hipPointer_attribute attribute, const std::optional<Known> &known) {
  const hipError_t found = known ? hipSuccess : hipErrorInvalidValue;
  const Allocation memory = known ? known->memory : Allocation{};
  switch (attribute) {
  case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
    store<uint32_t>(data, known ? known->type : hipMemoryTypeUnregistered);
    return found;
  case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER: store<void *>(data, known ? known->address : nullptr); return found;
  case HIP_POINTER_ATTRIBUTE_HOST_POINTER: {
    const bool onHost = known && known->onHost();
    store<void *>(data, onHost ? known->address : nullptr);
    return onHost ? hipSuccess : hipErrorInvalidValue;
  }
  case HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS: store(data, memory.syncOperations); return found;
  case HIP_POINTER_ATTRIBUTE_BUFFER_ID: store(data, static_cast<uint32_t>(memory.id)); return found;
  case HIP_POINTER_ATTRIBUTE_IS_MANAGED: store(data, memory.kind == MemoryKind::managed); return found;
  case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    store<int32_t>(data, memory.device ? memory.device->ordinal() : hipInvalidDeviceId);
    return found;
  case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR: store(data, memory.base); return found;
  case HIP_POINTER_ATTRIBUTE_RANGE_SIZE: store(data, static_cast<uint32_t>(memory.bytes)); return found;
  case HIP_POINTER_ATTRIBUTE_MAPPED: store(data, known.has_value()); return found;
  case HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS: store<uint32_t>(data, memory.flags); return hipSuccess;
  case HIP_POINTER_ATTRIBUTE_CONTEXT:
  case HIP_POINTER_ATTRIBUTE_P2P_TOKENS:
  case HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE:
  case HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
  case HIP_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
  case HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: return hipErrorNotSupported; // as HIP documents
  }
  return hipErrorInvalidValue;
}

} // namespace

extern "C" {

hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *ptr) {
  return HIPLZ_API(hipPointerGetAttributes, attributes, ptr)([&] {
    if (followsHip7() && !attributes)
      return hipSuccess;
    HIPLZ_NOT_NULL(attributes);
    if (!followsHip7())
      HIPLZ_NOT_NULL(ptr);
    const std::optional<Known> known = know(ptr);
    *attributes = {};
    attributes->type = hipMemoryTypeUnregistered;
    attributes->device = hipInvalidDeviceId;
    if (!known)
      return hipSuccess; // what HIP does not know is memory of the host like any other
    attributes->type = known->type;
    attributes->device = known->memory.device->ordinal();
    attributes->devicePointer = known->address;
    attributes->hostPointer = known->onHost() ? known->address : nullptr;
    attributes->isManaged = known->memory.kind == MemoryKind::managed;
    attributes->allocationFlags = known->memory.flags;
    return hipSuccess;
  });
}

hipError_t hipPointerGetAttribute(void *data, hipPointer_attribute attribute, hipDeviceptr_t ptr) {
  return HIPLZ_API(hipPointerGetAttribute, data, attribute, ptr)([&] {
    HIPLZ_NOT_NULL(data, ptr);
    const std::optional<Known> known = know(ptr);
    const hipError_t error = getAttribute(data, attribute, known);
    if (error)
      refuse(error, error == hipErrorNotSupported ? "HIP does not support this attribute"
                    : known                       ? "this kind of memory does not have the attribute"
                                                  : "the pointer is not in memory that HIP knows");
    return error;
  });
}

hipError_t hipDrvPointerGetAttributes(unsigned int numAttributes, hipPointer_attribute *attributes, void **data,
                                      hipDeviceptr_t ptr) {
  return HIPLZ_API(hipDrvPointerGetAttributes, numAttributes, attributes, data, ptr)([&] {
    HIPLZ_NOT_NULL(attributes, data, ptr);
    if (numAttributes == 0)
      return refuse(hipErrorInvalidValue, "numAttributes is 0");
    const std::optional<Known> known = know(ptr);
    for (unsigned index = 0; index < numAttributes; ++index)
      if (data[index])
        getAttribute(data[index], attributes[index], known); // what is missing has been stored as zero
    return hipSuccess;
  });
}

hipError_t hipPointerSetAttribute(const void *value, hipPointer_attribute attribute, hipDeviceptr_t ptr) {
  return HIPLZ_API(hipPointerSetAttribute, value, attribute, ptr)([&] {
    HIPLZ_NOT_NULL(value, ptr);
    if (attribute != HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS)
      throw HipError(hipErrorInvalidValue, "HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS is the only attribute that can be set");
    const bool set = *static_cast<const unsigned char *>(value) != 0; // of a bool or an int
    const bool found =
        LZContext::instance().allocations().change(ptr, [&](Allocation &memory) { memory.syncOperations = set; });
    if (!found)
      throw HipError(hipErrorInvalidDevicePointer, "the pointer is not in memory that HIP knows");
    return hipSuccess;
  });
}

} // extern "C"

// SPDX-License-Identifier: MIT
// Memory and semaphores of other APIs.
#include "lz/memory/external.h"
#include "api/api_scope.h"
#include "api/current.h"

#include <vector>

using namespace hiplz;

namespace {

constexpr unsigned kMostSemaphores = 1 << 16;

/// The object behind a handle of the application. Throws HipError{hipErrorInvalidValue}.
template <class Object> Object &objectFrom(const void *handle) {
  Object *object = Object::handles().find(handle);
  if (!object)
    throw HipError(hipErrorInvalidValue, "the imported object does not exist, or it has been destroyed");
  return *object;
}

template <class Object> void *publish(std::unique_ptr<Object> object) {
  Object::handles().add(*object);
  return object.release();
}

template <class Object> hipError_t destroy(void *handle) {
  Object &object = objectFrom<Object>(handle);
  if (!Object::handles().remove(object))
    throw HipError(hipErrorInvalidValue, "another thread has destroyed the imported object meanwhile");
  delete &object;
  return hipSuccess;
}

template <class Parameters>
hipError_t useSemaphores(const hipExternalSemaphore_t *extSemArray, const Parameters *paramsArray, unsigned count,
                         hipStream_t stream, bool signals) {
  HIPLZ_NOT_NULL(extSemArray, paramsArray);
  if (count == 0 || count > kMostSemaphores)
    return refuse(hipErrorInvalidValue, "numExtSems is 0 or too large");
  LZQueue &queue = queueFrom(stream, NullStream::legacy, hipErrorInvalidValue);
  std::vector<LZExternalSemaphore *> semaphores;
  std::vector<uint64_t> values;
  for (unsigned index = 0; index < count; ++index) {
    if (paramsArray[index].flags)
      return refuse(hipErrorInvalidValue, "the flags of a semaphore's parameters are not 0");
    semaphores.push_back(&objectFrom<LZExternalSemaphore>(extSemArray[index]));
    values.push_back(paramsArray[index].params.fence.value);
  }
  return queue.useSemaphores(semaphores, values, signals);
}

} // namespace

extern "C" {

hipError_t hipImportExternalMemory(hipExternalMemory_t *extMem_out, const hipExternalMemoryHandleDesc *memHandleDesc) {
  return HIPLZ_API(hipImportExternalMemory, extMem_out, memHandleDesc)([&] {
    HIPLZ_NOT_NULL(extMem_out, memHandleDesc);
    if (memHandleDesc->size == 0 || memHandleDesc->flags & ~unsigned{hipExternalMemoryDedicated} ||
        memHandleDesc->type < hipExternalMemoryHandleTypeOpaqueFd ||
        memHandleDesc->type > hipExternalMemoryHandleTypeNvSciBuf)
      return refuse(hipErrorInvalidValue, "memHandleDesc has no size, unknown flags or an unknown type");
    if (memHandleDesc->type != hipExternalMemoryHandleTypeOpaqueFd)
      throw HipError(hipErrorNotSupported, "on Linux memory is imported from file descriptors alone");
    *extMem_out =
        publish(std::make_unique<LZExternalMemory>(currentDevice(), memHandleDesc->handle.fd, memHandleDesc->size));
    return hipSuccess;
  });
}

hipError_t hipDestroyExternalMemory(hipExternalMemory_t extMem) {
  return HIPLZ_API(hipDestroyExternalMemory, extMem)([&] { return destroy<LZExternalMemory>(extMem); });
}

hipError_t hipExternalMemoryGetMappedBuffer(void **devPtr, hipExternalMemory_t extMem,
                                            const hipExternalMemoryBufferDesc *bufferDesc) {
  return HIPLZ_API(hipExternalMemoryGetMappedBuffer, devPtr, extMem, bufferDesc)([&] {
    HIPLZ_NOT_NULL(devPtr, bufferDesc);
    if (bufferDesc->flags)
      return refuse(hipErrorInvalidValue, "the flags of bufferDesc are not 0");
    *devPtr = objectFrom<LZExternalMemory>(extMem).map(bufferDesc->offset, bufferDesc->size);
    return hipSuccess;
  });
}

hipError_t hipExternalMemoryGetMappedMipmappedArray(hipMipmappedArray_t *mipmap, hipExternalMemory_t extMem,
                                                    const hipExternalMemoryMipmappedArrayDesc *mipmapDesc) {
  return HIPLZ_API(hipExternalMemoryGetMappedMipmappedArray, mipmap, extMem, mipmapDesc)([&] {
    HIPLZ_NOT_NULL(mipmap, mipmapDesc);
    objectFrom<LZExternalMemory>(extMem);
    return refuse(hipErrorNotSupported, "the memory layout of another API's image is unknown");
  });
}

hipError_t hipImportExternalSemaphore(hipExternalSemaphore_t *extSem_out,
                                      const hipExternalSemaphoreHandleDesc *semHandleDesc) {
  return HIPLZ_API(hipImportExternalSemaphore, extSem_out, semHandleDesc)([&] {
    HIPLZ_NOT_NULL(extSem_out, semHandleDesc);
    if (semHandleDesc->flags || semHandleDesc->type < hipExternalSemaphoreHandleTypeOpaqueFd ||
        semHandleDesc->type > hipExternalSemaphoreHandleTypeTimelineSemaphoreWin32)
      return refuse(hipErrorInvalidValue, "semHandleDesc has flags or an unknown type");
    const bool binary = semHandleDesc->type == hipExternalSemaphoreHandleTypeOpaqueFd;
    if (!binary && semHandleDesc->type != hipExternalSemaphoreHandleTypeTimelineSemaphoreFd)
      throw HipError(hipErrorNotSupported, "on Linux semaphores are imported from file descriptors alone");
    *extSem_out = publish(std::make_unique<LZExternalSemaphore>(
        currentDevice(), binary ? LZExternalSemaphore::Kind::binary : LZExternalSemaphore::Kind::timeline,
        semHandleDesc->handle.fd));
    return hipSuccess;
  });
}

hipError_t hipDestroyExternalSemaphore(hipExternalSemaphore_t extSem) {
  return HIPLZ_API(hipDestroyExternalSemaphore, extSem)([&] { return destroy<LZExternalSemaphore>(extSem); });
}

hipError_t hipSignalExternalSemaphoresAsync(const hipExternalSemaphore_t *extSemArray,
                                            const hipExternalSemaphoreSignalParams *paramsArray,
                                            unsigned int numExtSems, hipStream_t stream) {
  return HIPLZ_API(hipSignalExternalSemaphoresAsync, extSemArray, paramsArray, numExtSems,
                   stream)([&] { return useSemaphores(extSemArray, paramsArray, numExtSems, stream, true); });
}

hipError_t hipWaitExternalSemaphoresAsync(const hipExternalSemaphore_t *extSemArray,
                                          const hipExternalSemaphoreWaitParams *paramsArray, unsigned int numExtSems,
                                          hipStream_t stream) {
  return HIPLZ_API(hipWaitExternalSemaphoresAsync, extSemArray, paramsArray, numExtSems,
                   stream)([&] { return useSemaphores(extSemArray, paramsArray, numExtSems, stream, false); });
}

} // extern "C"

// Variables of the program's device code, named by the address of their host shadow.
#include "api/api_scope.h"
#include "api/current.h"
#include "lz/lz_registry.h"

using namespace hiplz;

namespace {

void *addressOf(const LZRegistry::Symbol &symbol, LZDevice &device) {
  if (symbol.managed)
    return symbol.managed;
  try {
    return symbol.module.global(device, symbol.name).address;
  } catch (const HipError &error) {
    if (error.code() != hipErrorNotFound)
      throw;
    throw HipError(hipErrorInvalidSymbol, error.what());
  }
}

enum class Direction { toSymbol, fromSymbol };

/// Both directions: `other` is the memory that is not the symbol's.
hipError_t copy(Direction direction, const void *symbol, void *other, size_t bytes, size_t offset, hipMemcpyKind kind,
                LZQueue &queue, bool blocking) {
  const hipMemcpyKind usual = direction == Direction::toSymbol ? hipMemcpyHostToDevice : hipMemcpyDeviceToHost;
  if (kind != usual && kind != hipMemcpyDeviceToDevice && kind != hipMemcpyDeviceToDeviceNoCU && kind != hipMemcpyDefault)
    return hipErrorInvalidMemcpyDirection;
  if (!symbol)
    return hipErrorInvalidSymbol;
  LZRegistry::Symbol variable = LZRegistry::instance().symbolFor(symbol);
  if (offset > variable.size || bytes > variable.size - offset)
    throw HipError(hipErrorInvalidValue, "the copy reaches beyond the " + std::to_string(variable.size) + " bytes of " +
                                             variable.name);
  if (bytes == 0)
    return hipSuccess;
  if (!other)
    return hipErrorInvalidValue;
  const bool deviceToDevice = kind == hipMemcpyDeviceToDevice || kind == hipMemcpyDeviceToDeviceNoCU;
  if (deviceToDevice && !LZContext::instance().allocations().find(other))
    throw HipError(hipErrorInvalidValue, "a copy between device memory and " + variable.name + " names host memory");
  void *address = static_cast<char *>(addressOf(variable, queue.device())) + offset;
  return direction == Direction::toSymbol ? queue.copy(address, other, bytes, blocking)
                                          : queue.copy(other, address, bytes, blocking);
}

hipError_t copyTo(const void *symbol, const void *src, size_t bytes, size_t offset, hipMemcpyKind kind, LZQueue &queue,
                  bool blocking) {
  return copy(Direction::toSymbol, symbol, const_cast<void *>(src), bytes, offset, kind, queue, blocking);
}

hipError_t copyFrom(void *dst, const void *symbol, size_t bytes, size_t offset, hipMemcpyKind kind, LZQueue &queue,
                    bool blocking) {
  return copy(Direction::fromSymbol, symbol, dst, bytes, offset, kind, queue, blocking);
}

} // namespace

extern "C" {

hipError_t hipGetSymbolAddress(void **devPtr, const void *symbol) {
  return HIPLZ_API(hipGetSymbolAddress, devPtr, symbol)([&] {
    if (!devPtr)
      return hipErrorInvalidValue;
    LZDevice &device = currentDevice();
    *devPtr = addressOf(LZRegistry::instance().symbolFor(symbol), device);
    return hipSuccess;
  });
}

hipError_t hipGetSymbolSize(size_t *size, const void *symbol) {
  return HIPLZ_API(hipGetSymbolSize, size, symbol)([&] {
    if (!size)
      return hipErrorInvalidValue;
    LZRegistry::Symbol variable = LZRegistry::instance().symbolFor(symbol);
    addressOf(variable, currentDevice());
    *size = variable.size;
    return hipSuccess;
  });
}

hipError_t hipMemcpyToSymbol(const void *symbol, const void *src, size_t sizeBytes, size_t offset, hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpyToSymbol, symbol, src, sizeBytes, offset, kind)(
      [&] { return copyTo(symbol, src, sizeBytes, offset, kind, queueFrom(nullptr), true); });
}

hipError_t hipMemcpyToSymbol_spt(const void *symbol, const void *src, size_t sizeBytes, size_t offset,
                                 hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpyToSymbol_spt, symbol, src, sizeBytes, offset, kind)([&] {
    return copyTo(symbol, src, sizeBytes, offset, kind, queueFrom(nullptr, NullStream::perThread), true);
  });
}

hipError_t hipMemcpyToSymbolAsync(const void *symbol, const void *src, size_t sizeBytes, size_t offset,
                                  hipMemcpyKind kind, hipStream_t stream) {
  return HIPLZ_API(hipMemcpyToSymbolAsync, symbol, src, sizeBytes, offset, kind, stream)(
      [&] { return copyTo(symbol, src, sizeBytes, offset, kind, queueFrom(stream), false); });
}

hipError_t hipMemcpyToSymbolAsync_spt(const void *symbol, const void *src, size_t sizeBytes, size_t offset,
                                      hipMemcpyKind kind, hipStream_t stream) {
  return HIPLZ_API(hipMemcpyToSymbolAsync_spt, symbol, src, sizeBytes, offset, kind, stream)([&] {
    return copyTo(symbol, src, sizeBytes, offset, kind, queueFrom(stream, NullStream::perThread), false);
  });
}

hipError_t hipMemcpyFromSymbol(void *dst, const void *symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpyFromSymbol, dst, symbol, sizeBytes, offset, kind)(
      [&] { return copyFrom(dst, symbol, sizeBytes, offset, kind, queueFrom(nullptr), true); });
}

hipError_t hipMemcpyFromSymbol_spt(void *dst, const void *symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpyFromSymbol_spt, dst, symbol, sizeBytes, offset, kind)([&] {
    return copyFrom(dst, symbol, sizeBytes, offset, kind, queueFrom(nullptr, NullStream::perThread), true);
  });
}

hipError_t hipMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind,
                                    hipStream_t stream) {
  return HIPLZ_API(hipMemcpyFromSymbolAsync, dst, symbol, sizeBytes, offset, kind, stream)(
      [&] { return copyFrom(dst, symbol, sizeBytes, offset, kind, queueFrom(stream), false); });
}

hipError_t hipMemcpyFromSymbolAsync_spt(void *dst, const void *symbol, size_t sizeBytes, size_t offset,
                                        hipMemcpyKind kind, hipStream_t stream) {
  return HIPLZ_API(hipMemcpyFromSymbolAsync_spt, dst, symbol, sizeBytes, offset, kind, stream)([&] {
    return copyFrom(dst, symbol, sizeBytes, offset, kind, queueFrom(stream, NullStream::perThread), false);
  });
}

} // extern "C"

// SPDX-License-Identifier: MIT
// Variables of the program's device code, named by the address of their host shadow.
#include "api/symbol.h"
#include "api/api_scope.h"
#include "api/copy_checked.h"
#include "lz/module/registry.h"

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

/// Both directions: `other` is the memory that is not the symbol's.
hipError_t copy(SymbolCopy direction, const void *symbol, void *other, size_t bytes, size_t offset, hipMemcpyKind kind,
                LZQueue &queue, bool blocking) {
  CopyRegion region;
  if (hipError_t error = makeSymbolRegion(region, direction, symbol, other, bytes, offset, kind, queue.device()))
    return error;
  return region.empty() ? hipSuccess : copyInOrder(region, memoryOf(region), queue, blocking ? Wait::yes : Wait::no);
}

hipError_t copyTo(const void *symbol, const void *src, size_t bytes, size_t offset, hipMemcpyKind kind, LZQueue &queue,
                  bool blocking) {
  return copy(SymbolCopy::toSymbol, symbol, const_cast<void *>(src), bytes, offset, kind, queue, blocking);
}

hipError_t copyFrom(void *dst, const void *symbol, size_t bytes, size_t offset, hipMemcpyKind kind, LZQueue &queue,
                    bool blocking) {
  return copy(SymbolCopy::fromSymbol, symbol, dst, bytes, offset, kind, queue, blocking);
}

} // namespace

namespace hiplz {

hipError_t makeSymbolRegion(CopyRegion &region, SymbolCopy direction, const void *symbol, void *other, size_t bytes,
                            size_t offset, hipMemcpyKind kind, LZDevice &device) {
  const hipMemcpyKind usual = direction == SymbolCopy::toSymbol ? hipMemcpyHostToDevice : hipMemcpyDeviceToHost;
  if (kind != usual && kind != hipMemcpyDeviceToDevice && kind != hipMemcpyDeviceToDeviceNoCU &&
      kind != hipMemcpyDefault)
    return refuse(hipErrorInvalidMemcpyDirection, "kind does not fit a symbol on that side");
  if (!symbol)
    return refuse(hipErrorInvalidSymbol, "symbol is null");
  LZRegistry::Symbol variable = LZRegistry::instance().symbolFor(symbol);
  if (offset > variable.size || bytes > variable.size - offset)
    throw HipError(hipErrorInvalidValue,
                   "the copy reaches beyond the " + std::to_string(variable.size) + " bytes of " + variable.name);
  region = {};
  if (bytes == 0)
    return hipSuccess;
  if (!other)
    return refuse(hipErrorInvalidValue, "the memory on the other side of the symbol is null");
  const bool deviceToDevice = kind == hipMemcpyDeviceToDevice || kind == hipMemcpyDeviceToDeviceNoCU;
  if (deviceToDevice && !LZContext::instance().allocations().find(other))
    throw HipError(hipErrorInvalidValue, "a copy between device memory and " + variable.name + " names host memory");
  void *address = static_cast<char *>(addressOf(variable, device)) + offset;
  region = direction == SymbolCopy::toSymbol ? linearRegion(address, other, bytes, kind)
                                             : linearRegion(other, address, bytes, kind);
  return hipSuccess;
}

} // namespace hiplz

extern "C" {

hipError_t hipGetSymbolAddress(void **devPtr, const void *symbol) {
  return HIPLZ_API(hipGetSymbolAddress, devPtr, symbol)([&] {
    if (!devPtr)
      return refuse(hipErrorInvalidValue, "devPtr is null");
    LZDevice &device = currentDevice();
    *devPtr = addressOf(LZRegistry::instance().symbolFor(symbol), device);
    return hipSuccess;
  });
}

hipError_t hipGetSymbolSize(size_t *size, const void *symbol) {
  return HIPLZ_API(hipGetSymbolSize, size, symbol)([&] {
    if (!size)
      return refuse(hipErrorInvalidValue, "size is null");
    LZRegistry::Symbol variable = LZRegistry::instance().symbolFor(symbol);
    addressOf(variable, currentDevice());
    *size = variable.size;
    return hipSuccess;
  });
}

hipError_t hipMemcpyToSymbol(const void *symbol, const void *src, size_t sizeBytes, size_t offset, hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpyToSymbol, symbol, src, sizeBytes, offset,
                   kind)([&] { return copyTo(symbol, src, sizeBytes, offset, kind, queueFrom(nullptr), true); });
}

hipError_t hipMemcpyToSymbol_spt(const void *symbol, const void *src, size_t sizeBytes, size_t offset,
                                 hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpyToSymbol_spt, symbol, src, sizeBytes, offset, kind)(
      [&] { return copyTo(symbol, src, sizeBytes, offset, kind, queueFrom(nullptr, NullStream::perThread), true); });
}

hipError_t hipMemcpyToSymbolAsync(const void *symbol, const void *src, size_t sizeBytes, size_t offset,
                                  hipMemcpyKind kind, hipStream_t stream) {
  return HIPLZ_API(hipMemcpyToSymbolAsync, symbol, src, sizeBytes, offset, kind,
                   stream)([&] { return copyTo(symbol, src, sizeBytes, offset, kind, queueFrom(stream), false); });
}

hipError_t hipMemcpyToSymbolAsync_spt(const void *symbol, const void *src, size_t sizeBytes, size_t offset,
                                      hipMemcpyKind kind, hipStream_t stream) {
  return HIPLZ_API(hipMemcpyToSymbolAsync_spt, symbol, src, sizeBytes, offset, kind, stream)(
      [&] { return copyTo(symbol, src, sizeBytes, offset, kind, queueFrom(stream, NullStream::perThread), false); });
}

hipError_t hipMemcpyFromSymbol(void *dst, const void *symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpyFromSymbol, dst, symbol, sizeBytes, offset,
                   kind)([&] { return copyFrom(dst, symbol, sizeBytes, offset, kind, queueFrom(nullptr), true); });
}

hipError_t hipMemcpyFromSymbol_spt(void *dst, const void *symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind) {
  return HIPLZ_API(hipMemcpyFromSymbol_spt, dst, symbol, sizeBytes, offset, kind)(
      [&] { return copyFrom(dst, symbol, sizeBytes, offset, kind, queueFrom(nullptr, NullStream::perThread), true); });
}

hipError_t hipMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind,
                                    hipStream_t stream) {
  return HIPLZ_API(hipMemcpyFromSymbolAsync, dst, symbol, sizeBytes, offset, kind,
                   stream)([&] { return copyFrom(dst, symbol, sizeBytes, offset, kind, queueFrom(stream), false); });
}

hipError_t hipMemcpyFromSymbolAsync_spt(void *dst, const void *symbol, size_t sizeBytes, size_t offset,
                                        hipMemcpyKind kind, hipStream_t stream) {
  return HIPLZ_API(hipMemcpyFromSymbolAsync_spt, dst, symbol, sizeBytes, offset, kind, stream)(
      [&] { return copyFrom(dst, symbol, sizeBytes, offset, kind, queueFrom(stream, NullStream::perThread), false); });
}

} // extern "C"

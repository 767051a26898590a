// SPDX-License-Identifier: MIT
// NVTX's marks and ranges. They are those of ROCTx if the program is linked with libroctx64 (hiplz-prof shows them then); else they do
// nothing, as NVTX without a profiler.
#ifndef HIPLZ_CUDA_NVTX
#define HIPLZ_CUDA_NVTX

#include <hip/spirv/user_macros_off.h>

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
enum { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 };
enum { NVTX_MESSAGE_UNKNOWN = 0, NVTX_MESSAGE_TYPE_ASCII = 1, NVTX_MESSAGE_TYPE_UNICODE = 2 };
enum { NVTX_PAYLOAD_UNKNOWN = 0, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1, NVTX_PAYLOAD_TYPE_INT64 = 2 };

/// The attributes of an event; the message alone is passed on.
typedef struct nvtxEventAttributes_v2 {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
  } payload;
  int32_t messageType;
  union {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
  } message;
} nvtxEventAttributes_t;

#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak)) void roctxMarkA(const char *message);
__attribute__((weak)) int roctxRangePushA(const char *message);
__attribute__((weak)) int roctxRangePop();
__attribute__((weak)) uint64_t roctxRangeStartA(const char *message);
__attribute__((weak)) void roctxRangeStop(uint64_t identifier);
#ifdef __cplusplus
}
#endif

static inline const char *hiplzNvtxMessage(const nvtxEventAttributes_t *event) {
  return event && event->messageType == NVTX_MESSAGE_TYPE_ASCII && event->message.ascii ? event->message.ascii : "";
}

static inline void nvtxMarkA(const char *message) {
  if (roctxMarkA)
    roctxMarkA(message);
}
static inline void nvtxMarkEx(const nvtxEventAttributes_t *event) { nvtxMarkA(hiplzNvtxMessage(event)); }
static inline int nvtxRangePushA(const char *message) {
  return roctxRangePushA ? roctxRangePushA(message) : NVTX_NO_PUSH_POP_TRACKING;
}
static inline int nvtxRangePushEx(const nvtxEventAttributes_t *event) {
  return nvtxRangePushA(hiplzNvtxMessage(event));
}
static inline int nvtxRangePop() { return roctxRangePop ? roctxRangePop() : NVTX_NO_PUSH_POP_TRACKING; }
static inline nvtxRangeId_t nvtxRangeStartA(const char *message) {
  return roctxRangeStartA ? roctxRangeStartA(message) : 0;
}
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *event) {
  return nvtxRangeStartA(hiplzNvtxMessage(event));
}
static inline void nvtxRangeEnd(nvtxRangeId_t identifier) {
  if (roctxRangeStop)
    roctxRangeStop(identifier);
}
static inline void nvtxNameOsThreadA(uint32_t thread, const char *name) { (void)thread, (void)name; }
static inline void nvtxNameCategoryA(uint32_t category, const char *name) { (void)category, (void)name; }
#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCategory nvtxNameCategoryA

// Domains have names alone.
static inline nvtxDomainHandle_t nvtxDomainCreateA(const char *name) {
  (void)name;
  return (nvtxDomainHandle_t)0;
}
#define nvtxDomainCreate nvtxDomainCreateA
static inline void nvtxDomainDestroy(nvtxDomainHandle_t domain) { (void)domain; }
static inline void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event) {
  (void)domain;
  nvtxMarkEx(event);
}
static inline int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event) {
  (void)domain;
  return nvtxRangePushEx(event);
}
static inline int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
  (void)domain;
  return nvtxRangePop();
}
static inline nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event) {
  (void)domain;
  return nvtxRangeStartEx(event);
}
static inline void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t identifier) {
  (void)domain;
  nvtxRangeEnd(identifier);
}

#include <hip/spirv/user_macros_on.h>

#endif

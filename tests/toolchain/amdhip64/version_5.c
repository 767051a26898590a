// SPDX-License-Identifier: MIT
// A program of HIP 5, compiled with AMD's headers of HIP 5.2 and linked with its library: what has other numbers and
// layouts there must be served in them.
#define _GNU_SOURCE // dlvsym
#include <dlfcn.h>
#include <hip/hip_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      ++failures;                                                                                                      \
      printf("line %d: failed: %s\n", __LINE__, #condition);                                                           \
    }                                                                                                                  \
  } while (0)
#define HIP(call)                                                                                                      \
  do {                                                                                                                 \
    hipError_t error = (call);                                                                                         \
    if (error != hipSuccess) {                                                                                         \
      printf("line %d: %s: %s\n", __LINE__, #call, hipGetErrorName(error));                                            \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

static void properties(void) {
  struct {
    hipDeviceProp_t prop;
    unsigned char guard[1024];
  } space;
  memset(&space, 0x5a, sizeof space);
  HIP(hipGetDeviceProperties(&space.prop, 0));
  for (int i = 0; i < 1024; ++i)
    CHECK(space.guard[i] == 0x5a);
  CHECK(space.prop.warpSize == 32);
  CHECK(space.prop.maxThreadsPerBlock >= 32);
  CHECK(space.prop.multiProcessorCount >= 1);
  CHECK(strlen(space.prop.name) > 0 && strlen(space.prop.name) < sizeof space.prop.name);
  char name[256];
  HIP(hipDeviceGetName(name, sizeof name, 0));
  CHECK(strcmp(name, space.prop.name) == 0);
  int device = -1;
  HIP(hipChooseDevice(&device, &space.prop));
  CHECK(device == 0);
}

static void pointers(int *onDevice, int *onHost) {
  hipPointerAttribute_t attributes;
  HIP(hipPointerGetAttributes(&attributes, onDevice));
  CHECK(attributes.memoryType == hipMemoryTypeDevice);
  CHECK(attributes.devicePointer == onDevice);
  HIP(hipPointerGetAttributes(&attributes, onHost));
  CHECK(attributes.memoryType == hipMemoryTypeHost);
  int local;
  CHECK(hipPointerGetAttributes(&attributes, &local) == hipErrorInvalidValue);
  void *managed = NULL;
  HIP(hipMallocManaged(&managed, 64, hipMemAttachGlobal));
  HIP(hipPointerGetAttributes(&attributes, managed));
  CHECK(attributes.memoryType == hipMemoryTypeDevice && attributes.isManaged);
  HIP(hipFree(managed));
  unsigned type = 99;
  HIP(hipPointerGetAttribute(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, onDevice));
  CHECK(type == hipMemoryTypeDevice);
  unsigned types[2] = {99, 99};
  hipPointer_attribute which[2] = {HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE};
  void *places[2] = {&types[0], &types[1]};
  HIP(hipDrvPointerGetAttributes(2, which, places, onHost));
  CHECK(types[0] == hipMemoryTypeHost && types[1] == hipMemoryTypeHost);
}

static void copies(int *onDevice) {
  int from[16], to[16];
  for (int i = 0; i < 16; ++i)
    from[i] = i * 3;
  hip_Memcpy2D copy;
  memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = hipMemoryTypeHost;
  copy.srcHost = from;
  copy.srcPitch = 16;
  copy.dstMemoryType = hipMemoryTypeDevice;
  copy.dstDevice = onDevice;
  copy.dstPitch = 16;
  copy.WidthInBytes = 16;
  copy.Height = 4;
  HIP(hipMemcpyParam2D(&copy));
  memset(to, 0, sizeof to);
  HIP(hipMemcpyDtoH(to, onDevice, sizeof to));
  CHECK(memcmp(from, to, sizeof to) == 0);

  // The structure with its fields of 32 bits.
  HIP_MEMCPY3D box;
  CHECK(sizeof box == 128);
  memset(&box, 0, sizeof box);
  box.srcMemoryType = hipMemoryTypeDevice;
  box.srcDevice = onDevice;
  box.srcPitch = 8;
  box.srcHeight = 4;
  box.dstMemoryType = hipMemoryTypeHost;
  box.dstHost = to;
  box.dstPitch = 8;
  box.dstHeight = 4;
  box.WidthInBytes = 8;
  box.Height = 4;
  box.Depth = 2;
  memset(to, 0, sizeof to);
  HIP(hipDrvMemcpy3D(&box));
  CHECK(memcmp(from, to, sizeof to) == 0);
  CHECK(hipDrvMemcpy3D(NULL) == hipErrorInvalidValue);
  CHECK(hipMemcpyParam2D(NULL) == hipErrorInvalidValue);
}

static void graphs(int *onDevice) {
  hipGraph_t graph;
  hipGraphNode_t node;
  hipGraphNodeType type;
  HIP(hipGraphCreate(&graph, 0));
  HIP(hipGraphAddEmptyNode(&node, graph, NULL, 0));
  HIP(hipGraphNodeGetType(node, &type));
  CHECK(type == hipGraphNodeTypeEmpty);
  hipMemsetParams fill = {.dst = onDevice, .elementSize = 4, .height = 1, .pitch = 64, .value = 5, .width = 16};
  HIP(hipGraphAddMemsetNode(&node, graph, NULL, 0, &fill));
  HIP(hipGraphNodeGetType(node, &type));
  CHECK(type == hipGraphNodeTypeMemset);
  HIP(hipGraphDestroy(graph));
}

static void virtualMemory(void) {
  hipMemAllocationProp prop;
  memset(&prop, 0, sizeof prop);
  prop.type = hipMemAllocationTypePinned;
  prop.location.type = hipMemLocationTypeDevice;
  prop.location.id = 0;
  size_t granularity = 0;
  hipMemGenericAllocationHandle_t handle;
  HIP(hipMemGetAllocationGranularity(&granularity, &prop, hipMemAllocationGranularityMinimum));
  CHECK(granularity > 0);
  HIP(hipMemCreate(&handle, granularity, &prop, 0));
  hipMemAllocationProp got;
  memset(&got, 0x77, sizeof got);
  HIP(hipMemGetAllocationPropertiesFromHandle(&got, handle));
  CHECK(got.type == prop.type && got.location.type == prop.location.type && got.location.id == 0);
  HIP(hipMemRelease(handle));
}

// C++ names: surfaces as pointers, as in this version's headers, and as numbers, as in those of some others.
hipError_t
createSurface(void **,
              const hipResourceDesc *) __asm__("_Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc");
hipError_t destroySurface(void *) __asm__("_Z23hipDestroySurfaceObjectP13__hip_surface");

static void surfaces(void) {
  const hipChannelFormatDesc desc = {32, 0, 0, 0, hipChannelFormatKindSigned};
  hipArray *array;
  HIP(hipMallocArray(&array, &desc, 16, 16, hipArraySurfaceLoadStore));
  hipResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  void *surface = NULL;
  HIP(createSurface(&surface, &resource));
  CHECK(surface != NULL);
  HIP(destroySurface(surface));
  CHECK(destroySurface(surface) == hipErrorInvalidValue);
  hipError_t (*createNumber)(unsigned long long *, const hipResourceDesc *) =
      (hipError_t(*)(unsigned long long *, const hipResourceDesc *))dlvsym(
          RTLD_DEFAULT, "_Z22hipCreateSurfaceObjectPyPK15hipResourceDesc", "hip_4.2");
  hipError_t (*destroyNumber)(unsigned long long) =
      (hipError_t(*)(unsigned long long))dlvsym(RTLD_DEFAULT, "_Z23hipDestroySurfaceObjecty", "hip_4.2");
  CHECK(createNumber && destroyNumber);
  if (createNumber && destroyNumber) {
    unsigned long long number = 0;
    HIP(createNumber(&number, &resource));
    CHECK(number != 0);
    HIP(destroyNumber(number));
  }
  HIP(hipFreeArray(array));
}

// Nothing can be registered with the calls of roctracer, and a program is told so.
hipError_t hipRegisterApiCallback(uint32_t, void *, void *);
hipError_t hipRemoveApiCallback(uint32_t);
hipError_t hipRegisterActivityCallback(uint32_t, void *, void *);
hipError_t hipRemoveActivityCallback(uint32_t);
bool hipEnableActivityCallback(unsigned, bool);
void hipInitActivityCallback(void *, void *, void *);

static void callbacks(void) {
  hipInitActivityCallback(NULL, NULL, NULL);
  CHECK(hipRegisterApiCallback(1, &failures, NULL) == hipErrorNotSupported);
  CHECK(hipRegisterActivityCallback(1, &failures, NULL) == hipErrorNotSupported);
  CHECK(!hipEnableActivityCallback(1, true));
  CHECK(hipRemoveApiCallback(1) == hipSuccess && hipRemoveActivityCallback(1) == hipSuccess);
}

// Libraries that were made for HIP 5 go by the number: CuPy finds hipRTC in this library if it says 5.
static void versions(void) {
  int runtime = 0, driver = 0;
  HIP(hipRuntimeGetVersion(&runtime));
  HIP(hipDriverGetVersion(&driver));
  CHECK(runtime / 10000000 == 5);
  CHECK(driver == runtime);
  CHECK(hipRuntimeGetVersion(NULL) == hipErrorInvalidValue);
  CHECK(hipDriverGetVersion(NULL) == hipErrorInvalidValue);
}

int main(void) {
  int count = 0;
  if (hipGetDeviceCount(&count) != hipSuccess || count == 0)
    return 77;
  int *onDevice, *onHost;
  HIP(hipMalloc((void **)&onDevice, 64));
  HIP(hipHostMalloc((void **)&onHost, 64, 0));
  versions();
  properties();
  pointers(onDevice, onHost);
  copies(onDevice);
  graphs(onDevice);
  virtualMemory();
  surfaces();
  callbacks();
  HIP(hipFree(onDevice));
  HIP(hipHostFree(onHost));
  printf(failures ? "FAILED: %d checks\n" : "passed\n", failures);
  return failures != 0;
}

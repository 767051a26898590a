// SPDX-License-Identifier: MIT
// One of each kind of objects, which "clean" destroys. Each is made in a function that is named after it, so that objects.py can see whether
// the leak says where it was made.
#include <cstdlib>
#include <cstring>
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>
#include <vector>

#define HIP_CHECK(call)                                                                                                \
  if ((call) != hipSuccess)                                                                                            \
  std::exit(3)
#define MADE_IN(name) __attribute__((noinline)) auto name

__global__ void nothing() {}

MADE_IN(makeStream)() {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  return stream;
}
MADE_IN(makeEvent)() {
  hipEvent_t event;
  HIP_CHECK(hipEventCreate(&event));
  return event;
}
MADE_IN(makeArray)() {
  hipArray_t array;
  const hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
  HIP_CHECK(hipMallocArray(&array, &format, 16, 16, hipArraySurfaceLoadStore));
  return array;
}
MADE_IN(makeMipmappedArray)() {
  hipMipmappedArray_t array;
  const hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
  HIP_CHECK(hipMallocMipmappedArray(&array, &format, hipExtent{16, 16, 0}, 2, 0));
  return array;
}
static hipResourceDesc resourceOf(hipArray_t array) {
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}
MADE_IN(makeTexture)(hipArray_t array) {
  const hipResourceDesc resource = resourceOf(array);
  const hipTextureDesc how{};
  hipTextureObject_t texture;
  HIP_CHECK(hipCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}
MADE_IN(makeSurface)(hipArray_t array) {
  const hipResourceDesc resource = resourceOf(array);
  hipSurfaceObject_t surface;
  HIP_CHECK(hipCreateSurfaceObject(&surface, &resource));
  return surface;
}
static std::vector<char> compile() {
  hiprtcProgram program;
  size_t bytes = 0;
  if (hiprtcCreateProgram(&program, "extern \"C\" __global__ void k() {}", "k.hip", 0, nullptr, nullptr) !=
          HIPRTC_SUCCESS ||
      hiprtcCompileProgram(program, 0, nullptr) != HIPRTC_SUCCESS ||
      hiprtcGetCodeSize(program, &bytes) != HIPRTC_SUCCESS)
    std::exit(3);
  std::vector<char> code(bytes);
  if (hiprtcGetCode(program, code.data()) != HIPRTC_SUCCESS || hiprtcDestroyProgram(&program) != HIPRTC_SUCCESS)
    std::exit(3);
  return code;
}
MADE_IN(makeModule)(const std::vector<char> &code) {
  hipModule_t module;
  HIP_CHECK(hipModuleLoadData(&module, code.data()));
  return module;
}
MADE_IN(makeGraph)() {
  hipGraph_t graph;
  HIP_CHECK(hipGraphCreate(&graph, 0));
  return graph;
}
MADE_IN(cloneGraph)(hipGraph_t original) {
  hipGraph_t graph;
  HIP_CHECK(hipGraphClone(&graph, original));
  return graph;
}
MADE_IN(captureGraph)(hipStream_t stream) {
  hipGraph_t graph;
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  nothing<<<1, 1, 0, stream>>>();
  HIP_CHECK(hipStreamEndCapture(stream, &graph));
  return graph;
}
MADE_IN(makeExecutable)(hipGraph_t graph) {
  hipGraphExec_t executable;
  HIP_CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  return executable;
}
MADE_IN(makePool)() {
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  hipMemPool_t pool;
  HIP_CHECK(hipMemPoolCreate(&pool, &properties));
  return pool;
}

/// Destroyed after the runtime is no longer there for anybody.
static struct Late {
  hipEvent_t event = nullptr;
  ~Late() { (void)hipEventDestroy(event); }
} late;

int main(int, char **arguments) {
  const bool bad = !std::strcmp(arguments[1], "bad");
  late.event = makeEvent();
  const hipStream_t stream = makeStream();
  const hipEvent_t event = makeEvent();
  const hipArray_t array = makeArray();
  const hipMipmappedArray_t mipmapped = makeMipmappedArray();
  hipArray_t level;
  HIP_CHECK(hipGetMipmappedArrayLevel(&level, mipmapped, 1));
  const hipTextureObject_t texture = makeTexture(array);
  const hipSurfaceObject_t surface = makeSurface(array);
  const hipModule_t module = makeModule(compile());
  const hipGraph_t graph = makeGraph(), captured = captureGraph(stream);
  hipGraphNode_t child; // has a graph of its own
  HIP_CHECK(hipGraphAddChildGraphNode(&child, graph, nullptr, 0, captured));
  const hipGraph_t clone = cloneGraph(graph);
  const hipGraphExec_t executable = makeExecutable(graph);
  const hipMemPool_t pool = makePool();
  HIP_CHECK(hipGraphLaunch(executable, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  if (bad)
    return 0;
  HIP_CHECK(hipMemPoolDestroy(pool));
  HIP_CHECK(hipGraphExecDestroy(executable));
  for (const hipGraph_t each : {clone, captured, graph})
    HIP_CHECK(hipGraphDestroy(each));
  HIP_CHECK(hipModuleUnload(module));
  HIP_CHECK(hipDestroySurfaceObject(surface));
  HIP_CHECK(hipDestroyTextureObject(texture));
  HIP_CHECK(hipFreeMipmappedArray(mipmapped));
  HIP_CHECK(hipFreeArray(array));
  HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipStreamDestroy(stream));
}

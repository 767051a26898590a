// SPDX-License-Identifier: MIT
// The answer of each function of the API to each of its arguments when that one is bad: the error, and a sentence under
// HIPLZ_LOG=info that says what was refused. The tables are in the folder api_errors, by chapters; each row says where its
// error comes from (fixture.h).
#include "tests/device/api_errors/fixture.h"
#include "tests/device/api_errors/said.h"

#include <cctype>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#pragma clang diagnostic ignored "-Wdeprecated-declarations"

__device__ int variable;
texture<float, hipTextureType1D> reference;
__global__ void doNothing(float *out) { *out = tex1Dfetch(reference, 0); }

static const Refused refusals[] = {
#include "tests/device/api_errors/copy.inc"
#include "tests/device/api_errors/copy_array.inc"
#include "tests/device/api_errors/device.inc"
#include "tests/device/api_errors/fill.inc"
#include "tests/device/api_errors/graph.inc"
#include "tests/device/api_errors/graph_exec.inc"
#include "tests/device/api_errors/graph_nodes.inc"
#include "tests/device/api_errors/graph_params.inc"
#include "tests/device/api_errors/interop.inc"
#include "tests/device/api_errors/launch.inc"
#include "tests/device/api_errors/memory.inc"
#include "tests/device/api_errors/memory_pool.inc"
#include "tests/device/api_errors/memory_virtual.inc"
#include "tests/device/api_errors/stream.inc"
#include "tests/device/api_errors/texture.inc"
};

// Functions without a row, and why.
static const std::map<std::string, const char *> notRefused = {
#include "tests/device/api_errors/none.inc"
};

// Rows whose line does not name the argument: the library calls it by another name than the header, it is a part of a dim3 in
// the line, or the row is about no argument or about two.
static const std::set<std::pair<std::string, std::string>> notNamed = {
    {"__hipPopCallConfiguration", "no configuration"},
    {"hipCtxPopCurrent", "nothing pushed"},
    {"hipDeviceGetP2PAttribute", "one device twice"},
    {"hipDevicePrimaryCtxGetState", "dev that is none"},
    {"hipDevicePrimaryCtxGetState", "negative dev"},
    {"hipDevicePrimaryCtxRelease", "dev that is none"},
    {"hipDevicePrimaryCtxRelease", "negative dev"},
    {"hipDevicePrimaryCtxReset", "dev that is none"},
    {"hipDevicePrimaryCtxReset", "negative dev"},
    {"hipDevicePrimaryCtxRetain", "dev that is none"},
    {"hipDevicePrimaryCtxRetain", "negative dev"},
    {"hipDevicePrimaryCtxRetain", "null pctx"},
    {"hipDrvGetErrorName", "hipError that is none"},
    {"hipDrvGetErrorString", "hipError that is none"},
    {"hipExtGetLinkTypeAndHopCount", "one device twice"},
    {"hipExtLaunchKernel", "dimBlocks of 0"},
    {"hipExtLaunchKernel", "function_address that is none"},
    {"hipExtLaunchKernel", "null function_address"},
    {"hipExtLaunchKernel", "numBlocks of 0"},
    {"hipExtModuleLaunchKernel", "globalWorkSizeX of 0"},
    {"hipExtModuleLaunchKernel", "globalWorkSizeX that is no multiple of localWorkSizeX"},
    {"hipExtModuleLaunchKernel", "localWorkSizeX of 0"},
    {"hipGetDeviceProperties", "device that is none"},
    {"hipGetDeviceProperties", "negative device"},
    {"hipGetDeviceProperties", "null props"},
    {"hipGetDevicePropertiesR0000", "device that is none"},
    {"hipGetDevicePropertiesR0000", "negative device"},
    {"hipGetMipmappedArrayLevel", "level beyond the last"},
    {"hipHccModuleLaunchKernel", "globalWorkSizeX of 0"},
    {"hipHccModuleLaunchKernel", "globalWorkSizeX that is no multiple of localWorkSizeX"},
    {"hipHccModuleLaunchKernel", "localWorkSizeX of 0"},
    {"hipHostGetDevicePointer", "hstPtr of no memory"},
    {"hipHostGetDevicePointer", "null hstPtr"},
    {"hipHostGetFlags", "null flagsPtr"},
    {"hipLaunchHostFunc", "null fn"},
    {"hipLaunchHostFunc_spt", "null fn"},
    {"hipLaunchKernel", "dimBlocks of 0"},
    {"hipLaunchKernel", "function_address that is none"},
    {"hipLaunchKernel", "null function_address"},
    {"hipLaunchKernel", "numBlocks of 0"},
    {"hipLaunchKernel", "sharedMemBytes beyond the memory"},
    {"hipLaunchKernel_spt", "dimBlocks of 0"},
    {"hipLaunchKernel_spt", "function_address that is none"},
    {"hipLaunchKernel_spt", "null function_address"},
    {"hipLaunchKernel_spt", "numBlocks of 0"},
    {"hipLaunchKernel_spt", "sharedMemBytes beyond the memory"},
    {"hipMalloc3D", "null pitchedDevPtr"},
    {"hipMallocManaged", "null dev_ptr"},
    {"hipMemAllocPitch", "null dptr"},
    {"hipMemAllocPitch", "widthInBytes of 0"},
    {"hipMemGetAddressRange", "null dptr"},
    {"hipMemcpyAtoA", "ByteCount beyond the memory"},
    {"hipMemcpyAtoD", "ByteCount beyond the memory"},
    {"hipMemcpyAtoHAsync", "ByteCount beyond the memory"},
    {"hipMemcpyAtoHAsync", "null dstHost"},
    {"hipMemcpyDtoA", "ByteCount beyond the memory"},
    {"hipMemcpyFromArray", "null srcArray"},
    {"hipMemcpyFromArray", "srcArray that is none"},
    {"hipMemcpyHtoAAsync", "ByteCount beyond the memory"},
    {"hipMemsetD16", "null dest"},
    {"hipMemsetD16Async", "null dest"},
    {"hipMemsetD32", "null dest"},
    {"hipMemsetD8", "null dest"},
    {"hipMemsetD8Async", "null dest"},
    {"hipMipmappedArrayGetLevel", "mipLevel beyond the last"},
    {"hipTexRefSetFlags", "unknown flags"},
    {"hipTexRefSetMipmappedArray", "unknown flags"}};

static void makeNodes() {
  static void *arguments[] = {&memory};
  kernelParams = {};
  kernelParams.func = const_cast<void *>(kernel);
  kernelParams.gridDim = kernelParams.blockDim = dim3(1);
  kernelParams.kernelParams = arguments;
  hostParams = {[](void *) {}, nullptr};
  memsetParams = {};
  memsetParams.dst = memory;
  memsetParams.elementSize = memsetParams.height = 1;
  memsetParams.width = memsetParams.pitch = 16;
  drvMemsetParams = {};
  drvMemsetParams.dst = memory;
  drvMemsetParams.elementSize = drvMemsetParams.height = 1;
  drvMemsetParams.width = drvMemsetParams.pitch = 16;
  copyParams = {};
  copyParams.dstPtr = make_hipPitchedPtr(memory, 16, 16, 1);
  copyParams.srcPtr = make_hipPitchedPtr(host, 16, 16, 1);
  copyParams.extent = make_hipExtent(16, 1, 1);
  copyParams.kind = hipMemcpyHostToDevice;
  drvCopyParams = {};
  drvCopyParams.srcMemoryType = hipMemoryTypeHost;
  drvCopyParams.srcHost = host;
  drvCopyParams.dstMemoryType = hipMemoryTypeDevice;
  drvCopyParams.dstDevice = memory;
  drvCopyParams.srcPitch = drvCopyParams.dstPitch = drvCopyParams.WidthInBytes = 16;
  drvCopyParams.srcHeight = drvCopyParams.dstHeight = drvCopyParams.Height = drvCopyParams.Depth = 1;
  operation = {};
  operation.operation = hipStreamMemOpWriteValue32;
  operation.writeValue.operation = hipStreamMemOpWriteValue32;
  operation.writeValue.address = memory;
  batchParams = {context, 1, &operation, 0};
  allocParams = {};
  allocParams.poolProps.allocType = hipMemAllocationTypePinned;
  allocParams.poolProps.location = {hipMemLocationTypeDevice, 0};
  allocParams.bytesize = 16;
  nodeParams.type = hipGraphNodeTypeHost;
  nodeParams.host = hostParams;
  HIP_CHECK(hipGraphCreate(&fullGraph, 0));
  HIP_CHECK(hipGraphAddKernelNode(&kernelNode, fullGraph, nullptr, 0, &kernelParams));
  HIP_CHECK(hipGraphAddHostNode(&hostNode, fullGraph, nullptr, 0, &hostParams));
  HIP_CHECK(hipGraphAddMemsetNode(&memsetNode, fullGraph, nullptr, 0, &memsetParams));
  HIP_CHECK(hipGraphAddMemcpyNode(&copyNode, fullGraph, nullptr, 0, &copyParams));
  HIP_CHECK(hipGraphAddMemcpyNodeFromSymbol(&fromNode, fullGraph, nullptr, 0, memory, symbol, 4, 0, hipMemcpyDefault));
  HIP_CHECK(hipGraphAddMemcpyNodeToSymbol(&toNode, fullGraph, nullptr, 0, symbol, memory, 4, 0, hipMemcpyDefault));
  HIP_CHECK(hipGraphAddEventRecordNode(&recordNode, fullGraph, nullptr, 0, event));
  HIP_CHECK(hipGraphAddEventWaitNode(&waitNode, fullGraph, nullptr, 0, event));
  HIP_CHECK(hipGraphAddChildGraphNode(&childNode, fullGraph, nullptr, 0, graph));
  HIP_CHECK(hipGraphAddBatchMemOpNode(&batchNode, fullGraph, nullptr, 0, &batchParams));
  HIP_CHECK(hipGraphAddMemAllocNode(&allocNode, fullGraph, nullptr, 0, &allocParams));
  HIP_CHECK(hipGraphAddMemFreeNode(&freeNode, fullGraph, &allocNode, 1, allocParams.dptr));
  HIP_CHECK(hipGraphInstantiate(&fullExec, fullGraph, nullptr, nullptr, 0));
}

static void makeArguments() {
  HIP_CHECK(hipMalloc(&memory, 4096));
  HIP_CHECK(hipMallocManaged(&managed, 4096));
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  HIP_CHECK(hipEventCreate(&event));
  HIP_CHECK(hipGraphCreate(&graph, 0));
  HIP_CHECK(hipGraphAddEmptyNode(&node, graph, nullptr, 0));
  HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  ints = hipCreateChannelDesc<int>();
  HIP_CHECK(hipMallocArray(&array, &ints, 16, 16));
  HIP_CHECK(hipMallocMipmappedArray(&mipmap, &ints, {16, 16, 0}, 2));
  HIP_CHECK(hipDeviceGetDefaultMemPool(&pool, 0));
  HIP_CHECK(hipCtxGetCurrent(&context));
  kernel = reinterpret_cast<const void *>(doNothing);
  symbol = &variable;
  HIP_CHECK(hipGetFuncBySymbol(&function, kernel));
  texref = &reference;
  // The code of this program once more.
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string program((std::istreambuf_iterator<char>(file)), {});
  const size_t bundle = program.find(std::string("__CLANG_OFFLOAD_") + "BUNDLE__");
  HIP_CHECK(hipModuleLoadData(&module, program.data() + bundle));
  HIP_CHECK(hipUserObjectCreate(
      &userObject, memory, [](void *) {}, 1, hipUserObjectNoDestructorSync));
  HIP_CHECK(hipLinkCreate(0, nullptr, nullptr, &linkState));
  memoryProp.type = hipMemAllocationTypePinned;
  memoryProp.location = {hipMemLocationTypeDevice, 0};
  HIP_CHECK(hipMemAddressReserve(&reserved, 2 << 20, 0, nullptr, 0));
  HIP_CHECK(hipMemCreate(&physical, 2 << 20, &memoryProp, 0));
  makeNodes();
}

/// The parameter that the row is about, of those that the call in the log names ("name=value"); empty if it names none.
static std::string namedParameter(const Refused &row, const std::string &text) {
  std::string word;
  for (const char *at = row.argument;; ++at) {
    if (std::isalnum(static_cast<unsigned char>(*at)) || *at == '_') {
      word += *at;
      continue;
    }
    if (!word.empty() && (text.find("(" + word + "=") != text.npos || text.find(", " + word + "=") != text.npos))
      return word;
    word.clear();
    if (!*at)
      return word;
  }
}

static void testRows() {
  std::map<Source, int> counts;
  for (const Refused &row : refusals)
    ++counts[row.source];
  std::printf("errors from AMD's documentation: %d, its library: %d, its tests: %d, from CUDA: %d, by analogy: %d\n",
              counts[Source::doc], counts[Source::clr], counts[Source::test], counts[Source::cuda],
              counts[Source::own]);
  std::string report;
  Said said;
  for (const Refused &row : refusals) {
    const hipError_t error = row.call();
    const std::string text = said.take();
    const bool explained = text.find(row.sentence) != text.npos && text.find(hipGetErrorName(row.error)) != text.npos;
    if (error == row.error && explained && *row.sentence &&
        (namedParameter(row, text).empty() == (notNamed.count({row.function, row.argument}) != 0)))
      continue;
    ++checkFailures;
    report += std::string(row.function) + ", " + row.argument + ": " + hipGetErrorName(error) + ", expected " +
              hipGetErrorName(row.error) + " and \"" + row.sentence + "\" with the argument's name; it said:\n" + text;
  }
  said.restore();
  std::fputs(report.c_str(), stderr);
}

// Each function that the library exports has rows, or a reason why it has none.
static void testComplete() {
  const char *path = std::getenv("HIPLZ_TEST_FUNCTIONS");
  if (!path) {
    std::fprintf(stderr, "HIPLZ_TEST_FUNCTIONS is not set\n");
    ++checkFailures;
    return;
  }
  std::set<std::string> tested;
  for (const Refused &row : refusals)
    tested.insert(row.function);
  std::ifstream table(path);
  std::string line;
  size_t functions = 0;
  for (std::getline(table, line); std::getline(table, line);) {
    std::stringstream fields(line);
    std::string name, version, type;
    std::getline(fields, name, ',');
    std::getline(fields, version, ',');
    std::getline(fields, type, ',');
    if (type != "hipError_t" || line.find(",exported") == line.npos)
      continue;
    ++functions;
    if (tested.count(name) == notRefused.count(name)) {
      ++checkFailures;
      std::fprintf(stderr, "%s has %s\n", name.c_str(),
                   tested.count(name) ? "rows and a reason to have none" : "no row");
    }
  }
  CHECK(functions > 400);
}

int main() {
  ::setenv("HIPLZ_LOG", "info", 1); // before the first call
  makeArguments();
  testRows();
  testComplete();
  return testResult();
}

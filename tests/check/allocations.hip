// SPDX-License-Identifier: MIT
// Planted defects around allocations: pools, graphs, the device's heap, pitched rows, pointers that leave their allocation for another one.
#include "planted.h"

#include <vector>

// Memory pools. `p` has kItems elements.

template <bool bad> __global__ void poolBehind(int *p) {
  const int i = globalId();
  p[i + bad] = i; // finds: memcheck error
}

template <bool bad> __global__ void ownPoolBehind(char *p, int n) {
  if (globalId() < n + bad)
    p[globalId()] = 1; // finds: memcheck error
}

template <bool bad> __global__ void poolAfterFree(int *p) {
  p[globalId()] = 1; // finds: memcheck error
}

template <bool bad> __global__ void poolReadAfterFree(const int *p, int *out) {
  out[globalId()] = p[globalId()]; // finds: memcheck error
}

// Memory of graphs.

template <bool bad> __global__ void graphBehind(int *p) {
  p[globalId() + bad] = 1; // finds: memcheck error
}

template <bool bad> __global__ void graphAfterFreeNode(int *p) {
  p[globalId()] = 1; // finds: memcheck error
}

template <bool bad> __global__ void graphAfterFree(int *p) {
  p[globalId()] = 1; // finds: memcheck error
}

template <bool bad> __global__ void capturedAfterFree(int *p) {
  p[globalId()] = 1; // finds: memcheck error
}

// The device's heap.

template <bool bad> __global__ void heapBehind(int n) {
  int *p = static_cast<int *>(malloc(n * sizeof(int)));
  for (int k = 0; k < n + bad; ++k)
    p[k] = k; // finds: memcheck error
  free(p);
}

template <bool bad> __global__ void heapReadBehind(int *out, int n) { // n is a power of two
  auto *p = static_cast<unsigned char *>(malloc(n));
  memset(p, 1, n);
  out[globalId()] = p[n - 1 + bad]; // finds: memcheck error
  free(p);
}

template <bool bad> __global__ void heapNeighbour(int **blocks, int n) {
  int *p = static_cast<int *>(malloc(n * sizeof(int)));
  blocks[globalId()] = p;
  p[bad ? n : 0] = 1; // finds: memcheck error
  __syncthreads();
  free(p);
}

template <bool bad> __global__ void heapBefore(int n) {
  int *p = static_cast<int *>(malloc(n * sizeof(int)));
  p[-static_cast<int>(bad)] = 1; // finds: memcheck error
  free(p);
}

template <bool bad> __global__ void heapAfterFree(int *out, int n) {
  int *p = static_cast<int *>(malloc(n * sizeof(int)));
  p[0] = n;
  if (bad)
    free(p);
  out[globalId()] = *const_cast<volatile int *>(p); // finds: memcheck error
  if (!bad)
    free(p);
}

template <bool bad> __global__ void heapFreedTwice(int n) {
  int *p = static_cast<int *>(malloc(n * sizeof(int)));
  p[0] = n;
  free(p);
  if (bad)
    free(p); // finds: memcheck error
}

template <bool bad> __global__ void heapFreeInside(int n) {
  int *p = static_cast<int *>(malloc(n * sizeof(int)));
  p[0] = n;
  if (bad)
    free(p + 4); // finds: memcheck error
  free(p);
}

template <bool bad> __global__ void heapFreeOfHost(int *p) { // what hipMalloc has returned
  if (bad && globalId() == 0)
    free(p); // finds: memcheck error
}

struct Node {
  int value;
  Node *next;
};

template <bool bad> __global__ void listAfterDelete(int *out) {
  Node *first = new Node{1, nullptr};
  first->next = new Node{2, nullptr};
  Node *second = first->next;
  int sum = first->value;
  delete second;
  delete first;
  if (bad)
    sum += *const_cast<volatile int *>(&second->value); // finds: memcheck error
  out[globalId()] = sum;
}

template <bool bad> __global__ void newArrayBehind(int *out, int n) {
  auto *p = new double[n];
  for (int k = 0; k <= n - !bad; ++k)
    p[k] = k; // finds: memcheck error
  out[globalId()] = static_cast<int>(p[n / 2]);
  delete[] p;
}

__device__ int *keptBlock;

template <bool bad> __global__ void keepsBlock(int n) {
  if (globalId() == 0)
    keptBlock = static_cast<int *>(malloc(n * sizeof(int)));
}
template <bool bad> __global__ void useInNextLaunch(int n) {
  if (globalId() < n + bad)
    keptBlock[globalId()] = 1; // finds: memcheck error
}
template <bool bad> __global__ void freesBlock() {
  if (globalId() == 0)
    free(keptBlock);
}
template <bool bad> __global__ void useAfterLastLaunch(int *out) {
  if (globalId() == 0 && bad)
    out[0] = keptBlock[0]; // finds: memcheck error
}

// Pitched rows.

template <bool bad> __global__ void readsPadding(const char *p, size_t pitch, int width, int *out) {
  const int i = globalId();
  if (i < width + bad)
    out[i] = p[pitch + i]; // finds: memcheck warning
}

template <bool bad> __global__ void writesPadding(float *p, size_t pitch, int columns) {
  const int x = globalId();
  if (x < columns + bad)
    for (int y = 0; y < 4; ++y)
      reinterpret_cast<float *>(reinterpret_cast<char *>(p) + y * pitch)[x] = 1; // finds: memcheck warning
}

template <bool bad> __global__ void forgetsPitch(float *p, size_t pitch, int columns) { // rows that adjoin
  const int x = globalId();
  if (x < columns)
    for (int y = 0; y < 4; ++y)
      p[y * (bad ? columns : static_cast<int>(pitch / sizeof(float))) + x] = 1; // finds: memcheck warning
}

template <bool bad> __global__ void behindLastRow(float *p, size_t pitch, int columns) {
  const int x = globalId();
  if (x < columns)
    reinterpret_cast<float *>(reinterpret_cast<char *>(p) + (3 + bad) * pitch)[x] = 1; // finds: memcheck error
}

template <bool bad> __global__ void paddingOfVolume(hipPitchedPtr volume, int width) {
  const int x = globalId();
  if (x < width + bad)
    static_cast<char *>(volume.ptr)[5 * volume.pitch + x] = 1; // finds: memcheck warning
}

// Another allocation than the pointer's.

template <bool bad> __global__ void intoAnother(int *p, ptrdiff_t distance) {
  p[globalId() + bad * distance] = 1; // finds: memcheck error
}

template <bool bad> __global__ void readsAnother(const double *p, ptrdiff_t distance, double *out) {
  out[globalId()] = p[globalId() + bad * distance]; // finds: memcheck error
}

template <bool bad> __global__ void atomicOnAnother(int *p, ptrdiff_t distance) {
  atomicAdd(p + bad * distance, 1); // finds: memcheck error
}

template <bool bad> __global__ void insideParts(int *p, ptrdiff_t distance) { // p points to the middle
  p[globalId() - kItems + bad * distance] = 1;                                // finds: memcheck error
}

// Other kinds of memory.

template <bool bad> __global__ void managedBehind(int *p) {
  p[globalId() + bad] = 1; // finds: memcheck error
}

template <bool bad> __global__ void pinnedBehind(int *p) {
  p[globalId() + bad] = 1; // finds: memcheck error
}

template <bool bad> __global__ void registeredBehind(int *p) { // into memory of the host that is not registered
  p[globalId() + bad] = 1;                                     // finds: memcheck warning
}

template <bool bad> __global__ void registeredNoMore(int *p, int *gone) {
  const int i = globalId();
  (bad ? gone : p)[i] = i; // finds: memcheck warning
}

template <bool bad>
__global__ void twoRegistered(int *p, ptrdiff_t second, ptrdiff_t device) { // the host's own parts are its business
  p[(bad ? device : second) + globalId()] = 1;                              // finds: memcheck error
}

template <bool bad> __global__ void overSeam(int *p, ptrdiff_t seam, ptrdiff_t distance) { // between two mappings
  p[(bad ? distance : seam - kItems / 2) + globalId()] = 1;                                // finds: memcheck error
}

template <bool bad> __global__ void pinnedReadBehind(const char *p, int n, int *out) {
  const int i = globalId();
  if (i < n + bad)
    out[i] = p[i]; // finds: memcheck error
}

__managed__ int managedTable[16];

template <bool bad> __global__ void managedVariableBehind(int n) {
  if (globalId() < n + bad)
    managedTable[globalId()] = 1; // finds: memcheck error
}

template <bool bad> void graphs(int *out, hipStream_t stream) {
  hipGraph_t graph;
  HIP_CHECK(hipGraphCreate(&graph, 0));
  hipMemAllocNodeParams allocation{};
  allocation.poolProps.allocType = hipMemAllocationTypePinned;
  allocation.poolProps.location = {hipMemLocationTypeDevice, 0};
  allocation.bytesize = kItems * sizeof(int);
  hipGraphNode_t allocates, uses, frees, usesAgain;
  HIP_CHECK(hipGraphAddMemAllocNode(&allocates, graph, nullptr, 0, &allocation));
  int *p = static_cast<int *>(allocation.dptr);
  void *arguments[] = {&p};
  hipKernelNodeParams launch{};
  launch.blockDim = dim3(kBlock);
  launch.gridDim = dim3(kBlocks);
  launch.func = reinterpret_cast<void *>(graphBehind<bad>);
  launch.kernelParams = arguments;
  HIP_CHECK(hipGraphAddKernelNode(&uses, graph, &allocates, 1, &launch));
  HIP_CHECK(hipGraphAddMemFreeNode(&frees, graph, &uses, 1, p));
  launch.func = reinterpret_cast<void *>(graphAfterFreeNode<bad>);
  void *others[] = {&out};
  launch.kernelParams = bad ? arguments : others;
  HIP_CHECK(hipGraphAddKernelNode(&usesAgain, graph, &frees, 1, &launch));
  hipGraphExec_t executable;
  HIP_CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  for (int k = 0; k < 2; ++k)
    HIP_CHECK(hipGraphLaunch(executable, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  HIP_CHECK(hipGraphExecDestroy(executable));
  HIP_CHECK(hipGraphDestroy(graph));

  // Memory that outlives the launch of its graph.
  HIP_CHECK(hipGraphCreate(&graph, 0));
  HIP_CHECK(hipGraphAddMemAllocNode(&allocates, graph, nullptr, 0, &allocation));
  HIP_CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphLaunch(executable, stream));
  int *q = static_cast<int *>(allocation.dptr);
  graphAfterFree<false><<<kBlocks, kBlock, 0, stream>>>(q);
  HIP_CHECK(hipFreeAsync(q, stream));
  graphAfterFree<bad><<<kBlocks, kBlock, 0, stream>>>(bad ? q : out);
  HIP_CHECK(hipStreamSynchronize(stream));
  HIP_CHECK(hipGraphExecDestroy(executable));
  HIP_CHECK(hipGraphDestroy(graph));

  // Captured.
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  int *r = nullptr;
  HIP_CHECK(hipMallocAsync(reinterpret_cast<void **>(&r), kItems * sizeof(int), stream));
  capturedAfterFree<false><<<kBlocks, kBlock, 0, stream>>>(r);
  HIP_CHECK(hipFreeAsync(r, stream));
  capturedAfterFree<bad><<<kBlocks, kBlock, 0, stream>>>(bad ? r : out);
  HIP_CHECK(hipStreamEndCapture(stream, &graph));
  HIP_CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphLaunch(executable, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  HIP_CHECK(hipGraphExecDestroy(executable));
  HIP_CHECK(hipGraphDestroy(graph));
}

// Two pieces of physical memory side by side, as allocations that grow have them.
template <bool bad> void mapped(int *another) {
  hipMemAllocationProp properties{};
  properties.type = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  size_t part = 0;
  HIP_CHECK(hipMemGetAllocationGranularity(&part, &properties, hipMemAllocationGranularityRecommended));
  void *range = nullptr;
  HIP_CHECK(hipMemAddressReserve(&range, 2 * part, 0, nullptr, 0));
  const hipMemAccessDesc access{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
  hipMemGenericAllocationHandle_t pieces[2];
  for (int i = 0; i < 2; ++i) {
    HIP_CHECK(hipMemCreate(&pieces[i], part, &properties, 0));
    HIP_CHECK(hipMemMap(static_cast<char *>(range) + i * part, part, 0, pieces[i], 0));
  }
  HIP_CHECK(hipMemSetAccess(range, 2 * part, &access, 1));
  auto *p = static_cast<int *>(range);
  LAUNCH(overSeam, kBlocks, p, static_cast<ptrdiff_t>(part / sizeof(int)), another - p);
  HIP_CHECK(hipMemUnmap(range, 2 * part));
  for (hipMemGenericAllocationHandle_t piece : pieces)
    HIP_CHECK(hipMemRelease(piece));
  HIP_CHECK(hipMemAddressFree(range, 2 * part));
}

template <bool bad> void run() {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  int *out = allocate<int>(kItems);
  void *memory = nullptr;
  auto fromPool = [&](size_t bytes) {
    HIP_CHECK(hipMallocAsync(&memory, bytes, stream));
    return static_cast<int *>(memory);
  };
  int *p = fromPool(kItems * sizeof(int));
  poolBehind<bad><<<kBlocks, kBlock, 0, stream>>>(p);
  int *other = fromPool(kItems * sizeof(int)); // a neighbour in pools that cut segments
  HIP_CHECK(hipFreeAsync(other, stream));
  poolAfterFree<bad><<<kBlocks, kBlock, 0, stream>>>(bad ? other : p);
  HIP_CHECK(hipFreeAsync(p, stream));
  poolReadAfterFree<bad><<<kBlocks, kBlock, 0, stream>>>(bad ? p : out, out);
  hipMemPool_t pool;
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  HIP_CHECK(hipMemPoolCreate(&pool, &properties));
  HIP_CHECK(hipMallocFromPoolAsync(&memory, 100, pool, stream));
  ownPoolBehind<bad><<<kBlocks, kBlock, 0, stream>>>(static_cast<char *>(memory), 100);
  HIP_CHECK(hipFreeAsync(memory, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  HIP_CHECK(hipMemPoolDestroy(pool));
  graphs<bad>(out, stream);

  LAUNCH(heapBehind, kBlocks, 15);
  LAUNCH(heapReadBehind, kBlocks, out, 64);
  int **blocks = allocate<int *>(kItems);
  LAUNCH(heapNeighbour, kBlocks, blocks, 8);
  LAUNCH(heapBefore, kBlocks, 12);
  LAUNCH(heapAfterFree, kBlocks, out, 12);
  LAUNCH(heapFreedTwice, kBlocks, 12);
  LAUNCH(heapFreeInside, kBlocks, 12);
  LAUNCH(heapFreeOfHost, kBlocks, out);
  LAUNCH(listAfterDelete, kBlocks, out);
  LAUNCH(newArrayBehind, kBlocks, out, 10);
  LAUNCH(keepsBlock, 1, 20);
  LAUNCH(useInNextLaunch, 1, 20);
  LAUNCH(freesBlock, 1);
  LAUNCH(useAfterLastLaunch, 1, out);

  size_t pitch = 0;
  HIP_CHECK(hipMallocPitch(&memory, &pitch, 99, 4));
  LAUNCH(readsPadding, kBlocks, static_cast<char *>(memory), pitch, 99, out);
  HIP_CHECK(hipFree(memory));
  HIP_CHECK(hipMallocPitch(&memory, &pitch, 100 * sizeof(float), 4));
  auto *rows = static_cast<float *>(memory);
  LAUNCH(writesPadding, kBlocks, rows, pitch, 100);
  LAUNCH(forgetsPitch, kBlocks, rows, pitch, 100);
  LAUNCH(behindLastRow, kBlocks, rows, pitch, 100);
  HIP_CHECK(hipFree(memory));
  hipPitchedPtr volume;
  HIP_CHECK(hipMalloc3D(&volume, make_hipExtent(50, 3, 2)));
  LAUNCH(paddingOfVolume, kBlocks, volume, 50);
  HIP_CHECK(hipFree(volume.ptr));

  int *first = allocate<int>(2 * kItems), *second = allocate<int>(2 * kItems);
  LAUNCH(intoAnother, kBlocks, first, second - first);
  LAUNCH(readsAnother, kBlocks, reinterpret_cast<double *>(first),
         reinterpret_cast<double *>(second) - reinterpret_cast<double *>(first), reinterpret_cast<double *>(second));
  LAUNCH(atomicOnAnother, kBlocks, first, second - first);
  LAUNCH(insideParts, kBlocks, first + kItems, second - first);
  mapped<bad>(first);
  HIP_CHECK(hipFree(first));
  HIP_CHECK(hipFree(second));

  HIP_CHECK(hipMallocManaged(&memory, kItems * sizeof(int)));
  LAUNCH(managedBehind, kBlocks, static_cast<int *>(memory));
  HIP_CHECK(hipFree(memory));
  HIP_CHECK(hipHostMalloc(&memory, kItems * sizeof(int), 0));
  LAUNCH(pinnedBehind, kBlocks, static_cast<int *>(memory));
  HIP_CHECK(hipHostFree(memory));
  HIP_CHECK(hipHostMalloc(&memory, 33, 0));
  LAUNCH(pinnedReadBehind, 1, static_cast<char *>(memory), 33, out);
  HIP_CHECK(hipHostFree(memory));
  std::vector<int> hosts(3 * kItems);
  HIP_CHECK(hipHostRegister(hosts.data(), kItems * sizeof(int), hipHostRegisterDefault));
  HIP_CHECK(hipHostRegister(&hosts[2 * kItems], kItems * sizeof(int), hipHostRegisterDefault));
  LAUNCH(registeredBehind, kBlocks, hosts.data());
  LAUNCH(twoRegistered, kBlocks, hosts.data(), ptrdiff_t{2 * kItems}, out - hosts.data());
  HIP_CHECK(hipHostUnregister(&hosts[2 * kItems]));
  LAUNCH(registeredNoMore, kBlocks, hosts.data(), &hosts[2 * kItems]);
  HIP_CHECK(hipHostUnregister(hosts.data()));
  LAUNCH(managedVariableBehind, 1, 16);
  HIP_CHECK(hipFree(blocks));
  HIP_CHECK(hipFree(out));
  HIP_CHECK(hipStreamDestroy(stream));
}

// SPDX-License-Identifier: MIT
// Memory and variables that beginners forget to set, in the forms of tutorials and forums, and the repaired programs (planted.h).
#include "planted.h"

constexpr int kSide = 8, kInts = int{sizeof(int)};

template <class T> T *allocateOnly(size_t count) {
  void *memory = nullptr;
  HIP_CHECK(hipMalloc(&memory, count * sizeof(T)));
  return static_cast<T *>(memory);
}

__device__ int always(int value) { return value >= 0; } // what nobody has written may be anything

// Of a kernel.

template <bool bad> __global__ void binsOfThread(const int *in, int *out) { // a private array that is not cleared
  int bins[kSide];
  for (int k = 0; k < (bad ? kSide - 1 : kSide); ++k)
    bins[k] = 0;
  for (int k = 0; k < kSide; ++k)
    bins[(in[k] + k) & (kSide - 1)]++;
  for (int k = 0; k < kSide; ++k)
    if (bins[(k + in[0]) & (kSide - 1)] > 1) // finds: initcheck error
      out[globalId()] = k;
}

template <bool bad> __global__ void sumsOfWarps(const int *in, int *out) { // 32 sums are read, and there are 2 warps
  __shared__ int sums[32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = kBlock / 32;
  int value = in[threadIdx.x];
  for (int by = 16; by > 0; by /= 2)
    value += __shfl_down(value, by);
  if (lane == 0)
    sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = bad || lane < warps ? sums[lane] : 0;
    for (int by = 16; by > 0; by /= 2)
      value += __shfl_down(value, by);
    if (lane == 0 && always(value)) // finds: initcheck error
      out[0] = value;
  }
}

template <bool bad> __global__ void edgeOfTile(const int *in, int *out, int width) { // no zeros beyond the matrix
  __shared__ int tile[kSide][kSide];
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
  if (x < width && y < width)
    tile[y][x] = in[y * width + x];
  else if (!bad)
    tile[y][x] = 0;
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < kSide; ++k)
    sum += tile[y][k];
  if (always(sum)) // finds: initcheck error
    out[threadIdx.x] = sum;
}

template <bool bad> __global__ void countsOfBlock(const int *in, int *out) { // dynamic shared memory is not zero
  extern __shared__ int counts[];
  if (threadIdx.x < kSide && (!bad || threadIdx.x == 0))
    counts[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&counts[(in[threadIdx.x] + threadIdx.x) % kSide], 1);
  __syncthreads();
  if (threadIdx.x < kSide)
    out[always(counts[threadIdx.x])] = 1; // finds: initcheck error
}

template <bool bad> __global__ void haloOfFirst(const int *in, int *out) { // the left neighbour of the first element
  __shared__ int s[kBlock + 1];
  s[threadIdx.x + 1] = in[threadIdx.x];
  if (!bad && threadIdx.x == 0)
    s[0] = 0;
  __syncthreads();
  if (s[threadIdx.x + 1] > s[threadIdx.x]) // finds: initcheck error
    out[threadIdx.x] = 1;
}

struct Node {
  int value;
  Node *next;
};

template <bool bad> __global__ void endOfList(int *out) { // the last node has no end
  Node *first = static_cast<Node *>(malloc(sizeof(Node)));
  if (!first)
    return;
  first->value = 3;
  if (!bad)
    first->next = nullptr;
  if (first->next == nullptr) // finds: initcheck error
    out[globalId()] = first->value;
  free(first);
}

template <bool bad> __global__ void maximumFromNothing(const int *in, int *out) {
  __shared__ int most;
  if (!bad && threadIdx.x == 0)
    most = -1;
  __syncthreads();
  atomicMax(&most, in[threadIdx.x]); // clean: only what comes of it decides
  __syncthreads();
  if (most == 0) // finds: initcheck error
    out[threadIdx.x] = 1;
}

// Of several commands.

template <bool bad> __global__ void sumsUp(const int *in, int *sum) { atomicAdd(sum, in[globalId()]); }
template <bool bad> __global__ void usesSum(const int *sum, int *out) {
  if (*sum > 5) // finds: initcheck error
    out[globalId()] = 1;
}

template <bool bad> __global__ void squares(int *to) { to[globalId()] = globalId() * globalId(); }
template <bool bad> __global__ void usesSquares(const int *from, int *out, int count) {
  for (int i = globalId(); i < count; i += gridDim.x * blockDim.x)
    if (from[i] > 100) // finds: initcheck error
      out[globalId()] = 1;
}

template <bool bad> __global__ void interior(const int *from, int *to) { // the buffers change; the ends are in one only
  const int i = globalId();
  if (i > 0 && i < kItems - 1)
    to[i] = (from[i - 1] + from[i + 1]) / 2;
}
template <bool bad> __global__ void usesInterior(const int *from, int *out) {
  if (from[globalId()] > 1) // finds: initcheck error
    out[globalId()] = 1;
}

struct Body {
  float x, y, mass;
};

template <bool bad> __global__ void places(Body *bodies) {
  Body &body = bodies[globalId()];
  body.x = 1, body.y = 2;
  if (!bad)
    body.mass = 1;
}
template <bool bad> __global__ void attracts(const Body *bodies, int *out) {
  const Body body = bodies[globalId()];
  if (body.x * body.mass > 3.0f) // finds: initcheck error
    out[globalId()] = 1;
}

template <bool bad> __global__ void elementsForBytes(const int *in, int *out) {
  if (in[globalId()] == 1) // finds: initcheck error
    out[globalId()] = 1;
}

template <bool bad> __global__ void copiedElements(const int *in, int *out) {
  if (in[globalId()] == 2) // finds: initcheck error
    out[globalId()] = 1;
}

template <bool bad> __global__ void triangle(int *matrix) { // kSide x kSide
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
  if (x >= y)
    matrix[y * kSide + x] = x + y;
}
template <bool bad> __global__ void usesMatrix(const int *matrix, int *out) {
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
  if (matrix[bad ? y * kSide + x : min(x, y) * kSide + max(x, y)] > 3) // finds: initcheck error
    out[threadIdx.x] = 1;
}

template <bool bad>
__global__ void rowsByWidth(const char *rows, size_t pitch, int width, int *out) { // and not by pitch
  const int x = static_cast<int>(threadIdx.x);
  if (x < width && rows[(bad ? width : pitch) + x] == 7) // finds: initcheck error
    out[x] = 1;
}

template <bool bad> void run() {
  int *in = allocate<int>(kItems), *out = allocate<int>(2 * kItems);
  LAUNCH(binsOfThread, 1, in, out);
  LAUNCH(sumsOfWarps, 1, in, out);
  LAUNCH(edgeOfTile, 1, in, out, kSide - 1);
  LAUNCH(countsOfBlock, 1, in, out);
  LAUNCH(haloOfFirst, 1, in, out);
  LAUNCH(endOfList, 1, out);
  LAUNCH(maximumFromNothing, 1, in, out);

  int *sum = bad ? allocateOnly<int>(1) : allocate<int>(1);
  LAUNCH(sumsUp, kBlocks, in, sum);
  LAUNCH(usesSum, 1, sum, out);

  int *values = allocateOnly<int>(kItems + 10); // and one block for the rest is forgotten
  squares<bad><<<kBlocks, kBlock>>>(values);
  if (!bad)
    squares<bad><<<1, 10>>>(values + kItems);
  LAUNCH(usesSquares, kBlocks, values, out, kItems + 10);

  int *second = bad ? allocateOnly<int>(kItems) : allocate<int>(kItems);
  LAUNCH(interior, kBlocks, in, second);
  LAUNCH(usesInterior, kBlocks, second, out);

  Body *bodies = allocateOnly<Body>(kItems);
  LAUNCH(places, kBlocks, bodies);
  LAUNCH(attracts, kBlocks, bodies, out);

  int *filled = allocateOnly<int>(kItems), host[kItems] = {};
  HIP_CHECK(hipMemset(filled, 0, bad ? kItems : kItems * kInts));
  LAUNCH(elementsForBytes, kBlocks, filled, out);
  int *copied = allocateOnly<int>(kItems);
  HIP_CHECK(hipMemcpy(copied, host, bad ? kItems : kItems * kInts, hipMemcpyHostToDevice));
  LAUNCH(copiedElements, kBlocks, copied, out);

  int *matrix = allocateOnly<int>(kBlock);
  LAUNCH(triangle, 1, matrix);
  LAUNCH(usesMatrix, 1, matrix, out);

  void *rows = nullptr;
  size_t pitch = 0;
  HIP_CHECK(hipMallocPitch(&rows, &pitch, 50, 2));
  HIP_CHECK(hipMemset2D(rows, pitch, 1, 50, 2));
  LAUNCH(rowsByWidth, 1, static_cast<char *>(rows), pitch, 50, out);
  HIP_CHECK(hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost));
  for (void *memory : {static_cast<void *>(in), static_cast<void *>(out), static_cast<void *>(sum),
                       static_cast<void *>(values), static_cast<void *>(second), static_cast<void *>(bodies),
                       static_cast<void *>(filled), static_cast<void *>(copied), static_cast<void *>(matrix), rows})
    HIP_CHECK(hipFree(memory));
}

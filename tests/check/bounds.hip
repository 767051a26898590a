// SPDX-License-Identifier: MIT
// Accesses just outside of memory of every kind, by the ways that programs come to a wrong address: vectors, members, pitches, parameters
// by value, memcpy and memset in kernels (planted.h).
#include "planted.h"

// Global memory. `p` has kItems elements unless it says otherwise.

template <bool bad> __global__ void lastQuadIsPartial(const float *p, float *out, int n) { // n is no multiple of 4
  const int i = globalId();
  if (bad ? i * 4 < n : i * 4 + 3 < n) {
    const float4 four = reinterpret_cast<const float4 *>(p)[i]; // finds: memcheck error
    out[i] = four.x + four.w;
  }
}

template <bool bad> __global__ void tripleBehind(float *p, int n) { // n is a multiple of 3
  const int i = globalId();
  if (bad ? i * 3 <= n : i * 3 < n)
    reinterpret_cast<float3 *>(p)[i] = make_float3(1, 2, 3); // finds: memcheck error
}

template <bool bad> __global__ void pairBefore(double *p) {
  auto *pairs = reinterpret_cast<double2 *>(p + 2);
  pairs[globalId() / 64 - 1 - (bad && globalId() == 0)].y = 1; // finds: memcheck error
}

template <bool bad> __global__ void rightNeighbour(const int *p, int *out, int width) {
  const int x = globalId() % width, y = globalId() / width;
  const int right =
      bad || x + 1 < width || (y + 1) * width < kItems ? p[y * width + x + 1] : 0; // finds: memcheck error
  out[globalId()] = right;
}

template <bool bad> __global__ void leftNeighbour(const int *p, int *out) {
  const int i = globalId();
  out[i] = p[i] - (bad || i > 0 ? p[i - 1] : 0); // finds: memcheck error
}

template <bool bad> __global__ void countsDown(int *p, int n) { // one too far
  for (int i = n - 1; i >= (bad ? -1 : 0); --i)
    p[i] = 1; // finds: memcheck error
}

template <bool bad> __global__ void bitsOfItems(unsigned *bits, int n) { // n bits need (n + 31) / 32 words
  const int i = globalId();
  if (i < (bad ? n : n / 32 * 32))
    atomicOr(&bits[i / 32], 1u << (i % 32)); // finds: memcheck error
}

struct Body {
  float place[3];
  int kind;
};

template <bool bad> __global__ void fourthCoordinateOfLast(Body *bodies, int n) {
  const int i = globalId();
  if (i < n) {
    float *place = bodies[i].place;
    for (int k = 0; k < (bad ? 5 : 3); ++k)
      place[k] = 0; // finds: memcheck error
  }
}

__device__ __attribute__((noinline)) void setMember(Body *body, int Body::*member) {
  body->*member = 1; // finds: memcheck error
}
template <bool bad> __global__ void memberByPointer(Body *bodies, int n) {
  if (globalId() < n)
    setMember(bodies + globalId() + bad, &Body::kind);
}

struct Matrix {
  float *elements;
  int rows, columns, stride;
};

__device__ __attribute__((noinline)) float &at(const Matrix &matrix, int row, int column) {
  return matrix.elements[row * matrix.stride + column];
}
template <bool bad> __global__ void transposedIndices(Matrix matrix) { // 8 rows of 16
  const int i = globalId();
  const int row = i / matrix.columns, column = i % matrix.columns;
  at(matrix, bad ? column : row, bad ? row : column) = 1; // finds: memcheck error
}

template <bool bad> __global__ void rowOfPointers(int **rows, int count, int columns) {
  const int i = globalId();
  if (i < count)
    for (int k = 0; k < columns + bad; ++k)
      rows[i][k] = k; // finds: memcheck error
}

template <bool bad> __global__ void addressAsNumber(int *p) {
  auto number = reinterpret_cast<unsigned long long>(p);
  number += (globalId() + bad) * sizeof(int);
  *reinterpret_cast<int *>(number) = 1; // finds: memcheck error
}

template <bool bad> __global__ void halfOfSum(unsigned long long *sums, int n) { // n sums of 32 bits
  if (globalId() < n / 2 + bad)
    atomicAdd(sums + globalId(), 1ull); // finds: memcheck error
}

template <bool bad> __global__ void copiesTooMuch(int *p, const int *from, int n) {
  if (globalId() == 0)
    memcpy(p, from, (n + bad) * sizeof(int)); // finds: memcheck error
}

template <bool bad> __global__ void fillsElementsForBytes(char *p, int n) {
  if (globalId() == 0)
    memset(p, 0, n * (bad ? sizeof(int) : 1)); // finds: memcheck error
}

template <bool bad> __global__ void copiesText(char *to, const char *from, int n) { // forgets the zero
  if (globalId() == 0) {
    int i = 0;
    for (; i < n - !bad && from[i]; ++i)
      to[i] = from[i];
    to[i] = 0; // finds: memcheck error
  }
}

template <bool bad> __global__ void misalignedQuad(float *p) {
  reinterpret_cast<float4 *>(p + bad)[globalId() / 8] = make_float4(0, 0, 0, 0); // finds: memcheck error
}

template <bool bad> __global__ void misalignedSum(char *p) {
  atomicAdd(reinterpret_cast<int *>(p + 2 * bad), 1); // finds: memcheck error
}

template <bool bad> __global__ void copiesOntoItself(char *p, int n) { // 2 n bytes
  if (globalId() == 0)
    memcpy(p + (bad ? n / 2 : n), p, n); // finds: memcheck error
}

// Shared memory.

template <bool bad> __global__ void paddedTile(const int *in, int *out) { // 8 x 8 threads
  __shared__ int tile[8][9];
  const int x = threadIdx.x % 8, y = threadIdx.x / 8;
  tile[y + bad][x] = in[threadIdx.x]; // finds: memcheck error
  __syncthreads();
  out[threadIdx.x] = tile[x][y];
}

template <bool bad> __global__ void secondPart(int *out) { // kBlock elements, cut in two
  extern __shared__ int all[];
  int *first = all, *second = all + kBlock / 2;
  const int i = threadIdx.x;
  if (i < kBlock / 2)
    first[i] = i;
  second[bad ? i : i / 2] = i / 2; // finds: memcheck error
  __syncthreads();
  out[i] = all[kBlock - 1 - i];
}

template <bool bad> __global__ void pairOfShared(int *out) {
  __shared__ __attribute__((aligned(16))) float s[kBlock + 2];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const float4 four = reinterpret_cast<float4 *>(s)[(threadIdx.x + (bad ? 4 : 0)) / 4]; // finds: memcheck error
  out[threadIdx.x] = four.x + four.y + four.z + four.w;
}

template <bool bad> __global__ void negativeShared(int *out) {
  __shared__ int s[kBlock];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int before = static_cast<int>(threadIdx.x) - 1;
  out[threadIdx.x] = s[bad ? before : max(before, 0)]; // finds: memcheck error
}

__device__ __attribute__((noinline)) int sumOf(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum += values[i]; // finds: memcheck error
  return sum;
}
template <bool bad> __global__ void countOfOther(int *out) {
  __shared__ int s[24];
  if (threadIdx.x < 24)
    s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = sumOf(s, bad ? kBlock : 24);
}

template <bool bad> __global__ void copiesIntoShared(const int *in, int *out, int n) {
  __shared__ int s[16];
  if (threadIdx.x == 0)
    memcpy(s, in, (n + bad) * sizeof(int)); // finds: memcheck error
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x % 16];
}

template <bool bad> __global__ void misalignedInShared(int *out) { // words behind a header of bytes
  __shared__ __align__(4) char buffer[kBlock * sizeof(int) + 4];
  int *words = reinterpret_cast<int *>(buffer + (bad ? 2 : 4));
  words[threadIdx.x] = threadIdx.x; // finds: memcheck error
  __syncthreads();
  out[threadIdx.x] = buffer[threadIdx.x];
}

// Constants, variables of modules, private memory, parameters.

__constant__ float filter[9];
__device__ int counters[4];

template <bool bad> __global__ void beforeFilter(float *out, int radius) {
  float sum = 0;
  for (int k = -radius; k <= radius; ++k)
    sum += filter[k + radius - bad]; // finds: memcheck error
  out[globalId()] = sum;
}

template <bool bad> __global__ void counterOfKind(const int *kinds) {
  atomicAdd(&counters[kinds[globalId()] + 4 * bad], 1); // finds: memcheck error
}

template <bool bad> __global__ void rowOfPrivate(int *out, int n) {
  int m[4][4];
  for (int y = 0; y < n + bad; ++y)
    for (int x = 0; x < 4; ++x)
      m[y][x] = x * y; // finds: memcheck error
  out[globalId()] = m[n - 1][3];
}

__device__ __attribute__((noinline)) void fill(int *values, int count) {
  for (int i = 0; i < count; ++i)
    values[i] = i; // finds: memcheck error
}
template <bool bad> __global__ void filledByFunction(int *out, int n) {
  int values[10];
  fill(values, n + bad);
  out[globalId()] = values[3];
}

template <bool bad> __global__ void stackOfItem(int *out, int n) { // pushes once too often
  int stack[8], top = 0;
  for (int i = 0; i < n + bad; ++i)
    stack[top++] = i; // finds: memcheck error
  while (top > 0)
    out[globalId()] += stack[--top]; // finds: memcheck error
}

struct Parameters {
  int count;
  int values[7];
};

template <bool bad> __global__ void parameterByValue(Parameters parameters, int *out) {
  int sum = 0;
  for (int i = 0; i < parameters.count + bad; ++i)
    sum += parameters.values[i]; // finds: memcheck error
  out[globalId()] = sum;
}

template <bool bad> __global__ void fillsPrivate(int *out, int n) {
  unsigned char bytes[12];
  memset(bytes, 1, n + bad); // finds: memcheck error
  out[globalId()] = bytes[n - 1];
}

template <bool bad> __global__ void misalignedInPrivate(int *out, int n) {
  __align__(4) char bytes[32];
  for (int i = 0; i < 32; ++i)
    bytes[i] = static_cast<char>(i * n);
  out[globalId()] = *reinterpret_cast<int *>(bytes + (bad ? n : 4)); // finds: memcheck error
}

__device__ __align__(8) char record[64];
template <bool bad> __global__ void misalignedInVariable(int fields) {
  *reinterpret_cast<double *>(record + (bad ? 4 : 8) * fields) = 1; // finds: memcheck error
}

// Several accesses of one work-item that lie side by side, of which one is wrong: they are looked at together.

template <bool bad> __global__ void thirdOfTriple(const int *p, int *out, int n) { // n is no multiple of 3
  const int i = globalId();
  if (bad ? 3 * i < n : 3 * i + 2 < n) {
    const int first = p[3 * i];
    const int second = p[3 * i + 1];
    const int third = p[3 * i + 2]; // finds: memcheck error
    out[i] = first + second + third;
  }
}

template <bool bad> __global__ void freedInBetween(int *out, int n) {
  int *p = static_cast<int *>(malloc(2 * sizeof(int)));
  p[0] = n;
  if (!bad)
    p[1] = 1;
  free(p);
  if (bad)
    p[1] = 1; // finds: memcheck error
  out[globalId()] = n;
}

template <bool bad> __global__ void secondIsMisaligned(const char *p, int *out) {
  const int i = globalId();
  const short first = *reinterpret_cast<const short *>(p + 8 * i);
  const int second = *reinterpret_cast<const int *>(p + 8 * i + (bad ? 2 : 4)); // finds: memcheck error
  out[i] = first + second;
}

template <bool bad> __global__ void smallOneIsMisaligned(const char *p, int *out) {
  const int i = globalId();
  const int first = *reinterpret_cast<const int *>(p + 8 * i);
  const short second = *reinterpret_cast<const short *>(p + 8 * i + (bad ? 5 : 4)); // finds: memcheck error
  out[i] = first + second;
}

template <bool bad> __global__ void paddingInBetween(const char *rows, int *out) { // of 100 bytes
  const char first = rows[96];
  const char second = rows[bad ? 104 : 92]; // finds: memcheck warning
  const char third = rows[1024];
  out[globalId()] = first + second + third;
}

template <bool bad> __global__ void neighbourInShared(const int *p, int *out) {
  __shared__ int s[kBlock + !bad];
  const int t = threadIdx.x;
  s[t] = p[t];
  __syncthreads();
  const int own = s[t];
  const int next = s[t + 1]; // finds: memcheck error
  out[globalId()] = own + next;
}

// Freed memory that a structure still points to.

struct Box {
  int *content;
};

template <bool bad> __global__ void contentOfBox(const Box *box) {
  box->content[globalId()] = 1; // finds: memcheck error
}

template <bool bad> void run() {
  auto *out = allocate<int>(2 * kItems);
  auto *floats = allocate<float>(2 * kItems);
  auto *tens = allocate<float>(10);
  LAUNCH(lastQuadIsPartial, 1, tens, floats, 10);
  LAUNCH(tripleBehind, 1, allocate<float>(30), 30);
  LAUNCH(pairBefore, kBlocks, allocate<double>(kItems));
  int *items = allocate<int>(kItems);
  LAUNCH(rightNeighbour, kBlocks, items, out, 16);
  LAUNCH(leftNeighbour, kBlocks, items, out);
  LAUNCH(countsDown, 1, items, 20);
  LAUNCH(bitsOfItems, kBlocks, allocate<unsigned>(100 / 32), 100);
  LAUNCH(fourthCoordinateOfLast, 1, allocate<Body>(10), 10);
  LAUNCH(memberByPointer, 1, allocate<Body>(10), 10);
  LAUNCH(transposedIndices, kBlocks, Matrix{allocate<float>(8 * 16), 8, 16, 16});
  int *rows[4], **rowsOnDevice = allocate<int *>(4);
  for (int *&row : rows)
    row = allocate<int>(20);
  HIP_CHECK(hipMemcpy(rowsOnDevice, rows, sizeof rows, hipMemcpyHostToDevice));
  LAUNCH(rowOfPointers, 1, rowsOnDevice, 4, 20);
  LAUNCH(addressAsNumber, kBlocks, items);
  LAUNCH(halfOfSum, 1, reinterpret_cast<unsigned long long *>(allocate<int>(33)), 33);
  LAUNCH(copiesTooMuch, 1, allocate<int>(20), items, 20);
  LAUNCH(fillsElementsForBytes, 1, allocate<char>(50), 50);
  char *text = allocate<char>(32);
  HIP_CHECK(hipMemset(text, 'a', 32));
  LAUNCH(copiesText, 1, allocate<char>(32), text, 32);
  LAUNCH(misalignedQuad, kBlocks, floats);
  LAUNCH(misalignedSum, 1, reinterpret_cast<char *>(out));
  LAUNCH(copiesOntoItself, 1, text, 16);
  LAUNCH(paddedTile, 1, items, out);
  LAUNCH(secondPart, 1, out);
  LAUNCH(pairOfShared, 1, out);
  LAUNCH(negativeShared, 1, out);
  LAUNCH(countOfOther, 1, out);
  LAUNCH(copiesIntoShared, 1, items, out, 16);
  LAUNCH(misalignedInShared, 1, out);
  LAUNCH(beforeFilter, 1, floats, 4);
  int *kinds = allocate<int>(kItems);
  LAUNCH(counterOfKind, kBlocks, kinds);
  LAUNCH(rowOfPrivate, kBlocks, out, 4);
  LAUNCH(filledByFunction, kBlocks, out, 10);
  LAUNCH(stackOfItem, kBlocks, out, 8);
  LAUNCH(parameterByValue, kBlocks, Parameters{7, {1, 2, 3, 4, 5, 6, 7}}, out);
  LAUNCH(fillsPrivate, kBlocks, out, 12);
  LAUNCH(misalignedInPrivate, kBlocks, out, 3);
  LAUNCH(misalignedInVariable, 1, 3);
  LAUNCH(thirdOfTriple, kBlocks, allocate<int>(3 * 20 - 1), out, 3 * 20 - 1);
  LAUNCH(freedInBetween, 1, out, 3);
  LAUNCH(secondIsMisaligned, kBlocks, allocate<char>(8 * kItems), out);
  LAUNCH(smallOneIsMisaligned, kBlocks, allocate<char>(8 * kItems), out);
  void *pitched = nullptr;
  size_t pitch = 0;
  HIP_CHECK(hipMallocPitch(&pitched, &pitch, 100, 16)); // another row begins after 1024 bytes
  LAUNCH(paddingInBetween, 1, static_cast<const char *>(pitched), out);
  LAUNCH(neighbourInShared, 1, items, out);
  Box *box = allocate<Box>(1);
  void *memory = nullptr;
  HIP_CHECK(hipMallocAsync(&memory, kItems * sizeof(int), nullptr));
  HIP_CHECK(hipMemcpy(box, &memory, sizeof memory, hipMemcpyHostToDevice));
  if (bad)
    HIP_CHECK(hipFreeAsync(memory, nullptr));
  LAUNCH(contentOfBox, kBlocks, box);
}

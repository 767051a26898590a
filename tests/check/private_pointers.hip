// SPDX-License-Identifier: MIT
// Memory that kernels reach by pointers but may not use so: variables of other work-items and of functions that have returned, and
// __constant__ variables (planted.h). Not optimised, because compilers do away with much of it.
#include "planted.h"

__constant__ int table[8];
__device__ int counter;
__device__ int *kept;

template <bool bad> __global__ void pointsIntoOther(int *out) { // by a shared pointer
  __shared__ int *p;
  int mine[4] = {static_cast<int>(threadIdx.x), 1, 2, 3};
  if (threadIdx.x == 0)
    p = mine;
  __syncthreads();
  int *q = bad ? p : mine;
  out[threadIdx.x] = q[out[0] & 3]; // finds: memcheck error
  __syncthreads();
}

struct Job {
  int *begin, *end;
};
template <bool bad> __global__ void jobsOfNeighbours(int *out) { // in a structure
  __shared__ Job jobs[kBlock];
  int values[2] = {1, 2};
  jobs[threadIdx.x] = {values, values + 2};
  __syncthreads();
  const Job job = jobs[bad ? threadIdx.x ^ 1 : threadIdx.x];
  int sum = 0;
  for (const int *each = job.begin; each != job.end; ++each)
    sum += *each; // finds: memcheck error
  out[threadIdx.x] = sum;
  __syncthreads();
}

template <bool bad> __device__ int *squaresOf(int v, int *where) {
  int here[4];
  int *squares = bad ? here : where;
  for (int i = 0; i < 4; ++i)
    squares[i] = (v + i) * (v + i);
  return squares;
}
template <bool bad> __global__ void returnsLocal(int *out) {
  int where[4];
  const int *squares = squaresOf<bad>(threadIdx.x, where);
  out[threadIdx.x] = squares[out[0] & 3]; // finds: memcheck error
}

struct List {
  int value;
  List *next;
};
template <bool bad> __device__ void push(List *&head, List &room, int value) {
  List element{value, head};
  room = element;
  head = bad ? &element : &room;
}
template <bool bad> __global__ void listOfLocals(int *out) {
  List first, second, *head = nullptr;
  push<bad>(head, first, 1);
  push<bad>(head, second, 2);
  int sum = 0;
  for (List *each = head; each; each = each->next) // finds: memcheck error
    sum += each->value;                            // finds: memcheck error
  out[threadIdx.x] = sum;
}

template <bool bad> __global__ void keepsForLater(int *out) {
  int here[4] = {1, 2, 3, 4};
  if (globalId() == 0)
    kept = bad ? here : out;
}
template <bool bad> __global__ void usesKept(int *out) {
  out[threadIdx.x] = kept[threadIdx.x & 3]; // finds: memcheck error
}

template <bool bad> __global__ void writesConstant(int *out) {
  if (bad)
    const_cast<int *>(table)[threadIdx.x & 7] = 1; // finds: memcheck error
  out[threadIdx.x] = table[threadIdx.x & 7];
}
template <bool bad> __global__ void writesConstantByPointer(int *out, int k) {
  int *p = k && bad ? const_cast<int *>(table) + 2 : out;
  p[threadIdx.x & 1] = k;        // finds: memcheck error
  atomicAdd(&counter, p != out); // a variable of the module that is not constant
}

// Pointers to variables that are all right.
struct Choice {
  int *rows[2];
};
__device__ void fill(int *const *rows, int n) {
  for (int i = 0; i < n; ++i)
    rows[i][i] = i;
}
__device__ int depthOf(const List *list) { return list ? 1 + depthOf(list->next) : 0; }
__global__ void ownVariables(int *out) {
  int a[2] = {1, 2}, b[2] = {3, 4};
  Choice choice{{a, b}};
  fill(choice.rows, 2);
  const List end{1, nullptr}, middle{2, const_cast<List *>(&end)}, begin{3, const_cast<List *>(&middle)};
  int sum = depthOf(&begin);
  for (int round = 0; round < 3; ++round) {
    int local[4] = {round, 1, 2, 3};
    int *volatile p = local;
    sum += p[sum & 3];
  }
  const int *either = threadIdx.x & 1 ? a : b;
  out[threadIdx.x] = either[sum & 1] + sum;
}

template <bool bad> void run() {
  int *out = allocate<int>(kItems);
  LAUNCH(pointsIntoOther, 1, out);
  HIP_CHECK(hipMemset(out, 0, kItems * sizeof(int)));
  LAUNCH(jobsOfNeighbours, 1, out);
  LAUNCH(returnsLocal, 1, out);
  LAUNCH(listOfLocals, 1, out);
  LAUNCH(keepsForLater, kBlocks, out);
  LAUNCH(usesKept, 1, out);
  LAUNCH(writesConstant, 1, out);
  LAUNCH(writesConstantByPointer, 1, out, 1);
  ownVariables<<<kBlocks, kBlock>>>(out);
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipFree(out));
}

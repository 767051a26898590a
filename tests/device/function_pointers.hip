// SPDX-License-Identifier: MIT
// Calls through pointers: tables of functions, pointers that the host carries from one kernel to another, lambdas, pointers
// to members, virtual functions of classes with several bases.
#include "check.h"

#include <vector>

namespace {

typedef int (*Binary)(int, int);
typedef double (*Unary)(double);

__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ __noinline__ int subtract(int a, int b) { return a - b; }
__device__ double half(double x) { return x / 2; }
__device__ double square(double x) { return x * x; }

__device__ Binary table[] = {add, multiply, nullptr, subtract};
__constant__ Unary unaries[2] = {half, square};
__device__ Binary chosen = multiply;

struct Operation {
  Binary function;
  int left;
};

__device__ __noinline__ int apply(Binary function, int a, int b) { return function ? function(a, b) : -1; }

__global__ void callTable(int *out, int a, int b) {
  int which = threadIdx.x % 4;
  out[threadIdx.x] = table[which] ? table[which](a, b) : -7;
}

__global__ void callConstant(double *out, double x) { out[threadIdx.x] = unaries[threadIdx.x % 2](x); }

__global__ void callArgument(int *out, Binary function, Operation operation, int b) {
  out[0] = function(operation.left, b);
  out[1] = operation.function(operation.left, b);
  out[2] = apply(nullptr, 1, 2);
  out[3] = apply(chosen, 6, 7);
  out[4] = function == operation.function;
}

__global__ void address(Binary *out, int which) { *out = which == 0 ? add : which == 1 ? multiply : subtract; }

// Block operations in a function that is called through a pointer.
__device__ int sumOfBlock(int value, int) { return __syncthreads_count(value); }
__device__ int nothing(int value, int) { return value; }
__global__ void blockOperation(int *out, int which) {
  Binary function = which ? sumOfBlock : nothing;
  out[threadIdx.x] = function(threadIdx.x % 2, 0);
}

struct Shape {
  int factor = 2;
  __device__ virtual int area(int x) const = 0;
  __device__ virtual int corners() const { return 0; }
  __device__ int scaled(int x) const { return factor * area(x); }
};
struct Named {
  __device__ virtual char name() const { return '?'; }
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int side) : side(side) {}
  __device__ int area(int x) const override { return side * side + x; }
  __device__ int corners() const override { return 4; }
};
struct Triangle : Named, Shape { // Shape is not at the beginning: the call adjusts the pointer
  int base, height;
  __device__ Triangle(int base, int height) : base(base), height(height) {}
  __device__ int area(int x) const override { return base * height / 2 + x; }
  __device__ char name() const override { return 'T'; }
};

__device__ __noinline__ int describe(const Shape &shape, int x) { return shape.scaled(x) * 10 + shape.corners(); }

__global__ void virtualCalls(int *out) {
  Square square(3);
  Triangle triangle(4, 5);
  const Shape *shapes[] = {&square, &triangle};
  int i = threadIdx.x;
  out[i] = describe(*shapes[i % 2], i);
  const Named *named = &triangle;
  if (i == 0)
    out[63] = named->name();
}

// Objects that stay in memory between kernels.
__global__ void construct(char *memory) {
  new (memory) Square(7);
  new (memory + 64) Triangle(2, 9);
}
__global__ void useObjects(const char *memory, int *out) {
  out[0] = describe(*reinterpret_cast<const Square *>(memory), 1);
  out[1] = describe(*reinterpret_cast<const Triangle *>(memory + 64), 1);
}

struct Member {
  int first, second;
};
struct Steps {
  int step;
  __device__ explicit Steps(int step) : step(step) {}
  __device__ __noinline__ int up(int x) const { return x + step; }
  __device__ int down(int x) const { return x - step; }
  __device__ virtual int times(int x) { return x * step++; }
};

struct Labelled {
  int label = 1000;
};

// The object lies behind another base, so that a call through a pointer moves the address.
struct LabelledSteps : Labelled, Steps {
  __device__ explicit LabelledSteps(int step) : Steps(step) {}
  __device__ int times(int x) override { return x * step++ + label; }
};

__global__ void memberFunctions(int *out, int *shifted) {
  const int i = threadIdx.x;
  using Step = int (Steps::*)(int) const;
  Step step = i % 3 ? &Steps::up : &Steps::down;
  int (LabelledSteps::*times)(int) =
      i % 2 ? static_cast<int (LabelledSteps::*)(int)>(&Steps::times) : &LabelledSteps::times;
  LabelledSteps object(i);
  out[i] = (object.*step)(100);
  const int product = (object.*times)(7);
  shifted[i] = product * 100 + object.step + (step == nullptr);
}

__global__ void members(int *out, int which) {
  Member object{5, 6};
  int Member::*field = which ? &Member::first : &Member::second;
  out[0] = object.*field;
}

__global__ void lambdas(int *out, int which) {
  Binary function =
      which ? Binary([](int a, int b) { return a * 100 + b; }) : Binary([](int a, int b) { return b * 100 + a; });
  out[0] = function(1, 2);
}

TEST(tables) {
  DeviceArray<int> out(64);
  callTable<<<1, 64>>>(out, 6, 7);
  std::vector<int> result = out.host();
  const int expected[] = {13, 42, -7, -1};
  for (int i = 0; i < 64; ++i)
    CHECK_EQ(result[i], expected[i % 4]);
  DeviceArray<double> values(4);
  callConstant<<<1, 4>>>(values, 3.0);
  CHECK_EQ(values.host()[0], 1.5);
  CHECK_EQ(values.host()[3], 9.0);
}

TEST(carried) {
  DeviceArray<Binary> place(1);
  DeviceArray<int> out(5);
  Binary functions[3];
  for (int which = 0; which < 3; ++which) {
    address<<<1, 1>>>(place, which);
    functions[which] = place.host()[0];
  }
  CHECK(functions[0] && functions[1] && functions[0] != functions[1]);
  Binary stored;
  HIP_CHECK(hipMemcpyFromSymbol(&stored, HIP_SYMBOL(chosen), sizeof stored));
  CHECK(stored == functions[1]);
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(chosen), &functions[0], sizeof stored));
  callArgument<<<1, 1>>>(out, functions[2], Operation{functions[1], 9}, 4);
  std::vector<int> result = out.host();
  CHECK_EQ(result[0], 5);
  CHECK_EQ(result[1], 36);
  CHECK_EQ(result[2], -1);
  CHECK_EQ(result[3], 13);
  CHECK_EQ(result[4], 0);
}

TEST(blocks) {
  DeviceArray<int> out(100);
  for (int which : {1, 0}) {
    blockOperation<<<1, 100>>>(out, which);
    std::vector<int> result = out.host();
    for (int i = 0; i < 100; ++i)
      CHECK_EQ(result[i], which ? 50 : i % 2);
  }
}

TEST(objects) {
  DeviceArray<int> out(64);
  virtualCalls<<<1, 63>>>(out);
  std::vector<int> result = out.host();
  for (int i = 0; i < 63; ++i)
    CHECK_EQ(result[i], i % 2 ? 2 * (10 + i) * 10 : 2 * (9 + i) * 10 + 4);
  CHECK_EQ(result[63], 'T');
  DeviceArray<char> memory(128);
  construct<<<1, 1>>>(memory);
  useObjects<<<1, 1>>>(memory, out);
  CHECK_EQ(out.host()[0], 2 * (49 + 1) * 10 + 4);
  CHECK_EQ(out.host()[1], 2 * (9 + 1) * 10);
}

TEST(memberFunctions) {
  constexpr int kThreads = 40;
  DeviceArray<int> out(kThreads), shifted(kThreads);
  memberFunctions<<<1, kThreads>>>(out, shifted);
  const std::vector<int> stepped = out.host(), products = shifted.host();
  for (int i = 0; i < kThreads; ++i) {
    CHECK_EQ(stepped[i], i % 3 ? 100 + i : 100 - i);
    CHECK_EQ(products[i], (7 * i + 1000) * 100 + i + 1);
  }
}

TEST(membersAndLambdas) {
  DeviceArray<int> out(1);
  for (int which : {0, 1}) {
    members<<<1, 1>>>(out, which);
    CHECK_EQ(out.host()[0], which ? 5 : 6);
    lambdas<<<1, 1>>>(out, which);
    CHECK_EQ(out.host()[0], which ? 102 : 201);
  }
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }

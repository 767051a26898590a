// SPDX-License-Identifier: MIT
// Calls through pointers and of virtual functions, which become switches over the functions of the program. The same
// kernels with switches written by hand are in calls.cl.
#include <hip/hip_runtime.h>

// The functions of each table have a type of their own, as a call chooses among all functions of its type.
template <int n, class... Unused> __device__ float operation(float x, Unused...) { return x * (n + 0.5f) + n; }

template <int... n> struct Numbers {};
template <int n, int... rest> struct UpTo : UpTo<n - 1, n - 1, rest...> {};
template <int... n> struct UpTo<0, n...> {
  typedef Numbers<n...> Type;
};

template <class... Unused, int... n> __device__ float callOneOf(Numbers<n...>, int which, float x, Unused... unused) {
  constexpr float (*functions[])(float, Unused...) = {operation<n, Unused...>...};
  return functions[which](x, unused...);
}

#define TABLE(count, ...)                                                                                              \
  extern "C" __global__ void table_##count(const int *__restrict__ which, const float *__restrict__ in,                \
                                           float *__restrict__ out, int n) {                                           \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                     \
    float x = in[i];                                                                                                   \
    for (int k = 0; k < n; ++k)                                                                                        \
      x = callOneOf(UpTo<count>::Type(), which[k * 256 + i] & count - 1, x __VA_ARGS__);                               \
    out[i] = x;                                                                                                        \
  }
TABLE(2)
TABLE(16, , 0)
TABLE(64, , 0, 0)

// Pointers from memory, of which only the type is known.
#define POINTERS(count, ...)                                                                                           \
  extern "C" __global__ void pointers_##count(float (*const *__restrict__ functions)(float __VA_ARGS__),               \
                                              const float *__restrict__ in, float *__restrict__ out, int n) {          \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                     \
    float x = in[i];                                                                                                   \
    for (int k = 0; k < n; ++k)                                                                                        \
      x = functions[k * 256 + i](x ARGUMENTS_##count);                                                                 \
    out[i] = x;                                                                                                        \
  }
#define ARGUMENTS_2
#define ARGUMENTS_16 , 0
#define ARGUMENTS_64 , 0, 0
POINTERS(2)
POINTERS(16, , int)
POINTERS(64, , int, int)

struct Shape {
  float size;
  __device__ virtual float area(float scale) const = 0;
};
struct Square : Shape {
  __device__ float area(float scale) const override { return size * size * scale; }
};
struct Circle : Shape {
  __device__ float area(float scale) const override { return 3.14159f * size * size + scale; }
};

// Without a kernel that makes objects no class would be known to have any.
extern "C" __global__ void make_shapes(Shape **shapes, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Shape *shape = i & 1 ? static_cast<Shape *>(new (shapes[i]) Square) : new (shapes[i]) Circle;
  shape->size = in[i];
}
extern "C" __global__ void virtual_calls(Shape *const *shapes, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0;
  for (int k = 0; k < n; ++k)
    x += shapes[k * 256 + i]->area(x);
  out[i] = x;
}

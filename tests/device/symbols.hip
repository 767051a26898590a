// SPDX-License-Identifier: MIT
// Variables of device code from the host: every kind of variable, copies in all directions and their errors.
#include "tests/device/check.h"

#include <thread>

struct Pair {
  int first;
  double second;
};

__device__ int counter = 5;
__device__ float values[256];
__constant__ float table[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__constant__ Pair pair = {3, 0.5};
static __device__ int hidden = 9;
namespace space {
__device__ long long spaced = 1ll << 40;
}
template <class T> __device__ T perType = T(7);
__managed__ int managed = 42;
__managed__ double managedArray[3] = {1, 2, 3};
// Every way to write one.
__device__ __managed__ int managedUsual = 1;
__managed__ __device__ int managedReversed = 2;
static __device__ __managed__ int managedStatic = 3;
namespace {
__device__ __managed__ Pair managedAnonymous = {4, 0.5};
}
template <class T> struct Holder {
  static inline __device__ __managed__ T value = 5;
};
__device__ int *addressInFunction() { return &managedUsual; }
__device__ int unused;
// More elements than an instruction of SPIR-V counts, in a structure; symbols_tables.hip has those with as many different values.
struct Remainders {
  unsigned first = 77, values[70000] = {};
  constexpr Remainders() {
    for (unsigned i = 0; i < 70000; ++i)
      values[i] = i % 1021;
  }
};
__device__ Remainders remainders = {};

__global__ void readAll(double *out) {
  out[0] = counter;
  out[1] = table[0] + table[1] + table[2] + table[3];
  out[2] = pair.first + pair.second;
  out[3] = hidden;
  out[4] = static_cast<double>(space::spaced);
  out[5] = perType<int>;
  out[6] = managed;
  out[7] = managedArray[0] + managedArray[1] + managedArray[2];
}
__global__ void writeAll() {
  counter += 100;
  hidden += 100;
  space::spaced += 1;
  perType<int> += 1;
  managed += 1;
  managedArray[2] = 30;
  for (int i = 0; i < 256; ++i)
    values[i] = i;
}
__global__ void countManaged() {
  *addressInFunction() += 10;
  atomicAdd(&managedReversed, 10);
  managedStatic += 10;
  managedAnonymous.second += managedAnonymous.first;
  Holder<short>::value += 10;
}
__global__ void readRemainders(const unsigned *places, unsigned *out) {
  out[threadIdx.x] = places[threadIdx.x] == ~0u ? remainders.first : remainders.values[places[threadIdx.x]];
}
__global__ void addressOfCounter(int **out) { *out = &counter; }

// Initial values that form a cycle, which SPIR-V cannot express.
struct Node {
  Node *next;
  int value;
};
extern __device__ Node second, third;
__device__ Node first = {&second, 1};
__device__ Node second = {&third, 2};
__device__ Node third = {&first, 3};
__constant__ Node own = {&own, 4};
struct Inside {
  long before;
  int *places[2];
  int numbers[4];
};
__device__ Inside inside = {1, {&inside.numbers[1], &inside.numbers[3]}, {10, 20, 30, 40}};
extern __device__ void *otherAddress;
__device__ void *oneAddress = &otherAddress;
__device__ void *otherAddress = &oneAddress;
__device__ unsigned long itsNumber = (unsigned long)&itsNumber + 8;
__global__ void followCycles(int *out) {
  static __device__ Node local = {&local, 5};
  out[0] = first.next->value * 100 + first.next->next->value * 10 + first.next->next->next->value;
  out[1] = own.next->next->value;
  out[2] = *inside.places[0] + *inside.places[1];
  out[3] = oneAddress == (void *)&otherAddress && otherAddress == (void *)&oneAddress;
  out[4] = itsNumber == (unsigned long)&itsNumber + 8;
  out[5] = local.next->value++;
}

static std::vector<double> read() {
  DeviceArray<double> out(8);
  readAll<<<1, 1>>>(out);
  HIP_CHECK(hipGetLastError());
  return out.host();
}

template <class T> T fromSymbol(const T &symbol) {
  T value{};
  HIP_CHECK(hipMemcpyFromSymbol(&value, symbol, sizeof value));
  return value;
}

TEST(initialValues) {
  CHECK_EQ(managed, 42); // before any kernel has run
  std::vector<double> seen = read();
  CHECK_EQ(seen[0], 5);
  CHECK_EQ(seen[1], 10);
  CHECK_EQ(seen[2], 3.5);
  CHECK_EQ(seen[3], 9);
  CHECK_EQ(seen[4], double(1ll << 40));
  CHECK_EQ(seen[5], 7);
  CHECK_EQ(seen[6], 42);
  CHECK_EQ(seen[7], 6);
  CHECK_EQ(fromSymbol(HIP_SYMBOL(counter)), 5);
  CHECK_EQ(fromSymbol(HIP_SYMBOL(hidden)), 9);
  CHECK_EQ(fromSymbol(HIP_SYMBOL(space::spaced)), 1ll << 40);
  CHECK_EQ(fromSymbol(HIP_SYMBOL(pair)).second, 0.5);
  CHECK_EQ(fromSymbol(HIP_SYMBOL(perType<int>)), 7);
}

TEST(longInitialValues) {
  const std::vector<unsigned> places = {~0u, 0, 2, 65530, 65531, 65532, 65533, 69999};
  DeviceArray<unsigned> in(places), out(places.size());
  readRemainders<<<1, places.size()>>>(in, out);
  HIP_CHECK(hipGetLastError());
  const std::vector<unsigned> seen = out.host();
  for (size_t i = 0; i < places.size(); ++i)
    CHECK_EQ(seen[i], places[i] == ~0u ? 77 : places[i] % 1021);
  size_t size = 0;
  HIP_CHECK(hipGetSymbolSize(&size, HIP_SYMBOL(remainders)));
  CHECK_EQ(size, sizeof(Remainders));
  unsigned value = 0;
  HIP_CHECK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(remainders), sizeof value, sizeof(Remainders) - sizeof value));
  CHECK_EQ(value, 69999u % 1021);
}

TEST(cyclesOfInitialValues) {
  DeviceArray<int> out(6);
  followCycles<<<1, 1>>>(out);
  HIP_CHECK(hipGetLastError());
  const std::vector<int> seen = out.host();
  CHECK_EQ(seen[0], 231);
  CHECK_EQ(seen[1], 4);
  CHECK_EQ(seen[2], 60);
  CHECK_EQ(seen[3], 1);
  CHECK_EQ(seen[4], 1);
  CHECK_EQ(seen[5], 5);
  Node *next = nullptr;
  void *address = nullptr;
  HIP_CHECK(hipMemcpyFromSymbol(&next, HIP_SYMBOL(third), sizeof next));
  HIP_CHECK(hipGetSymbolAddress(&address, HIP_SYMBOL(first)));
  CHECK(next == address);
}

TEST(hostWritesKernelReads) {
  int number = 1000;
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(counter), &number, sizeof number));
  float two = 20.0f;
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(table), &two, sizeof two, 1 * sizeof(float)));
  Pair other = {8, 0.25};
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(pair), &other, sizeof other, 0, hipMemcpyHostToDevice));
  managed = 50;
  managedArray[0] = 10;
  std::vector<double> seen = read();
  CHECK_EQ(seen[0], 1000);
  CHECK_EQ(seen[1], 28);
  CHECK_EQ(seen[2], 8.25);
  CHECK_EQ(seen[6], 50);
  CHECK_EQ(seen[7], 15);
}

TEST(kernelWritesHostReads) {
  const int number = fromSymbol(HIP_SYMBOL(counter)), shared = managed;
  writeAll<<<1, 1>>>();
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(fromSymbol(HIP_SYMBOL(counter)), number + 100);
  CHECK_EQ(fromSymbol(HIP_SYMBOL(hidden)), 109);
  CHECK_EQ(fromSymbol(HIP_SYMBOL(space::spaced)), (1ll << 40) + 1);
  CHECK_EQ(fromSymbol(HIP_SYMBOL(perType<int>)), 8);
  CHECK_EQ(managed, shared + 1);
  CHECK_EQ(managedArray[2], 30);
  float part[3];
  HIP_CHECK(hipMemcpyFromSymbol(part, HIP_SYMBOL(values), sizeof part, 100 * sizeof(float), hipMemcpyDeviceToHost));
  CHECK_EQ(part[0], 100);
  CHECK_EQ(part[2], 102);
}

TEST(addresses) {
  size_t size = 0;
  HIP_CHECK(hipGetSymbolSize(&size, HIP_SYMBOL(values)));
  CHECK_EQ(size, sizeof values);
  HIP_CHECK(hipGetSymbolSize(&size, HIP_SYMBOL(pair)));
  CHECK_EQ(size, sizeof pair);
  int *address = nullptr;
  HIP_CHECK(hipGetSymbolAddress(reinterpret_cast<void **>(&address), HIP_SYMBOL(counter)));
  DeviceArray<int *> seen(1);
  addressOfCounter<<<1, 1>>>(seen);
  CHECK(seen.host()[0] == address);
  int value = 77;
  HIP_CHECK(hipMemcpy(address, &value, sizeof value, hipMemcpyHostToDevice));
  CHECK_EQ(read()[0], 77);
  HIP_CHECK(hipMemset(address, 0, sizeof value));
  CHECK_EQ(fromSymbol(HIP_SYMBOL(counter)), 0);
  void *inManaged = nullptr;
  HIP_CHECK(hipGetSymbolAddress(&inManaged, HIP_SYMBOL(managed)));
  CHECK(inManaged == &managed);
}

TEST(asynchronousAndDeviceToDevice) {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  int *pinned;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&pinned), 2 * sizeof(int)));
  pinned[0] = 11;
  HIP_CHECK(hipMemcpyToSymbolAsync(HIP_SYMBOL(counter), &pinned[0], sizeof(int), 0, hipMemcpyHostToDevice, stream));
  HIP_CHECK(hipMemcpyFromSymbolAsync(&pinned[1], HIP_SYMBOL(counter), sizeof(int), 0, hipMemcpyDeviceToHost, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(pinned[1], 11);
  const float last = 255;
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(values), &last, sizeof last, 255 * sizeof last));
  DeviceArray<float> copy(256);
  HIP_CHECK(hipMemcpyFromSymbol(copy, HIP_SYMBOL(values), sizeof values, 0, hipMemcpyDeviceToDevice));
  CHECK_EQ(copy.host()[255], 255);
  HIP_CHECK(hipMemset(copy, 0, sizeof values));
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(values), copy, sizeof values, 0, hipMemcpyDeviceToDevice));
  float first = 1;
  HIP_CHECK(hipMemcpyFromSymbol(&first, HIP_SYMBOL(values), sizeof first));
  CHECK_EQ(first, 0);
  HIP_CHECK(hipHostFree(pinned));
  HIP_CHECK(hipStreamDestroy(stream));
}

TEST(errors) {
  int value = 0, other = 0;
  const void *notASymbol = &other;
  void *address = nullptr;
  size_t size = 0;
  const void *symbol = &counter;
  CHECK_EQ(hipMemcpyToSymbol(notASymbol, &value, sizeof value), hipErrorInvalidSymbol);
  CHECK_EQ(hipMemcpyFromSymbol(&value, notASymbol, sizeof value), hipErrorInvalidSymbol);
  CHECK_EQ(hipMemcpyToSymbol(static_cast<const void *>(nullptr), &value, sizeof value), hipErrorInvalidSymbol);
  CHECK_EQ(hipGetSymbolAddress(&address, notASymbol), hipErrorInvalidSymbol);
  CHECK_EQ(hipGetSymbolAddress(nullptr, symbol), hipErrorInvalidValue);
  CHECK_EQ(hipGetSymbolSize(nullptr, symbol), hipErrorInvalidValue);
  CHECK_EQ(hipGetSymbolSize(&size, notASymbol), hipErrorInvalidSymbol);
  CHECK_EQ(hipMemcpyToSymbol(symbol, &value, sizeof value, 1), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpyToSymbol(symbol, &value, sizeof value, size_t(-1)), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpyFromSymbol(&value, symbol, sizeof value + 1), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpyToSymbol(symbol, static_cast<const void *>(nullptr), sizeof value), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpyToSymbol(symbol, &value, sizeof value, 0, hipMemcpyDeviceToHost), hipErrorInvalidMemcpyDirection);
  CHECK_EQ(hipMemcpyFromSymbol(&value, symbol, sizeof value, 0, hipMemcpyHostToDevice), hipErrorInvalidMemcpyDirection);
  CHECK_EQ(hipMemcpyToSymbol(symbol, &value, sizeof value, 0, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
  HIP_CHECK(hipMemcpyToSymbol(symbol, &value, 0));
  void *ofVariable = nullptr;
  HIP_CHECK(hipGetSymbolAddress(&ofVariable, symbol));
  CHECK_EQ(hipFree(ofVariable), hipErrorInvalidValue); // a variable is nobody's to free
  CHECK_EQ(hipGetLastError(), hipErrorInvalidValue);
  HIP_CHECK(hipGetLastError());
}

/// The device sees the initial values and the host what kernels have written, however the variable is declared.
TEST(spellingsOfManaged) {
  CHECK_EQ(managedUsual + managedReversed + managedStatic + managedAnonymous.first + Holder<short>::value, 15);
  countManaged<<<1, 1>>>();
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(managedUsual, 11);
  CHECK_EQ(managedReversed, 12);
  CHECK_EQ(managedStatic, 13);
  CHECK_EQ(managedAnonymous.second, 4.5);
  CHECK_EQ(Holder<short>::value, 15);
  CHECK_EQ(fromSymbol(HIP_SYMBOL(managedStatic)), 13);
}

TEST(threads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < 50; ++i) {
        float value = float(t * 1000 + i), back = 0;
        HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(values), &value, sizeof value, t * sizeof(float)));
        HIP_CHECK(hipMemcpyFromSymbol(&back, HIP_SYMBOL(values), sizeof back, t * sizeof(float)));
        if (back != value)
          std::abort();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

int main(int argc, char **argv) { return runTests(argc, argv); }

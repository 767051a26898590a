// SPDX-License-Identifier: MIT
// Arithmetic: option prices, the Mandelbrot set, random numbers, and chains of multiply-add that show the peak.
#include "suite.h"

namespace {
using namespace bench;

constexpr int kOptions = 1 << 20;

__device__ float normal(float x) {
  const float k = 1 / (1 + 0.2316419f * fabsf(x));
  const float tail =
      0.39894228040143267794f * expf(-0.5f * x * x) *
      (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return x > 0 ? 1 - tail : tail;
}

__global__ void blackScholes(const float *price, const float *strike, const float *years, float *call, float *put,
                             float rate, float volatility, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float root = sqrtf(years[i]);
  const float d1 =
      (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
  const float d2 = d1 - volatility * root;
  const float n1 = normal(d1), n2 = normal(d2), discount = strike[i] * expf(-rate * years[i]);
  call[i] = price[i] * n1 - discount * n2;
  put[i] = discount * (1 - n2) - price[i] * (1 - n1);
}

Case makeBlackScholes() {
  struct Data {
    HostArray<float> price{kOptions}, strike{kOptions}, years{kOptions}, call{kOptions}, put{kOptions};
    DeviceArray<float> dPrice{price}, dStrike{strike}, dYears{years}, dCall{kOptions}, dPut{kOptions};
  };
  auto d = std::make_shared<Data>();
  unsigned seed = 11;
  for (HostArray<float> *array : {&d->price, &d->strike, &d->years}) {
    fillRandom(*array, seed++);
    for (size_t i = 0; i < array->size(); ++i)
      (*array)[i] = array == &d->years ? 0.25f + 9.75f * (*array)[i] : 5 + 95 * (*array)[i];
  }
  d->dPrice.set(d->price);
  d->dStrike.set(d->strike);
  d->dYears.set(d->years);
  constexpr float kRate = 0.02f, kVolatility = 0.3f;
  Case c;
  c.name = "black-scholes";
  c.work = kOptions / 1e9;
  c.unit = "Goptions/s";
  c.hip = [=] {
    blackScholes<<<blocks(kOptions, 256), 256>>>(d->dPrice.get(), d->dStrike.get(), d->dYears.get(), d->dCall.get(),
                                                 d->dPut.get(), kRate, kVolatility, kOptions);
  };
  c.native = [=] {
    nativeBlackScholes(d->price.get(), d->strike.get(), d->years.get(), d->call.get(), d->put.get(), kRate, kVolatility,
                       kOptions);
  };
  ClLaunch launch{"blackScholes", {kOptions}, {256}, {}};
  for (HostArray<float> *array : {&d->price, &d->strike, &d->years, &d->call, &d->put})
    launch.args.push_back(ClArg::buffer(array->get(), array->bytes()));
  launch.args.insert(launch.args.end(), {ClArg::of(kRate), ClArg::of(kVolatility), ClArg::of(kOptions)});
  c.opencl = {launch};
  c.check = [=] {
    return agree(d->dCall.values(), d->call.get(), 1e-4) && agree(d->dPut.values(), d->put.get(), 1e-4);
  };
  return c;
}

constexpr int kSide = 1024, kRounds = 256;

__global__ void mandelbrot(int *counts, int side, int rounds) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  const float cx = -2.0f + 3.0f * px / side, cy = -1.5f + 3.0f * py / side;
  float x = 0, y = 0;
  int n = 0;
  while (n < rounds && x * x + y * y < 4) {
    const float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    ++n;
  }
  counts[py * side + px] = n;
}

Case makeMandelbrot() {
  struct Data {
    HostArray<int> counts{size_t(kSide) * kSide};
    DeviceArray<int> deviceCounts{counts};
  };
  auto d = std::make_shared<Data>();
  Case c;
  c.name = "mandelbrot";
  c.work = double(kSide) * kSide / 1e9;
  c.unit = "Gpixels/s";
  c.hip = [=] { mandelbrot<<<dim3(kSide / 32, kSide / 8), dim3(32, 8)>>>(d->deviceCounts.get(), kSide, kRounds); };
  c.native = [=] { nativeMandelbrot(d->counts.get(), kSide, kRounds); };
  c.opencl = {{"mandelbrot",
               {kSide, kSide},
               {32, 8},
               {ClArg::buffer(d->counts.get(), d->counts.bytes()), ClArg::of(kSide), ClArg::of(kRounds)}}};
  c.check = [=] { // points at the edge of the set depend on the last bit
    const std::vector<int> found = d->deviceCounts.values();
    size_t different = 0;
    for (size_t i = 0; i < found.size(); ++i)
      different += found[i] != d->counts[i];
    return different < found.size() / 100;
  };
  return c;
}

constexpr int kWalkers = 1 << 16, kDraws = 256;

__global__ void monteCarlo(unsigned *hits, int draws) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned state = i * 2654435761u + 12345u, inside = 0;
  for (int k = 0; k < draws; ++k) {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    const float x = (state >> 8) * (1.0f / (1 << 24));
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    const float y = (state >> 8) * (1.0f / (1 << 24));
    if (x * x + y * y < 1)
      ++inside;
  }
  hits[i] = inside;
}

Case makeMonteCarlo() {
  struct Data {
    HostArray<unsigned> hits{kWalkers};
    DeviceArray<unsigned> deviceHits{hits};
  };
  auto d = std::make_shared<Data>();
  Case c;
  c.name = "monte carlo";
  c.work = double(kWalkers) * kDraws / 1e9;
  c.unit = "Gdraws/s";
  c.hip = [=] { monteCarlo<<<kWalkers / 256, 256>>>(d->deviceHits.get(), kDraws); };
  c.native = [=] { nativeMonteCarlo(d->hits.get(), kWalkers, kDraws); };
  c.opencl = {{"monteCarlo", {kWalkers}, {256}, {ClArg::buffer(d->hits.get(), d->hits.bytes()), ClArg::of(kDraws)}}};
  c.check = [=] { return agree(d->deviceHits.values(), d->hits.get(), 0.02); };
  return c;
}

constexpr int kThreads = 1 << 14, kSteps = 2048, kChains = 8;

template <class T> __global__ void chains(T *out, T factor, T addend, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T value[kChains];
  for (int k = 0; k < kChains; ++k)
    value[k] = T(i + k);
  for (int step = 0; step < steps; ++step)
    for (int k = 0; k < kChains; ++k)
      value[k] = value[k] * factor + addend;
  T sum = 0;
  for (int k = 0; k < kChains; ++k)
    sum += value[k];
  out[i] = sum;
}

template <class T> Case makeChains(const char *name) {
  struct Data {
    HostArray<T> out{kThreads};
    DeviceArray<T> deviceOut{out};
  };
  auto d = std::make_shared<Data>();
  constexpr T kFactor = T(0.999), kAddend = T(0.001);
  Case c;
  c.name = name;
  c.work = 2.0 * kThreads * kSteps * kChains / 1e9;
  c.unit = "GFLOP/s";
  c.hip = [=] { chains<T><<<kThreads / 256, 256>>>(d->deviceOut.get(), kFactor, kAddend, kSteps); };
  c.native = [=] { nativeChains(d->out.get(), kFactor, kAddend, kThreads, kSteps); };
  c.opencl = {
      {sizeof(T) == 4 ? "chainsFloat" : "chainsDouble",
       {kThreads},
       {256},
       {ClArg::buffer(d->out.get(), d->out.bytes()), ClArg::of(kFactor), ClArg::of(kAddend), ClArg::of(kSteps)}}};
  c.check = [=] { return agree(d->deviceOut.values(), d->out.get(), 1e-3); };
  return c;
}

const Cases cases{makeBlackScholes, makeMandelbrot, makeMonteCarlo, [] { return makeChains<float>("fma float"); },
                  [] { return makeChains<double>("fma double"); }};

} // namespace

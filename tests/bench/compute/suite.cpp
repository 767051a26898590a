// SPDX-License-Identifier: MIT
// bench_compute [--filter=TEXT] [--rounds=N] [--csv=FILE] [--processor-time] [--hip]: the table of all cases. The forms of a case run in
// turn, so that whatever else the machine does meets all of them; the figure of each is the median of its rounds. With --hip only
// the kernels are measured, and their results are still compared. On a machine
// that is busy with other work --processor-time counts the time of the processors in place of the time that passes, takes the
// best round, and divides by the number of threads; OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0 keep idle threads out of it.
#include "suite.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <thread>

namespace bench {

void checkHip(hipError_t error, const char *what) {
  if (error == hipSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", what, hipGetErrorName(error));
  std::exit(1);
}

namespace {

std::vector<Maker> &registry() {
  static std::vector<Maker> makers;
  return makers;
}

using Clock = std::chrono::steady_clock;
constexpr double kRoundSeconds = 0.05;

bool processorTime = false;

double now() {
  if (!processorTime)
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double(time.tv_sec) + double(time.tv_nsec) * 1e-9) / std::max(1u, std::thread::hardware_concurrency());
}

double secondsOf(const std::function<void()> &run) {
  const double begin = now();
  run();
  return now() - begin;
}

/// One form of a case: how often it is repeated in a round, and what the rounds took.
struct Form {
  std::function<void()> run;
  unsigned repeat = 1;
  std::vector<double> seconds;

  void warmUp() {
    secondsOf(run);
    repeat = std::max(1u, unsigned(kRoundSeconds / std::max(secondsOf(run), 1e-7)));
  }
  void round() {
    // Until the threads of the form before no longer spin: OpenMP's take a processor from the others for some milliseconds.
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    seconds.push_back(secondsOf([this] {
                        for (unsigned i = 0; i < repeat; ++i)
                          run();
                      }) /
                      repeat);
  }
  double figure() {
    std::sort(seconds.begin(), seconds.end());
    return seconds[processorTime ? 0 : seconds.size() / 2];
  }
};

struct Means {
  double logs = 0;
  int count = 0;
  void add(double ratio) { logs += std::log(ratio), ++count; }
  double mean() const { return count ? std::exp(logs / count) : 0; }
};

} // namespace

Cases::Cases(std::initializer_list<Maker> makers) { registry().insert(registry().end(), makers.begin(), makers.end()); }
const std::vector<Maker> &allCases() { return registry(); }

} // namespace bench

int main(int count, char **arguments) {
  using namespace bench;
  std::string filter;
  unsigned rounds = 7;
  FILE *csv = nullptr;
  bool isAlone = false;
  for (int i = 1; i < count; ++i) {
    if (!std::strncmp(arguments[i], "--filter=", 9))
      filter = arguments[i] + 9;
    else if (!std::strncmp(arguments[i], "--rounds=", 9))
      rounds = unsigned(std::max(1, std::atoi(arguments[i] + 9)));
    else if (!std::strncmp(arguments[i], "--csv=", 6))
      csv = std::fopen(arguments[i] + 6, "w");
    else if (!std::strcmp(arguments[i], "--processor-time"))
      processorTime = true;
    else if (!std::strcmp(arguments[i], "--hip"))
      isAlone = true;
    else {
      std::fprintf(stderr,
                   "usage: bench_compute [--filter=TEXT] [--rounds=N] [--csv=FILE] [--processor-time] [--hip]\n");
      return 2;
    }
  }
  OpenCl opencl;
  std::printf("OpenCL: %s\n", opencl.description().c_str());
  std::printf("%-22s %22s %22s %22s %8s %8s\n", "kernel", "HIP", "OpenMP", "OpenCL", "OpenMP/", "OpenCL/");
  if (csv)
    std::fprintf(csv, "kernel,unit,hip,openmp,opencl\n");
  Means overNative, overOpenCl;
  bool allAgree = true;
  for (const Maker &make : allCases()) {
    Case one = make();
    if (one.name.find(filter) == std::string::npos)
      continue;
    std::vector<Form> forms;
    forms.push_back({.run = [&] {
      one.hip();
      HIP(hipDeviceSynchronize());
    }});
    if (!isAlone)
      forms.push_back({.run = one.native});
    if (!isAlone && opencl.available() && !one.opencl.empty() && opencl.prepare(one.opencl))
      forms.push_back({.run = [&] { opencl.run(); }});
    forms[0].run();
    one.native();
    const bool agrees = one.check();
    allAgree = allAgree && agrees;
    for (Form &form : forms)
      form.warmUp();
    for (unsigned round = 0; round < rounds; ++round)
      for (Form &form : forms)
        form.round();
    const auto figureOf = [&](size_t form) { return form < forms.size() ? forms[form].figure() : 0; };
    const double hip = figureOf(0), native = figureOf(1), other = figureOf(2);
    auto figure = [&](double seconds) {
      char text[64] = "";
      if (seconds > 0)
        std::snprintf(text, sizeof text, "%.4g %s", one.work / seconds, one.unit);
      return std::string(text);
    };
    if (native > 0)
      overNative.add(native / hip);
    if (other > 0)
      overOpenCl.add(other / hip);
    std::printf("%-22s %22s %22s %22s %8.2f ", one.name.c_str(), figure(hip).c_str(), figure(native).c_str(),
                figure(other).c_str(), native / hip);
    char ratio[16] = "";
    if (other > 0)
      std::snprintf(ratio, sizeof ratio, "%.2f", other / hip);
    std::printf("%8s%s\n", ratio, agrees ? "" : "  DISAGREES");
    if (csv)
      std::fprintf(csv, "%s,%s,%.6g,%.6g,%.6g\n", one.name.c_str(), one.unit, one.work / hip,
                   native > 0 ? one.work / native : 0.0, other > 0 ? one.work / other : 0.0);
    std::fflush(stdout);
  }
  std::printf("geometric mean: OpenMP's time over HIP's %.3f (%d)", overNative.mean(), overNative.count);
  if (overOpenCl.count)
    std::printf(", OpenCL's %.3f (%d)", overOpenCl.mean(), overOpenCl.count);
  std::printf("\n");
  if (csv)
    std::fclose(csv);
  return allAgree ? 0 : 1;
}

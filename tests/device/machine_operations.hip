// SPDX-License-Identifier: MIT
// Operations of gfx1030, or those of gfx1100 if HIPLZ_TEST_AMD_TARGET says so, on edge values and random ones, against the models of
// machine_models. The kernels are in tests/data/amdgcn/operations.co and operations-gfx1100.co, which make.sh there makes of the lines
// that `machine_operations --list` prints.
#include "check.h"
#include "code_objects.h"
#include "machine_models/buffers.h"
#include "machine_models/comparisons.h"
#include "machine_models/generation11.h"
#include "machine_models/halves.h"
#include "machine_models/integers.h"
#include "machine_models/lanes.h"
#include "machine_models/masks.h"
#include "machine_models/memory.h"
#include "machine_models/modes.h"
#include "machine_models/numbers.h"
#include "machine_models/packed.h"
#include "machine_models/scalars.h"
#include "machine_models/typed_buffers.h"
#include "src/amdgcn/translator/checked_operations.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <sstream>

constexpr unsigned kPerKernel = 16;

struct Result {
  uint64_t value;
  uint32_t bit, unused; // of the mask
};

static bool isGeneration11() { return amdTarget() == "gfx1100"; }

static Table operations() {
  Table t;
  addIntegers(t);
  addHalves(t);
  addPacked(t);
  addNumbers(t);
  addComparisons(t);
  addLanes(t);
  addMasks(t);
  addScalars(t);
  addMemory(t);
  addBuffers(t);
  addTypedBuffers(t);
  addModes(t);
  if (isGeneration11()) {
    t.erase(std::remove_if(t.begin(), t.end(),
                           [](const Operation &operation) { return !isOfGeneration11(operation.text); }),
            t.end());
    addGeneration11(t);
  }
  for (Operation &operation : t) // what is put together of parts may end between two
    operation.text.erase(operation.text.find_last_not_of("; ") + 1);
  return t;
}

/// The names of what a line checks, without the endings of encodings.
static std::set<std::string> subjects(const std::string &line) {
  std::set<std::string> names;
  auto add = [&](std::string text) {
    std::string name = text.substr(0, text.find(' '));
    for (const std::string ending : {"_dpp", "_sdwa"})
      if (name.size() > ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0)
        name.resize(name.size() - ending.size());
    names.insert(name);
  };
  size_t mark = line.find('!');
  if (mark == line.npos)
    add(line);
  for (; mark != line.npos; mark = line.find('!', mark + 1))
    add(line.substr(mark + 1));
  return names;
}

/// Numbers that are neighbours have neighbouring bits.
template <class T> static int64_t order(T bits) {
  constexpr T sign = T{1} << (8 * sizeof(T) - 1);
  return bits & sign ? -static_cast<int64_t>(bits & ~sign) : static_cast<int64_t>(bits);
}

static bool isRight(const Case &k, uint64_t actual) {
  if (k.isOpen || actual == k.result)
    return true;
  const auto low = static_cast<uint32_t>(actual), expected = static_cast<uint32_t>(k.result);
  if (k.kind == Kind::twice)
    return (std::isnan(d(k.result)) && std::isnan(d(actual))) ||
           (!std::isnan(d(actual)) && std::fabs(static_cast<double>(order(actual) - order(k.result))) <= k.distance);
  if (actual >> 32 != k.result >> 32 || k.kind == Kind::bits)
    return false;
  if (k.kind == Kind::highHalf)
    return std::isnan(h(low >> 16)) && std::isnan(h(expected >> 16)) && u16(low) == u16(expected);
  if (k.kind == Kind::halves) {
    auto same = [&](uint32_t a, uint32_t b) {
      return u16(a) == u16(b) || (std::isnan(h(u16(a))) && std::isnan(h(u16(b))));
    };
    return same(low, expected) && same(low >> 16, expected >> 16);
  }
  if (k.kind == Kind::half) {
    if ((low ^ expected) >> 16)
      return false;
    return (std::isnan(h(low)) && std::isnan(h(expected))) ||
           (!std::isnan(h(low)) && !std::isnan(h(expected)) &&
            std::abs(order<uint16_t>(u16(low)) - order<uint16_t>(u16(expected))) <= k.distance);
  }
  if (std::isnan(f(expected)) || std::isnan(f(low)))
    return std::isnan(f(expected)) && std::isnan(f(low));
  if (k.distance < 0) // an absolute one
    return std::fabs(f(low) - f(expected)) <= -k.distance;
  return std::abs(order(low) - order(expected)) <= k.distance;
}

static void fill(std::vector<Lane> &lanes, int round, std::mt19937_64 &random) {
  static const uint64_t edges[] = {0,
                                   1,
                                   31,
                                   32,
                                   0x80000000,
                                   0x7fffffff,
                                   0xffffffff,
                                   0x7f800000,
                                   0xff800000,
                                   0x7fc00000,
                                   0x7f800001,
                                   0xffa00000,
                                   0x3f800000,
                                   0xbf800000,
                                   0x80000001,
                                   0x007fffff,
                                   0x807fffff,
                                   0x00800000,
                                   0x7f7fffff,
                                   0x4f000000,
                                   0xcf000001,
                                   0x477ff000,
                                   0x33000000,
                                   0x3effffff,
                                   0x00007c00,
                                   0x0000fc00,
                                   0x7c010001,
                                   0x7bff3c00,
                                   0x80000400,
                                   0x8000000000000000,
                                   0x7ff0000000000000,
                                   0xfff0000000000000,
                                   0x7ff0000000000001,
                                   0x7ff8000000000000,
                                   0x3ff0000000000000,
                                   0x000fffffffffffff,
                                   0x0010000000000000,
                                   0x7fefffffffffffff,
                                   0x41dfffffffc00000,
                                   0xc1e0000000200000,
                                   0xffffffffffffffff,
                                   0x0c0a0806,
                                   0x00200004,
                                   0x007f0000,
                                   0x00400003};
  for (Lane &lane : lanes)
    for (uint64_t &value : lane.in) {
      value = random();
      if (round % 3 == 0)
        value = edges[random() % std::size(edges)];
      else if (round % 3 == 1) // numbers of like size
        value = (value & 0x807fffff807fffff) | 0x3f0000003e800000 | (random() % 4) << 55 | (random() % 8) << 23;
      else if (random() % 4 == 0)
        value &= 0x0000003f0000003f;
    }
}

static void checkLine(const Operation &operation, const std::vector<Lane> &lanes, const Result *results) {
  const std::string &text = operation.text;
  auto names = [&](const char *part) { return text.find(part) != text.npos; };
  const bool isScalar =
      names("s38") || names("s[38") || (subjects(text).begin()->rfind("s_", 0) == 0 && !names("v12") && !names("v[12"));
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const Lane &given = lanes[isScalar ? 0 : lane];
    auto word = [&](int i) { return static_cast<uint32_t>(given.in[i]); };
    Case k{lanes.data(), lane,    given.in[0], given.in[1], given.in[2],        given.in[3],
           word(0),      word(1), word(2),     word(3),     (word(3) & 1) != 0, given.in[3]};
    operation.model(k);
    if (isRight(k, results[lane].value) && (k.isOpen || (results[lane].bit != 0) == k.mask))
      continue;
    std::fprintf(stderr, "%s: %016llx %016llx %016llx %016llx gives %016llx %u, expected %016llx %u (lane %u)\n",
                 operation.text.c_str(), (unsigned long long)k.A, (unsigned long long)k.B, (unsigned long long)k.C,
                 (unsigned long long)k.D, (unsigned long long)results[lane].value, results[lane].bit,
                 (unsigned long long)k.result, k.mask, lane);
    ++checkFailures;
    return;
  }
}

/// The translator refuses what is not checked: its list and the models are the same.
static void checkList(const Table &all) {
  std::set<std::string> modelled(std::begin(hiplz::amdgcn::kCheckedByPrograms),
                                 std::end(hiplz::amdgcn::kCheckedByPrograms));
  for (const Operation &operation : all)
    modelled.merge(subjects(operation.text));
  std::set<std::string> listed;
  if (isGeneration11())
    listed.insert(std::begin(hiplz::amdgcn::kCheckedOfGeneration11), std::end(hiplz::amdgcn::kCheckedOfGeneration11));
  else
    listed.insert(std::begin(hiplz::amdgcn::kCheckedOperations), std::end(hiplz::amdgcn::kCheckedOperations));
  for (const std::string &name : listed)
    if (!modelled.count(name)) {
      std::fprintf(stderr, "no model: %s\n", name.c_str());
      ++checkFailures;
    }
}

int main(int argc, char **argv) {
  const Table all = operations();
  if (argc > 1 && std::string(argv[1]) == "--list") {
    for (const Operation &operation : all)
      std::printf("%s\n", operation.text.c_str());
    return 0;
  }
  std::ifstream list(codeObjectPath("operations.txt"));
  size_t count = 0;
  for (std::string line; std::getline(list, line); ++count)
    if (count >= all.size() || line != all[count].text) {
      std::fprintf(stderr, "operations.txt differs from the models at '%s': run tests/data/amdgcn/make.sh\n",
                   line.c_str());
      return 1;
    }
  CHECK_EQ(count, all.size());
  checkList(all);
  hipModule_t module = nullptr;
  HIP_CHECK(hipModuleLoad(&module, codeObjectPath("operations.co").c_str()));
  std::mt19937_64 random(30);
  std::vector<Lane> lanes(kLanes);
  Lane *in = nullptr;
  Result *out = nullptr;
  char *memory = nullptr;
  HIP_CHECK(hipMalloc(&in, kLanes * sizeof(Lane)));
  HIP_CHECK(hipMalloc(&out, kPerKernel * kLanes * sizeof(Result)));
  HIP_CHECK(hipMalloc(&memory, kLanes * 32));
  constexpr int kRounds = 24, kQuotientRounds = 400;
  auto isQuotient = [](const Operation &operation) { return operation.text.rfind("!v_div_scale", 0) == 0; };
  for (int round = 0; round < kQuotientRounds; ++round) {
    fill(lanes, round, random);
    HIP_CHECK(hipMemcpy(in, lanes.data(), kLanes * sizeof(Lane), hipMemcpyHostToDevice));
    for (size_t first = 0; first < all.size(); first += kPerKernel) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
      if (round >= kRounds &&
          std::none_of(begin, begin + std::min<std::ptrdiff_t>(kPerKernel, all.end() - begin), isQuotient))
        continue;
      hipFunction_t kernel = nullptr;
      HIP_CHECK(hipModuleGetFunction(&kernel, module, ("operations" + std::to_string(first / kPerKernel)).c_str()));
      void *arguments[] = {&in, &out, &memory};
      HIP_CHECK(hipModuleLaunchKernel(kernel, 1, 1, 1, kLanes, 1, 1, 0, nullptr, arguments, nullptr));
      std::vector<Result> results(kPerKernel * kLanes);
      HIP_CHECK(hipMemcpy(results.data(), out, results.size() * sizeof(Result), hipMemcpyDeviceToHost));
      for (size_t i = first; i < std::min(first + kPerKernel, all.size()); ++i)
        checkLine(all[i], lanes, &results[(i - first) * kLanes]);
    }
  }
  void *arguments[] = {&in, &out, &memory};
  auto launch = [&](const char *name) {
    hipFunction_t kernel = nullptr;
    HIP_CHECK(hipModuleGetFunction(&kernel, module, name));
    return hipModuleLaunchKernel(kernel, 1, 1, 1, kLanes, 1, 1, 0, nullptr, arguments, nullptr);
  };
  auto resultOf = [&](const char *name) {
    HIP_CHECK(hipMemset(out, 0, sizeof(Result)));
    HIP_CHECK(launch(name));
    Result result;
    HIP_CHECK(hipMemcpy(&result, out, sizeof result, hipMemcpyDeviceToHost));
    return static_cast<uint32_t>(result.value);
  };
  // Behind a call of what never returns there may be no more code.
  CHECK_EQ(resultOf("ends_in_call"), 7u);
  CHECK_EQ(resultOf("jumps_far"), 341u);
  CHECK_EQ(resultOf("begins_in_another_mode"), 0x0f0u);
  CHECK_EQ(resultOf("begins_rounding_up"), 0x3f800001u);
  // Exceptions are refused where the code asks for them, and a fault where data does.
  CHECK_EQ(launch("traps"), hipErrorSharedObjectInitFailed);
  if (isGeneration11())
    for (const char *name : {"half_of_a_word", "mixed_with_other_lanes", "compares_some_lanes", "compares_rows",
                             "multiplies_matrices", "asks_the_host"})
      CHECK_EQ(launch(name), hipErrorSharedObjectInitFailed);
  HIP_CHECK(hipMemset(in, 0, sizeof(Lane)));
  CHECK_EQ(resultOf("traps_as_told"), 0u);
  HIP_CHECK(hipMemset(in, 1, sizeof(Lane)));
  HIP_CHECK(launch("traps_as_told"));
  CHECK_EQ(hipDeviceSynchronize(), hipErrorLaunchFailure); // the device is lost
  return testResult();
}

// SPDX-License-Identifier: MIT
// Modules beyond plain SPIR-V: specialisation constants; half precision, and which functions there are.
#include "support.h"

#include <array>
#include <cmath>

namespace {

using Values = std::array<double, 6>;

class SpecConstants : public KernelTest {
protected:
  struct Constant {
    uint32_t identifier;
    const void *value;
  };
  ze_result_t build(const std::vector<Constant> &constants, ze_module_handle_t *built) {
    std::vector<uint32_t> identifiers;
    std::vector<const void *> values;
    for (const Constant &constant : constants) {
      identifiers.push_back(constant.identifier);
      values.push_back(constant.value);
    }
    ze_module_constants_t all{static_cast<uint32_t>(constants.size()), identifiers.data(), values.data()};
    const std::vector<uint8_t> spirv = readKernelFile("spec_constants.spv");
    ze_module_desc_t desc = spirvModule(spirv, nullptr, constants.empty() ? nullptr : &all);
    return zeModuleCreate(context, dev, &desc, built, nullptr);
  }
  /// The value that the kernel reads with these constants.
  Values valuesWith(const std::vector<Constant> &constants) {
    Values values{};
    ze_module_handle_t built = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, build(constants, &built));
    if (!built)
      return values;
    ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "tell"};
    ze_kernel_handle_t tell = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelCreate(built, &desc, &tell));
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelSetGroupSize(tell, 1, 1, 1));
    auto *memory = device<double>(values.size());
    setArguments(tell, memory);
    const ze_group_count_t one{1, 1, 1};
    auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListAppendLaunchKernel(list, tell, &one, nullptr, 0, nullptr));
    EXPECT_EQ(ZE_RESULT_SUCCESS,
              zeCommandListAppendMemoryCopy(list, values.data(), memory, sizeof values, nullptr, 0, nullptr));
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelDestroy(tell));
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleDestroy(built));
    return values;
  }
};

TEST_F(SpecConstants, HaveTheirDefaults) { EXPECT_EQ((Values{1, 2, 3, 4, 5.5, 6.5}), valuesWith({})); }

TEST_F(SpecConstants, AreReplacedByValuesOfTheirTypes) {
  // Wider than the constants: what lies behind must not be read.
  const uint64_t ones = UINT64_MAX;
  const int32_t number = -70000;
  const int64_t large = int64_t{1} << 40;
  const float single = -0.25f;
  const double twice = 1e100;
  EXPECT_EQ((Values{-1, -1, -70000, 0x1p40, -0.25, 1e100}),
            valuesWith({{1, &ones}, {2, &ones}, {3, &number}, {40, &large}, {5, &single}, {6, &twice}}));
  // Another value is another program.
  const int32_t other = 17;
  EXPECT_EQ((Values{1, 2, 17, 4, 5.5, 6.5}), valuesWith({{3, &other}}));
  EXPECT_EQ((Values{1, 2, 3, 4, 5.5, 6.5}), valuesWith({}));
}

TEST_F(SpecConstants, OfOtherModulesAreIgnored) {
  const int32_t number = 9;
  EXPECT_EQ((Values{1, 2, 3, 4, 5.5, 6.5}), valuesWith({{77, &number}}));
}

TEST_F(SpecConstants, NeedValues) {
  ze_module_handle_t built = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, build({{3, nullptr}}, &built));
  const std::vector<uint8_t> spirv = readKernelFile("spec_constants.spv");
  ze_module_constants_t none{1, nullptr, nullptr};
  ze_module_desc_t desc = spirvModule(spirv, nullptr, &none);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeModuleCreate(context, dev, &desc, &built, nullptr));
  EXPECT_FALSE(built);
}

class Halfs : public KernelTest {
protected:
  using Half = uint16_t;
  static float single(Half half) {
    const float magnitude = (half & 0x7c00)
                                ? std::ldexp(static_cast<float>((half & 0x3ff) | 0x400), (half >> 10 & 31) - 25)
                                : std::ldexp(static_cast<float>(half & 0x3ff), -24);
    return half & 0x8000 ? -magnitude : magnitude;
  }
  /// Runs a kernel for as many work-items as there are values in its first argument.
  std::vector<Half> run(const char *name, const std::vector<std::vector<Half>> &in, size_t out) {
    const std::vector<uint8_t> spirv = readKernelFile("half.spv");
    ze_module_desc_t desc = spirvModule(spirv);
    ze_module_handle_t built = nullptr;
    ze_kernel_handle_t made = nullptr;
    ze_kernel_desc_t kernelDesc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name};
    std::vector<Half> result(out);
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleCreate(context, dev, &desc, &built, nullptr));
    if (!built)
      return result;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelCreate(built, &kernelDesc, &made));
    auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    uint32_t index = 0;
    for (const std::vector<Half> &values : in) {
      auto *memory = device<Half>(values.size());
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListAppendMemoryCopy(list, memory, values.data(),
                                                                 values.size() * sizeof(Half), nullptr, 0, nullptr));
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelSetArgumentValue(made, index++, sizeof memory, &memory));
    }
    auto *memory = device<Half>(out);
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelSetArgumentValue(made, index, sizeof memory, &memory));
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelSetGroupSize(made, static_cast<uint32_t>(in[0].size()), 1, 1));
    const ze_group_count_t one{1, 1, 1};
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListAppendLaunchKernel(list, made, &one, nullptr, 0, nullptr));
    EXPECT_EQ(ZE_RESULT_SUCCESS,
              zeCommandListAppendMemoryCopy(list, result.data(), memory, out * sizeof(Half), nullptr, 0, nullptr));
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelDestroy(made));
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleDestroy(built));
    return result;
  }
};

TEST_F(Halfs, FunctionsReturnASecondResultThroughAPointer) {
  const std::vector<Half> in{0x3e00, 0xc100, 0x4560, 0x3400, 0xb800, 0x4900, 0x4a80, 0xc4c0}; // 1.5, -2.5, 5.375 ...
  const std::vector<Half> out = run("pointers", {in}, 12 * in.size());
  for (size_t index = 0; index < in.size(); ++index) {
    const float x = single(in[index]);
    auto at = [&](size_t column) { return single(out[12 * index + column]); };
    float whole = 0;
    const float part = std::modf(x, &whole);
    EXPECT_EQ(part, at(0)) << x;
    EXPECT_EQ(whole, at(1)) << x;
    EXPECT_EQ(x - std::floor(x), at(2)) << x;
    EXPECT_EQ(std::floor(x), at(3)) << x;
    EXPECT_NEAR(std::sin(x), at(4), 1e-3) << x;
    EXPECT_NEAR(std::cos(x), at(5), 1e-3) << x;
    int exponent = 0;
    EXPECT_EQ(std::frexp(x, &exponent), at(6)) << x;
    EXPECT_EQ(static_cast<float>(exponent), at(7)) << x;
    EXPECT_EQ(-part, at(8)) << x;
    EXPECT_EQ(-whole, at(9)) << x;
    EXPECT_EQ(part, at(10)) << x;
    EXPECT_EQ(whole, at(11)) << x;
  }
}

TEST_F(Halfs, HaveNeighboursOfTheirOwn) {
  struct Case {
    Half x, y, next;
  };
  const Case cases[] = {{0x3c00, 0x4000, 0x3c01}, {0x3c00, 0x0000, 0x3bff}, {0xbc00, 0xc000, 0xbc01},
                        {0xbc00, 0x0000, 0xbbff}, {0x0000, 0x3c00, 0x0001}, {0x0000, 0xbc00, 0x8001},
                        {0x8000, 0x3c00, 0x0001}, {0x3c00, 0x3c00, 0x3c00}, {0x0000, 0x8000, 0x8000},
                        {0x7bff, 0x7c00, 0x7c00}, {0x7c00, 0x0000, 0x7bff}, {0x0001, 0x0000, 0x0000},
                        {0x03ff, 0x3c00, 0x0400}, {0x3c00, 0xbc00, 0x3bff}, {0x8001, 0x0000, 0x8000}};
  std::vector<Half> x, y;
  for (const Case &one : cases) {
    x.push_back(one.x);
    y.push_back(one.y);
  }
  x.push_back(0x7e00); // not a number
  y.push_back(0x3c00);
  const std::vector<Half> out = run("neighbours", {x, y}, x.size());
  for (size_t index = 0; index < std::size(cases); ++index)
    EXPECT_EQ(cases[index].next, out[index]) << std::hex << cases[index].x << " " << cases[index].y;
  EXPECT_GT(out.back() & 0x7fff, 0x7c00);
}

// Calls of every built-in function of OpenCL C, apart from images, pipes and enqueuing, with all types (opencl_functions.py).
class OpenClFunctions : public DriverTest, public testing::WithParamInterface<const char *> {};

TEST_P(OpenClFunctions, AreThere) {
  const std::vector<uint8_t> spirv = readKernelFile(std::string("opencl_") + GetParam() + ".spv");
  ASSERT_FALSE(spirv.empty());
  ze_module_desc_t desc = spirvModule(spirv);
  ze_module_handle_t built = nullptr;
  ze_module_build_log_handle_t log = nullptr;
  const ze_result_t result = zeModuleCreate(context, dev, &desc, &built, &log);
  std::vector<char> text(1 << 16);
  size_t size = text.size();
  ZE_OK(zeModuleBuildLogGetString(log, &size, text.data()));
  ZE_OK(zeModuleBuildLogDestroy(log));
  ASSERT_EQ(ZE_RESULT_SUCCESS, result) << text.data();
  ze_module_properties_t properties{ZE_STRUCTURE_TYPE_MODULE_PROPERTIES, nullptr, 0};
  ZE_OK(zeModuleGetProperties(built, &properties));
  EXPECT_EQ(0u, properties.flags) << text.data(); // a function that is not known would be an import
  ZE_OK(zeModuleDestroy(built));
}
INSTANTIATE_TEST_SUITE_P(Family, OpenClFunctions,
                         testing::Values("math", "integers", "memory", "conversions", "synchronization"),
                         [](const auto &family) { return std::string(family.param); });

} // namespace

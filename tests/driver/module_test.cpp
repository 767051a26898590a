// SPDX-License-Identifier: MIT
// What modules are built from beside SPIR-V: specialisation constants.
#include "support.h"

#include <array>
#include <optional>

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
    ze_module_desc_t desc{
        ZE_STRUCTURE_TYPE_MODULE_DESC,     nullptr, ZE_MODULE_FORMAT_IL_SPIRV, spirv.size(), spirv.data(), nullptr,
        constants.empty() ? nullptr : &all};
    return zeModuleCreate(context, dev, &desc, built, nullptr);
  }
  /// What the kernel reads with these constants.
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
  ze_module_desc_t desc{
      ZE_STRUCTURE_TYPE_MODULE_DESC, nullptr, ZE_MODULE_FORMAT_IL_SPIRV, spirv.size(), spirv.data(), nullptr, &none};
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeModuleCreate(context, dev, &desc, &built, nullptr));
  EXPECT_FALSE(built);
}

} // namespace

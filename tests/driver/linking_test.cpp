// SPDX-License-Identifier: MIT
// Modules that import from each other, and the addresses of their functions.
#include "support.h"

#include <algorithm>
#include <thread>

namespace {

using Modules = std::vector<ze_module_handle_t>;

class Linking : public DriverTest {
protected:
  void TearDown() override {
    for (ze_kernel_handle_t kernel : kernels_)
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelDestroy(kernel));
    for (ze_module_handle_t module : modules_)
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleDestroy(module));
    DriverTest::TearDown();
  }
  /// A part of kernels/linking.cl.
  ze_module_handle_t part(const std::string &name) {
    const std::vector<uint8_t> spirv = readKernelFile("linking_" + name + ".spv");
    ze_module_desc_t desc = spirvModule(spirv);
    return create(desc);
  }
  ze_module_handle_t create(const ze_module_desc_t &desc) {
    ze_module_handle_t made = nullptr;
    ze_module_build_log_handle_t log = nullptr;
    const ze_result_t result = zeModuleCreate(context, dev, &desc, &made, &log);
    const std::string messages = log ? text(log) : "";
    EXPECT_EQ(ZE_RESULT_SUCCESS, result) << messages;
    if (made)
      modules_.push_back(made);
    return made;
  }
  void destroy(ze_module_handle_t module) {
    std::erase(modules_, module);
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleDestroy(module));
  }
  /// The same, built again from its native binary.
  ze_module_handle_t again(ze_module_handle_t module) {
    size_t size = 0;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleGetNativeBinary(module, &size, nullptr));
    std::vector<uint8_t> binary(size);
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleGetNativeBinary(module, &size, binary.data()));
    return create(
        {ZE_STRUCTURE_TYPE_MODULE_DESC, nullptr, ZE_MODULE_FORMAT_NATIVE, size, binary.data(), nullptr, nullptr});
  }
  static std::string text(ze_module_build_log_handle_t log) {
    size_t size = 0;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleBuildLogGetString(log, &size, nullptr));
    std::string text(size, '\0');
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleBuildLogGetString(log, &size, text.data()));
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleBuildLogDestroy(log));
    return text.c_str();
  }
  ze_result_t link(Modules modules, std::string *log = nullptr) {
    ze_module_build_log_handle_t handle = nullptr;
    const ze_result_t result = zeModuleDynamicLink(static_cast<uint32_t>(modules.size()), modules.data(), &handle);
    EXPECT_TRUE(handle);
    const std::string messages = handle ? text(handle) : "";
    if (log)
      *log = messages;
    else
      EXPECT_EQ(result == ZE_RESULT_SUCCESS, messages.empty()) << messages;
    return result;
  }
  std::string inspect(Modules modules, uint32_t flags) {
    ze_linkage_inspection_ext_desc_t desc{ZE_STRUCTURE_TYPE_LINKAGE_INSPECTION_EXT_DESC, nullptr, flags};
    ze_module_build_log_handle_t log = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS,
              zeModuleInspectLinkageExt(&desc, static_cast<uint32_t>(modules.size()), modules.data(), &log));
    return log ? text(log) : "";
  }
  static uint32_t flagsOf(ze_module_handle_t module) {
    ze_module_properties_t properties{ZE_STRUCTURE_TYPE_MODULE_PROPERTIES, nullptr, 0};
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleGetProperties(module, &properties));
    return properties.flags;
  }
  ze_kernel_handle_t kernel(ze_module_handle_t module, const char *name) {
    ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name};
    ze_kernel_handle_t made = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelCreate(module, &desc, &made)) << name;
    if (made)
      kernels_.push_back(made);
    return made;
  }
  /// Runs one work-group whose work-items write to, or change, these numbers; they are the last argument.
  template <class... First>
  std::vector<int> run(ze_kernel_handle_t made, std::vector<int> values, const First &...first) {
    if (!made)
      return {};
    auto *memory = device<int>(values.size());
    uint32_t index = 0;
    EXPECT_TRUE(((zeKernelSetArgumentValue(made, index++, sizeof first, &first) == ZE_RESULT_SUCCESS) && ...));
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelSetArgumentValue(made, index, sizeof memory, &memory));
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelSetGroupSize(made, static_cast<uint32_t>(values.size()), 1, 1));
    auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    const size_t bytes = values.size() * sizeof(int);
    const ze_group_count_t one{1, 1, 1};
    EXPECT_EQ(ZE_RESULT_SUCCESS,
              zeCommandListAppendMemoryCopy(list, memory, values.data(), bytes, nullptr, 0, nullptr));
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListAppendLaunchKernel(list, made, &one, nullptr, 0, nullptr));
    EXPECT_EQ(ZE_RESULT_SUCCESS,
              zeCommandListAppendMemoryCopy(list, values.data(), memory, bytes, nullptr, 0, nullptr));
    return values;
  }
  std::vector<int> run(ze_module_handle_t module, const char *name, std::vector<int> values) {
    return run(kernel(module, name), std::move(values));
  }
  static int *variable(ze_module_handle_t module, const char *name, size_t *size = nullptr) {
    void *pointer = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleGetGlobalPointer(module, name, size, &pointer)) << name;
    return static_cast<int *>(pointer);
  }
  static uint64_t function(ze_module_handle_t module, const char *name) {
    void *pointer = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleGetFunctionPointer(module, name, &pointer)) << name;
    return reinterpret_cast<uint64_t>(pointer);
  }
  static bool has(const std::string &log, const char *text) { return log.find(text) != std::string::npos; }

private:
  Modules modules_;
  std::vector<ze_kernel_handle_t> kernels_;
};

const std::vector<int> kEight(8, 0);
const std::vector<int> kResults{42, 7, 3, 6, 1004, 7, 1000, 0}; // of USER's kernel "run"

TEST_F(Linking, ResolvesFunctionsAndVariables) {
  auto *user = part("user"), *library = part("library");
  ASSERT_TRUE(user && library);
  EXPECT_EQ(uint32_t{ZE_MODULE_PROPERTY_FLAG_IMPORTS}, flagsOf(user));
  EXPECT_EQ(0u, flagsOf(library));
  ASSERT_EQ(ZE_RESULT_SUCCESS, link({user, library}));
  EXPECT_EQ(uint32_t{ZE_MODULE_PROPERTY_FLAG_IMPORTS}, flagsOf(user));
  EXPECT_EQ(kResults, run(user, "run", kEight));
}

TEST_F(Linking, IsWhatAModuleWithImportsWaitsFor) {
  auto *user = part("user");
  ASSERT_TRUE(user);
  ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "run"};
  ze_kernel_handle_t made = nullptr;
  void *pointer = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED, zeKernelCreate(user, &desc, &made));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED, zeModuleGetFunctionPointer(user, "helper", &pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED, zeModuleGetGlobalPointer(user, "own", nullptr, &pointer));
  EXPECT_FALSE(made || pointer);
  uint32_t count = 0;
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleGetKernelNames(user, &count, nullptr));
  EXPECT_EQ(2u, count);
  std::string log;
  EXPECT_EQ(ZE_RESULT_ERROR_MODULE_LINK_FAILURE, link({user}, &log));
  for (const char *name : {"function twice", "function count", "function turned", "variable counter", "variable table"})
    EXPECT_TRUE(has(log, name)) << name << ": " << log;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED, zeKernelCreate(user, &desc, &made));
}

TEST_F(Linking, LeavesVariablesWhereTheyAre) {
  auto *user = part("user"), *library = part("library");
  ASSERT_EQ(ZE_RESULT_SUCCESS, link({user, library}));
  // Internal ones too: each module has one called "hidden".
  EXPECT_EQ(11, run(user, "bump", {0})[0]);
  EXPECT_EQ((std::vector<int>{11, 3}), run(library, "look", {0, 0}));
  EXPECT_EQ(12, run(user, "bump", {0})[0]);
  const int changed = 70;
  auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  size_t size = 0;
  int *counter = variable(library, "counter", &size);
  EXPECT_EQ(sizeof changed, size);
  ZE_OK(zeCommandListAppendMemoryCopy(list, counter, &changed, sizeof changed, nullptr, 0, nullptr));
  const std::vector<int> values = run(user, "run", kEight);
  EXPECT_EQ(70, values[1]);
  EXPECT_EQ(70, values[5]); // through a pointer that was initialised with its address
  void *pointer = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_GLOBAL_NAME, zeModuleGetGlobalPointer(user, "counter", nullptr, &pointer));
}

TEST_F(Linking, OutlivesTheModulesItTookFrom) {
  auto *user = part("user"), *library = part("library");
  ASSERT_EQ(ZE_RESULT_SUCCESS, link({user, library}));
  destroy(library);
  EXPECT_EQ(kResults, run(user, "run", kEight));
  EXPECT_EQ(11, run(user, "bump", {0})[0]);
}

TEST_F(Linking, HappensOnce) {
  auto *user = part("user"), *library = part("library"), *other = part("other");
  ASSERT_EQ(ZE_RESULT_SUCCESS, link({user, library, user}));
  EXPECT_EQ(ZE_RESULT_SUCCESS, link({user, other}));
  EXPECT_EQ(42, run(user, "run", kEight)[0]);
  // Whatever exports something can be used again, with what it was linked with.
  auto *chain = part("chain");
  ASSERT_EQ(ZE_RESULT_SUCCESS, link({chain, user}));
  EXPECT_EQ(1042, run(chain, "chain", {21})[0]);
  EXPECT_EQ(ZE_RESULT_SUCCESS, link({library}));
}

TEST_F(Linking, GoesAlongChains) {
  auto *chain = part("chain"), *user = part("user"), *library = part("library");
  ASSERT_EQ(ZE_RESULT_SUCCESS, link({chain, library, user}));
  EXPECT_EQ(1042, run(chain, "chain", {21})[0]);
  EXPECT_EQ(kResults, run(user, "run", kEight));
}

TEST_F(Linking, GoesRoundInCircles) {
  auto *left = part("left"), *right = part("right");
  ASSERT_EQ(ZE_RESULT_SUCCESS, link({left, right}));
  EXPECT_EQ(56, run(left, "goRight", {5})[0]);
  const int changed = 10;
  auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ZE_OK(zeCommandListAppendMemoryCopy(list, variable(left, "fromLeft"), &changed, sizeof changed, nullptr, 0, nullptr));
  EXPECT_EQ(70, run(left, "goRight", {5})[0]);
  EXPECT_EQ(25, run(right, "goLeft", {5})[0]);
  destroy(left);
  EXPECT_EQ(25, run(right, "goLeft", {5})[0]);
}

TEST_F(Linking, RefusesWhatIsAmbiguous) {
  auto *user = part("user"), *library = part("library"), *other = part("other");
  std::string log;
  EXPECT_EQ(ZE_RESULT_ERROR_MODULE_LINK_FAILURE, link({user, library, other}, &log));
  EXPECT_TRUE(has(log, "several modules export twice")) << log;
  // Symbols that nobody imports may be defined any number of times; the failure has changed nothing.
  EXPECT_EQ(ZE_RESULT_SUCCESS, link({library, other}));
  EXPECT_EQ(ZE_RESULT_SUCCESS, link({user, library}));
  EXPECT_EQ(kResults, run(user, "run", kEight));
}

TEST_F(Linking, RefusesOtherTypes) {
  auto *user = part("user"), *misfit = part("misfit");
  std::string log;
  EXPECT_EQ(ZE_RESULT_ERROR_MODULE_LINK_FAILURE, link({user, misfit}, &log));
  EXPECT_TRUE(has(log, "count is a function in one module and a variable in another one")) << log;
  // With the same kind of thing of another type.
  const std::vector<uint8_t> first = readKernelFile("linking_chain.spv"), second = readKernelFile("linking_user.spv"),
                             third = readKernelFile("linking_misfit.spv");
  const uint8_t *inputs[] = {second.data(), third.data()};
  const size_t sizes[] = {second.size(), third.size()};
  ze_module_program_exp_desc_t several{
      ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC, nullptr, 2, sizes, inputs, nullptr, nullptr};
  ze_module_desc_t desc{
      ZE_STRUCTURE_TYPE_MODULE_DESC, &several, ZE_MODULE_FORMAT_IL_SPIRV, first.size(), first.data(), nullptr, nullptr};
  ze_module_handle_t made = nullptr;
  ze_module_build_log_handle_t build = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, zeModuleCreate(context, dev, &desc, &made, &build));
  log = text(build);
  EXPECT_TRUE(has(log, "has another type in one of the modules")) << log;
}

TEST_F(Linking, ListsImportsAndExports) {
  auto *user = part("user"), *library = part("library");
  const std::string all = inspect({user, library}, 0);
  EXPECT_TRUE(has(all, "imports:\n") && has(all, "unresolvable imports:\n") && has(all, "exports:\n")) << all;
  const std::string exports = inspect({library}, ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS);
  EXPECT_TRUE(has(exports, "function twice") && has(exports, "variable table") && has(exports, "function look"))
      << exports;
  EXPECT_FALSE(has(exports, "hidden") || has(exports, "next") || has(exports, "imports"));
  EXPECT_TRUE(has(inspect({user}, ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS), "function twice"));
  EXPECT_FALSE(has(inspect({user, library}, ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS), "twice"));
  EXPECT_TRUE(has(inspect({user, library}, ZE_LINKAGE_INSPECTION_EXT_FLAG_IMPORTS), "variable counter"));
  ze_linkage_inspection_ext_desc_t desc{ZE_STRUCTURE_TYPE_LINKAGE_INSPECTION_EXT_DESC, nullptr, 8};
  ze_module_build_log_handle_t log = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeModuleInspectLinkageExt(&desc, 1, &user, &log));
  desc.flags = 0;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeModuleInspectLinkageExt(nullptr, 1, &user, &log));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeModuleInspectLinkageExt(&desc, 1, nullptr, &log));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeModuleInspectLinkageExt(&desc, 1, &user, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeModuleDynamicLink(1, nullptr, nullptr));
}

TEST_F(Linking, WorksWithNativeBinaries) {
  auto *user = again(part("user")), *library = again(part("library"));
  ASSERT_TRUE(user && library);
  EXPECT_EQ(uint32_t{ZE_MODULE_PROPERTY_FLAG_IMPORTS}, flagsOf(user));
  ASSERT_EQ(ZE_RESULT_SUCCESS, link({user, library}));
  EXPECT_EQ(kResults, run(user, "run", kEight));
  auto *unlinked = again(user); // linking is not kept
  ASSERT_EQ(ZE_RESULT_SUCCESS, link({unlinked, library}));
  EXPECT_EQ(kResults, run(unlinked, "run", kEight));
}

TEST_F(Linking, OfSeveralModulesIntoOne) {
  std::vector<std::vector<uint8_t>> files;
  for (const char *name : {"user", "library", "second"})
    files.push_back(readKernelFile(std::string("linking_") + name + ".spv"));
  const uint8_t *inputs[] = {files[0].data(), files[2].data()};
  const size_t sizes[] = {files[0].size(), files[2].size()};
  const char *flags[] = {"-cl-mad-enable", nullptr};
  ze_module_program_exp_desc_t several{
      ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC, nullptr, 2, sizes, inputs, flags, nullptr};
  const uint8_t ignored = 0; // but the validation layer looks at it
  auto *module =
      create({ZE_STRUCTURE_TYPE_MODULE_DESC, &several, ZE_MODULE_FORMAT_IL_SPIRV, 1, &ignored, nullptr, nullptr});
  ASSERT_TRUE(module);
  ASSERT_EQ(ZE_RESULT_SUCCESS, link({module, part("library")}));
  EXPECT_EQ(kResults, run(module, "run", kEight));
  EXPECT_EQ(20, run(module, "second", {0})[0]);

  ze_module_handle_t made = nullptr;
  ze_module_desc_t desc{
      ZE_STRUCTURE_TYPE_MODULE_DESC, &several, ZE_MODULE_FORMAT_IL_SPIRV, 1, files[0].data(), nullptr, nullptr};
  inputs[1] = files[0].data();
  EXPECT_EQ(ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, zeModuleCreate(context, dev, &desc, &made, nullptr)); // defined twice
  inputs[1] = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeModuleCreate(context, dev, &desc, &made, nullptr));
  several.count = 0;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE, zeModuleCreate(context, dev, &desc, &made, nullptr));
}

TEST_F(Linking, ByManyThreads) {
  auto *library = part("library");
  std::vector<std::thread> threads;
  Modules users;
  for (int i = 0; i < 4; ++i)
    users.push_back(part("user"));
  std::vector<ze_result_t> results(users.size(), ZE_RESULT_ERROR_UNKNOWN);
  for (size_t i = 0; i < users.size(); ++i)
    threads.emplace_back([&, i] {
      ze_module_handle_t both[] = {users[i], library};
      results[i] = zeModuleDynamicLink(2, both, nullptr);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (size_t i = 0; i < users.size(); ++i) {
    EXPECT_EQ(ZE_RESULT_SUCCESS, results[i]);
    EXPECT_EQ(kResults, run(users[i], "run", kEight));
  }
}

TEST_F(Linking, FunctionPointersAreCalled) {
  auto *module = part("pointers");
  ASSERT_TRUE(module);
  EXPECT_EQ((std::vector<int>{2001, 3012, 4021, 5032}), run(module, "callOwn", {0, 0, 0, 0}));
  const uint64_t addOne = function(module, "addOne");
  EXPECT_EQ((std::vector<int>{2, 3, 4}), run(kernel(module, "call"), {1, 2, 3}, addOne));
  EXPECT_EQ((std::vector<int>{77, 77}), run(kernel(module, "callKernel"), {1, 2}, function(module, "store")));
  // That of another module, and of the same one loaded as native code.
  EXPECT_EQ((std::vector<int>{2, 4, 6}), run(kernel(module, "call"), {1, 2, 3}, function(part("library"), "twice")));
  auto *native = again(module);
  EXPECT_EQ((std::vector<int>{2, 3, 4}), run(kernel(native, "call"), {1, 2, 3}, function(native, "addOne")));
  void *pointer = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_FUNCTION_NAME, zeModuleGetFunctionPointer(module, "addTwo", &pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_FUNCTION_NAME, zeModuleGetFunctionPointer(module, "chosen", &pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeModuleGetFunctionPointer(module, nullptr, &pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeModuleGetFunctionPointer(module, "addOne", nullptr));
  EXPECT_FALSE(pointer);
}

TEST_F(Linking, KernelsTellTheAttributesOfTheirSource) {
  auto *user = part("user"), *library = part("library");
  ASSERT_EQ(ZE_RESULT_SUCCESS, link({user, library}));
  const std::string wanted = "reqd_work_group_size(8,1,1) vec_type_hint(char4)";
  ze_kernel_handle_t run = kernel(user, "run");
  uint32_t size = 0;
  char *own = nullptr;
  ZE_OK(zeKernelGetSourceAttributes(run, &size, &own));
  EXPECT_EQ(wanted.size() + 1, size);
  EXPECT_EQ(wanted, own);
  std::vector<char> buffer(size, 'x');
  char *copy = buffer.data();
  ZE_OK(zeKernelGetSourceAttributes(run, &size, &copy));
  EXPECT_EQ(wanted, copy);
  size = 5;
  ZE_OK(zeKernelGetSourceAttributes(run, &size, &copy));
  EXPECT_STREQ("reqd", copy);
  own = nullptr;
  ZE_OK(zeKernelGetSourceAttributes(kernel(library, "look"), &size, &own));
  EXPECT_EQ(1u, size);
  EXPECT_STREQ("", own);
}

} // namespace

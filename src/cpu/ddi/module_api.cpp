// SPDX-License-Identifier: MIT
// zeModule* and zeKernel*.
#include "amdgcn/object/code_object.h"
#include "base/log.h"
#include "cpu/check/uninitialized.h"
#include "cpu/ddi/entry_points.h"
#include "cpu/ddi/later_types.h"
#include "cpu/program/compiler_process.h"
#include "cpu/program/spec_constants.h"

#include <algorithm>
#include <cstring>

namespace hiplz::cpu::ddi {
namespace {

constexpr ze_kernel_indirect_access_flags_t kIndirectFlags = (ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED << 1) - 1;
constexpr ze_linkage_inspection_ext_flags_t kLinkageFlags = (ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS << 1) - 1;
constexpr ze_cache_config_flags_t kCacheFlags = (ZE_CACHE_CONFIG_FLAG_LARGE_DATA << 1) - 1;

void check(const ze_module_constants_t *constants) {
  if (!constants || !constants->numConstants)
    return;
  deref(constants->pConstantIds);
  deref(constants->pConstantValues);
  for (uint32_t index = 0; index < constants->numConstants; ++index)
    require(constants->pConstantValues[index], ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

/// The input of a module: its SPIR-V, of which an extension lets it have several parts, or its native binary.
struct Input {
  bool native = false;
  std::vector<LinkPart> parts;
  std::string flags;

  explicit Input(const ze_module_desc_t &desc) : native(desc.format == ZE_MODULE_FORMAT_NATIVE) {
    require(desc.format <= ZE_MODULE_FORMAT_NATIVE, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    const auto *several = findInChain<ze_module_program_exp_desc_t>(const_cast<void *>(desc.pNext),
                                                                    ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC);
    if (!several) {
      add(desc.pInputModule, desc.inputSize, desc.pBuildFlags, desc.pConstants);
      return;
    }
    require(!native, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    require(several->count, ZE_RESULT_ERROR_INVALID_SIZE);
    deref(several->inputSizes);
    deref(several->pInputModules);
    for (uint32_t i = 0; i < several->count; ++i)
      add(several->pInputModules[i], several->inputSizes[i], several->pBuildFlags ? several->pBuildFlags[i] : nullptr,
          several->pConstants ? several->pConstants[i] : nullptr);
  }

  std::unique_ptr<Program> build(std::string &log) const {
    if (native && amdgcn::isCodeObject(parts[0].spirv))
      check::trustAll();
    const bool isBinary =
        native && !amdgcn::isCodeObject(parts[0].spirv); // machine code has to be compiled like SPIR-V
    return isBinary ? Program::fromNative(parts[0].spirv, log) : Program::fromParts(parts, flags.c_str(), log);
  }

private:
  void add(const uint8_t *bytes, size_t size, const char *buildFlags, const ze_module_constants_t *constants) {
    deref(bytes);
    require(size != 0, ZE_RESULT_ERROR_INVALID_SIZE);
    check(constants);
    LinkPart part{0, "", {reinterpret_cast<const std::byte *>(bytes), size}};
    if (constants && constants->numConstants && !native)
      part.flags = specConstantFlags(readSpecConstants(part.spirv, {constants->pConstantIds, constants->numConstants},
                                                       {constants->pConstantValues, constants->numConstants}));
    if (buildFlags && *buildFlags)
      flags += (flags.empty() ? "" : " ") + std::string(buildFlags);
    parts.push_back(std::move(part));
  }
};

/// The program of a module with code and addresses.
std::shared_ptr<const Program> linkedProgram(ze_module_handle_t module) {
  auto program = Module::from(module).program();
  require(program->isLinked(), ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
  return program;
}

} // namespace

ze_result_t moduleCreate(ze_context_handle_t context, ze_device_handle_t device, const ze_module_desc_t *desc,
                         ze_module_handle_t *module, ze_module_build_log_handle_t *buildLog) {
  return guarded([&] {
    Context::from(context).requireDevice(Device::from(device));
    const Input input(deref(desc));
    deref(module);
    std::string log;
    ze_result_t failure = input.native ? ZE_RESULT_ERROR_INVALID_NATIVE_BINARY : ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
    std::shared_ptr<const Program> program;
    try {
      program = input.build(log);
    } catch (const CompilerMissing &missing) { // no fault of the module
      log = missing.what();
      failure = shortageResult(missing.error);
    }
    if (!program)
      HIPLZ_LOG_INFO("a module cannot be built: %s", log.c_str());
    std::shared_ptr<const BuildMessages> later = program ? program->messages() : nullptr;
    std::unique_ptr<Module> object = program ? std::make_unique<Module>(std::move(program)) : nullptr;
    if (buildLog)
      *buildLog = (new BuildLog(std::move(log), std::move(later)))->handle();
    if (!object)
      return failure;
    *module = object.release()->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t moduleDestroy(ze_module_handle_t module) {
  return guarded([&] {
    delete &Module::from(module);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t moduleDynamicLink(uint32_t count, ze_module_handle_t *modules, ze_module_build_log_handle_t *linkLog) {
  return guarded([&] {
    deref(modules);
    std::vector<Module *> objects;
    for (uint32_t i = 0; i < count; ++i) // one may stand there twice
      if (Module *object = &Module::from(modules[i]); std::ranges::find(objects, object) == objects.end())
        objects.push_back(object);
    std::vector<std::shared_ptr<const Program>> programs, linked;
    for (const Module *object : objects)
      programs.push_back(object->program());
    std::string log;
    ze_result_t result = ZE_RESULT_SUCCESS;
    try {
      if (!Program::link(programs, linked, log))
        result = ZE_RESULT_ERROR_MODULE_LINK_FAILURE;
    } catch (const CompilerMissing &missing) { // no fault of the modules
      log = missing.what();
      result = shortageResult(missing.error);
    }
    if (result != ZE_RESULT_SUCCESS)
      HIPLZ_LOG_INFO("modules cannot be linked: %s", log.c_str());
    for (size_t i = 0; i < linked.size(); ++i)
      if (linked[i])
        objects[i]->setProgram(std::move(linked[i]));
    if (linkLog)
      *linkLog = (new BuildLog(std::move(log), nullptr))->handle();
    return result;
  });
}

ze_result_t moduleInspectLinkageExt(ze_linkage_inspection_ext_desc_t *desc, uint32_t count, ze_module_handle_t *modules,
                                    ze_module_build_log_handle_t *log) {
  return guarded([&] {
    const ze_linkage_inspection_ext_flags_t flags = deref(desc).flags;
    deref(modules);
    deref(log);
    require(flags <= kLinkageFlags, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    std::vector<std::shared_ptr<const Program>> programs;
    for (uint32_t i = 0; i < count; ++i)
      programs.push_back(Module::from(modules[i]).program());
    auto exported = [&](const LinkSymbol &symbol) {
      return std::ranges::any_of(programs, [&](const auto &program) {
        return std::ranges::any_of(program->unit().exports, [&](const LinkSymbol &candidate) {
          return candidate.name == symbol.name && candidate.isFunction == symbol.isFunction;
        });
      });
    };
    std::string text;
    auto list = [&](uint32_t flag, const char *title, auto member, auto wanted) {
      if (flags && !(flags & flag)) // none: everything
        return;
      text += std::string(title) + ":\n";
      for (const auto &program : programs)
        for (const LinkSymbol &symbol : program->unit().*member)
          if (wanted(symbol))
            text += std::string("  ") + (symbol.isFunction ? "function " : "variable ") + symbol.name + "\n";
    };
    const auto all = [](const LinkSymbol &) { return true; };
    list(ZE_LINKAGE_INSPECTION_EXT_FLAG_IMPORTS, "imports", &ModuleUnit::imports, all);
    list(ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS, "unresolvable imports", &ModuleUnit::imports,
         [&](const LinkSymbol &symbol) { return !exported(symbol); });
    list(ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS, "exports", &ModuleUnit::exports, all);
    *log = (new BuildLog(std::move(text), nullptr))->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t moduleGetFunctionPointer(ze_module_handle_t module, const char *name, void **pointer) {
  return guarded([&] {
    Module::from(module);
    deref(name);
    deref(pointer);
    void *address = nullptr;
    try {
      address = linkedProgram(module)->findFunction(name);
    } catch (const CompilerMissing &missing) {
      HIPLZ_LOG_INFO("the code of %s cannot be made now: %s", name, missing.what());
      return shortageResult(missing.error);
    }
    require(address, ZE_RESULT_ERROR_INVALID_FUNCTION_NAME);
    *pointer = address;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t moduleBuildLogDestroy(ze_module_build_log_handle_t log) {
  return guarded([&] {
    delete &BuildLog::from(log);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t moduleBuildLogGetString(ze_module_build_log_handle_t log, size_t *size, char *text) {
  return guarded([&] { return stringInto(size, text, BuildLog::from(log).text()); });
}

ze_result_t moduleGetNativeBinary(ze_module_handle_t module, size_t *size, uint8_t *binary) {
  return guarded([&] {
    size_t room = deref(size);
    std::shared_ptr<const Program> program;
    std::span<const std::byte> bytes;
    try {
      program = Module::from(module).program();
      bytes = program->nativeBinary();
    } catch (const CompilerMissing &missing) {
      HIPLZ_LOG_INFO("the native binary cannot be made now: %s", missing.what());
      return shortageResult(missing.error);
    }
    require(!bytes.empty(), ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    *size = bytes.size();
    if (binary) {
      require(room >= bytes.size(), ZE_RESULT_ERROR_INVALID_SIZE);
      std::memcpy(binary, bytes.data(), bytes.size());
    }
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t moduleGetGlobalPointer(ze_module_handle_t module, const char *name, size_t *size, void **pointer) {
  return guarded([&] {
    Module::from(module);
    deref(name);
    const auto program = linkedProgram(module);
    const GlobalInfo *global = program->findGlobal(name);
    require(global, ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
    if (size)
      *size = global->size;
    if (pointer)
      *pointer = global->address;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t moduleGetKernelNames(ze_module_handle_t module, uint32_t *count, const char **names) {
  return guarded([&] {
    const std::vector<std::string> &kernels = Module::from(module).kernelNames();
    return listInto(count, names, kernels.size(),
                    [&](uint32_t index, const char *&name) { name = kernels[index].c_str(); });
  });
}

ze_result_t moduleGetProperties(ze_module_handle_t module, ze_module_properties_t *properties) {
  return guarded([&] {
    const auto program = Module::from(module).program();
    deref(properties).flags = program->unit().imports.empty() ? 0 : ZE_MODULE_PROPERTY_FLAG_IMPORTS;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelCreate(ze_module_handle_t module, const ze_kernel_desc_t *desc, ze_kernel_handle_t *kernel) {
  return guarded([&] {
    Module::from(module);
    const ze_kernel_desc_t &in = deref(desc);
    deref(kernel);
    require(in.flags <= (ZE_KERNEL_FLAG_FORCE_RESIDENCY | ZE_KERNEL_FLAG_EXPLICIT_RESIDENCY),
            ZE_RESULT_ERROR_INVALID_ENUMERATION);
    deref(in.pKernelName);
    auto program = linkedProgram(module);
    const KernelInfo *info = program->findKernel(in.pKernelName);
    require(info, ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
    *kernel = (new Kernel(std::move(program), *info))->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelDestroy(ze_kernel_handle_t kernel) {
  return guarded([&] {
    delete &Kernel::from(kernel);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelSetCacheConfig(ze_kernel_handle_t kernel, ze_cache_config_flags_t flags) {
  return guarded([&] {
    Kernel::from(kernel);
    require(flags <= kCacheFlags, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelSetGroupSize(ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z) {
  return guarded([&] {
    Kernel::from(kernel).setGroupSize(x, y, z);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelSuggestGroupSize(ze_kernel_handle_t kernel, uint32_t globalX, uint32_t globalY, uint32_t globalZ,
                                   uint32_t *x, uint32_t *y, uint32_t *z) {
  return guarded([&] {
    const Kernel &object = Kernel::from(kernel);
    require(x && y && z, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    require(globalX, ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION);
    uint32_t global[3] = {globalX, globalY, globalZ}, group[3];
    object.suggestGroupSize(global, group);
    *x = group[0];
    *y = group[1];
    *z = group[2];
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelSuggestMaxCooperativeGroupCount(ze_kernel_handle_t kernel, uint32_t *count) {
  return guarded([&] {
    deref(count) = Kernel::from(kernel).maxCooperativeGroups();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelSetArgumentValue(ze_kernel_handle_t kernel, uint32_t index, size_t size, const void *value) {
  return guarded([&] {
    Kernel::from(kernel).setArgument(index, size, value);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelSetIndirectAccess(ze_kernel_handle_t kernel, ze_kernel_indirect_access_flags_t flags) {
  return guarded([&] {
    Kernel &object = Kernel::from(kernel);
    require(flags <= kIndirectFlags, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    object.indirectAccess = flags;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelGetIndirectAccess(ze_kernel_handle_t kernel, ze_kernel_indirect_access_flags_t *flags) {
  return guarded([&] {
    const Kernel &object = Kernel::from(kernel);
    deref(flags) = object.indirectAccess;
    return ZE_RESULT_SUCCESS;
  });
}

// Callers that give a buffer get a copy, as from Intel's driver; those that give a null pointer get the kernel's own string.
ze_result_t kernelGetSourceAttributes(ze_kernel_handle_t kernel, uint32_t *size, char **text) {
  return guarded([&] {
    const std::string &attributes = Kernel::from(kernel).info().sourceAttributes;
    const auto needed = static_cast<uint32_t>(attributes.size() + 1);
    if (text && *text) {
      const uint32_t copied = std::min(deref(size), needed);
      if (copied) {
        std::memcpy(*text, attributes.c_str(), copied);
        (*text)[copied - 1] = '\0';
      }
      *size = copied;
      return ZE_RESULT_SUCCESS;
    }
    deref(size) = needed;
    if (text)
      *text = const_cast<char *>(attributes.c_str());
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelGetProperties(ze_kernel_handle_t kernel, ze_kernel_properties_t *properties) {
  return guarded([&] {
    Kernel &object = Kernel::from(kernel);
    const KernelInfo &info = object.info();
    ze_kernel_properties_t &out = deref(properties);
    out.numKernelArgs = static_cast<uint32_t>(info.args.size());
    out.requiredGroupSizeX = info.requiredGroupSize[0];
    out.requiredGroupSizeY = info.requiredGroupSize[1];
    out.requiredGroupSizeZ = info.requiredGroupSize[2];
    out.requiredNumSubGroups = 0;
    out.requiredSubgroupSize = info.requiredSubgroupSize;
    out.maxSubgroupSize = kSubgroupSize;
    out.maxNumSubgroups = kMaxGroupItems / kSubgroupSize;
    out.localMemSize = info.staticLocalBytes;
    out.privateMemSize = object.privateBytes();
    out.spillMemSize = 0;
    out.uuid = {};
    if (auto *preferred = findInChain<ze_kernel_preferred_group_size_properties_t>(
            out.pNext, ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES))
      preferred->preferredMultiple = kSubgroupSize;
    if (auto *largest = findInChain<KernelMaxGroupSizeProperties>(out.pNext, KernelMaxGroupSizeProperties::kType))
      largest->maxGroupSize = kMaxGroupItems;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t kernelGetName(ze_kernel_handle_t kernel, size_t *size, char *name) {
  return guarded([&] { return stringInto(size, name, Kernel::from(kernel).info().name); });
}

ze_result_t kernelSetGlobalOffsetExp(ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z) {
  return guarded([&] {
    Kernel::from(kernel).setGlobalOffset(x, y, z);
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace hiplz::cpu::ddi

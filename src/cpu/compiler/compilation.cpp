// SPDX-License-Identifier: MIT
// See compilation.h. A prepared module is a module binary without code, which has the tables, behind its length, and the bitcode
// of the marked module (split.h), or a code object (machine_code.h). What the stages for kernels have to know beside it is in named metadata of the bitcode.
#include "cpu/compiler/compilation.h"
#include "base/llvm_compat.h"
#include "base/log.h"
#include "base/module_dump.h"
#include "cpu/compiler/codegen.h"
#include "cpu/compiler/contraction.h"
#include "cpu/compiler/group_size.h"
#include "cpu/compiler/large_functions.h"
#include "cpu/compiler/link.h"
#include "cpu/compiler/machine_code.h"
#include "cpu/compiler/one_by_one.h"
#include "cpu/compiler/operation_counters.h"
#include "cpu/compiler/prepare.h"
#include "cpu/compiler/scalar_steps.h"
#include "cpu/compiler/source_line.h"
#include "cpu/compiler/split.h"
#include "cpu/compiler/unchecked_choices.h"
#include "cpu/compiler/vector.h"
#include "cpu/compiler/work_group.h"
#include "cpu/program/link_set.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstring>
#include <ctime>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr const char *kContraction = "hiplz.contraction"; // named metadata: fused multiply-add is allowed
constexpr const char *kUnoptimized = "hiplz.unoptimized"; // and: the code stays as it is

/// Reports under HIPLZ_LOG=debug where the processor time goes.
class PhaseClock {
public:
  /// The phase that began with the process, or where the one before ended, ends here.
  void end(const char *phase) {
    const std::clock_t now = std::clock();
    HIPLZ_LOG_DEBUG("compiler: %s: %.1f ms", phase, 1e3 * static_cast<double>(now - last_) / CLOCKS_PER_SEC);
    last_ = now;
  }

private:
  std::clock_t last_ = 0;
};

// True if the debug information says that no compiler has optimised the functions of the program.
bool isDescribedAsUnoptimized(const Module &module) {
  bool described = false;
  for (const Function &function : module)
    if (const DISubprogram *program = function.getSubprogram()) {
      if (program->isOptimized())
        return false;
      described = true;
    }
  return described;
}

std::span<const std::byte> bytesOf(StringRef text) { return std::as_bytes(std::span(text.data(), text.size())); }

std::string writePrepared(StringRef code, std::span<const std::byte> tables) {
  const uint64_t length = tables.size();
  std::string prepared(reinterpret_cast<const char *>(&length), sizeof length);
  prepared.append(reinterpret_cast<const char *>(tables.data()), tables.size());
  return prepared.append(code.data(), code.size());
}

std::string writePrepared(const Module &module, std::span<const std::byte> tables) {
  std::string bitcode;
  raw_string_ostream stream(bitcode);
  WriteBitcodeToFile(module, stream);
  return writePrepared(stream.str(), tables);
}

/// A prepared module taken apart.
struct Prepared {
  BinaryContents tables;
  StringRef bitcode; ///< or the code object
};

std::optional<Prepared> readPrepared(StringRef bytes, std::string &error) {
  uint64_t length;
  error = "compiler: the prepared module is damaged";
  if (bytes.size() < sizeof length)
    return std::nullopt;
  std::memcpy(&length, bytes.data(), sizeof length);
  bytes = bytes.drop_front(sizeof length);
  if (length > bytes.size())
    return std::nullopt;
  auto tables = parseBinary(bytesOf(bytes.take_front(length)), error);
  if (!tables)
    return std::nullopt;
  return Prepared{std::move(*tables), bytes.drop_front(length)};
}

class Compilation {
public:
  Compilation(const CompileRequest &request, AnswerSink &sink)
      : request_(request), sink_(sink), options_(parseOptions(request.flags, warnings_)) {}

  void run() {
    clock_.end("start");
    std::string error;
    if (request_.task == CompileTask::kernel) {
      enter(CompileStage::compile);
      auto prepared = readPrepared(request_.input, error);
      std::vector<std::byte> binary;
      if (prepared && (binary = compileKernel(*prepared, request_.kernel, request_.kind, error)).empty())
        error = error.empty() ? "compiler: it has made nothing" : error;
      answer(binary, {}, binary.empty() ? error + "\n" : "");
      return;
    }
    dumpParts();
    std::string prepared;
    const std::vector<std::byte> binary = compileModule(prepared, error);
    answer(binary, prepared, binary.empty() ? warnings_ + error + "\n" : warnings_);
    if (binary.empty())
      return;
    if (prepared.empty())
      return; // it has to be linked first
    // A program that loads a module with one kernel wants that kernel.
    const auto whole = readPrepared(prepared, error);
    if (!whole || whole->tables.kernels.size() != 1 || whole->tables.kernels[0].gainsFromSize)
      return;
    enter(CompileStage::compile);
    answer(compileKernel(*whole, whole->tables.kernels[0].name, GroupShape::rows32, error), {}, error);
  }

private:
  void enter(CompileStage stage) { sink_.send(&stage, sizeof stage); }

  void answer(std::span<const std::byte> binary, StringRef prepared, StringRef log) {
    enter(CompileStage::done);
    const CompileAnswerHeader header{log.size(), binary.size(), prepared.size()};
    sink_.send(&header, sizeof header);
    sink_.send(log.data(), log.size());
    sink_.send(binary.data(), binary.size());
    sink_.send(prepared.data(), prepared.size());
  }

  /// The module binary, or nothing and a sentence in `error`.
  std::vector<std::byte> compileModule(std::string &prepared, std::string &error) {
    if (const auto code = machineCodeOf(bytesOf(request_.input)))
      return compileMachineCode(*code, prepared, error);
    enter(CompileStage::translate);
    LLVMContext context;
    useOpaquePointers(context);
    auto module = importLinkSet(bytesOf(request_.input), context, error);
    if (!module)
      return {};
    enter(CompileStage::compile);
    clock_.end("translate");
    dump_.module("imported.ll", *module);
    if (options_.debugInfo && isDescribedAsUnoptimized(*module)) {
      options_.optimize = false; // -g without -O means that somebody wants to step through the code
      module->getOrInsertNamedMetadata(kUnoptimized);
    }
    auto machine = createHostMachine(options_, error);
    ModuleTable table;
    if (!machine || !describeModule(*module, table, error))
      return {};
    BinaryContents contents = emptyBinary();
    contents.imports = table.imports;
    contents.exports = table.exports;
    if (!table.imports.empty()) {
      warnings_ += "the module has to be linked; it imports" + listOf(table.imports) + "\n";
      fillTables(contents, table);
      return serializeBinary(contents);
    }
    if (!prepareModule(*module, *machine, options_, table, error))
      return {};
    if (table.contraction)
      module->getOrInsertNamedMetadata(kContraction);
    dump_.module("module.ll", *module);
    for (Kernel &kernel : table.kernels)
      kernel.info.gainsFromSize = gainsFromSize(*kernel.function, options_);
    fillTables(contents, table);
    prepared = writePrepared(*module, serializeBinary(contents));
    clock_.end("take apart");
    SmallVector<char, 0> object;
    if (keepShared(*module)) {
      if (!prepareCode(*module, *machine, options_, error))
        return {};
      keepLanesInStep(*module);
      if (options_.counts)
        countOperations(*module, nullptr);
      if (!generate(*module, *machine, table.contraction, "shared.o", object, error))
        return {};
      contents.shared = bytesOf(StringRef(object.data(), object.size()));
    }
    return serializeBinary(contents);
  }

  /// The same for a code object of AMD's compilers, which is prepared as it is.
  std::vector<std::byte> compileMachineCode(std::span<const std::byte> code, std::string &prepared,
                                            std::string &error) {
    enter(CompileStage::compile);
    LLVMContext context;
    useOpaquePointers(context);
    const auto object = amdgcn::readCodeObject(code, error);
    auto machine = object ? createHostMachine(options_, error) : nullptr;
    ModuleTable table;
    if (!machine || !describeMachineCode(*object, table, error))
      return {};
    auto image = makeImage(*object, table, *machine, context);
    BinaryContents contents = emptyBinary();
    fillTables(contents, table);
    prepared =
        writePrepared(StringRef(reinterpret_cast<const char *>(code.data()), code.size()), serializeBinary(contents));
    SmallVector<char, 0> bytes;
    if (!generate(*image, *machine, false, "image.o", bytes, error))
      return {};
    contents.shared = bytesOf(StringRef(bytes.data(), bytes.size()));
    return serializeBinary(contents);
  }

  static void fillTables(BinaryContents &contents, ModuleTable &table) {
    for (Kernel &kernel : table.kernels)
      contents.kernels.push_back(std::move(kernel.info));
    contents.globals = std::move(table.globals);
  }

  static std::string listOf(const std::vector<LinkSymbol> &symbols) {
    std::string list;
    for (const LinkSymbol &symbol : symbols)
      list += (list.empty() ? " " : ", ") + symbol.name;
    return list;
  }

  /// A binary with one kernel, or nothing and a sentence in `error`.
  std::vector<std::byte> compileKernel(const Prepared &prepared, StringRef name, const GroupKind &kind,
                                       std::string &error) {
    LLVMContext context;
    useOpaquePointers(context);
    Kernel kernel;
    if (amdgcn::isCodeObject(bytesOf(prepared.bitcode)))
      return compileMachineKernel(prepared, name, kind.shape, context, error);
    auto module = readKernel(MemoryBufferRef(prepared.bitcode, "prepared"), name, context, kernel.function, error);
    const auto info = std::find_if(prepared.tables.kernels.begin(), prepared.tables.kernels.end(),
                                   [&](const KernelInfo &info) { return info.name == name; });
    if (!module || info == prepared.tables.kernels.end())
      return {};
    kernel.info = *info;
    kernel.code.onlySize = kind.size;
    if (module->getNamedMetadata(kUnoptimized))
      options_.optimize = false;
    auto machine = createHostMachine(options_, error);
    if (machine && options_.optimize && options_.checks.ofAccesses() && !options_.checks.races)
      noteUncheckedChoices(*kernel.function, *machine, options_);
    if (!machine || !prepareCode(*module, *machine, options_, error))
      return {};
    if (options_.counts)
      countOperations(*module, kernel.function);
    clock_.end("prepare");
    dump_.module("prepared.ll", *module);
    addOneByOne(kernel);
    if (!VectorLowering(*machine, kind.shape, dump_).lower(kernel, options_))
      ScalarLowering().lower(kernel, options_);
    forgetSharedFunctions(*module);
    clock_.end("lower");
    dump_.module("work-groups.ll", *module);
    SmallVector<char, 0> object;
    const bool contraction = module->getNamedMetadata(kContraction) != nullptr;
    if (!generateKernel(kernel, *module, *machine, contraction, object, error))
      return {};
    return kernelBinary(kernel, object);
  }

  std::vector<std::byte> kernelBinary(const Kernel &kernel, const SmallVectorImpl<char> &object) const {
    BinaryContents contents = emptyBinary();
    contents.pieces.push_back({kernel.info.name, kernel.code, bytesOf(StringRef(object.data(), object.size()))});
    return serializeBinary(contents);
  }

  /// The same for a kernel of a code object.
  std::vector<std::byte> compileMachineKernel(const Prepared &prepared, StringRef name, GroupShape shape,
                                              LLVMContext &context, std::string &error) {
    const auto object = amdgcn::readCodeObject(bytesOf(prepared.bitcode), error);
    auto machine = object ? createHostMachine(options_, error) : nullptr;
    if (!machine)
      return {};
    Kernel kernel;
    kernel.info.name = name.str();
    auto module = lowerMachineKernel(*object, kernel, shape, options_, *machine, context, error);
    if (!module)
      return {};
    clock_.end("translate");
    dump_.module("work-groups.ll", *module);
    SmallVector<char, 0> bytes;
    return generateKernel(kernel, *module, *machine, false, bytes, error) ? kernelBinary(kernel, bytes)
                                                                          : std::vector<std::byte>();
  }

  bool generateKernel(Kernel &kernel, Module &module, TargetMachine &machine, bool contraction,
                      SmallVectorImpl<char> &object, std::string &error) {
    const bool isLarge = options_.optimize && hasLargeFunctions(module);
    if (isLarge) {
      if (contraction || options_.fastMath)
        contractProducts(module, machine);
      contraction = false;
      machine.Options.EmitStackSizeSection = true;
      // Breakpoints, checks and counters are for code that lasts. And results must not change from one launch to the next.
      options_.quick = request_.haste == CompileHaste::quick && !options_.debugInfo && !options_.counts &&
                       !options_.checks.any() && !options_.fastMath && !mayChooseResults(module);
    }
    kernel.code.isQuick = options_.quick;
    if (!generate(module, machine, contraction, "object.o", object, error))
      return false;
    if (isLarge)
      kernel.code.frameBytes = frameBytesOf(StringRef(object.data(), object.size()));
    return true;
  }

  void dumpParts() {
    if (const auto set = parseLinkSet(bytesOf(request_.input)))
      for (const LinkPart &part : set->parts)
        dump_.bytes("module.spv", StringRef(reinterpret_cast<const char *>(part.spirv.data()), part.spirv.size()));
  }

  bool generate(Module &module, TargetMachine &machine, bool contraction, const char *name,
                SmallVectorImpl<char> &object, std::string &error) {
    if (contraction || options_.fastMath)
      machine.Options.AllowFPOpFusion = FPOpFusion::Fast;
    optimizeModule(module, machine, options_, dump_);
    clock_.end("optimize");
    dump_.module("optimized.ll", module);
    if (!emitObject(module, machine, options_, object, error))
      return false;
    clock_.end("generate code");
    dump_.bytes(name, StringRef(object.data(), object.size()));
    return true;
  }

  BinaryContents emptyBinary() const {
    BinaryContents contents;
    contents.hostKey = request_.hostKey;
    contents.hasDebugInfo = options_.debugInfo;
    return contents;
  }

  const CompileRequest &request_;
  AnswerSink &sink_;
  std::string warnings_; // about flags
  CompileOptions options_;
  ModuleDump dump_{"cpu", 2};
  PhaseClock clock_;
};

} // namespace

void compile(const CompileRequest &request, AnswerSink &sink) {
  if (request.task != CompileTask::line)
    return Compilation(request, sink).run();
  const std::string line = sourceLine(request.input, request.kernel);
  const CompileAnswerHeader header{line.size(), 0, 0};
  const CompileStage done = CompileStage::done;
  sink.send(&done, sizeof done);
  sink.send(&header, sizeof header);
  sink.send(line.data(), line.size());
}

} // namespace hiplz::cpu

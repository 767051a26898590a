// SPDX-License-Identifier: MIT
// From SPIR-V to kernels in memory, piece by piece: the module with what its kernels share, then each kernel by itself.
#include "cpu/program/program.h"
#include "base/disk_cache.h"
#include "base/env.h"
#include "base/log.h"
#include "cpu/exec/driver_thread.h"
#include "cpu/program/compiler_process.h"
#include "cpu/program/compiler_protocol.h"
#include "cpu/program/host_processor.h"
#include "cpu/program/kernel_slot.h"
#include "cpu/program/piece_store.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <iterator>
#include <optional>
#include <thread>

namespace hiplz::cpu {
namespace {

/// The caller's flags and those that stand for environment variables.
std::string allFlags(const char *buildFlags) {
  std::string flags = buildFlags ? buildFlags : "";
  if (!envFlag(EnvVar::HIPLZ_CPU_VECTORIZE))
    flags.append(" ").append(kScalarFlag);
  const std::string instructions = envString(EnvVar::HIPLZ_CPU_ISA);
  if (std::ranges::find(kInstructionSets, instructions) == std::end(kInstructionSets)) {
    if (!instructions.empty())
      HIPLZ_LOG_INFO("HIPLZ_CPU_ISA=%s is ignored; it must be x86-64-v2, avx2 or avx512", instructions.c_str());
  } else {
    flags.append(" ").append(kInstructionsFlag).append(instructions);
  }
  return flags;
}

/// The binary taken apart, if this processor can execute it.
std::optional<BinaryContents> parseForHost(std::span<const std::byte> binary, std::string &why) {
  auto contents = parseBinary(binary, why);
  if (contents && contents->hostKey != hostProcessorKey()) {
    why = "native binary: made for another processor (" + contents->hostKey + ") than this one (" + hostProcessorKey() +
          ")";
    contents.reset();
  }
  return contents;
}

/// What keys and requests of a module and its kernels have in common.
struct Source {
  Bytes spirv; ///< a copy; empty if the program was native code
  std::string flags;
  std::string key; ///< all keys begin with it
  bool isCacheable = false;
};

/// Puts the code of the only kernel into the binary of its module.
std::shared_ptr<const Bytes> joined(CompiledModule &module) {
  std::string why;
  auto whole = parseBinary(module.binary, why);
  auto kernel = module.firstKernel.empty() ? std::nullopt : parseBinary(module.firstKernel, why);
  if (!whole || !kernel)
    return std::make_shared<const Bytes>(std::move(module.binary));
  whole->pieces = std::move(kernel->pieces);
  return std::make_shared<const Bytes>(serializeBinary(*whole));
}

class LoadedProgram final : public Program {
public:
  explicit LoadedProgram(Source source) : source_(std::move(source)) {}

  bool compile(std::string &log) {
    std::string kernelFailure; // of the only one
    Piece piece;
    piece.key = source_.key + "|module";
    piece.isCacheable = source_.isCacheable;
    piece.what = "a module";
    piece.use = [this](std::shared_ptr<const Bytes> bytes, std::string &why) { return load(std::move(bytes), why); };
    piece.make = [this, &kernelFailure](std::string &log) -> std::shared_ptr<const Bytes> {
      CompiledModule module;
      if (!compileModule(source_.spirv, source_.flags, hostProcessorKey(), module, log))
        return nullptr;
      std::string ignored;
      findPrepared([&](std::string &) { return std::make_shared<const Bytes>(std::move(module.prepared)); }, ignored);
      kernelFailure = module.kernelFailure;
      return joined(module);
    };
    if (!obtain(piece, log))
      return false;
    if (!kernelFailure.empty()) {
      slots_.front().failed = true;
      report(kernels_.front(), kernelFailure);
    }
    return true;
  }

  /// Takes a module binary or a native binary.
  bool load(std::shared_ptr<const Bytes> bytes, std::string &why) {
    auto contents = parseForHost(*bytes, why);
    if (!contents)
      return false;
    shared_.reset();
    if (!contents->shared.empty() && !(shared_ = ElfObject::load(contents->shared, contents->hasDebugInfo, why)))
      return false;
    for (GlobalInfo &global : contents->globals) {
      const ElfObject::Symbol symbol = shared_ ? shared_->find(globalSymbol(global.name)) : ElfObject::Symbol();
      if (!symbol.address || symbol.executable || symbol.size < global.size) {
        why = "program binary: the variable " + global.name + " has no memory";
        return false;
      }
      global.address = symbol.address;
    }
    hasDebugInfo_ = contents->hasDebugInfo;
    kernels_ = std::move(contents->kernels);
    globals_ = std::move(contents->globals);
    pieces_ = std::move(contents->pieces);
    slots_.clear();
    slots_.resize(kernels_.size());
    bytes_ = std::move(bytes);
    return true;
  }

  /// Whether there is code of all kernels for all shapes, with a sentence in `why` if not.
  bool hasAllCode(std::string &why) const {
    for (const KernelInfo &kernel : kernels_)
      for (GroupShape shape : kAllShapes)
        if (!findPiece(kernel, shape)) {
          why = "program binary: the kernel " + kernel.name + " has no code";
          return false;
        }
    return true;
  }

  std::span<const KernelInfo> kernels() const override { return kernels_; }
  std::span<const GlobalInfo> globals() const override { return globals_; }

  const KernelCode *code(const KernelInfo &kernel, uint32_t groupSizeX) const override {
    KernelSlot &slot = slotOf(kernel);
    if (const KernelCode *code = slot.find(groupSizeX))
      return code;
    std::lock_guard guard(slot.mutex);
    const KernelCode *code;
    while (!(code = slot.find(groupSizeX)))
      if (!addCode(kernel, slot, slot.missing(groupSizeX)))
        return nullptr;
    return code;
  }

  std::span<const std::byte> nativeBinary() const override {
    if (source_.spirv.empty())
      return *bytes_;
    std::lock_guard guard(nativeMutex_);
    if (native_.empty() && compileAll())
      native_ = makeNative();
    return native_;
  }

private:
  KernelSlot &slotOf(const KernelInfo &kernel) const { return slots_[static_cast<size_t>(&kernel - kernels_.data())]; }

  /// Code that came with the module.
  const KernelPiece *findPiece(const KernelInfo &kernel, GroupShape shape) const {
    for (const KernelPiece &piece : pieces_)
      if (piece.kernel == kernel.name &&
          (piece.code.width == 0 || (piece.code.width > 1) == (shape == GroupShape::rows)))
        return &piece;
    return nullptr;
  }

  /// The caller has the slot's mutex.
  bool addCode(const KernelInfo &kernel, KernelSlot &slot, GroupShape shape) const {
    if (slot.failed)
      return false;
    std::string log;
    if (const KernelPiece *piece = findPiece(kernel, shape))
      slot.failed = !slot.add(*piece, shape, hasDebugInfo_, shared_.get(), log);
    else
      slot.failed = !obtain(pieceOf(kernel, slot, shape), log);
    if (!slot.failed)
      return true;
    report(kernel, log);
    return false;
  }

  void report(const KernelInfo &kernel, const std::string &failure) const {
    const std::string text = "kernel " + kernel.name + ": " + failure;
    HIPLZ_LOG_INFO("a kernel cannot be compiled: %s", text.c_str());
    messages()->add(text);
  }

  Piece pieceOf(const KernelInfo &kernel, KernelSlot &slot, GroupShape shape) const {
    Piece piece;
    piece.key = source_.key + (shape == GroupShape::rows ? "|rows of " : "|any of ") + kernel.name;
    piece.isCacheable = source_.isCacheable;
    piece.what = "a kernel";
    piece.use = [this, &kernel, &slot, shape](std::shared_ptr<const Bytes> bytes, std::string &why) {
      const auto contents = parseForHost(*bytes, why);
      if (!contents)
        return false;
      if (contents->pieces.size() != 1 || contents->pieces[0].kernel != kernel.name) {
        why = "program binary: it is not that of the kernel " + kernel.name;
        return false;
      }
      if (!slot.add(contents->pieces[0], shape, hasDebugInfo_, shared_.get(), why))
        return false;
      keep(std::move(bytes));
      return true;
    };
    piece.make = [this, &kernel, shape](std::string &log) -> std::shared_ptr<const Bytes> {
      const auto prepared = findPrepared({}, log);
      Bytes binary;
      if (!prepared || !compileKernel(*prepared, source_.flags, hostProcessorKey(), kernel.name, shape, binary, log))
        return nullptr;
      return std::make_shared<const Bytes>(std::move(binary));
    };
    return piece;
  }

  /// The module as the compiler wants it for kernels: from `make` if it is given, otherwise from the SPIR-V once more if the
  /// cache has lost it. Null with a sentence in `log`.
  std::shared_ptr<const Bytes> findPrepared(std::function<std::shared_ptr<const Bytes>(std::string &)> make,
                                            std::string &log) const {
    std::lock_guard guard(preparedMutex_);
    if (prepared_)
      return prepared_;
    Piece piece;
    piece.key = source_.key + "|prepared";
    piece.isCacheable = source_.isCacheable;
    piece.what = "a prepared module";
    piece.use = [this](std::shared_ptr<const Bytes> bytes, std::string &) {
      prepared_ = std::move(bytes);
      return true;
    };
    piece.make = make ? std::move(make) : [this](std::string &log) -> std::shared_ptr<const Bytes> {
      CompiledModule module;
      if (!compileModule(source_.spirv, source_.flags, hostProcessorKey(), module, log))
        return nullptr;
      return std::make_shared<const Bytes>(std::move(module.prepared));
    };
    obtain(piece, log);
    return prepared_;
  }

  void keep(std::shared_ptr<const Bytes> bytes) const {
    std::lock_guard guard(keptMutex_);
    kept_.push_back(std::move(bytes));
  }

  /// Compiles what is missing, several kernels at a time. False if one cannot be compiled.
  bool compileAll() const {
    std::atomic<size_t> next{0};
    std::atomic<bool> good{true};
    std::mutex mutex;
    std::exception_ptr thrown;
    auto work = [&] {
      try {
        for (size_t i; good && (i = next.fetch_add(1)) < kernels_.size();)
          good = compileFully(kernels_[i]) && good;
      } catch (...) {
        std::lock_guard guard(mutex);
        thrown = std::current_exception();
        good = false;
      }
    };
    const size_t processors = std::thread::hardware_concurrency();
    std::vector<pthread_t> helpers(std::min(processors, kernels_.size()));
    size_t count = 0;
    while (count + 1 < helpers.size() &&
           startDriverThread(helpers[count], "hiplz-compile", run<decltype(work)>, &work) == 0)
      ++count;
    work();
    for (size_t i = 0; i < count; ++i)
      ::pthread_join(helpers[i], nullptr);
    if (thrown)
      std::rethrow_exception(thrown);
    return good;
  }

  template <class Work> static void *run(void *work) {
    (*static_cast<Work *>(work))();
    return nullptr;
  }

  bool compileFully(const KernelInfo &kernel) const {
    KernelSlot &slot = slotOf(kernel);
    std::lock_guard guard(slot.mutex);
    for (GroupShape shape : kAllShapes)
      if (!slot.has(shape) && !addCode(kernel, slot, shape))
        return false;
    return true;
  }

  Bytes makeNative() const {
    std::string ignored;
    auto contents = parseBinary(*bytes_, ignored);
    for (const auto &bytes : kept_) {
      auto kernel = parseBinary(*bytes, ignored);
      std::move(kernel->pieces.begin(), kernel->pieces.end(), std::back_inserter(contents->pieces));
    }
    return serializeBinary(*contents);
  }

  const Source source_;
  std::shared_ptr<const Bytes> bytes_; // the module binary
  bool hasDebugInfo_ = false;
  std::unique_ptr<ElfObject> shared_; // what kernels share; they are linked against it
  std::vector<KernelInfo> kernels_;
  std::vector<GlobalInfo> globals_;
  std::vector<KernelPiece> pieces_;      // in bytes_
  mutable std::deque<KernelSlot> slots_; // of kernels_

  mutable std::mutex preparedMutex_;
  mutable std::shared_ptr<const Bytes> prepared_; // guarded by preparedMutex_
  mutable std::mutex keptMutex_;
  mutable std::vector<std::shared_ptr<const Bytes>> kept_; // kernel binaries; guarded by keptMutex_
  mutable std::mutex nativeMutex_;
  mutable Bytes native_; // guarded by nativeMutex_ until it is made
};

} // namespace

void BuildMessages::add(std::string_view text) {
  std::lock_guard guard(mutex_);
  text_ += text;
}

std::string BuildMessages::text() const {
  std::lock_guard guard(mutex_);
  return text_;
}

std::unique_ptr<Program> Program::fromSpirv(std::span<const std::byte> spirv, const char *buildFlags,
                                            std::string &buildLog) {
  buildLog.clear();
  Source source{{spirv.begin(), spirv.end()}, allFlags(buildFlags), {}, false};
  const std::string compilerId = compilerBuildId(); // without it, an entry may come from another compiler
  source.isCacheable = !compilerId.empty();
  source.key = contentKey(spirv) + "|" + source.flags + "|" + hostProcessorKey() + "|" + compilerId + "|" +
               std::to_string(kBinaryVersion);
  auto program = std::make_unique<LoadedProgram>(std::move(source));
  if (!program->compile(buildLog))
    return nullptr;
  return program;
}

std::unique_ptr<Program> Program::fromNative(std::span<const std::byte> binary, std::string &buildLog) {
  buildLog.clear();
  auto program = std::make_unique<LoadedProgram>(Source());
  if (!program->load(std::make_shared<const Bytes>(binary.begin(), binary.end()), buildLog) ||
      !program->hasAllCode(buildLog))
    return nullptr;
  return program;
}

const KernelInfo *Program::findKernel(std::string_view name) const {
  for (const KernelInfo &kernel : kernels())
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

const GlobalInfo *Program::findGlobal(std::string_view name) const {
  for (const GlobalInfo &global : globals())
    if (global.name == name)
      return &global;
  return nullptr;
}

} // namespace hiplz::cpu

// SPDX-License-Identifier: MIT
// From SPIR-V to kernels in memory, piece by piece: the module with what its kernels share, then each kernel by itself.
#include "cpu/program/program.h"
#include "base/disk_cache.h"
#include "base/env.h"
#include "base/log.h"
#include "cpu/check/tools.h"
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
  if (!envString(EnvVar::HIPLZ_CPU_COUNTS).empty() && !check::tools().any())
    flags.append(" ").append(kCountFlag);
  if (const std::string tools = check::toolNames(); !tools.empty())
    flags.append(" ").append(kCheckFlag).append(tools);
  if (const std::string instructions = envString(EnvVar::HIPLZ_CPU_ISA); !instructions.empty())
    flags.append(" ").append(kInstructionsFlag).append(instructions);
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

/// True if the user lets launches begin with quick code. A dump is of one compilation, that of the code that will last.
bool mayBeQuick() { return envFlag(EnvVar::HIPLZ_CPU_QUICK) && envString(EnvVar::HIPLZ_DUMP).empty(); }

bool isQuick(const Bytes &binary) {
  std::string ignored;
  const auto contents = parseBinary(binary, ignored);
  return contents && !contents->pieces.empty() && contents->pieces[0].code.isQuick;
}

std::string keyOf(const GroupKind &kind) {
  const auto &size = kind.size;
  return size ? std::to_string(size->x) + "x" + std::to_string(size->y) + "x" + std::to_string(size->z)
              : std::to_string(static_cast<uint32_t>(kind.shape));
}

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

} // namespace

bool Program::compile(std::string &log) {
  std::string kernelFailure; // of the only one
  Piece piece;
  piece.key = source_.key + "|module";
  piece.isCacheable = source_.isCacheable;
  piece.rank = LockRank::cpuPiece;
  piece.what = "a module";
  piece.use = [this](SharedBytes bytes, std::string &why) { return load(std::move(bytes), why); };
  piece.make = [this, &kernelFailure](std::string &log) -> SharedBytes {
    CompiledModule module;
    if (!compileModule(source_.linkSet, source_.flags, hostProcessorKey(),
                       mayBeQuick() ? CompileHaste::quick : CompileHaste::none, module, log))
      return nullptr;
    if (isQuick(module.firstKernel))
      firstKernel_ = std::make_shared<const Bytes>(std::move(module.firstKernel));
    std::string ignored;
    findPrepared([&](std::string &) { return std::make_shared<const Bytes>(std::move(module.prepared)); }, ignored);
    kernelFailure = module.kernelFailure;
    return joined(module);
  };
  if (!obtain(piece, log))
    return false;
  if (!kernelFailure.empty()) {
    slots_.front().lock()->failed = true;
    report(kernels_.front(), kernelFailure);
  }
  return true;
}

// Takes a module binary or a native binary.
bool Program::load(SharedBytes bytes, std::string &why) {
  auto contents = parseForHost(*bytes, why);
  if (!contents)
    return false;
  shared_.reset();
  if (!contents->shared.empty() && !(shared_ = ElfObject::map(contents->shared, contents->hasDebugInfo, why)))
    return false;
  linked_ = contents->imports.empty();
  for (GlobalInfo &global : contents->globals) {
    if (!linked_)
      break;
    const ElfObject::Symbol symbol = shared_ ? shared_->find(globalSymbol(global.name)) : ElfObject::Symbol();
    if (!symbol.address || symbol.executable || symbol.size < global.size) {
      why = "program binary: the variable " + global.name + " has no memory";
      return false;
    }
    global.address = symbol.address;
  }
  if (!unit_) // else it is linked, and keeps its own
    unit_ = std::make_shared<const ModuleUnit>(
        ModuleUnit{source_.linkSet.empty() ? Bytes(contents->source.begin(), contents->source.end()) : source_.linkSet,
                   std::move(contents->imports), std::move(contents->exports)});
  hasDebugInfo_ = contents->hasDebugInfo;
  kernels_ = std::move(contents->kernels);
  globals_ = std::move(contents->globals);
  pieces_ = std::move(contents->pieces);
  slots_.clear();
  slots_.resize(kernels_.size());
  bytes_ = std::move(bytes);
  return true;
}

// The code that load() has mapped finds the symbols that it refers to.
bool Program::linkShared(std::string &why) { return !shared_ || shared_->link(scope(), why); }

// True if there is code of all kernels for every shape, with a sentence in `why` if not.
bool Program::hasAllCode(std::string &why) const {
  for (const KernelInfo &kernel : kernels_)
    if (!findPiece(kernel, GroupShape::any)) {
      why = "program binary: the kernel " + kernel.name + " has no code";
      return false;
    }
  return true;
}

const KernelCode *Program::code(const KernelInfo &kernel, const GroupSize &size) const {
  KernelSlot &slot = slotOf(kernel);
  const bool gains = kernel.gainsFromSize && !source_.linkSet.empty();
  const auto kind = [&] { return gains ? slot.kindFor(size) : shapeOf(size); };
  if (const KernelCode *code = slot.find(kind()))
    return code;
  const auto loading = slot.lock();
  return findOrAdd(kernel, slot, *loading, kind());
}

const KernelCode *Program::code(const KernelInfo &kernel) const {
  KernelSlot &slot = slotOf(kernel);
  if (const KernelCode *code = slot.find(GroupShape::rows32))
    return code;
  const auto loading = slot.lock();
  return findOrAdd(kernel, slot, *loading, GroupShape::rows32);
}

const KernelCode *Program::findOrAdd(const KernelInfo &kernel, KernelSlot &slot, KernelSlot::Loading &loading,
                                     const GroupKind &kind) const {
  const auto haste = mayBeQuick() && !weak_from_this().expired() ? CompileHaste::quick : CompileHaste::none;
  return slot.find(kind) || addCode(kernel, slot, loading, kind, haste) ? slot.find(kind) : nullptr;
}

std::span<const std::byte> Program::nativeBinary() const {
  if (source_.linkSet.empty())
    return *bytes_;
  const auto native = native_.lock();
  if (!*native && (!unit_->imports.empty() || compileAll()))
    *native = std::make_unique<const Bytes>(makeNative());
  return *native ? std::span<const std::byte>(**native) : std::span<const std::byte>();
}

// Code that came with the module. Where no other can be made, that for any shape will do.
const KernelPiece *Program::findPiece(const KernelInfo &kernel, const GroupKind &kind) const {
  if (kind.size)
    return nullptr;
  const KernelPiece *any = nullptr;
  for (const KernelPiece &piece : pieces_) {
    if (piece.kernel != kernel.name || piece.code.onlySize)
      continue;
    if (piece.code.shapes & setOf(kind.shape))
      return &piece;
    if (source_.linkSet.empty() && (piece.code.shapes & setOf(GroupShape::any)))
      any = &piece;
  }
  return any;
}

bool Program::addCode(const KernelInfo &kernel, KernelSlot &slot, KernelSlot::Loading &loading, const GroupKind &kind,
                      CompileHaste haste) const {
  if (loading.failed)
    return false;
  std::string log;
  if (const KernelPiece *known = findPiece(kernel, kind)) {
    loading.failed = !slot.add(loading, *known, kind, hasDebugInfo_, scope(), log);
  } else {
    Piece piece = pieceOf(kernel, kind, haste);
    piece.use = [&](SharedBytes bytes, std::string &why) {
      return takePiece(kernel, slot, loading, kind, std::move(bytes), why);
    };
    loading.failed = !obtain(piece, log);
  }
  if (loading.failed) {
    report(kernel, log);
    return false;
  }
  if (slot.find(kind)->isQuick)
    replaceLater(kernel, kind);
  return true;
}

void Program::report(const KernelInfo &kernel, const std::string &failure) const {
  const std::string text = "kernel " + kernel.name + ": " + failure;
  HIPLZ_LOG_INFO("a kernel cannot be compiled: %s", text.c_str());
  messages()->add(text);
}

// Without a function that uses it.
Piece Program::pieceOf(const KernelInfo &kernel, const GroupKind &kind, CompileHaste haste,
                       int endsWhenReadable) const {
  Piece piece;
  piece.key = source_.key + "|" + keyOf(kind) + "|" + kernel.name;
  if (haste == CompileHaste::quick) {
    piece.quickKey = piece.key + "|quick";
    piece.isQuick = isQuick;
  }
  piece.isCacheable = source_.isCacheable;
  piece.rank = LockRank::cpuPiece;
  piece.what = "a kernel";
  piece.make = [=, this, &kernel](std::string &log) -> SharedBytes {
    if (haste == CompileHaste::quick && firstKernel_ && !kind.size && kind.shape == GroupShape::rows32)
      return firstKernel_;
    const auto prepared = findPrepared({}, log);
    Bytes binary;
    if (!prepared || !compileKernel(*prepared, source_.flags, hostProcessorKey(),
                                    {kernel.name, kind, haste, endsWhenReadable}, binary, log))
      return nullptr;
    return std::make_shared<const Bytes>(std::move(binary));
  };
  return piece;
}

// Adds the code of a kernel binary.
bool Program::takePiece(const KernelInfo &kernel, KernelSlot &slot, KernelSlot::Loading &loading, const GroupKind &kind,
                        SharedBytes bytes, std::string &why) const {
  const auto contents = parseForHost(*bytes, why);
  if (!contents)
    return false;
  if (contents->pieces.size() != 1 || contents->pieces[0].kernel != kernel.name ||
      contents->pieces[0].code.onlySize != kind.size) {
    why = "program binary: it is not that of the kernel " + kernel.name;
    return false;
  }
  if (!slot.add(loading, contents->pieces[0], kind, hasDebugInfo_, scope(), why))
    return false;
  if (!contents->pieces[0].code.isQuick && !kind.size)
    kernelBinaries_.lock()->push_back(std::move(bytes));
  return true;
}

void Program::replaceLater(const KernelInfo &kernel, const GroupKind &kind) const {
  HIPLZ_LOG_INFO("kernel %s is large: it runs without optimisation until optimised code is there", kernel.name.c_str());
  // A program that is unloaded meanwhile is there until its kernel is compiled, which then is in the cache.
  inBackground([weak = weak_from_this(), &kernel, kind](const BackgroundEnd &end) {
    if (const auto program = weak.lock())
      program->replace(kernel, kind, end);
  });
}

void Program::replace(const KernelInfo &kernel, const GroupKind &kind, const BackgroundEnd &end) const {
  SharedBytes found;
  Piece piece = pieceOf(kernel, kind, CompileHaste::background, end.descriptor);
  piece.givesUp = &end.isWanted;
  piece.use = [&](SharedBytes bytes, std::string &why) {
    if (!parseForHost(*bytes, why))
      return false;
    found = std::move(bytes);
    return true;
  };
  std::string log;
  if (!obtain(piece, log)) {
    if (!end.isWanted)
      HIPLZ_LOG_INFO("kernel %s stays without optimisation: %s", kernel.name.c_str(), log.c_str());
    return;
  }
  KernelSlot &slot = slotOf(kernel);
  const auto loading = slot.lock();
  if (!slot.find(kind)->isQuick)
    return; // nativeBinary() has been faster
  if (!takePiece(kernel, slot, *loading, kind, std::move(found), log))
    HIPLZ_LOG_INFO("kernel %s stays without optimisation: %s", kernel.name.c_str(), log.c_str());
  else
    HIPLZ_LOG_INFO("kernel %s runs optimised code from now on", kernel.name.c_str());
}

// The module as the compiler wants it for kernels: from `make` if it is given, otherwise from the SPIR-V once more if the
// cache has lost it. Null with a sentence in `log`.
Program::SharedBytes Program::findPrepared(std::function<SharedBytes(std::string &)> make, std::string &log) const {
  const auto prepared = prepared_.lock();
  if (*prepared)
    return *prepared;
  Piece piece;
  piece.key = source_.key + "|prepared";
  piece.isCacheable = source_.isCacheable;
  piece.rank = LockRank::cpuPreparedPiece;
  piece.what = "a prepared module";
  piece.use = [&prepared](SharedBytes bytes, std::string &) {
    *prepared = std::move(bytes);
    return true;
  };
  piece.make = make ? std::move(make) : [this](std::string &log) -> SharedBytes {
    CompiledModule module;
    if (!compileModule(source_.linkSet, source_.flags, hostProcessorKey(), CompileHaste::quick, module, log))
      return nullptr;
    return std::make_shared<const Bytes>(std::move(module.prepared));
  };
  obtain(piece, log);
  return *prepared;
}

// Compiles what is missing, several kernels at a time. False if one cannot be compiled.
bool Program::compileAll() const {
  std::atomic<size_t> next{0};
  std::atomic<bool> good{true};
  struct Share {
    const Program &program;
    std::atomic<size_t> &next;
    std::atomic<bool> &good;
    std::exception_ptr thrown;
    pthread_t thread{};

    static void *run(void *share) {
      static_cast<Share *>(share)->work();
      return nullptr;
    }
    void work() {
      try {
        for (size_t i; good && (i = next.fetch_add(1)) < program.kernels_.size();)
          if (!program.compileFully(program.kernels_[i]))
            good = false;
      } catch (...) {
        thrown = std::current_exception();
        good = false;
      }
    }
  };
  const size_t processors = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Share> shares(std::min(processors, std::max<size_t>(1, kernels_.size())), Share{*this, next, good, {}});
  size_t started = 1; // the first share is the caller's
  while (started < shares.size() &&
         startDriverThread(shares[started].thread, "hiplz-compile", Share::run, &shares[started]) == 0)
    ++started;
  shares.front().work();
  for (size_t i = 1; i < started; ++i)
    ::pthread_join(shares[i].thread, nullptr);
  for (const Share &share : shares)
    if (share.thrown)
      std::rethrow_exception(share.thrown);
  return good;
}

bool Program::compileFully(const KernelInfo &kernel) const {
  KernelSlot &slot = slotOf(kernel);
  const auto loading = slot.lock();
  for (GroupShape shape : {GroupShape::rows32, GroupShape::line, GroupShape::any})
    if (const KernelCode *known = slot.find(shape);
        (!known || known->isQuick) && !addCode(kernel, slot, *loading, shape, CompileHaste::none))
      return false;
  return true;
}

Bytes Program::makeNative() const {
  std::string ignored;
  auto contents = parseBinary(*bytes_, ignored);
  const auto binaries = kernelBinaries_.lock();
  for (const auto &bytes : *binaries) {
    auto kernel = parseBinary(*bytes, ignored);
    std::move(kernel->pieces.begin(), kernel->pieces.end(), std::back_inserter(contents->pieces));
  }
  // Others can be linked with it only if they have its functions to copy. What imports something has no code of its own.
  if (!unit_->imports.empty())
    *contents = BinaryContents{.hostKey = contents->hostKey, .imports = unit_->imports, .exports = unit_->exports};
  const bool exportsFunctions = std::ranges::any_of(
      unit_->exports, [&](const LinkSymbol &symbol) { return symbol.isFunction && !findKernel(symbol.name); });
  if (exportsFunctions || !unit_->imports.empty()) {
    contents->flags = source_.buildFlags;
    contents->source = unit_->parts;
  }
  return serializeBinary(*contents);
}

std::unique_ptr<Program> Program::fromLinkSet(const LinkSet &set, const std::string &buildFlags) {
  Source source{serializeLinkSet(set), buildFlags, allFlags(buildFlags.c_str()), {}, false};
  const std::string compilerId = compilerBuildId(); // without it, an entry may come from another compiler
  source.isCacheable = !compilerId.empty();
  source.key = contentKey(source.linkSet) + "|" + source.flags + "|" + hostProcessorKey() + "|" + compilerId + "|" +
               std::to_string(kBinaryVersion);
  return std::unique_ptr<Program>(new Program(std::move(source)));
}

std::unique_ptr<Program> Program::fromParts(const std::vector<LinkPart> &parts, const char *buildFlags,
                                            std::string &buildLog) {
  buildLog.clear();
  auto program = fromLinkSet({parts, {}}, buildFlags ? buildFlags : "");
  if (!program->compile(buildLog) || !program->linkShared(buildLog))
    return nullptr;
  return program;
}

std::unique_ptr<Program> Program::fromSpirv(std::span<const std::byte> spirv, const char *buildFlags,
                                            std::string &buildLog) {
  return fromParts({{0, "", spirv}}, buildFlags, buildLog);
}

std::unique_ptr<Program> Program::fromNative(std::span<const std::byte> binary, std::string &buildLog) {
  buildLog.clear();
  std::unique_ptr<Program> program(new Program({}));
  if (!program->load(std::make_shared<const Bytes>(binary.begin(), binary.end()), buildLog))
    return nullptr;
  if (!program->linked_) { // it is what it was made from
    const auto contents = parseBinary(binary, buildLog);
    const auto set = parseLinkSet(contents->source);
    if (set)
      return fromParts(set->parts, contents->flags.c_str(), buildLog);
    buildLog = "native binary: its tables are damaged";
    return nullptr;
  }
  if (!program->linkShared(buildLog) || !program->hasAllCode(buildLog))
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

void *Program::findFunction(std::string_view name) const {
  if (void *address = shared_ ? shared_->find(functionSymbol(name)).address : nullptr)
    return address;
  const KernelInfo *kernel = findKernel(name);
  const KernelCode *code = kernel ? this->code(*kernel) : nullptr;
  return code ? reinterpret_cast<void *>(code->function) : nullptr;
}

} // namespace hiplz::cpu

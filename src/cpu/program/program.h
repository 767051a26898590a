// SPDX-License-Identifier: MIT
// A module as the driver sees it: its kernels and variables, and code that is compiled when it is needed.
#pragma once
#include "base/lockable.h"
#include "cpu/program/background.h"
#include "cpu/program/compiler_protocol.h"
#include "cpu/program/kernel_slot.h"
#include "cpu/program/link_set.h"
#include "cpu/program/piece_store.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hiplz::cpu {

/// The messages of one module's compilations so far. Every method may be called by any thread.
class BuildMessages {
public:
  void add(std::string_view text) { *text_.lock() += text; }
  std::string text() const { return *text_.lock(); }

private:
  Lockable<std::string> text_{LockRank::cpuBuildMessages};
};

/// Facts about a module that others need in order to be linked with it. Immutable.
struct ModuleUnit {
  Bytes parts; ///< its own, as a link set; empty if only code is there
  std::vector<LinkSymbol> imports, exports;
};

/// A module: its kernels are compiled one by one, when code() asks for them. Variables, and functions that are called through
/// pointers, are there from the beginning. Everything is unmapped by the destructor. Every method may be called by any thread;
/// different kernels are compiled at the same time.
class Program : public std::enable_shared_from_this<Program> {
public:
  /// Takes SPIR-V apart (through the disk cache, then the compiler). Returns null on failure; buildLog then says why in a
  /// sentence that starts with the file or construct concerned. `buildFlags` are those of ze_module_desc_t, null allowed.
  /// Throws CompilerMissing (compiler_process.h).
  static std::unique_ptr<Program> fromSpirv(std::span<const std::byte> spirv, const char *buildFlags,
                                            std::string &buildLog);

  /// The same for a module of several parts, which are linked with each other. All of them belong to the module 0.
  static std::unique_ptr<Program> fromParts(const std::vector<LinkPart> &parts, const char *buildFlags,
                                            std::string &buildLog);

  /// Links programs that import something with those that export it (linking.cpp). On success `linked` has a program for each
  /// that was not linked before, at its place, and null at the others'. Otherwise the log says in a line for each symbol what is
  /// wrong. The programs must be different ones. Throws CompilerMissing.
  static bool link(std::span<const std::shared_ptr<const Program>> programs,
                   std::vector<std::shared_ptr<const Program>> &linked, std::string &log);

  /// Loads what nativeBinary() of an equal build of this driver returned. Returns null for anything else.
  static std::unique_ptr<Program> fromNative(std::span<const std::byte> binary, std::string &buildLog);

  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  /// False if it imports something and has not been linked: there are no code and no addresses.
  bool isLinked() const { return linked_; }
  const ModuleUnit &unit() const { return *unit_; }

  std::span<const KernelInfo> kernels() const { return kernels_; }
  std::span<const GlobalInfo> globals() const { return globals_; }

  /// The code of one of kernels() for work-groups of this size; compiles it if that has not been done. For a large kernel of a program
  /// that a shared_ptr owns it may be quick code, which gets a better one in the background (HIPLZ_CPU_QUICK). Null if it
  /// cannot be compiled; messages() then says why, and it is not tried again. Throws CompilerMissing.
  const KernelCode *code(const KernelInfo &kernel, const GroupSize &size) const;
  /// The same for any size that is a multiple of 32 in x.
  const KernelCode *code(const KernelInfo &kernel) const;

  /// All kernels, as fromNative() takes them, in code for whole warps, for rows and for any shape, and for what other shapes
  /// launches have asked for; compiles what is missing. Empty if something cannot be compiled; messages() then says
  /// why. Lives as long as the program. Throws CompilerMissing.
  std::span<const std::byte> nativeBinary() const;

  /// The code that code() and nativeBinary() add to; it may outlive the program.
  const std::shared_ptr<BuildMessages> &messages() const { return messages_; }

  /// Linear search: call it when a kernel is created, not when it is launched.
  const KernelInfo *findKernel(std::string_view name) const;
  const GlobalInfo *findGlobal(std::string_view name) const;

  /// The address of an exported function, to be called by kernels of any program that call through pointers. That of a kernel
  /// can be called if the module itself calls through pointers; otherwise it is that of the kernel's code for launches. Null if
  /// there is none of that name. May compile. Throws CompilerMissing.
  void *findFunction(std::string_view name) const;

private:
  using SharedBytes = std::shared_ptr<const Bytes>;

  /// The common part of keys and requests for a module and its kernels.
  struct Source {
    Bytes linkSet; ///< empty if the program was native code
    std::string buildFlags, flags;
    std::string key; ///< all keys begin with it
    bool isCacheable = false;
  };

  /// One of those that the program is made of, itself the first.
  struct LinkedModule {
    std::shared_ptr<const ModuleUnit> unit;
    std::vector<LinkBinding> bindings; // of its imports
  };

  class Linking;

  explicit Program(Source source) : source_(std::move(source)) {}
  static std::unique_ptr<Program> fromLinkSet(const LinkSet &set, const std::string &buildFlags);
  bool linkShared(std::string &why);
  ElfScope scope() const { return {shared_.get(), objects_}; }
  bool compile(std::string &log);
  bool load(SharedBytes bytes, std::string &why);
  bool hasAllCode(std::string &why) const;
  KernelSlot &slotOf(const KernelInfo &kernel) const { return slots_[static_cast<size_t>(&kernel - kernels_.data())]; }
  const KernelCode *findOrAdd(const KernelInfo &kernel, KernelSlot &slot, KernelSlot::Loading &loading,
                              const GroupKind &kind) const;
  const KernelPiece *findPiece(const KernelInfo &kernel, const GroupKind &kind) const;
  bool addCode(const KernelInfo &kernel, KernelSlot &slot, KernelSlot::Loading &loading, const GroupKind &kind,
               CompileHaste haste) const;
  Piece pieceOf(const KernelInfo &kernel, const GroupKind &kind, CompileHaste haste, int endsWhenReadable = -1) const;
  bool takePiece(const KernelInfo &kernel, KernelSlot &slot, KernelSlot::Loading &loading, const GroupKind &kind,
                 SharedBytes bytes, std::string &why) const;
  void replaceLater(const KernelInfo &kernel, const GroupKind &kind) const;
  void replace(const KernelInfo &kernel, const GroupKind &kind, const BackgroundEnd &end) const;
  void report(const KernelInfo &kernel, const std::string &failure) const;
  SharedBytes findPrepared(std::function<SharedBytes(std::string &)> make, std::string &log) const;
  bool compileAll() const;
  bool compileFully(const KernelInfo &kernel) const;
  Bytes makeNative() const;

  const std::shared_ptr<BuildMessages> messages_ = std::make_shared<BuildMessages>();
  const Source source_;
  SharedBytes bytes_;       // the module binary
  SharedBytes firstKernel_; // the quick code of the only kernel, if it came with the module
  bool hasDebugInfo_ = false;
  std::shared_ptr<ElfObject> shared_;                     // what kernels share; they are linked against it
  std::vector<std::shared_ptr<const ElfObject>> objects_; // the same of modules_; empty without others
  std::shared_ptr<const ModuleUnit> unit_;
  std::vector<LinkedModule> modules_; // empty without others
  bool linked_ = true;
  std::vector<KernelInfo> kernels_;
  std::vector<GlobalInfo> globals_;
  std::vector<KernelPiece> pieces_;      // in bytes_
  mutable std::deque<KernelSlot> slots_; // of kernels_

  mutable Lockable<std::unique_ptr<const Bytes>> native_{LockRank::cpuNativeBinary}; // not changed once it is there
  mutable Lockable<SharedBytes> prepared_{LockRank::cpuPrepared};
  mutable Lockable<std::vector<SharedBytes>> kernelBinaries_{LockRank::cpuKernelBinaries};
};

} // namespace hiplz::cpu

// SPDX-License-Identifier: MIT
// Loads an ELF object of a program binary: the part of a dynamic linker that LLVM's x86-64 output needs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hiplz::cpu {

class ElfLoader;
class ElfObject;

/// Where an object finds what it does not define itself: in what its kernels share, in what the modules that it is linked with
/// share (by symbols with their numbers, link_set.h), and, in any case, among the runtime's functions. All must live longer.
struct ElfScope {
  ElfScope() = default;
  ElfScope(const ElfObject *shared, std::span<const std::shared_ptr<const ElfObject>> modules = {})
      : shared(shared), modules(modules) {}
  const ElfObject *shared = nullptr;
  std::span<const std::shared_ptr<const ElfObject>> modules; ///< null for those that share nothing
};

/// One loaded object: code readable and executable, constants read-only, data writable, never two of them at once.
class ElfObject {
public:
  /// Maps and relocates the object. Null with a sentence in `error` for anything that is not a whole x86-64 relocatable
  /// object, has an unresolved symbol or a relocation that does not fit. With `debuggable` gdb is told about it.
  static std::unique_ptr<ElfObject> load(std::span<const std::byte> bytes, bool debuggable, std::string &error,
                                         const ElfScope &scope = {});

  /// The two halves of load(), for objects that refer to each other: after map() the symbols have their addresses, after link()
  /// code and data can be used. The bytes must live until then. An object that cannot be linked is useless.
  static std::unique_ptr<ElfObject> map(std::span<const std::byte> bytes, bool debuggable, std::string &error);
  bool link(const ElfScope &scope, std::string &error);

  ~ElfObject();
  ElfObject(const ElfObject &) = delete;
  ElfObject &operator=(const ElfObject &) = delete;

  struct Symbol {
    void *address = nullptr;
    uint64_t size = 0;
    bool executable = false;
  };
  /// A defined global symbol; null address if there is none of that name.
  Symbol find(std::string_view name) const;

private:
  friend class ElfLoader;
  ElfObject();

  std::byte *mapping_ = nullptr;
  size_t mappingBytes_ = 0;
  std::unordered_map<std::string, Symbol> symbols_;
  std::vector<std::byte> debugImage_; // the object with section addresses filled in, for gdb
  void *debugEntry_ = nullptr;
  std::unique_ptr<ElfLoader> loader_; // until link()
};

} // namespace hiplz::cpu

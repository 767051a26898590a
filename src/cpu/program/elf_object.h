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

/// One loaded object: code readable and executable, constants read-only, data writable, never two of them at once.
class ElfObject {
public:
  /// Maps and relocates the object. Null with a sentence in `error` for anything that is not a whole x86-64 relocatable
  /// object, has an unresolved symbol or a relocation that does not fit. With `debuggable` gdb is told about it. What the
  /// object does not define is looked for in `shared`, which must live longer, and among the runtime's functions.
  static std::unique_ptr<ElfObject> load(std::span<const std::byte> bytes, bool debuggable, std::string &error,
                                         const ElfObject *shared = nullptr);

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
  ElfObject() = default;

  std::byte *mapping_ = nullptr;
  size_t mappingBytes_ = 0;
  std::unordered_map<std::string, Symbol> symbols_;
  std::vector<std::byte> debugImage_; // the object with section addresses filled in, for gdb
  void *debugEntry_ = nullptr;
};

} // namespace hiplz::cpu

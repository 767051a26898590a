// SPDX-License-Identifier: MIT
// Sections are laid out by permission (code with its trampolines, constants, data) in one mapping, so that all distances fit
// the small code model; relocations are applied while everything is writable, then the final permissions are set.
// Symbols outside the object are reached through trampolines and a table of addresses in the same mapping.
#include "cpu/program/elf_object.h"
#include "cpu/check/findings.h"
#include "cpu/check/memory.h"
#include "cpu/program/gdb_jit.h"
#include "cpu/program/link_set.h"
#include "cpu/program/loaded_code.h"
#include "cpu/program/runtime_symbols.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <limits>
#include <sys/mman.h>
#include <unistd.h>

namespace hiplz::cpu {
namespace {

enum Permission { code, constants, data, permissionCount };

constexpr size_t kTrampolineBytes = 16;
constexpr uint64_t kMaxImageBytes = uint64_t(1) << 31; // what 32-bit distances can span
constexpr uint64_t kMaxAlign = 4096;
constexpr size_t kGuardBytes = 64 << 10;

uint64_t alignUp(uint64_t value, uint64_t align) { return (value + align - 1) & ~(align - 1); }

} // namespace

class ElfLoader {
public:
  ElfLoader(std::span<const std::byte> bytes, ElfObject &object, bool debuggable)
      : bytes_(bytes), object_(object), debuggable_(debuggable) {}

  bool map(std::string &error) { return report(readHeaders() && layOut() && copySections() && defineSymbols(), error); }

  bool link(const ElfScope &scope, std::string &error) {
    const bool good = report(importSymbols(scope) && relocate() && protect(), error);
    if (good)
      publish();
    return good;
  }

private:
  bool report(bool good, std::string &error) const {
    if (!good)
      error = "program binary: " + error_;
    return good;
  }

  bool fail(std::string text) {
    error_ = std::move(text);
    return false;
  }

  bool inFile(uint64_t offset, uint64_t size) const {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
  }

  template <typename T> T read(uint64_t offset) const {
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  bool readHeaders() {
    if (bytes_.size() < sizeof(Elf64_Ehdr))
      return fail("the object is shorter than an ELF header");
    auto header = read<Elf64_Ehdr>(0);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_REL || header.e_machine != EM_X86_64 ||
        header.e_shentsize != sizeof(Elf64_Shdr))
      return fail("it is not a relocatable x86-64 ELF object");
    sectionTable_ = header.e_shoff;
    if (!inFile(header.e_shoff, uint64_t(header.e_shnum) * sizeof(Elf64_Shdr)))
      return fail("the section table lies outside the object");
    for (unsigned i = 0; i < header.e_shnum; ++i) {
      auto section = read<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr));
      if (section.sh_type != SHT_NOBITS && !inFile(section.sh_offset, section.sh_size))
        return fail("section " + std::to_string(i) + " lies outside the object");
      if (section.sh_flags & SHF_TLS)
        return fail("it uses thread-local storage");
      if (section.sh_type == SHT_SYMTAB) {
        if (symbolTable_)
          return fail("it has several symbol tables");
        symbolTable_ = i;
      }
      sections_.push_back(section);
    }
    addresses_.resize(sections_.size());
    return symbolTable_ != 0 || fail("it has no symbol table");
  }

  static bool loaded(const Elf64_Shdr &section) { return section.sh_flags & SHF_ALLOC; }

  static Permission permissionOf(const Elf64_Shdr &section) {
    if (section.sh_flags & SHF_EXECINSTR)
      return code;
    return section.sh_flags & SHF_WRITE ? data : constants;
  }

  // Offsets in the mapping for all sections, then for the trampolines (in the code) and the address table (in the constants).
  bool layOut() {
    const Elf64_Shdr &table = sections_[symbolTable_];
    if (table.sh_entsize != sizeof(Elf64_Sym) || table.sh_link >= sections_.size())
      return fail("the symbol table is damaged");
    symbolCount_ = table.sh_size / sizeof(Elf64_Sym);
    uint64_t pageSize = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    uint64_t end = 0;
    for (int permission = code; permission < permissionCount; ++permission) {
      end = alignUp(end, pageSize);
      begin_[permission] = end;
      for (size_t i = 0; i < sections_.size(); ++i) {
        const Elf64_Shdr &section = sections_[i];
        if (!loaded(section) || permissionOf(section) != permission)
          continue;
        uint64_t align = std::max<uint64_t>(section.sh_addralign, 1);
        if ((align & (align - 1)) || align > kMaxAlign)
          return fail("section " + std::to_string(i) + " has an impossible alignment");
        if (section.sh_size > kMaxImageBytes)
          return fail("its variables take more than 2 GiB");
        end = alignUp(end, align);
        addresses_[i] = end;
        end += section.sh_size;
        if (end > kMaxImageBytes)
          return fail("code and variables take more than 2 GiB");
      }
      uint64_t perSymbol = permission == code ? kTrampolineBytes : permission == constants ? sizeof(uint64_t) : 0;
      if (perSymbol) {
        end = alignUp(end, kTrampolineBytes);
        (permission == code ? trampolines_ : table_) = end;
        end += perSymbol * symbolCount_;
      }
      if (end > kMaxImageBytes)
        return fail("code and variables take more than 2 GiB");
      end_[permission] = alignUp(end, pageSize);
    }
    object_.mappingBytes_ = alignUp(std::max<uint64_t>(end, 1), pageSize);
    // Near the libraries that it calls, which is where data of theirs are: kernels that leave a variable must not reach those.
    const uint64_t bytes = object_.mappingBytes_;
    void *mapping = ::mmap(nullptr, bytes + 2 * kGuardBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED)
      return fail("no memory for " + std::to_string(bytes) + " bytes of code and variables");
    object_.mapping_ = static_cast<std::byte *>(mapping) + kGuardBytes;
    return ::mprotect(object_.mapping_, bytes, PROT_READ | PROT_WRITE) == 0 ||
           fail("no memory for " + std::to_string(bytes) + " bytes of code and variables");
  }

  bool copySections() {
    for (size_t i = 0; i < sections_.size(); ++i)
      if (loaded(sections_[i]) && sections_[i].sh_type != SHT_NOBITS)
        std::memcpy(object_.mapping_ + addresses_[i], bytes_.data() + sections_[i].sh_offset, sections_[i].sh_size);
    return true;
  }

  std::string_view nameAt(const Elf64_Shdr &strings, uint64_t offset) const {
    if (offset >= strings.sh_size || !inFile(strings.sh_offset, strings.sh_size) || strings.sh_type == SHT_NOBITS)
      return {};
    const char *begin = reinterpret_cast<const char *>(bytes_.data() + strings.sh_offset + offset);
    return {begin, ::strnlen(begin, strings.sh_size - offset)};
  }

  Elf64_Sym symbolAt(uint64_t index) const {
    return read<Elf64_Sym>(sections_[symbolTable_].sh_offset + index * sizeof(Elf64_Sym));
  }

  std::string_view nameOf(const Elf64_Sym &symbol) const {
    return nameAt(sections_[sections_[symbolTable_].sh_link], symbol.st_name);
  }

  // The addresses of the symbols that it defines.
  bool defineSymbols() {
    symbols_.assign(symbolCount_, 0);
    for (uint64_t i = 1; i < symbolCount_; ++i) {
      const Elf64_Sym symbol = symbolAt(i);
      std::string_view name = nameOf(symbol);
      uint64_t address = 0;
      if (symbol.st_shndx == SHN_UNDEF) {
        continue;
      } else if (symbol.st_shndx == SHN_ABS) {
        address = symbol.st_value;
      } else if (symbol.st_shndx < sections_.size()) {
        const Elf64_Shdr &section = sections_[symbol.st_shndx];
        if (!loaded(section))
          continue;
        if (symbol.st_value > section.sh_size || symbol.st_size > section.sh_size - symbol.st_value)
          return fail("the symbol " + std::string(name) + " lies outside its section");
        address = reinterpret_cast<uint64_t>(object_.mapping_) + addresses_[symbol.st_shndx] + symbol.st_value;
        if (ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL)
          object_.symbols_[std::string(name)] = {reinterpret_cast<void *>(address), symbol.st_size,
                                                 permissionOf(section) == code};
      } else {
        return fail("the symbol " + std::string(name) + " is in no section");
      }
      symbols_[i] = address;
    }
    return true;
  }

  static void *find(const ElfScope &scope, std::string_view name) {
    if (const auto [module, symbol] = splitModuleSymbol(name); module) {
      const ElfObject *object = module < scope.modules.size() ? scope.modules[module].get() : nullptr;
      return object ? object->find(symbol).address : nullptr;
    }
    void *found = scope.shared ? scope.shared->find(name).address : nullptr;
    return found ? found : findRuntimeSymbol(name);
  }

  // Those of the others, and the trampolines and table entries of all.
  bool importSymbols(const ElfScope &scope) {
    for (uint64_t i = 1; i < symbolCount_; ++i) {
      const Elf64_Sym symbol = symbolAt(i);
      if (symbol.st_shndx == SHN_UNDEF) {
        const std::string_view name = nameOf(symbol);
        symbols_[i] = reinterpret_cast<uint64_t>(find(scope, name));
        if (!symbols_[i] && ELF64_ST_BIND(symbol.st_info) != STB_WEAK)
          return fail("the symbol " + std::string(name) + " is not defined anywhere");
      }
      writeTrampoline(i, symbols_[i]);
    }
    return true;
  }

  // Trampoline: jmp *entry(%rip).
  void writeTrampoline(uint64_t index, uint64_t address) {
    std::byte *entry = object_.mapping_ + table_ + index * sizeof(uint64_t);
    std::memcpy(entry, &address, sizeof address);
    std::byte *trampoline = object_.mapping_ + trampolines_ + index * kTrampolineBytes;
    int32_t distance = static_cast<int32_t>(entry - (trampoline + 6));
    trampoline[0] = std::byte{0xff};
    trampoline[1] = std::byte{0x25};
    std::memcpy(trampoline + 2, &distance, sizeof distance);
  }

  bool relocate() {
    for (const Elf64_Shdr &relocations : sections_) {
      if (relocations.sh_type == SHT_REL && relocations.sh_info < sections_.size() &&
          loaded(sections_[relocations.sh_info]))
        return fail("it has relocations without addends");
      if (relocations.sh_type != SHT_RELA)
        continue;
      if (relocations.sh_info >= sections_.size() || relocations.sh_entsize != sizeof(Elf64_Rela))
        return fail("a relocation section is damaged");
      if (!loaded(sections_[relocations.sh_info]))
        continue; // debug sections: the debugger relocates its own copy
      for (uint64_t i = 0; i < relocations.sh_size / sizeof(Elf64_Rela); ++i)
        if (!apply(relocations.sh_info, read<Elf64_Rela>(relocations.sh_offset + i * sizeof(Elf64_Rela))))
          return false;
    }
    return true;
  }

  bool apply(size_t sectionIndex, const Elf64_Rela &relocation) {
    uint64_t index = ELF64_R_SYM(relocation.r_info);
    uint32_t type = ELF64_R_TYPE(relocation.r_info);
    if (type == R_X86_64_NONE)
      return true;
    uint64_t width = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
    const Elf64_Shdr &section = sections_[sectionIndex];
    if (index >= symbolCount_ || section.sh_type == SHT_NOBITS || section.sh_size < width ||
        relocation.r_offset > section.sh_size - width)
      return fail("a relocation lies outside its section");
    std::byte *place = object_.mapping_ + addresses_[sectionIndex] + relocation.r_offset;
    int64_t here = reinterpret_cast<int64_t>(place);
    int64_t addend = relocation.r_addend;
    int64_t symbol = static_cast<int64_t>(symbols_[index]);
    int64_t value;
    bool isSigned = true;
    switch (type) {
    case R_X86_64_64: value = add(symbol, addend); break;
    case R_X86_64_PC64: value = add(symbol, addend, here); break;
    case R_X86_64_PLT32:
      if (!inMapping(symbol))
        symbol = reinterpret_cast<int64_t>(object_.mapping_ + trampolines_ + index * kTrampolineBytes);
      value = add(symbol, addend, here);
      break;
    case R_X86_64_PC32: value = add(symbol, addend, here); break;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
      value = add(reinterpret_cast<int64_t>(object_.mapping_ + table_ + index * sizeof(uint64_t)), addend, here);
      break;
    case R_X86_64_32:
      isSigned = false;
      value = add(symbol, addend);
      break;
    case R_X86_64_32S: value = add(symbol, addend); break;
    default: return fail("it has a relocation of unknown type " + std::to_string(type));
    }
    if (width == 8) {
      std::memcpy(place, &value, sizeof value);
      return true;
    }
    bool fits = isSigned ? value >= std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max()
                         : value >= 0 && value <= std::numeric_limits<uint32_t>::max();
    if (!fits)
      return fail("a relocation does not fit into 32 bits");
    int32_t narrow = static_cast<int32_t>(value);
    std::memcpy(place, &narrow, sizeof narrow);
    return true;
  }

  // Wraps around like the processor does; addends may be anything.
  static int64_t add(int64_t symbol, int64_t addend, int64_t minus = 0) {
    return static_cast<int64_t>(static_cast<uint64_t>(symbol) + static_cast<uint64_t>(addend) -
                                static_cast<uint64_t>(minus));
  }

  bool inMapping(int64_t address) const {
    uint64_t offset = static_cast<uint64_t>(address) - reinterpret_cast<uint64_t>(object_.mapping_);
    return offset < object_.mappingBytes_;
  }

  bool protect() {
    constexpr int kProtection[permissionCount] = {PROT_READ | PROT_EXEC, PROT_READ, PROT_READ | PROT_WRITE};
    for (int permission = code; permission < permissionCount; ++permission) {
      uint64_t size = end_[permission] - begin_[permission];
      if (size && ::mprotect(object_.mapping_ + begin_[permission], size, kProtection[permission]) != 0)
        return fail("the system refuses executable memory");
    }
    return true;
  }

  void publish() {
    if (!debuggable_)
      return;
    object_.debugImage_.assign(bytes_.begin(), bytes_.end());
    for (size_t i = 0; i < sections_.size(); ++i) {
      if (!loaded(sections_[i]))
        continue;
      uint64_t address = reinterpret_cast<uint64_t>(object_.mapping_) + addresses_[i];
      std::memcpy(object_.debugImage_.data() + sectionTable_ + i * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_addr),
                  &address, sizeof address);
    }
    object_.debugEntry_ = registerWithDebugger(object_.debugImage_);
    addLoadedCode(object_.debugImage_);
  }

  std::span<const std::byte> bytes_;
  ElfObject &object_;
  const bool debuggable_;
  std::string error_;
  std::vector<Elf64_Shdr> sections_;
  std::vector<uint64_t> addresses_; // of sections, relative to the mapping
  std::vector<uint64_t> symbols_;   // absolute addresses
  uint64_t sectionTable_ = 0;
  size_t symbolTable_ = 0;
  uint64_t symbolCount_ = 0;
  uint64_t begin_[permissionCount] = {};
  uint64_t end_[permissionCount] = {};
  uint64_t trampolines_ = 0; // relative to the mapping
  uint64_t table_ = 0;
};

ElfObject::ElfObject() = default;

std::unique_ptr<ElfObject> ElfObject::map(std::span<const std::byte> bytes, bool debuggable, std::string &error) {
  std::unique_ptr<ElfObject> object(new ElfObject);
  object->loader_ = std::make_unique<ElfLoader>(bytes, *object, debuggable);
  if (!object->loader_->map(error))
    return nullptr;
  return object;
}

bool ElfObject::link(const ElfScope &scope, std::string &error) {
  const std::unique_ptr<ElfLoader> loader = std::move(loader_);
  check::addMemory(mapping_, mappingBytes_, mappingBytes_, check::MemoryKind::code);
  return loader->link(scope, error);
}

std::unique_ptr<ElfObject> ElfObject::load(std::span<const std::byte> bytes, bool debuggable, std::string &error,
                                           const ElfScope &scope) {
  auto object = map(bytes, debuggable, error);
  return object && object->link(scope, error) ? std::move(object) : nullptr;
}

ElfObject::~ElfObject() {
  if (debugEntry_) {
    removeLoadedCode(debugImage_);
    unregisterFromDebugger(debugEntry_);
  }
  if (mapping_) {
    check::forgetSites(mapping_, mappingBytes_);
    check::removeMemory(mapping_);
    ::munmap(mapping_ - kGuardBytes, mappingBytes_ + 2 * kGuardBytes);
  }
}

ElfObject::Symbol ElfObject::find(std::string_view name) const {
  auto found = symbols_.find(std::string(name));
  return found == symbols_.end() ? Symbol{} : found->second;
}

} // namespace hiplz::cpu

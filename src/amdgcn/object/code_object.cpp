// SPDX-License-Identifier: MIT
// See code_object.h. Files may be damaged or made to do damage, so nothing is read that has not been checked to be inside.
#include "amdgcn/object/code_object.h"
#include "amdgcn/object/message_pack.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <elf.h>
#include <iterator>
#include <string_view>

namespace hiplz::amdgcn {
namespace {

constexpr uint16_t kMachine = 224;              // EM_AMDGPU
constexpr uint32_t kMetadataNote = 32;          // NT_AMDGPU_METADATA
constexpr uint64_t kMaxImageBytes = 1ull << 30; // larger ones do not exist
constexpr uint64_t kDescriptorBytes = 64;
enum RelocationType : uint32_t { none = 0, absolute64 = 3, relative64 = 13 };

template <class T> T readAt(std::span<const std::byte> bytes, uint64_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

bool isInside(std::span<const std::byte> bytes, uint64_t offset, uint64_t size) {
  return offset <= bytes.size() && size <= bytes.size() - offset;
}

struct KindName {
  std::string_view name;
  ParameterKind kind;
  uint8_t dimension = 0;
};
constexpr KindName kKindNames[] = {
    {"by_value", ParameterKind::value},
    {"global_buffer", ParameterKind::pointer},
    {"image", ParameterKind::image},
    {"sampler", ParameterKind::sampler},
    {"dynamic_shared_pointer", ParameterKind::localPointer},
    {"hidden_none", ParameterKind::hiddenNone},
    {"hidden_global_offset_x", ParameterKind::globalOffset, 0},
    {"hidden_global_offset_y", ParameterKind::globalOffset, 1},
    {"hidden_global_offset_z", ParameterKind::globalOffset, 2},
    {"hidden_block_count_x", ParameterKind::blockCount, 0},
    {"hidden_block_count_y", ParameterKind::blockCount, 1},
    {"hidden_block_count_z", ParameterKind::blockCount, 2},
    {"hidden_group_size_x", ParameterKind::groupSize, 0},
    {"hidden_group_size_y", ParameterKind::groupSize, 1},
    {"hidden_group_size_z", ParameterKind::groupSize, 2},
    {"hidden_remainder_x", ParameterKind::remainder, 0},
    {"hidden_remainder_y", ParameterKind::remainder, 1},
    {"hidden_remainder_z", ParameterKind::remainder, 2},
    {"hidden_grid_dims", ParameterKind::gridDimensions},
    {"hidden_printf_buffer", ParameterKind::printfBuffer},
    {"hidden_hostcall_buffer", ParameterKind::hostcallBuffer},
    {"hidden_default_queue", ParameterKind::defaultQueue},
    {"hidden_completion_action", ParameterKind::completionAction},
    {"hidden_multigrid_sync_arg", ParameterKind::multigridSync},
    {"hidden_heap_v1", ParameterKind::heap},
    {"hidden_private_base", ParameterKind::privateBase},
    {"hidden_shared_base", ParameterKind::sharedBase},
    {"hidden_queue_ptr", ParameterKind::queue},
    {"hidden_dynamic_lds_size", ParameterKind::dynamicLocalBytes},
};

/// Processors whose code is translated, and their numbers in the header's flags.
struct Machine {
  uint32_t flag;
  const char *name;
  unsigned generation;
};
constexpr Machine kMachines[] = {{0x036, "gfx1030", 10},      {0x037, "gfx1031", 10},         {0x038, "gfx1032", 10},
                                 {0x039, "gfx1033", 10},      {0x03e, "gfx1034", 10},         {0x03d, "gfx1035", 10},
                                 {0x045, "gfx1036", 10},      {0x053, "gfx10-3-generic", 10}, {0x041, "gfx1100", 11},
                                 {0x046, "gfx1101", 11},      {0x047, "gfx1102", 11},         {0x044, "gfx1103", 11},
                                 {0x054, "gfx11-generic", 11}};

class FileReader {
public:
  FileReader(std::span<const std::byte> bytes, std::string &error) : bytes_(bytes), error_(error) {}

  std::optional<CodeObject> read() {
    if (!isCodeObject(bytes_) || bytes_.size() < sizeof(Elf64_Ehdr)) {
      fail("it is not an ELF file for AMD's GPUs");
      return std::nullopt;
    }
    header_ = readAt<Elf64_Ehdr>(bytes_, 0);
    if (readSegments() && readSymbols() && readRelocations() && readMetadata())
      return std::move(object_);
    return std::nullopt;
  }

private:
  bool fail(const std::string &what) {
    error_ = "code object: " + what;
    return false;
  }

  /// Copies what the loader would load to where it would load it.
  bool readSegments() {
    if (header_.e_phentsize != sizeof(Elf64_Phdr) ||
        !isInside(bytes_, header_.e_phoff, uint64_t{header_.e_phnum} * sizeof(Elf64_Phdr)))
      return fail("its program headers are damaged");
    uint64_t end = 0;
    for (unsigned i = 0; i < header_.e_phnum; ++i) {
      segments_.push_back(readAt<Elf64_Phdr>(bytes_, header_.e_phoff + i * sizeof(Elf64_Phdr)));
      const Elf64_Phdr &segment = segments_.back();
      if (!isInside(bytes_, segment.p_offset, segment.p_filesz))
        return fail("a segment lies outside the file");
      if (segment.p_type != PT_LOAD)
        continue;
      if (segment.p_vaddr > kMaxImageBytes || segment.p_memsz > kMaxImageBytes || segment.p_filesz > segment.p_memsz)
        return fail("a segment has an impossible size");
      end = std::max(end, segment.p_vaddr + segment.p_memsz);
    }
    if (end == 0)
      return fail("it has nothing to load");
    object_.image.resize(end);
    for (const Elf64_Phdr &segment : segments_) {
      if (segment.p_type != PT_LOAD)
        continue;
      if (segment.p_filesz)
        std::memcpy(object_.image.data() + segment.p_vaddr, bytes_.data() + segment.p_offset, segment.p_filesz);
      if (segment.p_flags & PF_X) {
        const bool first = object_.codeEnd == 0;
        object_.codeBegin = first ? segment.p_vaddr : std::min<uint64_t>(object_.codeBegin, segment.p_vaddr);
        object_.codeEnd = std::max<uint64_t>(object_.codeEnd, segment.p_vaddr + segment.p_memsz);
      }
    }
    return true;
  }

  bool sections(std::vector<Elf64_Shdr> &sections) {
    if (header_.e_shnum == 0)
      return true;
    if (header_.e_shentsize != sizeof(Elf64_Shdr) ||
        !isInside(bytes_, header_.e_shoff, uint64_t{header_.e_shnum} * sizeof(Elf64_Shdr)))
      return fail("its section headers are damaged");
    for (unsigned i = 0; i < header_.e_shnum; ++i) {
      sections.push_back(readAt<Elf64_Shdr>(bytes_, header_.e_shoff + i * sizeof(Elf64_Shdr)));
      const Elf64_Shdr &section = sections.back();
      if (section.sh_type != SHT_NOBITS && !isInside(bytes_, section.sh_offset, section.sh_size))
        return fail("a section lies outside the file");
    }
    return true;
  }

  std::string nameAt(const Elf64_Shdr &strings, uint64_t offset) const {
    if (strings.sh_type == SHT_NOBITS || offset >= strings.sh_size)
      return {};
    const auto *begin = reinterpret_cast<const char *>(bytes_.data() + strings.sh_offset + offset);
    return {begin, ::strnlen(begin, strings.sh_size - offset)};
  }

  bool readSymbols() {
    if (!sections(sections_))
      return false;
    // The full table has local functions too; stripped files have the dynamic one alone.
    const auto full = std::find_if(sections_.begin(), sections_.end(),
                                   [](const Elf64_Shdr &section) { return section.sh_type == SHT_SYMTAB; });
    const auto table = full != sections_.end()
                           ? full
                           : std::find_if(sections_.begin(), sections_.end(),
                                          [](const Elf64_Shdr &section) { return section.sh_type == SHT_DYNSYM; });
    if (table == sections_.end())
      return true;
    if (table->sh_link >= sections_.size() || table->sh_entsize != sizeof(Elf64_Sym))
      return fail("its symbol table is damaged");
    for (uint64_t i = 1; i < table->sh_size / sizeof(Elf64_Sym); ++i) {
      const auto entry = readAt<Elf64_Sym>(bytes_, table->sh_offset + i * sizeof(Elf64_Sym));
      const unsigned type = ELF64_ST_TYPE(entry.st_info);
      if (entry.st_shndx == SHN_UNDEF || entry.st_shndx >= SHN_LORESERVE || (type != STT_FUNC && type != STT_OBJECT))
        continue;
      Symbol symbol;
      symbol.name = nameAt(sections_[table->sh_link], entry.st_name);
      symbol.offset = entry.st_value;
      symbol.size = entry.st_size;
      symbol.isFunction = type == STT_FUNC;
      symbol.isExported = ELF64_ST_BIND(entry.st_info) != STB_LOCAL;
      if (!isInside(object_.image, symbol.offset, symbol.size))
        return fail("the symbol " + symbol.name + " lies outside what is loaded");
      object_.symbols.push_back(std::move(symbol));
    }
    return true;
  }

  /// The value of a symbol that a dynamic relocation refers to.
  bool dynamicSymbol(const Elf64_Shdr &relocations, uint64_t index, uint64_t &value) {
    if (relocations.sh_link >= sections_.size() || sections_[relocations.sh_link].sh_type != SHT_DYNSYM)
      return fail("a relocation has no symbol table");
    const Elf64_Shdr &table = sections_[relocations.sh_link];
    if (index >= table.sh_size / sizeof(Elf64_Sym))
      return fail("a relocation has no symbol");
    const auto entry = readAt<Elf64_Sym>(bytes_, table.sh_offset + index * sizeof(Elf64_Sym));
    if (entry.st_shndx == SHN_UNDEF)
      return fail("the symbol " +
                  (table.sh_link < sections_.size() ? nameAt(sections_[table.sh_link], entry.st_name)
                                                    : std::string("of a relocation")) +
                  " is not defined");
    value = entry.st_value;
    return true;
  }

  bool readRelocations() {
    for (const Elf64_Shdr &section : sections_) {
      if (section.sh_type == SHT_REL && (section.sh_flags & SHF_ALLOC) && section.sh_size)
        return fail("it has relocations without addends");
      if (section.sh_type != SHT_RELA || !(section.sh_flags & SHF_ALLOC))
        continue;
      for (uint64_t i = 0; i < section.sh_size / sizeof(Elf64_Rela); ++i) {
        const auto entry = readAt<Elf64_Rela>(bytes_, section.sh_offset + i * sizeof(Elf64_Rela));
        Relocation relocation{entry.r_offset, static_cast<uint64_t>(entry.r_addend)};
        const uint32_t type = ELF64_R_TYPE(entry.r_info);
        uint64_t symbol = 0;
        if (type == RelocationType::none)
          continue;
        if (type == RelocationType::absolute64) {
          if (!dynamicSymbol(section, ELF64_R_SYM(entry.r_info), symbol))
            return false;
          relocation.addend += symbol;
        } else if (type != RelocationType::relative64) {
          return fail("it has a relocation of type " + std::to_string(type));
        }
        if (!isInside(object_.image, relocation.offset, 8))
          return fail("a relocation lies outside what is loaded");
        object_.relocations.push_back(relocation);
      }
    }
    std::sort(object_.relocations.begin(), object_.relocations.end(),
              [](const Relocation &a, const Relocation &b) { return a.offset < b.offset; });
    for (size_t i = 1; i < object_.relocations.size(); ++i)
      if (object_.relocations[i].offset - object_.relocations[i - 1].offset < 8)
        return fail("two relocations overlap");
    return true;
  }

  /// A file that was linked from several has a note of each.
  bool readMetadata() {
    bool any = false;
    for (const Elf64_Phdr &segment : segments_) {
      if (segment.p_type != PT_NOTE)
        continue;
      const auto notes = bytes_.subspan(segment.p_offset, segment.p_filesz);
      for (uint64_t at = 0; isInside(notes, at, sizeof(Elf64_Nhdr));) {
        const auto note = readAt<Elf64_Nhdr>(notes, at);
        const uint64_t content = at + sizeof note + ((uint64_t{note.n_namesz} + 3) & ~uint64_t{3});
        if (!isInside(notes, content, note.n_descsz))
          return fail("a note is damaged");
        if (note.n_type == kMetadataNote) {
          if (!describeKernels(notes.subspan(content, note.n_descsz)))
            return false;
          any = true;
        }
        at = content + ((uint64_t{note.n_descsz} + 3) & ~uint64_t{3});
      }
    }
    return any || fail("it has no metadata of version 3 or later");
  }

  bool describeKernels(std::span<const std::byte> bytes) {
    const auto document = readMessagePack(bytes);
    if (!document)
      return fail("its metadata is damaged");
    object_.target = processorOf(bytes_);
    for (const PackedValue &kernel : (*document)["amdhsa.kernels"].list)
      if (!describeKernel(kernel))
        return false;
    for (const PackedValue &format : (*document)["amdhsa.printf"].list)
      describeFormat(format.text);
    return true;
  }

  /// "0:0:", the number in hexadecimal digits, a comma and the format. Those of OpenCL have numbers of arguments in front, and no number.
  void describeFormat(std::string_view text) {
    constexpr std::string_view kBegin = "0:0:";
    if (!text.starts_with(kBegin))
      return;
    text.remove_prefix(kBegin.size());
    const size_t comma = text.find(',');
    PrintfFormat format;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + std::min(comma, text.size()), format.number, 16);
    if (comma == text.npos || error != std::errc() || end != text.data() + comma)
      return;
    format.text = text.substr(comma + 1);
    object_.formats.push_back(std::move(format));
  }

  bool describeKernel(const PackedValue &data) {
    MachineKernel kernel;
    kernel.name = data[".name"].text;
    const std::string symbolName = data[".symbol"].text;
    const auto symbol = std::find_if(object_.symbols.begin(), object_.symbols.end(),
                                     [&](const Symbol &symbol) { return symbol.name == symbolName; });
    if (kernel.name.empty() || symbol == object_.symbols.end())
      return fail("the kernel '" + kernel.name + "' has no descriptor");
    // The metadata's name is what the source says; programs register the symbol without its ending.
    if (symbolName.ends_with(".kd"))
      kernel.name = symbolName.substr(0, symbolName.size() - 3);
    if (!isInside(object_.image, symbol->offset, kDescriptorBytes))
      return fail("the descriptor of the kernel " + kernel.name + " lies outside what is loaded");
    const std::span<const std::byte> image(object_.image);
    kernel.localBytes = readAt<uint32_t>(image, symbol->offset);
    kernel.privateBytes = readAt<uint32_t>(image, symbol->offset + 4);
    kernel.entry = symbol->offset + readAt<uint64_t>(image, symbol->offset + 16);
    kernel.rsrc1 = readAt<uint32_t>(image, symbol->offset + 48);
    kernel.rsrc2 = readAt<uint32_t>(image, symbol->offset + 52);
    kernel.properties = readAt<uint16_t>(image, symbol->offset + 56);
    if (kernel.entry < object_.codeBegin || kernel.entry >= object_.codeEnd || kernel.entry % 4 != 0)
      return fail("the code of the kernel " + kernel.name + " lies outside the executable segment");
    kernel.argumentBytes = static_cast<uint32_t>(data[".kernarg_segment_size"].number);
    kernel.maxGroupItems = static_cast<uint32_t>(data[".max_flat_workgroup_size"].number);
    kernel.dynamicStack = data[".uses_dynamic_stack"].number != 0 || (kernel.properties & 1 << 11);
    if (const auto &size = data[".reqd_workgroup_size"].list; size.size() == 3)
      for (unsigned d = 0; d < 3; ++d)
        kernel.requiredGroupSize[d] = static_cast<uint32_t>(size[d].number);
    for (const PackedValue &argument : data[".args"].list) {
      Parameter parameter;
      parameter.kindName = argument[".value_kind"].text;
      for (const KindName &kind : kKindNames)
        if (kind.name == parameter.kindName) {
          parameter.kind = kind.kind;
          parameter.dimension = kind.dimension;
        }
      parameter.offset = static_cast<uint32_t>(argument[".offset"].number);
      parameter.size = static_cast<uint32_t>(argument[".size"].number);
      if (parameter.size > kernel.argumentBytes || parameter.offset > kernel.argumentBytes - parameter.size)
        return fail("a parameter of the kernel " + kernel.name + " lies outside its arguments");
      kernel.parameters.push_back(std::move(parameter));
    }
    constexpr uint32_t kMaxArgumentBytes = 1 << 16;
    if (kernel.argumentBytes > kMaxArgumentBytes)
      return fail("the arguments of the kernel " + kernel.name + " have an impossible size");
    object_.kernels.push_back(std::move(kernel));
    return true;
  }

  std::span<const std::byte> bytes_;
  std::string &error_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Shdr> sections_;
  CodeObject object_;
};

} // namespace

std::string processorOf(std::span<const std::byte> bytes) {
  const uint32_t flag = readAt<Elf64_Ehdr>(bytes, 0).e_flags & 0xff;
  for (const Machine &machine : kMachines)
    if (machine.flag == flag)
      return machine.name;
  return "machine " + std::to_string(flag);
}

unsigned generationOf(std::string_view processor) {
  for (const Machine &machine : kMachines)
    if (machine.name == processor)
      return machine.generation;
  return 0;
}

bool isCodeObject(std::span<const std::byte> bytes) {
  return bytes.size() >= sizeof(Elf64_Ehdr) && std::memcmp(bytes.data(), ELFMAG, SELFMAG) == 0 &&
         readAt<Elf64_Ehdr>(bytes, 0).e_machine == kMachine &&
         static_cast<unsigned char>(bytes[EI_CLASS]) == ELFCLASS64 &&
         static_cast<unsigned char>(bytes[EI_DATA]) == ELFDATA2LSB;
}

size_t codeObjectSize(std::span<const std::byte> bytes) {
  if (!isCodeObject(bytes))
    return 0;
  const auto header = readAt<Elf64_Ehdr>(bytes, 0);
  uint64_t end = std::max(header.e_shoff + uint64_t{header.e_shnum} * header.e_shentsize,
                          header.e_phoff + uint64_t{header.e_phnum} * header.e_phentsize);
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    if (!isInside(bytes, header.e_phoff + uint64_t{i} * sizeof(Elf64_Phdr), sizeof(Elf64_Phdr)))
      return 0;
    const auto segment = readAt<Elf64_Phdr>(bytes, header.e_phoff + uint64_t{i} * sizeof(Elf64_Phdr));
    end = std::max<uint64_t>(end, segment.p_offset + segment.p_filesz);
  }
  return isInside(bytes, 0, end) ? end : 0;
}

std::vector<std::string> ownersVariables(const CodeObject &object) {
  std::vector<std::string> names{kTrapVariable};
  for (const MachineKernel &kernel : object.kernels)
    for (const Parameter &parameter : kernel.parameters)
      if (parameter.isOwners() && std::find(names.begin(), names.end(), parameter.kindName) == names.end())
        names.push_back(parameter.kindName);
  return names;
}

std::optional<CodeObject> readCodeObject(std::span<const std::byte> bytes, std::string &error) {
  return FileReader(bytes, error).read();
}

} // namespace hiplz::amdgcn

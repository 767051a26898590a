// SPDX-License-Identifier: MIT
#include "fatbin/device_objects.h"

#include <elf.h>

#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

namespace hiplz {

namespace {

constexpr std::string_view kDevicePrefix = "__CLANG_OFFLOAD_BUNDLE__hip-spirv64";
constexpr std::string_view kDeviceSection = "__CLANG_OFFLOAD_BUNDLE__hip-spirv64-generic";
constexpr std::string_view kHostSection = "__CLANG_OFFLOAD_BUNDLE__host-x86_64-pc-linux-gnu";

// The bytes [offset, offset + size) if they exist.
std::optional<std::string_view> slice(std::string_view bytes, uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset)
    return std::nullopt;
  return bytes.substr(offset, size);
}

template <class T> std::optional<T> readAt(std::string_view bytes, uint64_t offset) {
  const std::optional<std::string_view> part = slice(bytes, offset, sizeof(T));
  if (!part)
    return std::nullopt;
  T value;
  std::memcpy(&value, part->data(), sizeof value);
  return value;
}

template <class T> void append(std::string &bytes, const T &value) {
  bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
}

std::string_view trimmed(std::string_view field) {
  const size_t end = field.find_last_not_of(" \n");
  return end == field.npos ? std::string_view() : field.substr(0, end + 1);
}

uint64_t number(std::string_view field) {
  uint64_t value = 0;
  std::from_chars(field.data(), field.data() + field.size(), value);
  return value;
}

} // namespace

std::optional<std::string_view> deviceCodeOf(std::string_view object) {
  const std::optional<Elf64_Ehdr> header = readAt<Elf64_Ehdr>(object, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_ident[EI_DATA] != ELFDATA2LSB)
    return std::nullopt;
  const auto section = [&](uint64_t index) -> std::optional<Elf64_Shdr> {
    if (header->e_shoff > object.size())
      return std::nullopt;
    return readAt<Elf64_Shdr>(object, header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  const std::optional<Elf64_Shdr> first = section(0);
  if (header->e_shoff == 0 || !first)
    return std::nullopt;
  // Objects with very many sections keep both numbers in the first section header.
  const uint64_t count = header->e_shnum ? header->e_shnum : first->sh_size;
  const uint64_t namesIndex = header->e_shstrndx == SHN_XINDEX ? first->sh_link : header->e_shstrndx;
  const std::optional<Elf64_Shdr> namesHeader = section(namesIndex);
  if (!namesHeader || count > object.size() / sizeof(Elf64_Shdr))
    return std::nullopt;
  const std::optional<std::string_view> names = slice(object, namesHeader->sh_offset, namesHeader->sh_size);
  if (!names)
    return std::nullopt;
  for (uint64_t i = 1; i < count; ++i) {
    const std::optional<Elf64_Shdr> candidate = section(i);
    if (!candidate)
      return std::nullopt;
    const std::optional<std::string_view> name = slice(*names, candidate->sh_name, kDevicePrefix.size());
    if (name == kDevicePrefix && candidate->sh_size > 1) // one byte: a bundle without code for this side
      return slice(object, candidate->sh_offset, candidate->sh_size);
  }
  return std::nullopt;
}

std::string objectWithDeviceCode(std::string_view deviceCode) {
  constexpr std::string_view kStackNote = ".note.GNU-stack", kNames = ".shstrtab";
  std::string names(1, '\0');
  const auto addName = [&](std::string_view name) {
    const uint32_t offset = names.size();
    names.append(name).push_back('\0');
    return offset;
  };
  Elf64_Shdr sections[5] = {};
  const auto describe = [&](Elf64_Shdr &section, std::string_view name, uint32_t type, uint64_t flags) {
    section.sh_name = addName(name);
    section.sh_type = type;
    section.sh_flags = flags;
    section.sh_addralign = 1;
  };
  describe(sections[1], kDeviceSection, SHT_PROGBITS, SHF_EXCLUDE);
  describe(sections[2], kHostSection, SHT_PROGBITS, SHF_EXCLUDE);
  describe(sections[3], kStackNote, SHT_PROGBITS, 0);
  describe(sections[4], kNames, SHT_STRTAB, 0);

  std::string contents;
  const auto place = [&](Elf64_Shdr &section, std::string_view bytes) {
    section.sh_offset = sizeof(Elf64_Ehdr) + contents.size();
    section.sh_size = bytes.size();
    contents.append(bytes);
  };
  place(sections[1], deviceCode);
  place(sections[2], std::string_view("\0", 1));
  place(sections[3], {});
  place(sections[4], names);
  contents.resize((contents.size() + 7) / 8 * 8);

  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_REL;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_shoff = sizeof header + contents.size();
  header.e_ehsize = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = std::size(sections);
  header.e_shstrndx = 4;
  std::string object;
  append(object, header);
  object += contents;
  for (const Elf64_Shdr &section : sections)
    append(object, section);
  return object;
}

ArchiveMembers membersOf(std::string_view archive) {
  // Every member has a header of text fields: name 16, date 12, owner 6, group 6, mode 8, size 10, and two bytes.
  constexpr size_t kHeader = 60, kNameField = 16, kSizeAt = 48, kSizeField = 10;
  ArchiveMembers members;
  const bool thin = archive.starts_with("!<thin>\n");
  if (!thin && !archive.starts_with("!<arch>\n"))
    return members;
  std::string_view longNames;
  for (uint64_t at = 8; at + kHeader <= archive.size();) {
    const std::string_view header = archive.substr(at, kHeader);
    const std::string_view name = trimmed(header.substr(0, kNameField));
    const uint64_t size = number(header.substr(kSizeAt, kSizeField));
    const bool isTable = name == "/" || name == "/SYM64/" || name == "//" || name.starts_with("__.SYMDEF");
    const bool inside = !thin || isTable;
    const std::optional<std::string_view> content = slice(archive, at + kHeader, inside ? size : 0);
    if (!content)
      break;
    if (name == "//") {
      longNames = *content;
    } else if (!isTable && thin) {
      std::string_view file = name;
      if (name.starts_with('/')) {
        const uint64_t offset = number(name.substr(1));
        file = offset < longNames.size() ? longNames.substr(offset) : std::string_view();
        file = file.substr(0, file.find("/\n"));
      } else if (name.ends_with('/')) {
        file = name.substr(0, name.size() - 1);
      }
      members.files.emplace_back(file);
    } else if (!isTable) {
      members.contents.push_back(*content);
    }
    at += kHeader + content->size();
    at += at % 2;
  }
  return members;
}

std::optional<std::string> readFile(const std::string &path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0 || S_ISDIR(info.st_mode))
    return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<std::string> deviceCodesOfLibrary(const std::string &path) {
  const std::optional<std::string> archive = readFile(path);
  if (!archive)
    return {};
  std::vector<std::string> codes;
  const auto add = [&](std::string_view member) {
    if (const std::optional<std::string_view> code = deviceCodeOf(member))
      codes.emplace_back(*code);
  };
  const ArchiveMembers members = membersOf(*archive);
  for (const std::string_view member : members.contents)
    add(member);
  for (const std::string &file : members.files) // beside the library, if their names do not say where
    if (const std::optional<std::string> member = readFile((std::filesystem::path(path).parent_path() / file).string()))
      add(*member);
  return codes;
}

std::string findStaticLibrary(const std::string &library, const std::vector<std::string> &folders) {
  if (!library.starts_with("-l"))
    return library;
  const std::string name = library.substr(2);
  const auto exists = [](const std::string &path) { return access(path.c_str(), R_OK) == 0; };
  for (const std::string &folder : folders) {
    if (name.starts_with(':')) {
      if (exists(folder + "/" + name.substr(1)))
        return name.ends_with(".a") ? folder + "/" + name.substr(1) : std::string();
      continue;
    }
    if (exists(folder + "/lib" + name + ".so"))
      return {};
    if (exists(folder + "/lib" + name + ".a"))
      return folder + "/lib" + name + ".a";
  }
  return {};
}

} // namespace hiplz

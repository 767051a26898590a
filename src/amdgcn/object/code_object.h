// SPDX-License-Identifier: MIT
// The contents of a code object of AMD's compilers: the ELF file that holds the machine code of a module. Versions 3 to 6, whose
// metadata is MessagePack. Knows nothing of instructions. LLVM's page "User Guide for AMDGPU Backend" is the specification.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hiplz::amdgcn {

/// Kinds of parameters. Those from hiddenNone on are not the caller's: the launch fills them in.
enum class ParameterKind : uint8_t {
  value,
  pointer,
  image,
  sampler,
  localPointer, ///< OpenCL's: an offset in local memory
  hiddenNone,
  globalOffset, ///< the dimension is Parameter::dimension, as it is for the next four
  blockCount,
  groupSize,
  remainder,
  gridDimensions,
  printfBuffer,
  hostcallBuffer,
  defaultQueue,
  completionAction,
  multigridSync,
  heap,
  privateBase,
  sharedBase,
  queue,
  dynamicLocalBytes,
  unknown, ///< a kind that this version does not know
};

struct Parameter {
  ParameterKind kind = ParameterKind::unknown;
  uint8_t dimension = 0;
  uint32_t offset = 0, size = 0; ///< in the kernel's argument segment
  std::string kindName;          ///< as the metadata has it

  bool isHidden() const { return kind >= ParameterKind::hiddenNone; }
  /// True if only the owner of the module knows the value.
  bool isOwners() const {
    return kind == ParameterKind::printfBuffer || kind == ParameterKind::hostcallBuffer || kind == ParameterKind::heap;
  }
};

/// A kernel: its descriptor and its metadata.
struct MachineKernel {
  std::string name;
  std::vector<Parameter> parameters;
  uint64_t entry = 0; ///< of the code, in the image
  uint32_t argumentBytes = 0;
  uint32_t localBytes = 0;            ///< fixed local memory
  uint32_t privateBytes = 0;          ///< of a work-item
  uint32_t requiredGroupSize[3] = {}; ///< zeros: any
  uint32_t maxGroupItems = 0;         ///< zero: not said
  bool dynamicStack = false;
  uint32_t rsrc1 = 0, rsrc2 = 0; ///< the registers COMPUTE_PGM_RSRC1 and 2
  uint16_t properties = 0;       ///< kernel_code_properties
};

/// A function or a variable of the file.
struct Symbol {
  std::string name;
  uint64_t offset = 0, size = 0; ///< in the image
  bool isFunction = false;
  bool isExported = false;
};

/// Eight bytes of the image that hold an address: that of the image plus the addend.
struct Relocation {
  uint64_t offset = 0;
  uint64_t addend = 0;
};

/// A format of printf that kernels name by a number: the metadata's "amdhsa.printf".
struct PrintfFormat {
  uint64_t number = 0;
  std::string text;
};

/// A code object taken apart. Owns everything.
struct CodeObject {
  std::string target;           ///< "gfx1030", as processorOf() has it
  std::vector<std::byte> image; ///< the memory of the loaded file from virtual address 0
  uint64_t codeBegin = 0, codeEnd = 0;
  std::vector<Relocation> relocations;
  std::vector<MachineKernel> kernels;
  std::vector<Symbol> symbols;
  std::vector<PrintfFormat> formats;
};

/// Variables of 8 bytes that a loaded code object has besides its own, and whose values the owner of the module sets before kernels
/// run: for each kind of hidden parameter that only the owner knows (its name in the metadata), and kTrapVariable.
std::vector<std::string> ownersVariables(const CodeObject &object);

/// Address of a TrapState, or 0. A wave that traps, while it is 0, ends by a fault of the kernel.
inline constexpr char kTrapVariable[] = "hidden_trap_state";
struct TrapState {
  static constexpr uint32_t trapped = 2;

  uint32_t raised; ///< if not 0, waves of kernels that may trap end before they begin
  uint32_t unused;
  uint64_t reason; ///< address of a uint32_t, which becomes `trapped` if it was 0
};

/// Where code that was compiled with -mprintf-kind=buffered leaves its messages. Each begins with a control word; then the format follows, or
/// the number that stands for it in the metadata, and the arguments as in messages to the host (hip/spirv/hostcall_layout.h).
struct PrintfBuffer {
  static constexpr uint32_t isError = 1, formatIsNumber = 2; ///< in a control word; above them is the size in bytes
  static constexpr unsigned sizeShift = 2;

  uint32_t used, bytes; ///< of what follows. Kernels add to the former
};

/// Whose address the global offset of a launch is (x the low word, y the high one) if its work-groups may wait for each other.
struct GridState {
  uint32_t arrived, generation; ///< zeros before the first use
  uint64_t all;                 ///< address of two words like those, for all grids of a launch on several devices, or 0
  uint32_t rank, count;         ///< of such grids
  uint64_t threadsBefore, threads;
};

/// The generation of a processor whose code the translator takes: 10 for "gfx1030" and what is compatible with it, 11 for "gfx1100"
/// and its relatives. 0 for all others.
unsigned generationOf(std::string_view processor);
inline bool isTranslated(std::string_view processor) { return generationOf(processor) != 0; }

/// The processor that the header of a code object names; "machine 47" for those that are not translated.
std::string processorOf(std::span<const std::byte> bytes);

/// True if the bytes begin with the header of an ELF file for AMD's GPUs.
bool isCodeObject(std::span<const std::byte> bytes);

/// The size of the file at the beginning of the bytes, as far as its headers say; 0 if they are damaged.
size_t codeObjectSize(std::span<const std::byte> bytes);

/// Nothing and a sentence in `error` for damaged files, and for what a linker would still have to link. Never reads beyond the span.
std::optional<CodeObject> readCodeObject(std::span<const std::byte> bytes, std::string &error);

} // namespace hiplz::amdgcn

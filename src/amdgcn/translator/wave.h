// SPDX-License-Identifier: MIT
// The state of a wave while its code is translated: registers as variables that LLVM turns into values later, and how instructions
// read and write them. A vector register is <32 x i32>; EXEC, VCC and every other scalar register is i32, and bit i of a mask is that of
// lane i. A vector instruction writes the lanes of EXEC and leaves the others.
#pragma once
#include "amdgcn/translator/instruction.h"
#include "amdgcn/translator/lanes.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <array>
#include <string>

namespace hiplz::amdgcn {

/// High halves of the addresses of local and of private memory in the address space of flat instructions. No process has memory
/// there.
constexpr uint32_t kSharedAperture = 0xffff0000, kPrivateAperture = 0xfffe0000;

/// The flags of the buffer that is private memory (ADD_TID alone).
constexpr uint32_t kPrivateBuffer = 1 << 23;

/// The surroundings of a wave: the memory that it sees and how it waits. All values exist at the wave's entry.
struct WaveSurroundings {
  virtual ~WaveSurroundings() = default;
  /// Waits for all waves of the work-group.
  virtual void barrier(llvm::IRBuilder<> &builder) = 0;
  /// Lets others run.
  virtual void pause(llvm::IRBuilder<> &builder) = 0;
  /// Lets the other waves of the work-group come as far as this one, which waits for nothing.
  virtual void turn(llvm::IRBuilder<> &builder) = 0;
  /// Reads or writes an image for one lane. The operation and the shape are of image_access.h; the address and the colour are arrays of
  /// words in memory.
  virtual void accessImage(llvm::IRBuilder<> &builder, llvm::Value *texture, uint32_t operation, uint32_t shape,
                           llvm::Value *address, llvm::Value *colour) = 0;
  /// Waits until this many waves of the grid have come here. `count` is i32.
  virtual void gridBarrier(llvm::IRBuilder<> &builder, llvm::Value *count) = 0;
  /// Notes that the wave traps; it ends behind it.
  virtual void trap(llvm::IRBuilder<> &builder) = 0;
  /// Rounds numbers in a direction, an i32 as the mode register has it (0: to the nearest), until it is called again.
  virtual void setRounding(llvm::IRBuilder<> &builder, llvm::Value *direction) = 0;
  /// A counter of time, 64 bits, at a constant rate.
  virtual llvm::Value *clock(llvm::IRBuilder<> &builder) = 0;

  llvm::Value *live = nullptr;            ///< i32: the lanes that have a work-item
  std::array<llvm::Value *, 3> localId{}; ///< <32 x i32>
  std::array<llvm::Value *, 3> groupId{}; ///< i32
  llvm::Value *arguments = nullptr;       ///< i64: address of the kernel's argument segment
  llvm::Value *dispatch = nullptr;        ///< i64: address of the dispatch packet
  llvm::Value *queue = nullptr;           ///< i64: address of the queue
  llvm::Value *local = nullptr;           ///< ptr: the work-group's local memory
  llvm::Value *scratch = nullptr;         ///< i64: private memory of lane 0; that of the other lanes follows
  uint32_t localBytes = 0;                ///< what there is of local memory
  uint32_t scratchBytes = 0;              ///< private memory of a lane
  uint32_t vectorRegisters = 256;         ///< that the kernel has; translate.cpp says it
  unsigned generation = 10;               ///< of the processor (code_object.h), which translate.cpp says as well
  bool gathers = false;         ///< the processor reads and writes the elements of a vector at addresses of their own
  bool ranges = false;          ///< and has minima and maxima as IEEE 754 of 2008 wants them (AVX-512DQ)
  llvm::Value *image = nullptr; ///< i64: where the code object's image begins
};

/// Why an instruction cannot be translated, thrown out of the middle of one.
struct Untranslatable {
  std::string reason;
};

class Wave {
public:
  Wave(llvm::Function &function, WaveSurroundings &surroundings);

  using Value = llvm::Value;
  llvm::IRBuilder<> b;
  WaveSurroundings &around;
  bool rounds = false; ///< the kernel rounds in other directions than to the nearest; see rounding.h

  // Types.
  llvm::Type *i1, *i16, *i32, *i64, *f16, *f32, *f64;
  llvm::FixedVectorType *vectorOf(llvm::Type *element) const { return llvm::FixedVectorType::get(element, kLanes); }
  Value *splat(Value *scalar) { return b.CreateVectorSplat(kLanes, scalar); }
  Value *vector(uint32_t constant) { return splat(b.getInt32(constant)); }
  Value *vector64(uint64_t constant) { return splat(b.getInt64(constant)); }
  Value *laneNumbers();
  /// A constant of the type of `like`: a vector or a scalar.
  Value *constant(Value *like, uint64_t bits);
  /// The type with as many elements as `like` has.
  llvm::Type *typeLike(Value *like, llvm::Type *element);

  // Registers. `begin` starts an instruction.
  void begin(const Instruction &instruction);
  const Instruction &at() const { return *at_; }
  [[noreturn]] static void refuse(const std::string &reason) { throw Untranslatable{reason}; }
  /// Ends the kernel by a fault if the bit is set. Instructions that follow are in a new block.
  void faultIf(Value *bit, const char *name);
  /// Refuses the instruction if it has the modifier.
  void refuseModifier(const char *modifier);

  Value *scalarRegister(unsigned index);
  void setScalarRegister(unsigned index, Value *value);
  Value *vectorRegister(unsigned index);
  /// Writes the lanes that the instruction writes.
  void setVectorRegister(unsigned index, Value *value);
  /// Keeps back what instructions write to vector registers until releaseWrites.
  void holdWrites() { holdsWrites_ = true; }
  void releaseWrites();
  /// Writes all lanes, whatever EXEC is.
  void overwriteVectorRegister(unsigned index, Value *value);
  Value *scc();
  void setScc(Value *bit);
  Value *exec() { return scalarRegister(kExec); }
  /// The lanes that the instruction writes: those of EXEC, for DPP fewer.
  Value *lanes();
  /// i32: the lowest active lane, or lane 0 if none is active.
  Value *firstLane();
  Value *toMask(Value *bits) { return b.CreateBitCast(bits, vectorOf(i1)); }
  Value *toBits(Value *mask) { return b.CreateBitCast(mask, i32); }

  // Operands, without regard to floating-point modifiers' meaning: neg and abs change the sign bit of a value of `width` bits.
  Value *readScalar(const Operand &operand, unsigned width, bool isFloat = false);
  Value *readVector(unsigned operand, unsigned width, bool isFloat = false);
  /// The half of an operand that a packed operation takes for the low or high half of its result.
  Value *readHalf(unsigned operand, unsigned half, bool isFloat);
  /// A number of a mixed operation: 32 bits, or 16 of either half.
  Value *readMixed(unsigned operand);
  void writeScalar(const Operand &operand, Value *value);
  void writeVector(unsigned operand, Value *value);
  /// A mask operand of a vector instruction, as bits.
  Value *readMask(const Operand &operand) { return readScalar(operand, 32); }
  void writeMask(const Operand &operand, Value *mask);

  /// The bits of a constant as an operand of so many bits.
  static uint64_t constantBits(const Operand &operand, unsigned width, bool isFloat);

  /// Registers `first` to `first` + `count` - 1 of lanes, one above the other.
  Value *wide(Value *low, Value *high);
  Value *lowHalf(Value *wide), *highHalf(Value *wide);
  /// The parts that `wide` has put together; nulls if the value came from elsewhere.
  std::pair<Value *, Value *> halvesOf(Value *wide);

  /// Memory for a vector, the same for each use of the name.
  llvm::AllocaInst *array(const llvm::Twine &name, llvm::Type *type);

  /// FP mode as s_setreg, s_denorm_mode and s_round_mode set it, and as it was at the start.
  Value *mode();
  void setMode(Value *value);
  /// The mode is this constant from here on; null if it is not known.
  void assumeMode(llvm::ConstantInt *value) { knownMode_ = value; }

private:
  llvm::AllocaInst *variable(llvm::Type *type, const llvm::Twine &name);
  Value *withSign(const Operand &operand, Value *value, unsigned width);
  Value *readRegisters(const Operand &operand, unsigned width);
  Value *word(const Operand &operand, bool high, bool isFloat);
  Value *selectSdwa(llvm::StringRef selection, const Operand &operand, Value *value);
  Value *permuteDpp(Value *value);
  void prepareDpp();

  llvm::Function &function_;
  const Instruction *at_ = nullptr;
  Value *lanes_ = nullptr;     // of the instruction
  Value *dppSource_ = nullptr; // which lane each reads
  Value *dppValid_ = nullptr;
  std::array<llvm::AllocaInst *, kScalarRegisters> scalars_{};
  std::array<llvm::AllocaInst *, 256> vectors_{};
  llvm::AllocaInst *scc_ = nullptr, *mode_ = nullptr;
  llvm::StringMap<llvm::AllocaInst *> arrays_;
  llvm::ConstantInt *knownMode_ = nullptr;
  bool holdsWrites_ = false;
  llvm::SmallVector<std::pair<unsigned, Value *>, 2> held_; // registers and their new values
};

} // namespace hiplz::amdgcn

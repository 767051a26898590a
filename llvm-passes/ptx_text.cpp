// SPDX-License-Identifier: MIT
#include "ptx_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cctype>

using namespace llvm;

namespace hiplz::passes {

SmallVector<StringRef, 6> PtxInstruction::parts() const {
  SmallVector<StringRef, 6> Parts;
  StringRef(Name).split(Parts, '.');
  return Parts;
}

unsigned ptxTypeBits(StringRef Type) {
  if (Type == "pred")
    return 1;
  if (Type == "f16x2" || Type == "bf16x2")
    return 32;
  if (Type == "bf16")
    return 16;
  unsigned Bits = 0;
  if (Type.size() < 2 || !StringRef("busf").contains(Type[0]) || Type.drop_front().getAsInteger(10, Bits))
    return 0;
  return Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64 || Bits == 128 ? Bits : 0;
}

SmallVector<std::string, 4> splitPtxList(StringRef Text) {
  SmallVector<std::string, 4> Parts;
  int Depth = 0;
  size_t Start = 0;
  for (size_t N = 0; N <= Text.size(); ++N) {
    if (N < Text.size() && (Text[N] == '[' || Text[N] == '{'))
      ++Depth;
    if (N < Text.size() && (Text[N] == ']' || Text[N] == '}'))
      --Depth;
    if (N < Text.size() && (Text[N] != ',' || Depth > 0))
      continue;
    if (StringRef Part = Text.slice(Start, N).trim(); !Part.empty())
      Parts.push_back(Part.str());
    Start = N + 1;
  }
  return Parts;
}

/// Removes comments and LLVM's escapes; "${0:x}" becomes "$0", braces are braces.
static std::string plainText(StringRef Assembly) {
  std::string Plain;
  for (size_t N = 0; N < Assembly.size(); ++N) {
    const char C = Assembly[N], Next = N + 1 < Assembly.size() ? Assembly[N + 1] : '\0';
    if (C == '/' && Next == '/') {
      N = std::min(Assembly.find('\n', N), Assembly.size() - 1);
      Plain += '\n';
    } else if (C == '/' && Next == '*') {
      const size_t End = Assembly.find("*/", N + 2);
      N = End == StringRef::npos ? Assembly.size() : End + 1;
      Plain += ' ';
    } else if (C != '$') {
      Plain += C;
    } else if (Next == '(' || Next == ')' || Next == '|') {
      Plain += Next == '(' ? '{' : Next == ')' ? '}' : '|';
      ++N;
    } else if (Next == '$') {
      Plain += '%'; // a name with a dollar is no operand
      ++N;
    } else if (Next == '{') {
      const size_t End = Assembly.find('}', N);
      Plain += '$';
      Plain += Assembly.slice(N + 2, End).take_while([](char D) { return isDigit(D); });
      N = End == StringRef::npos ? Assembly.size() : End;
    } else {
      Plain += C;
    }
  }
  return Plain;
}

/// Reads ".reg .u32 a, b<3>", without ".reg".
static bool declare(StringRef Text, PtxText &Result) {
  Text = Text.trim();
  if (!Text.consume_front("."))
    return false;
  const StringRef Type = Text.take_while([](char C) { return isAlnum(C); });
  const unsigned Bits = ptxTypeBits(Type);
  if (Bits == 0)
    return false;
  for (const std::string &Name : splitPtxList(Text.drop_front(Type.size()))) {
    const auto [Stem, Range] = StringRef(Name).split('<');
    unsigned Count = 0;
    if (Range.empty()) {
      Result.Registers[Stem.trim()] = Bits;
      continue;
    }
    if (Range.take_while([](char C) { return isDigit(C); }).getAsInteger(10, Count) || Count > 1024)
      return false;
    for (unsigned N = 0; N < Count; ++N)
      Result.Registers[(Stem.trim() + Twine(N)).str()] = Bits;
  }
  return true;
}

PtxText parsePtx(StringRef Assembly) {
  PtxText Result;
  const std::string Plain = plainText(Assembly);
  StringRef Rest = Plain;
  while (Result.Error.empty()) {
    Rest = Rest.ltrim(" \t\r\n;{}"); // braces that begin a statement are a scope
    if (Rest.empty())
      return Result;
    const size_t End = std::min(Rest.find(';'), Rest.size());
    StringRef Statement = Rest.take_front(End).trim();
    Rest = Rest.drop_front(End);
    if (Statement.consume_front(".reg")) {
      if (!declare(Statement, Result))
        Result.Error = "the declaration '.reg" + Statement.str() + "' is not understood";
      continue;
    }
    PtxInstruction Instruction;
    if (Statement.consume_front("@")) {
      Instruction.Inverted = Statement.consume_front("!");
      const StringRef Guard = Statement.take_until([](char C) { return isSpace(C); });
      Instruction.Guard = Guard.str();
      Statement = Statement.drop_front(Guard.size()).ltrim();
    }
    const StringRef Name = Statement.take_until([](char C) { return isSpace(C) || C == '[' || C == '{'; });
    if (Name.contains(':') && Name.find("::") == StringRef::npos)
      Result.Error = "labels are not supported";
    Instruction.Name = Name.str();
    Instruction.Operands = splitPtxList(Statement.drop_front(Name.size()));
    Result.Instructions.push_back(std::move(Instruction));
  }
  return Result;
}

} // namespace hiplz::passes

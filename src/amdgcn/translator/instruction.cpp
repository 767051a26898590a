// SPDX-License-Identifier: MIT
// See instruction.h.
#include "amdgcn/translator/instruction.h"
#include "base/llvm_compat.h"

#include <algorithm>
#include <iterator>

namespace hiplz::amdgcn {
namespace {

using llvm::StringRef;

bool endsWith(StringRef text, std::string_view ending) {
  return std::string_view(text.data(), text.size()).ends_with(ending);
}

/// Takes a word or a bracketed group from the front, up to a separator outside of brackets.
StringRef takeToken(StringRef &text, char separator) {
  int depth = 0;
  size_t end = 0;
  for (; end < text.size(); ++end) {
    const char c = text[end];
    depth += c == '[' || c == '(';
    depth -= c == ']' || c == ')';
    if (c == separator && depth == 0)
      break;
  }
  const StringRef token = text.take_front(end);
  text = text.drop_front(std::min(end + 1, text.size()));
  return token;
}

std::optional<uint16_t> namedScalar(StringRef name, uint16_t &count) {
  struct Name {
    const char *name;
    uint16_t index, count;
  };
  static constexpr Name kNames[] = {
      {"vcc_lo", kVcc, 1},
      {"vcc_hi", kVcc + 1, 1},
      {"vcc", kVcc, 2},
      {"exec_lo", kExec, 1},
      {"exec_hi", kExec + 1, 1},
      {"exec", kExec, 2},
      {"m0", kM0, 1},
      {"null", kNull, 1},
      {"scc", kScc, 1},
      {"src_scc", kScc, 1},
      {"src_vccz", kVccIsZero, 1},
      {"src_execz", kExecIsZero, 1},
      {"src_shared_base", kSharedBase, 2},
      {"src_shared_limit", kSharedLimit, 2},
      {"src_private_base", kPrivateBase, 2},
      {"src_private_limit", kPrivateLimit, 2},
  };
  for (const Name &known : kNames)
    if (name == known.name) {
      count = known.count;
      return known.index;
    }
  return std::nullopt;
}

/// "v5", "v[2:3]", "s7", "ttmp[4:7]" behind the letters.
bool parseRange(StringRef text, Operand &operand) {
  unsigned first = 0, last = 0;
  if (text.consume_front("[")) {
    if (!text.consume_back("]") || text.split(':').first.getAsInteger(10, first) ||
        text.split(':').second.getAsInteger(10, last))
      return false;
  } else if (text.getAsInteger(10, first)) {
    return false;
  } else {
    last = first;
  }
  if (last < first || last > 255)
    return false;
  operand.index = static_cast<uint16_t>(operand.index + first);
  operand.count = static_cast<uint16_t>(last - first + 1);
  return true;
}

/// "[v1, v4, v2]": vector registers that do not follow each other.
bool parseList(StringRef text, Operand &operand) {
  operand.kind = Operand::Kind::vector;
  while (!text.empty()) {
    StringRef name = takeToken(text, ',').trim();
    unsigned index;
    if (!name.consume_front("v") || name.getAsInteger(10, index) || index > 255)
      return false;
    operand.list.push_back(static_cast<uint8_t>(index));
  }
  operand.count = static_cast<uint16_t>(operand.list.size());
  operand.index = operand.count ? operand.list[0] : 0;
  return operand.count > 0;
}

bool parseOperand(StringRef text, Operand &operand) {
  text = text.trim();
  if (text.consume_front("["))
    return text.consume_back("]") && parseList(text, operand);
  if (text.consume_front("neg(")) {
    operand.negative = true;
    text.consume_back(")");
  } else if (text.size() > 1 && text[0] == '-' && !isdigit(text[1])) {
    operand.negative = true;
    text = text.drop_front();
  }
  if (text.consume_front("sext(")) {
    operand.signExtended = true;
    text.consume_back(")");
  }
  if (text.consume_front("|")) {
    operand.absolute = true;
    text.consume_back("|");
  }
  if (text == "off")
    return true;
  if (auto index = namedScalar(text, operand.count)) {
    operand.kind = Operand::Kind::scalar;
    operand.index = *index;
    return true;
  }
  StringRef rest = text;
  if (rest.consume_front("ttmp")) {
    operand.kind = Operand::Kind::scalar;
    operand.index = kTrapRegisters;
    return parseRange(rest, operand);
  }
  if (text.size() > 1 && (text[0] == 'v' || text[0] == 's') && (isdigit(text[1]) || text[1] == '[')) {
    operand.kind = text[0] == 'v' ? Operand::Kind::vector : Operand::Kind::scalar;
    return parseRange(text.drop_front(), operand);
  }
  if (text.contains('.')) {
    operand.kind = Operand::Kind::real;
    return !text.getAsDouble(operand.real);
  }
  operand.kind = Operand::Kind::integer;
  operand.isLiteral = startsWith(text, "0x");
  uint64_t bits;
  if (operand.isLiteral) {
    if (text.getAsInteger(0, bits))
      return false;
    operand.integer = static_cast<int64_t>(bits);
    return true;
  }
  return !text.getAsInteger(0, operand.integer); // also "-0x18", an offset
}

/// True if a word behind the operands is a modifier without a value.
bool isFlag(StringRef word) {
  static constexpr const char *kFlags[] = {"glc", "slc", "dlc",  "clamp", "offen",      "idxen",
                                           "gds", "lds", "tfe",  "unorm", "row_mirror", "row_half_mirror",
                                           "a16", "d16", "r128", "lwe"};
  return std::any_of(std::begin(kFlags), std::end(kFlags), [&](const char *flag) { return word == flag; });
}

/// True if a word in front of a colon is a modifier that something reads. Others would be dropped without a word.
bool isModifier(StringRef key) {
  static constexpr const char *kKeys[] = {
      "offset",  "offset0", "offset1", "op_sel",    "op_sel_hi",  "neg_lo",   "neg_hi",    "mul",        "div",
      "dim",     "dmask",   "format",  "dst_sel",   "dst_unused", "src0_sel", "src1_sel",  "dpp8",       "quad_perm",
      "row_shl", "row_shr", "row_ror", "row_share", "row_xmask",  "row_mask", "bank_mask", "bound_ctrl", "fi"};
  return std::any_of(std::begin(kKeys), std::end(kKeys), [&](const char *known) { return key == known; });
}

/// The constant that the field of a source operand stands for, if it is one.
void takeConstant(Operand &operand, uint32_t field, uint32_t literal) {
  static constexpr double kNumbers[] = {0.5, -0.5, 1, -1, 2, -2, 4, -4, 0.15915494309189532};
  const bool isReal = field >= 240 && field <= 248, isInteger = field >= 128 && field <= 208, isLiteral = field == 255;
  if (!isReal && !isInteger && !isLiteral)
    return;
  operand.kind = isReal ? Operand::Kind::real : Operand::Kind::integer;
  operand.isLiteral = isLiteral;
  if (isReal)
    operand.real = kNumbers[field - 240];
  else
    operand.integer = isLiteral      ? static_cast<int64_t>(literal)
                      : field <= 192 ? int64_t{field} - 128
                                     : 192 - int64_t{field};
}

} // namespace

bool Instruction::readsLocal() const {
  return startsWith(name, "ds_read") || (startsWith(name, "ds_") && StringRef(name).contains("_rtn_"));
}

bool Instruction::storesLocal() const { return startsWith(name, "ds_write"); }

bool Instruction::has(StringRef modifier) const {
  for (const auto &[key, value] : modifiers)
    if (modifier == key)
      return true;
  return false;
}

StringRef Instruction::textOf(StringRef modifier) const {
  for (const auto &[key, value] : modifiers)
    if (modifier == key)
      return value;
  return {};
}

int64_t Instruction::number(StringRef modifier, int64_t absent) const {
  int64_t value;
  const StringRef given = textOf(modifier);
  return given.empty() || given.getAsInteger(0, value) ? absent : value;
}

int64_t Instruction::element(StringRef modifier, unsigned index, int64_t absent) const {
  StringRef list = textOf(modifier);
  if (!list.consume_front("[") || !list.consume_back("]"))
    return absent;
  for (; index > 0; --index)
    list = list.split(',').second;
  int64_t value;
  return list.split(',').first.trim().getAsInteger(0, value) ? absent : value;
}

bool parseInstruction(StringRef text, Instruction &instruction) {
  text = text.trim();
  instruction.text = text.str();
  if (const size_t middle = text.find(" :: "); middle != StringRef::npos) {
    instruction.name = "v_dual";
    instruction.pair.resize(2);
    return parseInstruction(text.take_front(middle), instruction.pair[0]) &&
           parseInstruction(text.drop_front(middle + 4), instruction.pair[1]);
  }
  StringRef name = takeToken(text, ' ');
  if (const size_t tab = name.find('\t'); tab != StringRef::npos) {
    text = StringRef(instruction.text).drop_front(tab + 1);
    name = name.take_front(tab);
  }
  if (endsWith(name, "_dpp8")) {
    instruction.encoding = Encoding::dpp8;
    name = name.drop_back(5);
  } else if (endsWith(name, "_dpp")) {
    instruction.encoding = Encoding::dpp;
    name = name.drop_back(4);
  } else if (endsWith(name, "_sdwa")) {
    instruction.encoding = Encoding::sdwa;
    name = name.drop_back(5);
  }
  if (endsWith(name, "_e32") || endsWith(name, "_e64"))
    name = name.drop_back(4);
  instruction.name = name.str();
  text = text.trim();
  // The suffixes of these names are read from the encoding.
  if (startsWith(name, "s_waitcnt") || name == "s_sendmsg" || name == "s_sendmsghalt" ||
      startsWith(name, "s_cbranch") || name == "s_branch" || name == "s_round_mode" || name == "s_denorm_mode" ||
      startsWith(name, "s_inst_prefetch") || name == "s_nop" || name == "s_clause" || name == "s_delay_alu" ||
      startsWith(name, "s_set_inst_prefetch"))
    return true;
  bool inOperands = true;
  while (!text.empty()) {
    // Operands have commas between them; the last one is followed by modifiers with spaces between them.
    StringRef part = takeToken(text, ',').trim();
    while (!part.empty()) {
      const StringRef word = takeToken(part, ' ').trim();
      if (word.empty())
        continue;
      if (startsWith(word, "hwreg(") || startsWith(word, "sendmsg("))
        continue; // read from the encoding
      if (isFlag(word)) {
        instruction.modifiers.emplace_back(word.str(), "");
        inOperands = false;
      } else if (word.contains(':') && word.find(':') < word.find('[')) {
        const auto [key, value] = word.split(':');
        if (!isModifier(key))
          return false;
        instruction.modifiers.emplace_back(key.str(), value.str());
        if (key == "dpp8") // whatever the name ends with
          instruction.encoding = Encoding::dpp8;
        else if (key == "row_mask") // all others of the kind have it
          instruction.encoding = Encoding::dpp;
        inOperands = false;
      } else {
        Operand operand;
        if (!inOperands || !parseOperand(word, operand))
          return false;
        instruction.operands.push_back(operand);
      }
    }
  }
  return true;
}

void takePackedConstants(Instruction &instruction) {
  const uint32_t *words = instruction.words;
  auto &operands = instruction.operands;
  if (words[0] >> 23 == 0x198) { // VOP3P
    for (unsigned n = 1; n < 4 && n < operands.size(); ++n)
      takeConstant(operands[n], words[1] >> 9 * (n - 1) & 511, words[2]);
  } else if ((instruction.name == "v_pk_fmac_f16" || instruction.name == "v_dot2c_f32_f16") && operands.size() > 1) {
    takeConstant(operands[1], words[0] & 511, words[1]);
  }
}

} // namespace hiplz::amdgcn

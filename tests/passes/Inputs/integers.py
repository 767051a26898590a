# SPDX-License-Identifier: MIT
"""Writes a program in LLVM IR that uses integers of many widths in all operations and prints what it computes."""
import random

random.seed(5)
WIDTHS = [2, 3, 5, 7, 9, 12, 15, 17, 24, 31, 32, 33, 40, 48, 63, 64, 65, 70, 96, 100, 127, 128, 129, 136, 160, 192, 200, 320]
ROUNDS = 40


class Function:
    def __init__(self, width, declarations):
        self.width, self.declarations = width, declarations
        self.lines, self.values, self.flags = [], [], []

    def emit(self, text):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def value(self, text):
        self.values.append(self.emit(text))
        return self.values[-1]

    def any(self):
        return random.choice(self.values)

    def intrinsic(self, name, operands, flag=False, result=None):
        kind = f"i{self.width}"
        result = result or kind
        types = [kind] * operands + (["i1"] if flag else [])
        function = f"@llvm.{name}.{kind}"
        self.declarations.add(f"declare {result} {function}({', '.join(types)})")
        arguments = [f"{kind} {self.any()}" for _ in range(operands)] + (["i1 false"] if flag else [])
        return self.emit(f"call {result} {function}({', '.join(arguments)})")

    def inputs(self):
        w = self.width
        if w <= 64:
            cast = "trunc" if w < 64 else "add"
            suffix = f"to i{w}" if w < 64 else ", 0"
            for source in "ab":
                self.value(f"{cast} i64 %{source} {suffix}")
            shift = self.emit(f"{cast} i64 %s {suffix}")
            self.shift = self.emit(f"urem i{w} {shift}, {max(1, min(w - 1, 2 ** (w - 1) - 1))}")
        else:
            a, b = self.emit(f"sext i64 %a to i{w}"), self.emit(f"zext i64 %b to i{w}")
            self.value(f"xor i{w} {self.emit(f'shl i{w} {a}, {w - 64}')}, {b}")
            product = f"mul i{w} {a}, {b}" if w <= 128 else f"sub i{w} {a}, {self.emit(f'shl i{w} {b}, {w // 2}')}"
            self.value(f"add i{w} {self.emit(product)}, {2 ** (w - 2) - 12345}")
            self.shift = self.emit(f"zext i64 {self.emit(f'urem i64 %s, {w}')} to i{w}")

    def arithmetic(self):
        w = self.width
        for op in ["add", "sub"] + ["mul"] * (w <= 128) + ["and", "or", "xor"]:
            self.value(f"{op} i{w} {self.any()}, {self.any()}")
        for op in ["shl", "lshr", "ashr"]:
            self.value(f"{op} i{w} {self.any()}, {self.shift}")
        if w <= 128: # which is where LLVM's own code ends
            positive = self.emit(f"lshr i{w} {self.values[1]}, 1")
            if w > 64: # divisors of all sizes
                divisor = self.emit(f"or i{w} {self.emit(f'lshr i{w} {self.any()}, {self.shift}')}, 1")
                for op in ["udiv", "urem"]:
                    self.value(f"{op} i{w} {self.any()}, {divisor}")
            if w > 2:
                positive = self.emit(f"or i{w} {positive}, 1")
                for op in ["udiv", "urem", "sdiv", "srem"]:
                    self.value(f"{op} i{w} {self.any()}, {positive}")
        for predicate in ["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"]:
            self.flags.append(self.emit(f"icmp {predicate} i{w} {self.any()}, {self.any()}"))
            self.value(f"select i1 {self.flags[-1]}, i{w} {self.any()}, i{w} {self.any()}")

    def intrinsics(self):
        w = self.width
        for name in ["smax", "smin", "umax", "umin", "sadd.sat", "ssub.sat", "uadd.sat", "usub.sat"]:
            self.values.append(self.intrinsic(name, 2))
        if w > 64:
            return
        for name in ["fshl", "fshr"]:
            self.values.append(self.intrinsic(name, 3))
        for name in ["ctpop", "bitreverse"] + (["bswap"] if w % 16 == 0 else []):
            self.values.append(self.intrinsic(name, 1))
        for name in ["ctlz", "cttz", "abs"]:
            self.values.append(self.intrinsic(name, 1, flag=True))
        for name in ["sadd", "uadd", "ssub", "usub", "smul", "umul"]:
            pair = self.intrinsic(f"{name}.with.overflow", 2, result=f"{{ i{w}, i1 }}")
            value = self.emit(f"extractvalue {{ i{w}, i1 }} {pair}, 0")
            self.flags.append(self.emit(f"extractvalue {{ i{w}, i1 }} {pair}, 1"))
            self.values.append(value)

    def memory_and_loop(self):
        w = self.width
        place = self.emit(f"alloca i{w}")
        self.lines.append(f"  store i{w} {self.any()}, i{w}* {place}")
        self.value(f"load i{w}, i{w}* {place}")
        start, step = self.values[-2], self.values[5]
        self.lines += [
            "  br label %loop", "loop:",
            f"  %i = phi i{w} [ {start}, %entry ], [ %next, %loop ]",
            "  %k = phi i32 [ 0, %entry ], [ %count, %loop ]",
            f"  %next = add i{w} %i, {step}", "  %count = add i32 %k, 1",
            "  %more = icmp ult i32 %count, 5", "  br i1 %more, label %loop, label %done", "done:"]
        self.values.append("%next")

    def result(self):
        w = self.width
        sum_ = self.emit("add i64 7, 0")
        for value in self.values:
            if w < 64:
                word = self.emit(f"{random.choice(['zext', 'sext'])} i{w} {value} to i64")
            elif w == 64:
                word = value
            else:
                high = self.emit(f"trunc i{w} {self.emit(f'lshr i{w} {value}, {w - 61}')} to i64")
                word = self.emit(f"add i64 {self.emit(f'trunc i{w} {value} to i64')}, {high}")
            sum_ = self.emit(f"xor i64 {self.emit(f'mul i64 {sum_}, 31')}, {word}")
        for flag in self.flags:
            sum_ = self.emit(f"add i64 {self.emit(f'mul i64 {sum_}, 3')}, {self.emit(f'zext i1 {flag} to i64')}")
        if 4 < w < 64:
            number = self.emit(f"fadd double {self.emit(f'uitofp i{w} {self.values[4]} to double')}, "
                               f"{self.emit(f'sitofp i{w} {self.values[5]} to double')}")
            sum_ = self.emit(f"xor i64 {sum_}, {self.emit(f'fptosi double {number} to i64')}")
        if w == 65:
            odd = self.emit(f"trunc i65 {self.values[3]} to i33")
            odd = self.emit(f"sext i48 {self.emit(f'sext i33 {odd} to i48')} to i96")
            odd = self.emit(f"trunc i96 {self.emit(f'lshr i96 {odd}, 20')} to i64")
            sum_ = self.emit(f"xor i64 {sum_}, {odd}")
        self.lines.append(f"  ret i64 {sum_}")

    def text(self):
        self.inputs()
        self.arithmetic()
        self.intrinsics()
        self.memory_and_loop()
        self.result()
        return "\n".join([f"define i64 @f{self.width}(i64 %a, i64 %b, i64 %s) {{", "entry:"] + self.lines + ["}"])


declarations = {"declare i32 @printf(i8*, ...)"}
functions = [Function(width, declarations).text() for width in WIDTHS]
print('@format = private constant [12 x i8] c"%d %016llx\\0A\\00"')
print("\n".join(sorted(declarations)))
print("\n\n".join(functions))
print("""
define i32 @main() {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %a0 = mul i64 %i, 6364136223846793005
  %a1 = lshr i64 %a0, 29
  %a2 = xor i64 %a0, %a1
  %a = mul i64 %a2, -4658895280553007687
  %b0 = add i64 %a, 1442695040888963407
  %b1 = lshr i64 %b0, 31
  %b = xor i64 %b0, %b1
  %s0 = lshr i64 %b, 40
  %s = and i64 %s0, 511""")
for width in WIDTHS:
    print(f"  %r{width} = call i64 @f{width}(i64 %a, i64 %b, i64 %s)")
    print(f"  call i32 (i8*, ...) @printf(i8* getelementptr ([12 x i8], [12 x i8]* @format, i64 0, i64 0), "
          f"i32 {width}, i64 %r{width})")
print(f"""  %next = add i64 %i, 1
  %more = icmp ult i64 %next, {ROUNDS}
  br i1 %more, label %loop, label %end
end:
  ret i32 0
}}""")

"""a·b + c with a single rounding, from additions and multiplications that round each: for processors without such an
instruction.

WebAssembly has none, and native code uses it everywhere; so a page has the digits of native code only if it computes
the same. The product is split into two numbers whose sum it is (Veltkamp, Dekker), and the sum of the three is rounded
once because its smallest part is first rounded to odd (Boldo and Melquiond, 2008, "Emulation of a FMA and correctly
rounded sums: proved algorithms using rounding to odd"). This holds as long as nothing overflows or underflows. Numbers
beyond that are first scaled by powers of two (`fused.rare`), and a result below the smallest normal number is rounded
at the last bit that it may have there, by adding a number whose last bit that is.
"""

from __future__ import annotations

from grashof.tape.lanes import Lanes, double

_LARGE, _SMALL = 2.0**480, 2.0**-900  # the factors and c below the first and the product above the second are safe
_SPLIT = 2.0**27 + 1.0
_MANTISSA, _ONE = 2**52 - 1, 1023 << 52
_FAR = 120  # binary places beyond which the smaller of product and c only decides to which side the larger is rounded

_GIVEN = "(double %a, double %b, double %c) nounwind"

Pair = tuple[str, str]


class _Code:
    """Instructions, whose results are named as they come."""

    def __init__(self, prefix: str) -> None:
        self.prefix, self.lines = prefix, list[str]()

    def __call__(self, instruction: str) -> str:
        name = f"%{self.prefix}{len(self.lines)}"
        self.lines.append(f"  {name} = {instruction}")
        return name

    def add(self, x: str, y: str) -> str:
        return self(f"fadd double {x}, {y}")

    def subtract(self, x: str, y: str) -> str:
        return self(f"fsub double {x}, {y}")

    def multiply(self, x: str, y: str) -> str:
        return self(f"fmul double {x}, {y}")

    def whole(self, operation: str, x: str, y: str) -> str:
        return self(f"{operation} i64 {x}, {y}")

    def real(self, bits: str) -> str:
        return self(f"bitcast i64 {bits} to double")

    def sum(self, x: str, y: str) -> Pair:
        """x + y rounded, and the rounding error (Knuth)."""
        total = self.add(x, y)
        other = self.subtract(total, x)
        return total, self.add(self.subtract(x, self.subtract(total, other)), self.subtract(y, other))

    def halves(self, x: str) -> Pair:
        """x as the sum of two numbers of 26 bits."""
        large = self.multiply(x, double(_SPLIT))
        high = self.subtract(large, self.subtract(large, x))
        return high, self.subtract(x, high)

    def error(self, x: str, y: str, product: str) -> str:
        """x·y − product, where that is x·y rounded."""
        (a, b), (c, d) = self.halves(x), self.halves(y)
        rest = self.subtract(product, self.multiply(a, c))
        rest = self.subtract(self.subtract(rest, self.multiply(b, c)), self.multiply(a, d))
        return self.subtract(self.multiply(b, d), rest)

    def odd(self, x: str, y: str) -> str:
        """x + y, rounded to the neighbour with an odd last bit unless it is exact."""
        total, error = self.sum(x, y)
        bits = self(f"bitcast double {total} to i64")
        towards = self.whole("xor", bits, self(f"bitcast double {error} to i64"))  # negative if towards zero
        step = self.whole("or", self.whole("ashr", towards, "63"), "1")
        even = self(f"icmp eq i64 {self.whole('and', bits, '1')}, 0")
        inexact = self(f"fcmp une double {error}, 0.0")
        change = self(f"and i1 {even}, {inexact}")
        return self.real(self(f"select i1 {change}, i64 {self.whole('add', bits, step)}, i64 {bits}"))

    def parts(self, product: str, error: str, c: str) -> Pair:
        """Two numbers whose sum, rounded, is product + error + c rounded."""
        (high, low) = self.sum(c, error)
        (first, second) = self.sum(product, high)
        return first, self.odd(low, second)

    def exponent(self, x: str) -> Pair:
        """x = m 2ᵉ with 1 ≤ |m| < 2, for a finite x that is not 0: m, and e as an i64."""
        small = self(f"fcmp olt double {self.size(x)}, {double(2.0**-1022)}")
        larger = self(f"select i1 {small}, double {self.multiply(x, double(2.0**64))}, double {x}")
        offset = self(f"select i1 {small}, i64 {1023 + 64}, i64 1023")
        bits = self(f"bitcast double {larger} to i64")
        biased = self.whole("and", self.whole("lshr", bits, "52"), "2047")
        mantissa = self.whole("or", self.whole("and", bits, str(_MANTISSA - 2**63)), str(_ONE))
        return self.real(mantissa), self.whole("sub", biased, offset)

    def power(self, exponent: str) -> str:
        """2ᵉ, −1023 < e < 1024."""
        return self.real(self.whole("shl", self.whole("add", exponent, "1023"), "52"))

    def scale(self, x: str, exponent: str) -> str:
        """x 2ᵉ, in two halves, the first of which must be exact."""
        half = self.whole("ashr", exponent, "1")
        other = self.whole("sub", exponent, half)
        return self.multiply(self.multiply(x, self.power(half)), self.power(other))

    def size(self, x: str) -> str:
        return self(f"call double @llvm.fabs.f64(double {x})")

    def sign(self, size: str, x: str) -> str:
        return self(f"call double @llvm.copysign.f64(double {size}, double {x})")

    def leave(self, condition: str, value: str) -> None:
        """Returns a value if a condition holds."""
        at = len(self.lines)
        self.lines += [f"  br i1 {condition}, label %leave{at}, label %go{at}", f"leave{at}:", f"  ret double {value}"]
        self.lines += [f"go{at}:"]


def fused_ir() -> str:
    """`double fused(double a, double b, double c)`: the multiplication and addition of IEEE 754, rounded once."""
    f = _Code("v")
    product = f.multiply("%a", "%b")
    within = [f"fcmp olt double {f.size(x)}, {double(_LARGE)}" for x in ("%a", "%b", "%c")]
    safe = f(f"fcmp ogt double {f.size(product)}, {double(_SMALL)}")
    for condition in within:
        safe = f(f"and i1 {safe}, {f(condition)}")
    f.lines += [f"  br i1 {safe}, label %usual, label %rare", "usual:"]
    high, low = f.parts(product, f.error("%a", "%b", product), "%c")
    f.lines += [f"  ret double {f.add(high, low)}", "rare:"]
    f.lines += [f"  ret double {f('call double @fused.rare(double %a, double %b, double %c)')}"]
    return "\n".join(
        [
            "declare double @llvm.fabs.f64(double)",
            "declare double @llvm.copysign.f64(double, double)",
            *(f"define double @fused{_GIVEN} {{", *f.lines, "}"),
            *(f"define internal double @fused.rare{_GIVEN} noinline {{", *_rare(), "}\n"),
        ]
    )


def relaxed_ir() -> str:
    """The same by an instruction that rounds once where the processor can, and twice elsewhere."""
    f, vector = _Code("v"), "<2 x double>"
    vectors = [f(f"insertelement {vector} zeroinitializer, double {x}, i64 0") for x in ("%a", "%b", "%c")]
    found = f(f"call {vector} @llvm.wasm.relaxed.madd.v2f64({', '.join(f'{vector} {x}' for x in vectors)})")
    f.lines += [f"  ret double {f(f'extractelement {vector} {found}, i64 0')}"]
    declared = f"declare {vector} @llvm.wasm.relaxed.madd.v2f64({vector}, {vector}, {vector})"
    return "\n".join([declared, f"define double @fused{_GIVEN} {{", *f.lines, "}\n"])


def _rare() -> list[str]:
    f = _Code("v")
    plain = f.add(f.multiply("%a", "%b"), "%c")
    for x in ("%a", "%b"):  # zero, infinite or not a number
        size = f.size(x)
        f.leave(f(f"fcmp oeq double {size}, 0.0"), plain)
        f.leave(f(f"fcmp uge double {size}, {double(float('inf'))}"), plain)
    f.leave(f(f"fcmp uge double {f.size('%c')}, {double(float('inf'))}"), "%c")
    (a, of_a), (b, of_b), (c, of_c) = (f.exponent(x) for x in ("%a", "%b", "%c"))
    exponent = f.whole("add", of_a, of_b)
    none = f("fcmp oeq double %c, 0.0")
    above = f.whole("sub", of_c, exponent)
    large = f(f"icmp sgt i64 {above}, {_FAR}")
    f.leave(f(f"select i1 {none}, i1 false, i1 {large}"), "%c")
    tiny = f(f"icmp slt i64 {above}, {-_FAR}")
    by = f(f"select i1 {tiny}, i64 {-_FAR}, i64 {above}")
    moved = f(f"select i1 {none}, i64 0, i64 {by}")
    c = f(f"select i1 {none}, double %c, double {f.multiply(c, f.power(moved))}")
    product = f.multiply(a, b)
    high, low = f.parts(product, f.error(a, b, product), c)
    total = f.add(high, low)
    f.leave(f(f"fcmp oeq double {total}, 0.0"), total)
    _, of_total = f.exponent(total)
    at = f.whole("add", exponent, of_total)
    f.leave(f(f"icmp slt i64 {at}, -1080"), f.sign("0.0", total))
    normal = f(f"icmp sge i64 {at}, -1022")
    f.lines += [f"  br i1 {normal}, label %normal, label %subnormal", "normal:"]
    f.lines += [f"  ret double {f.scale(total, exponent)}", "subnormal:"]
    unit = f.whole("sub", str(-1074 + 52), exponent)
    beside = f.sign(f.power(unit), total)
    first, rest = f.sum(beside, high)
    rounded = f.add(first, f.odd(rest, low))
    f.lines += [f"  ret double {f.sign(f.scale(f.subtract(rounded, beside), exponent), total)}"]
    return f.lines


def fused_lanes_ir(lanes: Lanes) -> str:
    """The same for each lane of vectors: `fused.` and the suffix of their type."""
    f, real = _Code("v"), lanes.real
    so_far = "poison"
    for k in range(lanes.count):
        parts = [f(f"extractelement {real} {x}, i64 {k}") for x in ("%a", "%b", "%c")]
        value = f("call double @fused(" + ", ".join(f"double {x}" for x in parts) + ")")
        so_far = f(f"insertelement {real} {so_far}, double {value}, i64 {k}")
    head = f"define internal {real} @fused.{lanes.suffix}({real} %a, {real} %b, {real} %c) nounwind {{"
    return "\n".join([head, *f.lines, f"  ret {real} {so_far}", "}\n"])

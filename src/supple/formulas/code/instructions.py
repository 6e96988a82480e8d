"""One LLVM instruction or call per node, over vectors of four doubles."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from supple.formulas.code.vector_math import VECTOR, WIDTH, expm1, log1p
from supple.formulas.graph import LEAF, Node, order

DOUBLE = ir.DoubleType()

INTRINSICS = {
    "sin": "sin",
    "cos": "cos",
    "exp": "exp",
    "log": "log",
    "sqrt": "sqrt",
    "pow": "pow",
    "abs": "fabs",
    "min": "minimum",  # not minnum: NaN must not be lost
    "max": "maximum",
}
"""Operations that LLVM has for vectors."""
OWN = {"log1p": log1p, "expm1": expm1}
"""Operations of vector_math.py."""
LIBRARY = ("tan", "tanh")
"""Operations of the C library, called lane by lane."""
COMPARED = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
LARGEST_POWER = 16
"""Integer exponents up to this one become multiplications."""


class Instructions:
    """Emits nodes into a block, each once."""

    def __init__(self, builder: ir.IRBuilder, load: Callable[[str], ir.Value]) -> None:
        self.builder = builder
        self.load = load
        """Loads a leaf by name."""
        self._values: dict[Node, ir.Value] = {}
        self._powers: dict[tuple[Node, int], ir.Value] = {}

    def value(self, node: Node) -> ir.Value:
        """The register of a node; its arguments are emitted first."""
        for n in order([node]) if node not in self._values else ():
            if n not in self._values:
                self._values[n] = self._emit(n)
        return self._values[node]

    def _emit(self, node: Node) -> ir.Value:
        builder, name = self.builder, node.operation
        a = [self._values[argument] for argument in node.arguments]
        if name == LEAF:
            return self.load(node.value)
        if node.is_number:
            return _constant(node.value)
        if name in COMPARED:
            # as in NumPy, only != holds for NaN
            compare = builder.fcmp_unordered if name == "ne" else builder.fcmp_ordered
            return compare(COMPARED[name], *a)
        if name == "pow" and (exponent := _whole(node.arguments[1])):
            power = self._power(node.arguments[0], abs(exponent))
            return power if exponent > 0 else builder.fdiv(_constant(1.0), power)
        if name in INTRINSICS:
            return builder.call(self._declared(f"llvm.{INTRINSICS[name]}.v{WIDTH}f64", VECTOR, len(a)), a)
        if name in OWN:
            return OWN[name](builder, a[0])
        if name in LIBRARY:
            return self._by_lane(name, a[0])
        plain = {
            "add": builder.fadd,
            "sub": builder.fsub,
            "mul": builder.fmul,
            "div": builder.fdiv,
            "neg": builder.fneg,
            "and": builder.and_,
            "or": builder.or_,
            "not": builder.not_,
            "where": builder.select,
        }
        return plain[name](*a)

    def _power(self, base: Node, n: int) -> ir.Value:
        """base^n by squaring; powers of the same base share their factors."""
        if n == 1:
            return self._values[base]
        if (base, n) not in self._powers:
            self._powers[base, n] = self.builder.fmul(self._power(base, n // 2), self._power(base, n - n // 2))
        return self._powers[base, n]

    def _by_lane(self, name: str, a: ir.Value) -> ir.Value:
        function = self._declared(name, DOUBLE, 1)
        result = ir.Constant(VECTOR, ir.Undefined)
        for lane in range(WIDTH):
            place = ir.IntType(32)(lane)
            one = self.builder.call(function, [self.builder.extract_element(a, place)])
            result = self.builder.insert_element(result, one, place)
        return result

    def _declared(self, name: str, kind: ir.Type, arguments: int) -> ir.Function:
        # by name: llvmlite's declare_intrinsic takes no vectors
        module = self.builder.module
        return module.globals.get(name) or ir.Function(module, ir.FunctionType(kind, [kind] * arguments), name)


def _constant(value: float) -> ir.Constant:
    return ir.Constant(VECTOR, [value] * WIDTH)


def _whole(exponent: Node) -> int | None:
    """The exponent, if it is a small integer."""
    small = exponent.is_number and exponent.value.is_integer() and abs(exponent.value) <= LARGEST_POWER
    return int(exponent.value) if small else None

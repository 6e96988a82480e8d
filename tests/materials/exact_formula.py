"""Densities with 60 digits: the text of a formula as it stands, walked with decimal numbers."""

from collections.abc import Callable
from decimal import Decimal, localcontext

from supple.formulas.graph import LEAF, Node, leaves, order
from supple.formulas.parse import parse
from supple.materials.formula import NAMES
from supple.materials.formula_material import FormulaMaterial
from supple.types import Array

OPERATIONS: dict[str, Callable[..., Decimal]] = {
    "neg": lambda a: -a,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: a ** int(b) if b == int(b) else (b * a.ln()).exp(),
    "log": lambda a: a.ln(),
    "exp": lambda a: a.exp(),
    "sqrt": lambda a: a.sqrt(),
    "max": max,
    "min": min,
}


def graph(law: FormulaMaterial) -> Node:
    """The formula without the rewriting near rest that the code relies on."""
    return parse(law.energy, (*NAMES, *law.constants()), {})


def is_exact(law: FormulaMaterial) -> bool:
    """Whether it is written in invariants, strains or entries of F."""
    return leaves([graph(law)]) <= {
        *variables([[Decimal(i == j) for j in range(3)] for i in range(3)]),
        *law.constants(),
    }


def exact_formula(law: FormulaMaterial, F: Array) -> float:
    """The density of one F."""
    with localcontext(prec=60):
        values = variables([[Decimal(float(F[i, j])) for j in range(3)] for i in range(3)])
        values |= {name: Decimal(float(value)) for name, value in law.constants().items()}
        found: dict[Node, Decimal] = {}
        for node in order([graph(law)]):
            if node.operation == LEAF:
                found[node] = values[node.value]
            elif node.is_number:
                found[node] = rational(node.value)
            else:
                found[node] = OPERATIONS[node.operation](*[found[a] for a in node.arguments])
        return float(found[graph(law)])


def rational(value: float) -> Decimal:
    """The fraction that a folded number such as -2/3 stands for."""
    from fractions import Fraction

    near = Fraction(value).limit_denominator(1_000_000)
    return Decimal(near.numerator) / near.denominator


def variables(f: list[list[Decimal]]) -> dict[str, Decimal]:
    """All variables of formulas, from their definitions."""
    C = [[sum((f[k][i] * f[k][j] for k in range(3)), Decimal(0)) for j in range(3)] for i in range(3)]
    I1, square = C[0][0] + C[1][1] + C[2][2], sum(C[i][j] ** 2 for i in range(3) for j in range(3))
    J = sum(f[0][i] * (f[1][(i + 1) % 3] * f[2][(i + 2) % 3] - f[1][(i + 2) % 3] * f[2][(i + 1) % 3]) for i in range(3))
    strains = {f"E{a + 1}{b + 1}": (C[a][b] - (a == b)) / 2 for a in range(3) for b in range(a, 3)}
    entries = {f"F{i + 1}{j + 1}": f[i][j] for i in range(3) for j in range(3)}
    I2 = (I1**2 - square) / 2
    return {"I1": I1, "I2": I2, "J": Decimal(J), "i1": I1 - 3, "i2": I2 - 3, "j": Decimal(J) - 1} | strains | entries

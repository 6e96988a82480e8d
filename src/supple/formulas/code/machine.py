"""LLVM for this computer: from a module to the address of a function."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

Engine = Any
"""Owns the machine code, which is freed with the engine."""

OPTIMISATION = 2
LIBRARY_CALLS = ("sin", "cos", "tan", "tanh", "exp", "log", "pow")


@cache
def _target() -> llvm.Target:
    """The processor's target, with the C library's functions registered with LLVM."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
    for name in LIBRARY_CALLS:
        if function := getattr(library, name, None):
            llvm.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)
    return llvm.Target.from_default_triple()


def target_machine() -> llvm.TargetMachine:
    """A code generator for this processor. It fuses only operations marked in the module."""
    features = llvm.get_host_cpu_features().flatten()
    return _target().create_target_machine(cpu=llvm.get_host_cpu_name(), features=features, opt=OPTIMISATION)


def verified(module: ir.Module) -> llvm.ModuleRef:
    """The module as parsed by LLVM."""
    module.triple = _target().triple
    parsed = llvm.parse_assembly(str(module))
    parsed.verify()
    return parsed


def compiled(module: ir.Module, name: str) -> tuple[int, Engine]:
    """The address of the function of that name, and the object to keep alive with it; a RuntimeError if there is none."""
    for function in module.functions:
        # LLVM ends the process if it finds such a name later
        if function.is_declaration and function.name in LIBRARY_CALLS and not llvm.address_of_symbol(function.name):
            raise RuntimeError(f"the C library has no {function.name}")
    engine = llvm.create_mcjit_compiler(verified(module), target_machine())
    engine.finalize_object()
    return engine.get_function_address(name), engine

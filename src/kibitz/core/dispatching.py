"""Numba's dispatcher and library of machine code, without the work that nobody asks for.

Numba optimises every function that it compiles and makes machine code of it, with a door for Python and one for C: also
of those that only other kernels call and that have been linked into them. Here a kernel is LLVM's code, to be linked
into others, until Python knocks: then it gets its door, all optimisation and machine code. This and smaller things (see
`_install`) halve the time of a cold start.
"""

from __future__ import annotations

import gc
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

from numba.core import environment, errors, event, ir, sigutils, targetconfig, typed_passes, types, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.runtime import rtsys
from numba.core.types.misc import unliteral
from numba.core.typing.templates import _OverloadFunctionTemplate as Overloaded
from numba.extending import overload
from numba.np import arrayobj

from kibitz.core.bits import highest, lowest, mix, popcount

ENVIRONMENT = "_ZN08NumbaEnv"
"""How the names of environments begin in LLVM."""

NUMBERS = types.Integer, types.Boolean, types.Float
OPERATORS = frozenset(value for name, value in vars(operator).items() if callable(value))
PLAIN_FUNCTIONS = OPERATORS | {bool, int, max, min, popcount, lowest, highest, mix}
"""What gives the same type for the same types of numbers, always."""
ELEMENTS = types.CPointer, types.Array  # type: ignore[attr-defined]

NOT_NEEDED = frozenset((
    untyped_passes.WithLifting, untyped_passes.InlineClosureLikes, untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.InlineInlinables, untyped_passes.LiteralUnroll, untyped_passes.LiteralPropagationSubPipelinePass,
    typed_passes.AnnotateTypes,
))  # fmt: skip
"""Steps that look for closures, `with`, what is to be written out in its caller and loops over literals, and one that
notes the types of variables for people."""

_depth = 0
_loops_only = False


@contextmanager
def compiling() -> Iterator[None]:
    """While a kernel is compiled, under Numba's lock; its garbage can wait: to look for it took a tenth of the time."""
    global _depth
    _depth += 1
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        _depth -= 1
        if is_collecting:
            gc.enable()


def is_nested() -> bool:
    """Whether a kernel is being compiled, so that what is asked for now will be called by it."""
    return _depth > 0


def compile_loops_only() -> None:
    """From now on compile only what is marked as a loop, with all that it calls: Python runs other kernels as they are
    written. For a process that plays one game with a person, in which compiling would take longer than the rest."""
    global _loops_only
    _loops_only = True


class Library(JITCodeLibrary):  # type: ignore[misc]
    """Code that is linked into its callers as LLVM's, and becomes machine code when an address in it is asked for."""

    _is_loaded = False

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            if not function.is_declaration:
                passes, builder = self._codegen._function_pass_manager()
                passes.run(function, builder)

    def _optimize_final_module(self) -> None:
        """What is linked into a kernel is optimised there."""
        if _depth == 0:
            super()._optimize_final_module()
            return
        codegen = self._codegen
        settings = {"loop_vectorize": codegen._loopvect, "slp_vectorize": False, "opt": codegen._opt_level}
        passes, builder = codegen._module_pass_manager(cost="cheap", **settings)
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def defines(self, name: str) -> bool:
        """Whether a function is in here, not only named."""
        module = self._shared_module or self._final_module
        try:
            return not module.get_function(name).is_declaration
        except NameError:
            return False

    def get_pointer_to_function(self, name: str) -> int:
        """The address of a function, 0 if it is not in here."""
        self._ensure_finalized()
        if not self.defines(name):
            return 0
        self._load()
        address: int = super().get_pointer_to_function(name)
        return address

    def _load(self) -> None:
        """Make machine code, with the environments that it reads."""
        if self._is_loaded:
            return
        self._is_loaded = True
        module = self._shared_module or self._final_module
        super()._finalize_final_module()
        for variable in module.global_variables:
            found = environment.lookup_environment(variable.name) if variable.name.startswith(ENVIRONMENT) else None
            if found is not None:
                self._codegen._engine._defined_symbols.add(variable.name)
                self._codegen.set_env(variable.name, found)

    def serialize_using_object_code(self) -> Any:
        """What the cache keeps: with machine code if there is any."""
        self._ensure_finalized()
        return super().serialize_using_object_code() if self._is_loaded else self.serialize_using_bitcode()


class Compiler(CompilerBase):  # type: ignore[misc]
    """Numba's steps from Python to LLVM, without those that look for what a function with no other in it seldom has."""

    def define_pipelines(self) -> list[Any]:
        """One list of steps."""
        steps = DefaultPassBuilder.define_nopython_pipeline(self.state)
        if not any(isinstance(constant, CodeType) for constant in self.state.func_id.code.co_consts):
            steps.passes = [step for step in steps.passes if step[0] not in NOT_NEEDED]
        steps.finalize()
        return [steps]


class Dispatcher(CPUDispatcher):  # type: ignore[misc]
    """A kernel: compiled for other kernels, with a door for Python once Python calls it."""

    is_loop = False
    """Whether it runs over many rows, so that it is always worth compiling."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, pipeline_class=Compiler, **more)
        self._doors: dict[Any, Any] = {}

    def _compile_for_args(self, *args: Any, **more: Any) -> Any:
        """What is called in the end when Python calls with types that there is no machine code for yet."""
        if _loops_only and not self.is_loop:
            return self.py_func
        return super()._compile_for_args(*args, **more)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What is called by another kernel with arguments of these types: the number 0 is a number like others, while
        Numba would compile one version for 0, one for 1 and one for all the rest."""
        known = {name: unliteral(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(unliteral(kind) for kind in args), known)

    def compile(self, signature: Any) -> Any:
        """What is called for these types; as Numba's own, but for the door, and for timers that took their time."""
        with global_compiler_lock, self._compiling_counter:
            kinds, return_type = sigutils.normalize_signature(signature)
            result = self.overloads.get(tuple(kinds)) or self._cache.load_overload(signature, self.targetctx)
            if result is None:
                self._cache_misses[signature] += 1
                result = self._compiled(kinds, return_type)
                if is_nested():
                    self._cache.save_overload(signature, result)
            elif tuple(kinds) not in self.overloads:
                self._cache_hits[signature] += 1
                self.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
            self.overloads[tuple(result.signature.args)] = result
            if is_nested():
                return result.entry_point
            if not has_door(result):
                opened = self._opened(result)
                self._cache.save_overload(signature, opened)
                result = self._doors[result.signature.args] = opened  # Numba's table of entries holds none of them
            self._insert([kind._code for kind in result.signature.args], result.entry_point, False)
            return result.entry_point

    def _compiled(self, kinds: Any, return_type: Any) -> Any:
        try:
            return self._compiler.compile(kinds, return_type)
        except errors.ForceLiteralArg as problem:
            fold = self._compiler.fold_argument_types
            raise problem.bind_fold_arguments(lambda args, kws: fold(args, kws)[1]) from None

    def _opened(self, result: Any) -> Any:
        """The same with a door for Python, which alone calls it by this entry."""
        is_counted = result.target_context.enable_nrt or self.targetoptions.get("_nrt")
        context = self.targetctx.subtarget(enable_nrt=bool(is_counted))
        library = context.codegen().create_library(f"door of {result.library.name}")
        library.enable_object_caching()
        library.add_linking_library(result.library)
        library.add_linking_library(rtsys.library)  # the door may let go of an array where the kernel never does
        with context.push_code_library(library):
            context.create_cpython_wrapper(library, result.fndesc, result.environment, None, release_gil=True)
        entry = context.get_executable(library, result.fndesc, result.environment)
        return result._replace(library=library, entry_point=entry)


def has_door(result: Any) -> bool:
    """Whether what was compiled can be called from Python."""
    return bool(result.library.defines(result.fndesc.llvm_cpython_wrapper_name))


_rebuilt = environment._rebuild_env


def rebuilt_environment(module: str, constants: list[Any], name: str) -> Any:
    """The environment of a kernel that was kept. It may be here already, by way of a kernel that calls it, as it was
    before its door added what the door alone needs."""
    found = _rebuilt(module, constants, name)
    found.consts.extend(constants[len(found.consts) :])
    return found


def shapes_differ(source: Any, place: Any) -> None:
    """What is said when an array is assigned to a place of another shape."""
    raise ValueError("an array cannot be assigned to a place of another shape")


@overload(shapes_differ)  # type: ignore[untyped-decorator]
def _shapes_differ(source: Any, place: Any) -> Any:
    return shapes_differ


def _install() -> None:
    """Have Numba use our kind of library, and make six things cheap that took half of all time.

    It writes the shapes into the message about arrays that do not fit, and for that compiles what formats text into
    each kernel that assigns an array; it compares options one property at a time; it looks for the type of a sum
    of two numbers among all that can be added, each time anew; it asks of every part of every instruction what it
    is, in five questions, to find the variables among them; it gives doors for Python and C to its own functions,
    which only kernels call; and it reports every call of LLVM as an event, to nobody.
    """
    codegen = cpu_target.target_context.codegen()
    codegen._library_class = Library
    set_at_once = codegen.set_env

    def set_env(name: str, found: Any) -> None:
        if codegen._engine.is_symbol_defined(name):
            set_at_once(name, found)

    codegen.set_env = set_env
    arrayobj.raise_with_shape_context = shapes_differ
    environment._rebuild_env = rebuilt_environment  # by which pickle knows it
    targetconfig.TargetConfig.values = _values
    ir.Inst._rec_list_vars = _variables
    types.Function.get_call_type = _remembering(types.Function.get_call_type)  # type: ignore[method-assign]
    Overloaded._get_jit_decorator = _without_doors(Overloaded._get_jit_decorator)
    event.start_event, event.end_event = _if_heard(event.start_event), _if_heard(event.end_event)


_defaults: dict[Any, dict[str, Any]] = {}
LEAVES: set[type] = set()
"""Kinds of parts of an instruction, met so far, in which there are no variables."""


def _values(self: Any) -> dict[str, Any]:
    kind = type(self)
    if kind not in _defaults:
        _defaults[kind] = {name: option.default for name, option in kind.options.items()}
    return _defaults[kind] | self._values


def _variables(self: Any, part: Any) -> list[Any]:
    """The variables in a part of an instruction, in order."""
    kind = type(part)
    if kind is ir.Var:
        return [part]
    if kind in LEAVES:
        return []
    if isinstance(part, ir.Inst):
        found: list[Any] = part.list_vars()
        return found
    if isinstance(part, dict):
        part = part.values()
    elif not isinstance(part, list | tuple):
        LEAVES.add(kind)
        return []
    return [variable for one in part for variable in _variables(self, one)]


def _remembering(look: Callable[..., Any]) -> Callable[..., Any]:
    """What a plain function gives for numbers, and an array for an index, depends on nothing else."""

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws or self.typing_key not in PLAIN_FUNCTIONS or not args:
            return look(self, context, args, kws)
        is_element = self.typing_key in (operator.getitem, operator.setitem) and isinstance(args[0], ELEMENTS)
        if not all(isinstance(arg, NUMBERS) for arg in args[is_element:]):
            return look(self, context, args, kws)
        known = vars(self).setdefault("_known", {})
        if args not in known:
            known[args] = look(self, context, args, kws)
        return known[args]

    return get_call_type


def _without_doors(decorator: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """How Numba compiles what it has for a function of Python or NumPy."""
    closed = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return lambda self: lambda **options: decorator(self)(**closed | options)


def _if_heard(report: Callable[..., None]) -> Callable[..., None]:
    """Report an event of a kind that somebody listens to."""

    def report_it(kind: str, *args: Any, **more: Any) -> None:
        if event._registered.get(kind):
            report(kind, *args, **more)

    return report_it


_install()

"""LLVM IR becomes machine code, kept on disk by the hash of what made it.

A cache file holds the digest of its key and its object code, then the code. It is written to a temporary name
and moved into place, so concurrent processes see an old file or a whole new one; a file whose digest does not
match, because it is damaged or belongs to another key, is rebuilt.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import logging
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from tinkerdyne.folders import cache_folder

if TYPE_CHECKING:
    from llvmlite import binding

log = logging.getLogger("tinkerdyne")

FORMAT = "2"  # of a cache file; those of another one have other names
_DIGEST = 32  # bytes of SHA-256
LONG = 400_000  # characters of a module
CHOSEN = "TINKERDYNE_CPU"
LEVELS = {  # of x86-64, by LLVM's names, each with what a machine must have for it
    "x86-64": (),
    "x86-64-v2": ("sse4.2", "popcnt"),
    "x86-64-v3": ("avx2", "bmi2", "f16c", "fma"),
    "x86-64-v4": ("avx2", "fma", "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"),
}
# What a wheel brings along, under the same names as in the cache, and for which processors.
SHIPPED = Path(__file__).parents[1] / "compiled"
LEVEL_FILE = "level"
_engine: binding.ExecutionEngine | None = None
_target: binding.TargetMachine | None = None
_addresses: dict[str, int] = {}
_texts: dict[str, str] = {}  # of kernels, by key: what they are made from, for other machines than this one
_keep: list[object] = []
# Held while LLVM works. A thread that is inside LLVM while the program ends would find it taken down, and
# crash: the end waits for the piece in hand and lets nobody begin another.
_at_work = threading.RLock()
atexit.register(lambda: _at_work.acquire())


def _after_fork() -> None:
    """A child has none of the other threads, and so nobody who would give the lock back."""
    global _at_work
    _at_work = threading.RLock()


def at_work() -> threading.RLock:
    """Held while LLVM works."""
    return _at_work


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@functools.cache
def library() -> ModuleType:
    """llvmlite, loaded when it is first wanted: a fifth of the time of `import tinkerdyne`."""
    import llvmlite.binding

    found: ModuleType = llvmlite.binding
    return found


def levels() -> dict[str, tuple[str, ...]]:
    """What $TINKERDYNE_CPU can be here beside native, each with the features that a machine needs for it."""
    return LEVELS if library().get_default_triple().startswith("x86_64") else {"generic": ()}


def processor() -> tuple[str, str]:
    """LLVM's name of the processor that code is made for, and its features.

    It is this machine's own, or $TINKERDYNE_CPU, which has the features of its name alone; with a wheel that
    brings compiled code along, that of the code where this machine can run it. Last digits hang on it: where
    there are fused multiply-adds, fewer products are rounded.
    """
    llvm = library()
    features = llvm.get_host_cpu_features()
    chosen = os.environ.get(CHOSEN) or _shipped_level(features) or "native"
    if chosen == "native":
        return llvm.get_host_cpu_name(), features.flatten()
    known = levels()
    if chosen not in known:
        raise ValueError(f"{CHOSEN} is {chosen!r}; on this machine it can be native, {', '.join(known)}")
    lacking = [name for name in known[chosen] if not features.get(name, False)]
    if features and lacking:
        raise ValueError(
            f"{CHOSEN} is {chosen}, but this machine lacks {', '.join(lacking)}; "
            "choose a lower level, or native"
        )
    return chosen, ""


def platform_level() -> str:
    """What code of a wheel is made for: all processors of its platform but old ones."""
    known = levels()
    return "x86-64-v3" if "x86-64-v3" in known else next(iter(known))


def _shipped_level(features: Mapping[str, bool]) -> str:
    """What the code is made for that came with the package; "" where none came, or this machine cannot run
    it."""
    try:
        level = (SHIPPED / LEVEL_FILE).read_text().strip()
    except OSError:
        return ""
    needed = levels().get(level)
    return level if needed is not None and all(features.get(name, False) for name in needed) else ""


def target() -> binding.TargetMachine:
    """The target machine, made once."""
    global _target
    llvm = library()
    if _target is None:
        cpu, features = processor()
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        _target = llvm.Target.from_default_triple().create_target_machine(
            cpu=cpu,
            features=features,
            opt=2,
            reloc="default",
            codemodel="jitdefault",
            jit=True,
        )
    return _target


@functools.cache
def _host() -> str:
    import llvmlite

    return "|".join((FORMAT, library().get_default_triple(), *processor(), llvmlite.__version__))


def key_of(text: str) -> str:
    """The name of the object made from this text on this machine."""
    return hashlib.sha256((_host() + "\n" + text).encode()).hexdigest()


def compile_ir(text: str, *, loops: bool = False, progress: Callable[[], None] | None = None) -> bytes:
    """Optimise a module and return its object code; `progress` is called between the two.

    Kernels are straight lines; with `loops` the module is the step loop: vectorised, and inlined sparingly,
    which halves the time to compile and costs nothing measurable. Long kernels are left as CasADi tidied
    them: the optimiser would take most of the time, and finds little.
    """
    llvm = library()
    with _at_work:
        module = llvm.parse_assembly(text)
        module.verify()
        optimise(module, target(), text, loops=loops)
    if progress is not None:
        progress()
    with _at_work:
        return bytes(target().emit_object(module))


def optimise(
    module: binding.ModuleRef,
    target: binding.TargetMachine,
    text: str,
    *,
    loops: bool,
    is_small: bool = False,
) -> None:
    """Run LLVM's passes for this target over a module of this text."""
    llvm = library()
    options = llvm.create_pipeline_tuning_options(speed_level=2 if loops or len(text) < LONG else 0)
    options.loop_vectorization = loops and not is_small
    if loops:
        options.inlining_threshold = 10 if is_small else 60
    options.slp_vectorization = not is_small
    builder = llvm.create_pass_builder(target, options)
    builder.getModulePassManager().run(module, builder)


def _digest(path: Path, code: bytes) -> bytes:
    """Of the key that a file is called by, and its code: another key's code does not pass for it."""
    return hashlib.sha256(path.stem.encode() + b"\n" + code).digest()


def _read(path: Path) -> bytes | None:
    try:
        data = path.read_bytes()
    except OSError:
        return None
    if len(data) <= _DIGEST or _digest(path, data[_DIGEST:]) != data[:_DIGEST]:
        log.warning("cache file %s is corrupt; it is discarded and rebuilt", path.name)
        return None
    return data[_DIGEST:]


def _write(path: Path, code: bytes) -> None:
    import tempfile  # with shutil and three sorts of compression, for the few runs that compile something

    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.stem[:16], suffix=".tmp")
        with os.fdopen(handle, "wb") as file:
            file.write(_digest(path, code) + code)
        os.replace(temporary, path)
    except OSError as problem:  # a read-only or full disk costs speed, never the run
        log.warning("compiled code could not be kept in %s: %s", path.parent, problem)
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def kernels(text: str, names: list[str]) -> list[int]:
    """The addresses of the kernels of a module, from the cache where it has them."""
    key = key_of(text)
    _texts[key] = text
    return load(key, names, lambda: compile_ir(text))


def sources(addresses: Iterable[int]) -> dict[str, list[tuple[int, str]]]:
    """The texts of the modules that kernels at these addresses come from, each with their names there."""
    wanted, found = set(addresses), dict[str, list[tuple[int, str]]]()
    for place, address in _addresses.items():
        key, _, name = place.partition(":")
        if address in wanted and key in _texts:
            found.setdefault(_texts[key], []).append((address, name))
    return found


def kept(key: str, build: Callable[[], bytes]) -> bytes:
    """What came with the package or is kept under this key, or what `build()` makes."""
    name = f"{key}.o"
    code = _read(SHIPPED / name) if SHIPPED.is_dir() else None
    if code is not None:
        return code
    path = cache_folder() / name
    code = _read(path)
    if code is None:
        code = build()
        _write(path, code)
    return code


def load(key: str, names: list[str], build: Callable[[], bytes]) -> list[int]:
    """The addresses of `names` in the object of this key, from the cache or from `build()`."""
    global _engine
    if all(f"{key}:{name}" in _addresses for name in names):
        return [_addresses[f"{key}:{name}"] for name in names]
    code = kept(key, build)
    llvm = library()
    with _at_work:
        if _engine is None:
            empty = llvm.parse_assembly("")
            _engine = llvm.create_mcjit_compiler(empty, target())
        object_file = llvm.ObjectFileRef.from_data(code)
        _keep.append(object_file)
        _engine.add_object_file(object_file)
        _engine.finalize_object()
        for name in names:
            _addresses[f"{key}:{name}"] = _engine.get_function_address(name)
    return [_addresses[f"{key}:{name}"] for name in names]

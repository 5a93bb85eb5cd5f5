"""Both trees compile for one CPU: TINKERDYNE_CPU, also in commits that do not know it yet."""

from __future__ import annotations

import os
import sys


def use_target() -> None:
    """Let LLVM say that this machine is the one that is asked for, before the package asks."""
    assert "llvmlite.binding" not in sys.modules, "something was compiled before the target was chosen"
    import llvmlite.binding as llvm

    cpu = os.environ.get("TINKERDYNE_CPU", "")
    if cpu in ("", "native"):
        return
    llvm.get_host_cpu_name = lambda: cpu
    llvm.get_host_cpu_features = lambda: llvm.targets.FeatureMap()

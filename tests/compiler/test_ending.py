"""A program that ends while a thread compiles ends without a crash: it waits until nobody is inside LLVM."""

import subprocess
import sys

BUSY = """
import atexit, threading, time
inside = threading.Event()
atexit.register(lambda: print("inside" if inside.is_set() else "outside"))  # registered first, runs last
from llvmlite import binding
from tinkerdyne.compiler import machine
parse = binding.parse_assembly
def slow(text):
    inside.set()
    time.sleep(0.3)
    inside.clear()
    return parse(text)
binding.parse_assembly = slow
def work():
    while True:
        machine.compile_ir("define double @f(double %x) {\\n  ret double %x\\n}")
threading.Thread(target=work, daemon=True).start()
inside.wait()
"""


def test_a_program_may_end_while_a_thread_compiles():
    done = subprocess.run([sys.executable, "-c", BUSY], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout == "outside\n", done.stdout + done.stderr

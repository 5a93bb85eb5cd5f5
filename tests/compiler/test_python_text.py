"""Python's syntax is read by many threads at once."""

import gc
import threading
import time

from tinkerdyne.python_text import expression_tree, module_tree

TEXT = "def f(a):\n    return [a + (b * c) for b, c in zip(a, (1, 2))]\n" * 40


def test_threads_that_read_at_once_do_not_disturb_each_other():
    """A collection in the middle of a tree lets the other thread go on, as it does by chance."""
    wrong: list[BaseException] = []

    def read() -> None:
        try:
            for _ in range(20):
                assert len(module_tree(TEXT).body) == 40
                assert expression_tree("a + (b, c)").body
        except BaseException as problem:
            wrong.append(problem)

    def give_way(phase: str, info: object) -> None:
        time.sleep(0)

    before = gc.get_threshold()
    gc.callbacks.append(give_way)
    gc.set_threshold(50)
    try:
        threads = [threading.Thread(target=read) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(give_way)
    assert not wrong, wrong[0]

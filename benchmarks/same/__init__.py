"""Two commits side by side: the bytes of their simulations, their object code, and their times.

`python -m benchmarks.same` reads `tree`, `core_object` and `difference`. The other files run in a process of
each tree, as scripts of this folder; their names must be those of no other module.
"""

"""The documentation site: pages, a reference of docstrings, and a gallery that runs (`make docs`)."""

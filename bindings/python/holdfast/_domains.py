"""Types of the domains' methods, for type checkers: _domains.pyi, written by tools/make_stubs."""

"""The compiled module. It is private: what it gives is typed by the modules that call it."""

from typing import Any

def __getattr__(name: str) -> Any: ...

"""Tasks of documents as graphs, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .errors import UnknownName, UsageError
from .values import plain

if TYPE_CHECKING:
    import networkx


def graph_of(document: Mapping[str, Any]) -> networkx.DiGraph:
    """The tasks of a document as a graph: `Instance.graph`."""
    import networkx
    tasks = document.get("tasks")
    if tasks is None:
        raise UnknownName("found no tasks, expected an instance that lists them", "tasks")
    if not isinstance(tasks, (list, tuple)):
        raise UsageError(f"found {tasks!r}, expected a list of tasks", "tasks")
    graph = networkx.DiGraph()
    names = [task.get("id", str(position)) for position, task in enumerate(tasks)]
    for name, task in zip(names, tasks, strict=True):
        graph.add_node(name, **{key: value for key, value in task.items() if key not in ("id", "parents")})
    for name, task in zip(names, tasks, strict=True):
        for parent in task.get("parents", ()):
            graph.add_edge(names[parent] if isinstance(parent, int) else parent, name)
    return graph


def tasks_of(graph: networkx.DiGraph) -> list[dict[str, Any]]:
    """The tasks of a graph, as documents list them.

    Parameters
    ----------
    graph : networkx.DiGraph
        A graph with a node for each task, whose attributes become its fields, and an edge from each task to those that wait for
        it.

    Returns
    -------
    list of dict
        The tasks in an order in which parents come first, with the members ``id``, the attributes and ``parents``.

    Raises
    ------
    UsageError
        If the graph is not directed, or if tasks wait for each other in a circle.

    Examples
    --------
    >>> import networkx
    >>> import holdfast as hf
    >>> graph = networkx.DiGraph()
    >>> graph.add_node("load", length=600.0, checkpoint=30.0)
    >>> graph.add_node("solve", length="2h", checkpoint="1min")
    >>> graph.add_edge("load", "solve")
    >>> hf.tasks_of(graph)[1]
    {'id': 'solve', 'length': '2h', 'checkpoint': '1min', 'parents': ['load']}
    >>> plan = hf.workflow.plan({"tasks": hf.tasks_of(graph), "processors": 2, "mtbf": "10d"})
    """
    import networkx
    if not isinstance(graph, networkx.DiGraph):
        raise UsageError(f"found an object of type {type(graph).__name__}, expected a networkx.DiGraph", "graph=")
    position = {node: place for place, node in enumerate(graph)}
    try:
        order = list(networkx.lexicographical_topological_sort(graph, key=position.__getitem__))
    except networkx.NetworkXUnfeasible:
        circle = " -> ".join(str(start) for start, _ in networkx.find_cycle(graph))
        raise UsageError(f"found tasks that wait for each other: {circle}", "graph=") from None
    out = []
    for node in order:
        task: dict[str, Any] = {"id": str(node)}
        for name, value in graph.nodes[node].items():
            task[name] = value if isinstance(value, (str, int, float, list)) else plain(value)
        parents = list(graph.predecessors(node))  # in the order in which the edges were made
        if parents:
            task["parents"] = [str(parent) for parent in parents]
        out.append(task)
    return out

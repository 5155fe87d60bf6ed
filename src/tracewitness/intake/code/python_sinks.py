"""Where the texts of Python code go: to nobody and the log, or into the environment.

A text that is printed, raised, asserted, logged or thrown away is the agent's word. It may take a way there: through a
variable, a format, a list, a function of the code's own. What any other call is given counts as written into the
environment. So a text is said only where every way that it takes ends in something that says.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tracewitness.intake.code.python_names import (
    adds_to,
    dotted_name,
    is_aside,
    is_saying,
    notes_down,
    own_statements,
    passes_on,
    tells,
    writes_to_file,
)
from tracewitness.intake.own_words import explains

Way = tuple[ast.AST, str]
"""A part of the code, and where it goes: a variable, ``f()`` for what a function returns, or one of the ends below."""

SAID, USED, COMPARED = "<said>", "<used>", "<compared>"
_NOBODY = ""
_UNSEEN = frozenset({"exec", "eval", "globals", "locals", "vars", "setattr"})
"""Functions that read or write variables by no name of theirs."""


@dataclass(slots=True)
class Sinks:
    """Where each text of a tree goes.

    Attributes:
        texts: The texts (and texts with values in them), each with where it goes.
        loaded: What is read, with where it goes: the variable a goes to b in ``b = a``.
        stored: The variables that are written.
        functions: The functions of the code, with their parameters in order; the last takes what is left over.
        plain: The variables that hold nothing but what is written out in the code.
    """

    texts: list[tuple[ast.Constant | ast.JoinedStr, str]] = field(
        default_factory=list[tuple[ast.Constant | ast.JoinedStr, str]]
    )
    loaded: dict[str, set[str]] = field(default_factory=lambda: defaultdict[str, set[str]](set))
    stored: set[str] = field(default_factory=set[str])
    functions: dict[str, tuple[list[str], str]] = field(default_factory=dict[str, tuple[list[str], str]])
    plain: set[str] = field(default_factory=set[str])

    @classmethod
    def of(cls, tree: ast.Module) -> "Sinks":
        """Return the ways of the texts of a tree."""
        sinks = cls()
        sinks._prepare(tree)
        pending: list[Way] = [(value, SAID) for value in _returned(tree)]
        pending += [(one, SAID) for one in reversed(tree.body)]
        while pending:
            node, sink = pending.pop()
            pending += reversed(list(sinks._parts(node, sink)))
        return sinks

    def said(self, *, fresh: bool) -> frozenset[str]:
        """Return the variables whose values are only said.

        Args:
            fresh: Whether the code runs in a process of its own, so that what it never reads is read by nobody.
        """
        if not _UNSEEN.isdisjoint(self.loaded):
            return frozenset()
        used, spoken, compared = self._reaching(USED), self._reaching(SAID), self._reaching(COMPARED)
        dead = {name for name in self.stored if name not in spoken | compared and (fresh or tells(name))}
        return frozenset((spoken | dead) - used)

    def _reaching(self, end: str) -> set[str]:
        """Return the variables that go to an end by whatever way."""
        sources: dict[str, list[str]] = defaultdict(list)
        for name, sinks in self.loaded.items():
            for sink in sinks:
                sources[sink].append(name)
        found, pending = set[str](), [end]
        while pending:
            new = [name for name in sources[pending.pop()] if name not in found]
            found.update(new)
            pending += new
        return found

    def _prepare(self, tree: ast.Module) -> None:
        other = set[str]()
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self.functions[node.name] = _parameters(node.args)
            elif isinstance(node, ast.Assign):
                names = [one.id for one in node.targets if isinstance(one, ast.Name)]
                if isinstance(node.value, ast.Lambda):
                    self.functions |= dict.fromkeys(names, _parameters(node.value.args))
                (self.plain if _is_written_out(node.value) else other).update(names)
            elif isinstance(node, ast.withitem | ast.For | ast.AsyncFor):
                target = node.optional_vars if isinstance(node, ast.withitem) else node.target
                other.update(one.id for one in ast.walk(target or node) if isinstance(one, ast.Name))
        self.plain -= other

    def _parts(self, node: ast.AST, sink: str) -> Iterator[Way]:
        """Yield what stands in a node with where it goes, and note what is read and written in it."""
        if isinstance(node, ast.stmt):
            return self._of_statement(node)
        if isinstance(node, ast.Call):
            return self._of_call(node, sink)
        if isinstance(node, ast.Constant | ast.JoinedStr | ast.FormattedValue):
            return self._of_text(node, sink)
        if isinstance(node, ast.Name):
            self._load(node, sink)
            return iter(())
        if isinstance(node, ast.NamedExpr):
            self._read_as(node, sink)
            return iter([(node.value, node.target.id)])
        if isinstance(node, ast.comprehension):
            return iter([(node.iter, self._stored_in([node.target])), *((one, COMPARED) for one in node.ifs)])
        return _of_expression(node, sink)

    def _of_text(self, node: ast.Constant | ast.JoinedStr | ast.FormattedValue, sink: str) -> Iterator[Way]:
        if isinstance(node, ast.FormattedValue):
            yield node.value, sink
        elif isinstance(node, ast.JoinedStr):
            self.texts.append((node, sink))
            yield from ((one, sink) for one in node.values if isinstance(one, ast.FormattedValue))
        elif isinstance(node.value, str | bytes):
            self.texts.append((node, sink))

    def _load(self, node: ast.Name, sink: str) -> None:
        if isinstance(node.ctx, ast.Load):
            self.loaded[node.id].add(sink)
            if node.id in self.functions:
                self.loaded[f"{node.id}()"].add(sink)

    def _read_as(self, node: ast.NamedExpr, sink: str) -> None:
        self.stored.add(node.target.id)
        if sink != _NOBODY:
            self.loaded[node.target.id].add(sink)

    def _of_statement(self, node: ast.stmt) -> Iterator[Way]:
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            yield from self._of_assignment(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from self._of_function(node)
        elif isinstance(node, ast.For | ast.AsyncFor):
            yield node.iter, self._stored_in([node.target])
            yield from ((one, USED) for one in (*node.body, *node.orelse))
        elif isinstance(node, ast.ClassDef):
            yield from ((one, USED) for one in ast.iter_child_nodes(node) if not isinstance(one, ast.Assign))
            yield from ((one.value, USED) for one in node.body if isinstance(one, ast.Assign))
        elif not isinstance(node, ast.Return):  # what functions return goes where they are called
            yield from _of_plain_statement(node)

    def _of_assignment(self, node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> Iterator[Way]:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if isinstance(node, ast.AnnAssign):
            yield node.annotation, SAID
        if isinstance(node.value, ast.Tuple) and len(targets) == 1 and isinstance(targets[0], ast.Tuple):
            parts = targets[0].elts
            alike = len(parts) == len(node.value.elts)
            yield from (
                (one, self._stored_in([parts[at]] if alike else parts)) for at, one in enumerate(node.value.elts)
            )
        elif node.value is not None:
            sink = self._stored_in(targets)
            if isinstance(node.value, ast.Lambda) and sink not in (SAID, USED):
                yield node.value.body, f"{sink}()"
            else:
                yield node.value, sink
        yield from ((one.slice, USED) for one in targets if isinstance(one, ast.Subscript))

    def _stored_in(self, targets: Sequence[ast.expr]) -> str:
        """Return where what is assigned goes: into a variable, or into an object that may be anything."""
        parts = [part for one in targets for part in (one.elts if isinstance(one, ast.Tuple | ast.List) else [one])]
        ends = [self._end_of(one) for one in parts]
        self.stored.update(end for end in ends if end not in (SAID, USED))
        if USED in ends or not ends:
            return USED
        for end in ends[1:]:  # what one of them is, all of them are
            self.loaded[ends[0]].add(end)
        return ends[0]

    def _end_of(self, target: ast.expr) -> str:
        inside = isinstance(target, ast.Subscript)
        while isinstance(target, ast.Subscript | ast.Starred):
            target = target.value
        if isinstance(target, ast.Name):
            return target.id if not inside or self._holds_words(target.id) else USED
        return SAID if notes_down(target) else USED

    def _holds_words(self, name: str) -> bool:
        """Tell a list or dict that the code itself made from an object that may be a sheet or a page."""
        return name in self.plain or explains(name)

    def _of_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Way]:
        given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        yield from ((one.annotation, SAID) for one in given if one.annotation is not None)
        yield from [] if node.returns is None else [(node.returns, SAID)]
        yield from ((one, USED) for one in node.decorator_list)
        for one, value in zip(reversed(node.args.args), reversed(node.args.defaults), strict=False):
            yield value, one.arg
        yield from ((one, USED) for one in node.args.kw_defaults if one is not None)
        sink = SAID if explains(node.name) else f"{node.name}()"
        self.stored.add(sink)
        yield from ((value, sink) for value in _returned(node))
        yield from ((one, USED) for one in node.body)

    def _of_call(self, node: ast.Call, sink: str) -> Iterator[Way]:
        name = dotted_name(node.func)
        own = name.removeprefix("self.")
        given = [*node.args, *(word.value for word in node.keywords)]
        if own in self.functions:
            self.loaded[f"{own}()"].add(sink)
            yield from _to_parameters(node, *self.functions[own], skipped=int(own != name))
        elif is_saying(node):
            yield from ((one, USED if writes_to_file(node) else SAID) for one in given)
        elif passes_on(node):
            yield from ((one, sink) for one in given)
            yield from [(node.func.value, sink)] if isinstance(node.func, ast.Attribute) and not name else []
            self._load_root(name, sink)
        elif self._holds_words(into := adds_to(node)):
            self.stored.add(into)
            yield from ((one, into) for one in given)
        else:
            yield node.func, USED
            yield from ((one, USED) for one in node.args)
            yield from ((word.value, SAID if is_aside(node, word.arg) else USED) for word in node.keywords)

    def _load_root(self, name: str, sink: str) -> None:
        root, dot, _ = name.partition(".")
        if dot:
            self.loaded[root].add(sink)


def _of_plain_statement(node: ast.stmt) -> Iterator[Way]:
    if isinstance(node, ast.Expr):  # (a := "x") that stands alone is an assignment like another
        yield node.value, _NOBODY if isinstance(node.value, ast.NamedExpr) else SAID
    elif isinstance(node, ast.If | ast.While):
        yield node.test, COMPARED
        yield from ((one, USED) for one in (*node.body, *node.orelse))
    elif isinstance(node, ast.Assert):
        yield node.test, COMPARED
        yield from [] if node.msg is None else [(node.msg, SAID)]
    elif isinstance(node, ast.Raise):
        error = node.exc
        inside = [*error.args, *(word.value for word in error.keywords)] if isinstance(error, ast.Call) else [error]
        yield from ((one, SAID) for one in inside if one is not None)
    else:
        yield from ((one, USED) for one in ast.iter_child_nodes(node))


def _of_expression(node: ast.AST, sink: str) -> Iterator[Way]:
    if isinstance(node, ast.Compare | ast.Slice):
        yield from ((one, COMPARED) for one in ast.iter_child_nodes(node))
    elif isinstance(node, ast.IfExp):
        yield node.test, COMPARED
        yield from ((one, sink) for one in (node.body, node.orelse))
    elif isinstance(node, ast.Subscript):
        yield node.value, sink
        yield node.slice, USED
    elif isinstance(node, ast.Attribute | ast.Yield | ast.YieldFrom):
        yield from ((one, USED) for one in ast.iter_child_nodes(node))
    else:
        yield from ((one, sink) for one in ast.iter_child_nodes(node))


def _to_parameters(node: ast.Call, names: list[str], rest: str, *, skipped: int) -> Iterator[Way]:
    names = names[skipped:]
    yield from ((one, names[at] if at < len(names) else rest) for at, one in enumerate(node.args))
    yield from ((word.value, word.arg if word.arg in names else rest) for word in node.keywords)


def _parameters(given: ast.arguments) -> tuple[list[str], str]:
    names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return names, given.vararg.arg if given.vararg is not None else USED


def _returned(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what a function returns, or a script does that is run as one."""
    return (one.value for one in own_statements(node) if isinstance(one, ast.Return) and one.value is not None)


def _is_written_out(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return dotted_name(node.func) in ("dict", "list", "set")
    return isinstance(node, ast.Dict | ast.List | ast.Set | ast.Tuple | ast.Constant | ast.JoinedStr)

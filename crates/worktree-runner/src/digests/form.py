"""Normal form of Python source: its syntax tree without positions, docstrings and comments."""
import ast
import hashlib
import re
import sys
import warnings

warnings.simplefilter("ignore")

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError, LookupError)
OMITTED = {"ctx", "kind", "type_comment", "type_ignores"}
BLOCKS = {"body", "orelse", "finalbody"}
# What follows calls itself for each level, so this stays far below Python's own limit.
DEEPEST = 120
# Names by which a module can reach what it never mentions.
REFLECTION = {"globals", "exec", "eval", "vars", "locals", "dir", "__dict__", "modules", "getmembers"}
# Decorators that only store their arguments: they run nothing of the tree at import.
INERT = {
    "staticmethod", "classmethod", "property",
    "pytest.fixture", "hypothesis.given", "hypothesis.settings", "hypothesis.example",
    "hypothesis.seed", "hypothesis.reproduce_failure",
    "unittest.skip", "unittest.skipIf", "unittest.skipUnless", "unittest.expectedFailure",
    "unittest.mock.patch", "unittest.mock.patch.object", "unittest.mock.patch.dict",
    "mock.patch", "mock.patch.object", "mock.patch.dict",
}
INERT_CALLS = ("hypothesis.strategies.", "hypothesis.settings", "pytest.mark.")


class Mark(str):
    """A piece of the normal form itself, as opposed to a value in the tree."""


def sha(*pieces):
    digest = hashlib.sha256()
    for piece in pieces:
        data = piece if isinstance(piece, bytes) else piece.encode("utf-8", "surrogatepass")
        digest.update(b"%d " % len(data))
        digest.update(data)
    return digest.hexdigest()


def literal(value):
    if isinstance(value, int) and not isinstance(value, bool):
        return "int:" + hex(value)
    return type(value).__name__ + ":" + ascii(value)


def literal_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def dotted(node):
    """`a.b.c` for a chain of attributes on a name, else None."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    parts.append(node.id)
    return ".".join(reversed(parts))


def words(value):
    """Every identifier that stands in a syntax tree, also as a whole string."""
    found = set()
    for node in ast.walk(value):
        for name in node._fields:
            held = getattr(node, name, None)
            for text in held if isinstance(held, list) else [held]:
                if isinstance(text, str) and len(text) < 300:
                    found.update(part for part in text.split(".") if part.isidentifier())
    return found


def global_names(value):
    """Every name by which a module may read or bind one of its own globals: attributes are none."""
    found = set()
    for node in ast.walk(value):
        if isinstance(node, (ast.Attribute, ast.keyword, ast.ImportFrom)):
            continue
        if isinstance(node, ast.alias):
            found.add(node.asname or node.name.split(".")[0])
            continue
        for name in node._fields:
            held = getattr(node, name, None)
            for text in held if isinstance(held, list) else [held]:
                if isinstance(text, str) and len(text) < 300:
                    found.update(text.split("."))
    return found


class Source:
    """One Python file, parsed once for each content."""

    def __init__(self, blob, data):
        self.blob = blob
        self.tree = None
        self.problem = None
        self.index = {}
        self.imports = {}
        self.mark_names = set()
        if data is None:
            self.problem = "its content was not given (too large or not needed)"
            return
        sys.stderr.write("reading %s\n" % blob)
        sys.stderr.flush()
        try:
            self.tree = ast.parse(data)
            self.words = words(self.tree)
            self.names = global_names(self.tree)
            self._look_around()
            self._scan(self.tree.body, "", [], [])
            self.whole = self.form(self.tree)
        except UNREADABLE as error:
            self.tree = None
            self.index = {}
            self.problem = "%s: %s" % (type(error).__name__, str(error)[:120])

    def _look_around(self):
        # `docopt(__doc__)` and the like make docstrings part of what runs.
        self.docstrings = bool(self.words & {"__doc__", "getdoc", "getsource", "getsourcelines"})
        bound = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                bound[node.id] = bound.get(node.id, 0) + 1
            elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                bound[node.attr] = bound.get(node.attr, 0) + 1
            elif isinstance(node, FUNCTIONS + (ast.ClassDef,)):
                bound[node.name] = bound.get(node.name, 0) + 1
            elif isinstance(node, ast.ExceptHandler) and node.name:
                bound[node.name] = bound.get(node.name, 0) + 1
        self.bound = bound
        odd = {"typing", "typing_extensions"}
        self.checking = "TYPE_CHECKING" not in bound
        for node in ast.walk(self.tree):
            if not isinstance(node, (ast.Import, ast.ImportFrom)):
                continue
            for alias in node.names:
                name = alias.asname or alias.name.split(".")[0]
                if isinstance(node, ast.ImportFrom):
                    source = "." * node.level + (node.module or "") + "." + alias.name
                    if name == "TYPE_CHECKING" and source.rpartition(".")[0] not in odd:
                        self.checking = False
                else:
                    source = alias.name if alias.asname else name
                if name in self.imports and self.imports[name] != source:
                    bound[name] = bound.get(name, 0) + 1
                self.imports[name] = source
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                target = node.targets[0]
                if isinstance(target, ast.Name) and bound.get(target.id) == 1:
                    if self.is_mark(node.value):
                        self.mark_names.add(target.id)

    def _scan(self, body, prefix, guards, owners, depth=0):
        if depth > DEEPEST:
            raise RecursionError("blocks nested more than %d deep" % DEEPEST)
        for node in body:
            if isinstance(node, FUNCTIONS + (ast.ClassDef,)):
                self.index.setdefault(prefix + node.name, []).append((node, guards, owners))
                if isinstance(node, ast.ClassDef):
                    self._scan(node.body, prefix + node.name + ".", guards, owners + [node],
                               depth + 1)
            elif isinstance(node, ast.If):
                test = self.form(node.test)
                self._scan(node.body, prefix, guards + ["if " + test], owners, depth + 1)
                self._scan(node.orelse, prefix, guards + ["else " + test], owners, depth + 1)
            else:
                for number, block in enumerate(blocks(node)):
                    # What stands beside the test in a `try` belongs to the rest of the module.
                    header = "try" if type(node).__name__.startswith("Try") else self.form(node)
                    guard = "block %d of %s" % (number, header)
                    self._scan(block, prefix, guards + [guard], owners, depth + 1)

    def source_of(self, node):
        """Where a decorator or a callee comes from, as a dotted name; None if that is not sure."""
        name = dotted(node)
        if name is None:
            return None
        root, _, rest = name.partition(".")
        if root in self.bound:
            return None
        source = self.imports.get(root, root)
        if source.startswith("."):
            return None
        return source + "." + rest if rest else source

    def is_mark(self, node):
        callee = node.func if isinstance(node, ast.Call) else node
        if isinstance(callee, ast.Name) and callee.id in self.mark_names:
            return True
        return (self.source_of(callee) or "").startswith("pytest.mark.")

    def inert(self, node, depth=0):
        """Whether evaluating an expression runs nothing of the tree."""
        if depth > DEEPEST:
            return False
        depth += 1
        if node is None or isinstance(node, (ast.Constant, ast.Name)):
            return True
        if isinstance(node, ast.Attribute):
            return self.inert(node.value, depth)
        if isinstance(node, ast.Lambda):
            return not node.args.defaults and not node.args.kw_defaults
        if isinstance(node, ast.Call):
            source = self.source_of(node.func) or ""
            called = source in INERT or source.startswith(INERT_CALLS)
            return called and all(self.inert(one, depth) for one in node.args) and all(
                self.inert(keyword.value, depth) for keyword in node.keywords)
        if isinstance(node, (ast.Tuple, ast.List, ast.Set, ast.BoolOp, ast.Compare, ast.UnaryOp,
                             ast.Dict, ast.BinOp)):
            return all(self.inert(child, depth) for child in ast.iter_child_nodes(node)
                       if isinstance(child, ast.expr))
        return False

    def inert_decorator(self, node):
        if self.is_mark(node):
            return True
        if isinstance(node, ast.Call):
            return self.source_of(node.func) in INERT and self.inert(node)
        return self.source_of(node) in INERT

    def clean(self, body):
        """A block without what does nothing when it runs."""
        kept = []
        for node in body:
            if isinstance(node, ast.Pass) or (literal_text(node) and not self.docstrings):
                continue
            if isinstance(node, ast.If) and self.checking:
                if dotted(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
                    kept.extend(self.clean(node.orelse))
                    continue
            kept.append(node)
        return kept

    def form(self, value):
        """The digest of a node or a list of nodes."""
        out = []
        stack = [value]
        while stack:
            item = stack.pop()
            if isinstance(item, Mark):
                out.append(item)
            elif isinstance(item, list):
                out.append("[")
                stack.append(Mark("]"))
                stack.extend(reversed(item))
            elif isinstance(item, ast.Delete) and len(item.targets) == 1 and isinstance(
                    item.targets[0], ast.Tuple):
                # `del (a, b)` and `del a, b` are one statement to formatters.
                stack.append(ast.Delete(targets=item.targets[0].elts))
            elif isinstance(item, ast.AST):
                out.append("(" + type(item).__name__)
                stack.append(Mark(")"))
                for name in reversed(item._fields):
                    if name in OMITTED:
                        continue
                    held = getattr(item, name, None)
                    if name in BLOCKS and isinstance(held, list):
                        held = self.clean(held)
                    stack.append(held)
                    stack.append(Mark(name))
            else:
                out.append(literal(item))
        return sha("\n".join(out))


def blocks(node):
    """The statement lists inside a compound statement."""
    found = []
    for name in ("body", "orelse", "finalbody"):
        held = getattr(node, name, None)
        if isinstance(held, list):
            found.append(held)
    for name in ("handlers", "cases"):
        for child in getattr(node, name, None) or []:
            found.append(child.body)
    return found


IMPORT_LINE = re.compile(
    rb"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+\(?[ \t]*([^#\n]*)|import[ \t]+([^#\n]*))", re.M)


def named_imports(data):
    """(module, names) of the import lines of a file that is not worth parsing."""
    for match in IMPORT_LINE.finditer(data.replace(b"\\\r\n", b" ").replace(b"\\\n", b" ")):
        if match.group(1):
            names = [part.split()[0] for part in match.group(2).decode("utf-8", "replace").split(",")
                     if part.split()]
            yield match.group(1).decode("utf-8", "replace"), names
        else:
            for part in match.group(3).decode("utf-8", "replace").split(","):
                if part.split():
                    yield part.split()[0], []

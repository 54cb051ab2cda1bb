"""Parts, spec hashes and fixture closures of the collected tests of two commits."""
import ast
import json
import posixpath
import sys

NEVER_EXCUSED = ("pytest", "setup", "teardown", "setUp", "tearDown", "load_tests")
LISTED = 60


def looks_like_test(source, node, qualname, tests):
    if qualname in tests:
        return True
    if not node.name.startswith("test"):
        return False
    return not any("fixture" in word.lower() for one in node.decorator_list for word in words(one))


def holds_tests(source, node, qualname, tests):
    start = qualname + "."
    if any(name.startswith(start) for name in tests):
        return True
    if not (node.name.startswith("Test") or node.bases):
        return False
    for child in node.body:
        if isinstance(child, FUNCTIONS) and looks_like_test(source, child, start + child.name, tests):
            return True
        if isinstance(child, ast.ClassDef) and holds_tests(source, child, start + child.name, tests):
            return True
    return False


def atoms(node):
    """(bound name, text, level, module, name) of each name an import binds."""
    for alias in node.names:
        if isinstance(node, ast.Import):
            bound = alias.asname or alias.name.split(".")[0]
            yield bound, "import %s as %s" % (alias.name, bound), 0, alias.name, None
        else:
            bound = alias.asname or alias.name
            module = node.module or ""
            text = "from %s%s import %s as %s" % ("." * node.level, module, alias.name, bound)
            yield bound, text, node.level, module, alias.name


def import_list(nodes):
    found = []
    for top in nodes:
        for node in ast.walk(top):
            if isinstance(node, ast.Import):
                found.extend((0, alias.name, ()) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                found.append((node.level, node.module or "", tuple(one.name for one in node.names)))
    return found


class Rest:
    """What runs when a module or a class is made, less the tests in it."""

    def __init__(self, source, tests):
        self.source = source
        self.tests = tests
        self.live = []

    def effects(self, node):
        """What a function that is not looked at runs where it is defined."""
        nodes = [one for one in node.decorator_list if not self.source.inert_decorator(one)]
        nodes += node.args.defaults + [one for one in node.args.kw_defaults if one is not None]
        arguments = getattr(node.args, "posonlyargs", []) + node.args.args + node.args.kwonlyargs
        for held in [one.annotation for one in arguments] + [node.returns]:
            if held is not None and any(isinstance(one, (ast.Call, ast.NamedExpr))
                                        for one in ast.walk(held)):
                nodes.append(held)
        self.live += nodes
        return [("s", self.source.form(one)) for one in nodes]

    def class_effects(self, node):
        nodes = [one for one in node.decorator_list if not self.source.inert_decorator(one)]
        nodes += [one for one in node.bases if not self.source.inert(one)]
        nodes += node.keywords
        self.live += nodes
        items = [("s", self.source.form(one)) for one in nodes]
        for child in self.source.clean(node.body):
            if isinstance(child, FUNCTIONS):
                items += self.effects(child)
            elif isinstance(child, ast.ClassDef):
                items += self.class_effects(child)
            elif not self._constant(child):
                self.live.append(child)
                items.append(("s", self.source.form(child)))
        return items

    def _constant(self, node):
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            plain = all(isinstance(one, (ast.Name, ast.Tuple)) for one in targets)
            return plain and (self.source.inert(node.value) or self.source.is_mark(node.value))
        return literal_text(node)

    def items(self, body, prefix):
        found = []
        for node in self.source.clean(body):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self.live.append(node)
                found += [("i",) + atom for atom in atoms(node)]
            elif isinstance(node, FUNCTIONS):
                if looks_like_test(self.source, node, prefix + node.name, self.tests):
                    found += self.effects(node)
                else:
                    self._keep(found, node)
            elif isinstance(node, ast.ClassDef):
                if holds_tests(self.source, node, prefix + node.name, self.tests):
                    found += self.class_effects(node)
                else:
                    self._keep(found, node)
            elif blocks(node):
                self._compound(found, node, prefix)
            elif not (not prefix and self._export_list(node)):
                self._keep(found, node)
        return found

    def _keep(self, found, node):
        self.live.append(node)
        found.append(("s", self.source.form(node)))

    @staticmethod
    def _export_list(node):
        # Read by star imports alone, which look at the whole of this module.
        return (isinstance(node, ast.Assign) and len(node.targets) == 1
                and dotted(node.targets[0]) == "__all__"
                and isinstance(node.value, (ast.List, ast.Tuple))
                and all(isinstance(one, ast.Constant) for one in node.value.elts))

    def _compound(self, found, node, prefix):
        if isinstance(node, ast.If) and self._main_only(node):
            return
        inner = [self.items(block, prefix) for block in blocks(node)]
        headers = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
        for child in getattr(node, "handlers", None) or []:
            headers += [child.type] if child.type is not None else []
        for child in getattr(node, "items", None) or []:
            headers += [child.context_expr] + ([child.optional_vars] if child.optional_vars else [])
        for child in getattr(node, "cases", None) or []:
            headers += [child.pattern] + ([child.guard] if child.guard is not None else [])
        simple = isinstance(node, ast.If) or type(node).__name__.startswith("Try")
        if simple and not any(inner) and all(self.source.inert(one) for one in headers):
            return
        self.live += headers
        pieces = [type(node).__name__] + [self.source.form(one) for one in headers]
        for block in inner:
            pieces.append(sha(*texts(block)))
        found.append(("s", sha(*pieces)))

    def _main_only(self, node):
        test = node.test
        return ("__name__" not in self.source.bound and isinstance(test, ast.Compare)
                and dotted(test.left) == "__name__" and len(test.ops) == 1
                and isinstance(test.ops[0], ast.Eq) and isinstance(test.comparators[0], ast.Constant)
                and test.comparators[0].value == "__main__" and not node.orelse)


def texts(items, without=frozenset()):
    """Items as texts: the order of imports that stand together does not matter."""
    found, run = [], []
    for item in items:
        if item[0] == "i":
            if item[2] not in without:
                run.append(item[2])
            continue
        found += sorted(set(run))
        run = []
        found.append(item[1])
    return found + sorted(set(run))


class Side:
    def __init__(self, given, pair):
        self.pair = pair
        self.files = given["files"]
        self.tests = given["tests"]
        self.plugins = given.get("plugins") or []
        self.inifile = given.get("inifile")
        self.memory = {}

    def source(self, path):
        held = self.files.get(path)
        seen = 0
        while held and held[0] == "link" and seen < 8:
            # The text of the link is hashed as data; what it shows is read as source.
            target = self.pair.contents.get(held[1])
            if target is None:
                break
            path = posixpath.normpath(posixpath.join(
                posixpath.dirname(path), target.decode("utf-8", "replace")))
            held = self.files.get(path)
            seen += 1
        if not held or held[0] != "file" or not path.endswith(".py"):
            return None
        return self.pair.source_of_blob(held[1], path)

    def shown(self, path):
        """What stands at the end of a link: a file, or the data files of a folder."""
        held, seen = self.files.get(path), 0
        while held and held[0] == "link" and seen < 8:
            target = self.pair.contents.get(held[1])
            if target is None:
                return []
            path = posixpath.normpath(posixpath.join(
                posixpath.dirname(path), target.decode("utf-8", "replace")))
            held = self.files.get(path)
            seen += 1
        if held:
            return list(held)
        return [word for one in sorted(self.files) if below(one, path) and not one.endswith(".py")
                for word in (one[len(path):],) + tuple(self.files[one])]

    def whole(self, path):
        """A Python file as one digest: its normal form, or its bytes."""
        held = self.files.get(path)
        if held is None:
            return sha("absent")
        source = self.source(path)
        if source is None or source.tree is None:
            return sha("bytes", *held)
        if held[0] == "link":
            return sha("link", held[1], source.whole)
        return sha("form", source.whole)

    def targets(self, path, level, module, names):
        """Files of the tests' side that an import may load, whichever of them wins."""
        key = (posixpath.dirname(path), level, module, names)
        if key not in self.memory:
            self.memory[key] = self._targets(path, level, module, names)
        return self.memory[key]

    def stems(self, path, level, module):
        inner = module.replace(".", "/")
        if level:
            above = list(parents(path))
            if level > len(above):
                return []
            return [posixpath.join(above[level - 1], inner) if inner else above[level - 1]]
        roots = ["", "src"] + list(parents(path)) + sorted(self.pair.layout.test_folders)
        return [posixpath.join(root, inner) for root in dict.fromkeys(roots)]

    def _targets(self, path, level, module, names):
        found = []
        for stem_path in self.stems(path, level, module):
            for one in [stem_path] + [posixpath.join(stem_path, name) for name in names]:
                for file in (one + ".py", posixpath.join(one, "__init__.py")):
                    if file in self.files and file not in found:
                        found.append(file)
        return found

    def from_tests(self, path, level, module, name):
        """Whether an import comes from a test folder, or from another file of the tests' side."""
        layout = self.pair.layout
        for file in self.targets(path, level, module, (name,) if name else ()):
            if layout.in_test_folder(file) or file in self.pair.test_side:
                return True
        if module.split(".")[0] in STDLIB and not level:
            return False
        for stem_path in self.stems(path, level, module):
            first = stem_path if level else posixpath.join(
                stem_path[:len(stem_path) - len(module)], module.split(".")[0])
            for one in {stem_path, first}:
                inside = one in layout.test_folders or layout.in_test_folder(one)
                if one in layout.python_folders and inside:
                    return True
        return False


class Pair:
    def __init__(self, given, contents):
        self.contents = contents
        self.notes = set()
        self.sources = {}
        self.opaque = set(given.get("opaque") or [])
        self.import_lines = {}
        self.sides = [Side(one, self) for one in given["sides"]]
        self.layout = Layout(given["sides"], self.production_imports)
        self.test_side = set()
        self.tested = {}
        self.found = [{}, {}]
        for number, side in enumerate(self.sides):
            for place, test in enumerate(side.tests):
                self.found[number][place] = Found(side, test)
                for path, qualname, _ in self.found[number][place].definitions:
                    self.tested.setdefault(path, set()).add(qualname)
        self._classify()
        self.rests = {}

    def source_of_blob(self, blob, path):
        if blob not in self.sources:
            data = None if blob in self.opaque else self.contents.get(blob)
            self.sources[blob] = Source(blob, data)
        source = self.sources[blob]
        if source.tree is None:
            self.notes.add("%s cannot be read as Python %d.%d (%s): compared as bytes" % (
                (path,) + sys.version_info[:2] + (source.problem,)))
        return source

    def production_imports(self, path):
        return [one for side in self.sides for one in self.side_imports(side, path)]

    def side_imports(self, side, path):
        held = side.files.get(path)
        if not held or held[0] != "file":
            return []
        if held[1] not in self.import_lines:
            data = self.contents.get(held[1])
            self.import_lines[held[1]] = list(named_imports(data)) if data else []
        return self.import_lines[held[1]]

    def has_tests(self, path):
        """Whether a file is a test module: it defines a collected test, or is written as one."""
        if path in self.tested:
            return True
        if not test_named(path):
            return False
        for side in self.sides:
            source = side.source(path)
            if source is not None and source.tree is not None:
                for qualname, entries in source.index.items():
                    node = entries[0][0]
                    if isinstance(node, FUNCTIONS) and looks_like_test(source, node, qualname, ()):
                        return True
        return False

    def _classify(self):
        layout = self.layout
        modules = set(self.tested)
        # A collected text file is a test, and no data of the others.
        self.texts = {test["file"] for side in self.sides for test in side.tests
                      if not test["file"].endswith(".py")}
        for side in self.sides:
            for test in side.tests:
                source = side.source(test["file"])
                if source is not None and not is_doctest(test):
                    modules.add(test["file"])
        for path in layout.python:
            if path not in modules and posixpath.basename(path) != "conftest.py":
                if (test_named(path) or layout.in_test_folder(path)) and self.has_tests(path):
                    modules.add(path)
        self.modules = modules
        conftests = {path for path in layout.python if posixpath.basename(path) == "conftest.py"}
        inside = {path for path in layout.python if layout.in_test_folder(path)}
        self.test_side = modules | conftests | inside
        self.flat = self._flat_helpers()
        self.test_side |= self.flat

    def _flat_helpers(self):
        """Modules beside tests that stand among the code, which test files alone import."""
        layout = self.layout
        flat_tests = [path for path in self.modules if not layout.in_test_folder(path)]
        folders = {posixpath.dirname(path) for path in flat_tests}
        beside = {path for path in layout.python
                  if posixpath.dirname(path) in folders and path not in self.test_side
                  and posixpath.basename(path) not in TOOLING | {"__init__.py", "__main__.py"}}
        if not beside:
            return set()
        imported = set()
        waiting = sorted(self.test_side)
        while waiting:
            path = waiting.pop()
            for side in self.sides:
                source = side.source(path) if path in side.files else None
                if source is None or source.tree is None:
                    continue
                for entry in import_list([source.tree]):
                    for file in side.targets(path, *entry):
                        if file in beside and file not in imported:
                            imported.add(file)
                            waiting.append(file)
        subjects = {stem(path)[5:] for path in self.modules if stem(path).startswith("test_")}
        subjects |= {stem(path)[:-5] for path in self.modules if stem(path).endswith("_test")}
        helpers = {path for path in imported if stem(path) not in subjects}
        code = [path for path in layout.python if path not in self.test_side and path not in helpers]
        helpers -= self._needed_by_code(code, helpers)
        if all(posixpath.basename(path) in TOOLING for path in code):
            # Then nothing would be left that the tests could be about.
            helpers = {path for path in helpers if set(stem(path).split("_")) & HELPER_WORDS}
        return helpers

    def _needed_by_code(self, code, helpers):
        needed, waiting = set(), list(code)
        while waiting:
            path = waiting.pop()
            for side in self.sides:
                for module, names in self.side_imports(side, path):
                    level = len(module) - len(module.lstrip("."))
                    for file in side.targets(path, level, module.lstrip("."), tuple(names)):
                        # A patch cannot take a helper out by importing it from the code.
                        known = side is self.sides[0] or file not in self.sides[0].files
                        if known and file in helpers and file not in needed:
                            needed.add(file)
                            waiting.append(file)
        return needed


def is_doctest(test):
    last = test["id"].split("[")[0].split("::")[-1]
    return not test["file"].endswith(".py") or "." in last

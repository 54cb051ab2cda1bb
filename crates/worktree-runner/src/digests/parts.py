"""What one collected test is made of, and the answer for all of them."""


class Found:
    """Where a collected test is defined: its functions and its classes."""

    def __init__(self, side, test):
        self.definitions = []  # (path, qualified name, entries of the index)
        self.classes = []  # (path, qualified name), own and inherited
        self.doctest = None
        path, qualname = test["file"], test.get("qualname") or ""
        source = side.source(path)
        if is_doctest(test):
            self.doctest = doctest_text(source, test)
            return
        if source is None or source.tree is None:
            return
        owner, _, name = qualname.rpartition(".")
        steps = owner.split(".") if owner else []
        for count in range(1, len(steps) + 1):
            self._add_class(side, path, ".".join(steps[:count]))
        inherited = [tuple(base) for base in test.get("bases") or []]
        for base_path, base in inherited:
            self._add_class(side, base_path, base)
        for entry in [] if owner else [source.imports.get(qualname)]:
            if entry:
                self._imported(side, path, entry)
        for class_path, class_name in ([(path, owner)] if owner else [(path, None)]):
            wanted = qualname if class_name is None else class_name + "." + name
            self._define(side, class_path, wanted)
        if owner and not self.definitions:
            for class_path, class_name in self.classes:
                self._define(side, class_path, class_name + "." + name)
        if not owner and not self.definitions:
            self._star(side, path, source, qualname)

    def _define(self, side, path, qualname):
        source = side.source(path)
        if source is None or source.tree is None:
            return
        entries = [one for one in source.index.get(qualname, ()) if isinstance(one[0], FUNCTIONS)]
        if entries and not any(one[:2] == (path, qualname) for one in self.definitions):
            self.definitions.append((path, qualname, entries))

    def _imported(self, side, path, entry):
        level = len(entry) - len(entry.lstrip("."))
        module, _, name = entry.lstrip(".").rpartition(".")
        for file in side.targets(path, level, module, ()):
            self._define(side, file, name)

    def _star(self, side, path, source, name):
        for level, module, names in import_list(source.tree.body):
            if "*" in names:
                for file in side.targets(path, level, module, ()):
                    self._define(side, file, name)

    def _add_class(self, side, path, qualname):
        if (path, qualname) in self.classes:
            return
        self.classes.append((path, qualname))
        source = side.source(path)
        if source is None or source.tree is None:
            return
        for node, _, _ in source.index.get(qualname, ()):
            if not isinstance(node, ast.ClassDef):
                continue
            for base in node.bases:
                name = dotted(base)
                if name is None:
                    continue
                outer = qualname.rpartition(".")[0]
                scoped = outer + "." + name if outer else name
                for candidate in (scoped, name):
                    if candidate in source.index and candidate != qualname:
                        self._add_class(side, path, candidate)
                        break
                else:
                    self._imported_base(side, path, source, name)

    def _imported_base(self, side, path, source, name):
        root, _, rest = name.partition(".")
        entry = source.imports.get(root)
        if entry is None:
            return
        entry = entry + "." + rest if rest else entry
        level = len(entry) - len(entry.lstrip("."))
        module, _, last = entry.lstrip(".").rpartition(".")
        for file in side.targets(path, level, module, ()):
            if file != path and (side.pair.layout.in_test_folder(file) or test_named(file)
                                 or posixpath.basename(file) == "conftest.py"):
                held = side.source(file)
                if held is not None and last in held.index:
                    self._add_class(side, file, last)


def doctest_text(source, test):
    """The docstring that a doctest item runs; None if it cannot be found."""
    if source is None or source.tree is None:
        return None
    name = test["id"].split("::")[-1]
    steps = name.split(".")
    place = test["file"][:-3].split("/")
    if place[-1] == "__init__":
        place.pop()
    for count in range(min(len(steps), len(place)), 0, -1):
        if steps[:count] == place[-count:]:
            inner = ".".join(steps[count:])
            if not inner:
                return ast.get_docstring(source.tree, clean=True)
            found = [ast.get_docstring(node, clean=True) for node, _, _ in source.index.get(inner, ())]
            return None if not found or None in found else "\0".join(found)
    return None


class Answer:
    """Groups (parts that the tests of one file share), and what each test adds."""

    def __init__(self, pair):
        self.pair = pair
        self.word_memory = {}
        self.class_memory = {}
        self.test_names = {}
        self.import_memory = {}
        self.replaced = {}
        self.rests = {}
        self.packages = Packages(pair)
        self.groups = [[], []]
        self.group_numbers = [{}, {}]

    def rest(self, number, path):
        """(digest, live nodes) of a module less its tests; None where it cannot be read."""
        key = (number, path)
        if key not in self.rests:
            self.rests[key] = self._rest(number, path)
        return self.rests[key]

    def _rest(self, number, path):
        source = self.pair.sides[number].source(path)
        if source is None or source.tree is None:
            return None
        rest = Rest(source, self.pair.tested.get(path, set()))
        items = rest.items(source.tree.body, "")
        without = self._excused(path, source, items) if number == 1 else frozenset()
        live = rest.live
        if without:
            live = [node for node in live if not isinstance(node, (ast.Import, ast.ImportFrom))
                    or any(atom[1] not in without for atom in atoms(node))]
        return sha("rest", *texts(items, without)), live

    def _excused(self, path, source, items):
        """Imports that the patch adds and that can touch no test the parent has."""
        before = self.pair.sides[0].source(path)
        if before is None or before.tree is None or before.words & REFLECTION:
            return frozenset()
        old = {atom[1] for node in ast.walk(before.tree)
               if isinstance(node, (ast.Import, ast.ImportFrom)) for atom in atoms(node)}
        excused = set()
        for item in items:
            if item[0] != "i":
                continue
            _, bound, text, level, module, name = item
            if text in old or bound in before.names or name == "*" or module == "__future__":
                continue
            if bound.startswith(NEVER_EXCUSED):
                continue
            if not self.pair.sides[1].from_tests(path, level, module, name):
                excused.add(text)
        return frozenset(excused)

    def words_of(self, nodes):
        found = set()
        for node in nodes:
            if id(node) not in self.word_memory:
                if isinstance(node, (ast.Import, ast.ImportFrom)):
                    # To import a name is not yet to use it; under another name it may be.
                    held = {one.name.rpartition(".")[2] for one in node.names if one.asname}
                elif isinstance(node, FUNCTIONS + (ast.ClassDef,)):
                    held = set()
                    for child in ast.iter_child_nodes(node):
                        held |= words(child)
                else:
                    held = words(node)
                self.word_memory[id(node)] = (node, held)
            found |= self.word_memory[id(node)][1]
        return found

    def spec(self, number, place, test):
        """(spec parts, closure parts, live nodes) of one test."""
        side, found = self.pair.sides[number], self.pair.found[number][place]
        path = test["file"]
        source = side.source(path)
        self.replaced = {}
        if not test.get("qualname"):
            # A module that is skipped as a whole: nobody knows its tests.
            return {"function": side.whole(path)}, {}, []
        if is_doctest(test):
            if found.doctest is None:
                return {"doctest": self.bytes_of(side, test)}, {}, []
            return {"doctest": sha("doctest", found.doctest)}, {}, []
        if source is None or source.tree is None or not found.definitions:
            if source is not None and source.tree is not None:
                self.pair.notes.add("%s: %s is not defined there by name: its whole file counts"
                                    % (path, test.get("qualname")))
            spec, live = {"function": self.bytes_of(side, test)}, []
        else:
            spec, live = self._function(side, test, found)
        own, others = [], {}
        for class_path, qualname in found.classes:
            digest, nodes = self._class(side, class_path, qualname)
            live = live + nodes
            if class_path == path:
                own.append(digest)
            else:
                others.setdefault(class_path, []).append(digest)
        if own:
            spec["class"] = sha(*own)
        for definition in found.definitions:
            if definition[0] != path:
                others.setdefault(definition[0], [])
        closure = {}
        for other, digests in others.items():
            rest = self.rest(number, other)
            closure["base:" + other] = sha(rest[0] if rest else side.whole(other), *digests)
            live = live + (rest[1] if rest else [])
        return spec, closure, live

    def bytes_of(self, side, test):
        held = side.files.get(test["file"])
        if held is not None and held[0] == "file":
            return sha("bytes", *held)
        source = side.source(test["file"])
        if held is not None and source is not None:
            return sha("bytes", held[1], source.blob)
        self.pair.notes.add("%s is not a file of the commit: the whole tree counts for its tests"
                            % test["file"])
        return sha("tree", json.dumps(side.files, sort_keys=True))

    def _function(self, side, test, found):
        pieces, rows, live = [], [], []
        nodes = [(path, node, guards) for path, _, entries in found.definitions
                 for node, guards, _ in entries]
        decorated = [(side.source(path), node) for path, node, _ in nodes]
        for class_path, qualname in found.classes:
            source = side.source(class_path)
            for node, _, _ in source.index.get(qualname, ()) if source else ():
                decorated.append((source, node))
        parameters, owners = [], []
        for source, node in decorated:
            for one in literal_parameters(source, node.decorator_list):
                parameters.append(one)
                owners.append(source)
        chosen = choose_rows(parameters, test)
        self.replaced = {id(parameters[at].node): parameters[at] for at in chosen}
        for at, row in sorted(chosen.items()):
            rows.append(parameters[at].row_content(owners[at], row))
        for path, node, guards in nodes:
            source = side.source(path)
            pieces += ["function", source.form(guards)]
            pieces += self._decorators(source, node)
            pieces.append(source.form([getattr(node, name, None) for name in node._fields
                                       if name not in OMITTED | {"decorator_list", "name", "body"}]))
            pieces += [type(node).__name__, source.form(source.clean(node.body))]
            live.append(node)
        spec = {"function": sha(*pieces)}
        if rows:
            spec["row"] = sha(*rows)
        return spec, live

    def _decorators(self, source, node):
        pieces = []
        for one in node.decorator_list:
            held = self.replaced.get(id(one))
            if held is None:
                pieces.append(source.form(one))
            else:
                kept = list(held.further)
                if held.ids is not None and not isinstance(held.ids, (ast.List, ast.Tuple)):
                    kept.append(held.ids)
                pieces.append(sha("rows", ",".join(held.names), source.form(kept)))
        return pieces

    def _class(self, side, path, qualname):
        source = side.source(path)
        nodes = [one[0] for one in source.index.get(qualname, ())] if source else []
        own_rows = any(id(one) in self.replaced for node in nodes for one in node.decorator_list)
        key = (id(side), path, qualname)
        if own_rows or key not in self.class_memory:
            self.class_memory[key] = self._class_form(side, source, path, qualname)
        held = self.class_memory[key]
        if own_rows:
            del self.class_memory[key]
        return held

    def _class_form(self, side, source, path, qualname):
        entries = [] if source is None or source.tree is None else [
            one for one in source.index.get(qualname, ()) if isinstance(one[0], ast.ClassDef)]
        if not entries:
            held = side.files.get(path)
            return sha("bytes", *(held or ("absent",))), []
        rest = Rest(source, self.pair.tested.get(path, set()))
        pieces = []
        for node, guards, _ in entries:
            pieces += ["class", source.form(guards)]
            pieces += self._decorators(source, node)
            pieces.append(source.form([node.bases, node.keywords]))
            pieces += texts(rest.items(node.body, qualname + "."))
            rest.live += node.decorator_list + node.keywords
        return sha(*pieces), rest.live

    def called(self, side, path, found, live):
        """Digests of tests of a module that something live mentions by name."""
        source = side.source(path)
        if source is None or source.tree is None:
            return []
        by_name = self.tests_by_name(source, path)
        # These have parts of their own.
        skipped = {one[1] for one in found.definitions if one[0] == path}
        skipped |= {name for place, name in found.classes if place == path}
        done, pieces, waiting = set(), [], list(live)
        while waiting:
            heard = self.words_of(waiting) & set(by_name)
            waiting = []
            for name in sorted(heard):
                for qualname, entries in by_name[name]:
                    if qualname in skipped or qualname in done:
                        continue
                    done.add(qualname)
                    for node, guards, _ in entries:
                        pieces.append(sha(qualname, source.form(guards), source.form(node)))
                        waiting.append(node)
        return sorted(pieces)

    def tests_by_name(self, source, path):
        key = (source.blob, path)
        if key not in self.test_names:
            tests = self.pair.tested.get(path, set())
            by_name = {}
            for qualname, entries in source.index.items():
                node = entries[0][0]
                test = looks_like_test if isinstance(node, FUNCTIONS) else holds_tests
                if test(source, node, qualname, tests):
                    by_name.setdefault(node.name, []).append((qualname, entries))
            self.test_names[key] = by_name
        return self.test_names[key]

    def imports_of(self, nodes):
        for node in nodes:
            if id(node) not in self.import_memory:
                self.import_memory[id(node)] = (node, import_list([node]))
            yield from self.import_memory[id(node)][1]

    def imported(self, number, path, live, found):
        """Test modules and helpers beside the code that live nodes import, over any number of steps."""
        side = self.pair.sides[number]
        parts, done = {}, {path}
        waiting = [(path, live)]
        above = [posixpath.join(folder, name) for folder in parents(path)
                 for name in ("conftest.py", "__init__.py")]
        for file in above + side.plugins:
            rest = self.rest(number, file) if file in self.pair.test_side | set(side.plugins) else None
            if rest and file != path:
                waiting.append((file, rest[1]))
        while waiting:
            here, nodes = waiting.pop()
            for entry in self.imports_of(nodes):
                for file in side.targets(here, *entry):
                    if file in done or file not in self.pair.test_side:
                        continue
                    done.add(file)
                    rest = self.rest(number, file)
                    if rest is None:
                        parts["helper:" + file] = side.whole(file)
                        continue
                    waiting.append((file, rest[1]))
                    if file in self.pair.modules:
                        star = "*" in entry[2] and posixpath.basename(here) != "__init__.py"
                        mentioned = self.called(side, file, found, nodes + rest[1])
                        parts["helper:" + file] = sha(
                            rest[0], side.whole(file) if star else "", *mentioned)
        return parts

    def group(self, number, test):
        """The number of the group a test belongs to."""
        side, layout = self.pair.sides[number], self.pair.layout
        path = test["file"]
        # The code that a docstring stands in is what the doctest tests.
        alone = is_doctest(test) and path not in self.pair.test_side
        key = (path, alone)
        if key in self.group_numbers[number]:
            return self.group_numbers[number][key]
        parts = {}
        rest = None if alone else self.rest(number, path)
        if not alone:
            parts["module"] = rest[0] if rest else self.bytes_of(side, test)
        for folder in parents(path):
            file = posixpath.join(folder, "conftest.py")
            if file in side.files and file != path:
                parts["conftest:" + file] = side.whole(file)
            file = posixpath.join(folder, "__init__.py")
            if file in side.files and (layout.in_test_folder(file) or (
                    file != path and self.packages.feeds(file))):
                parts["helper:" + file] = side.whole(file)
        for file in side.plugins:
            if posixpath.basename(file) != "conftest.py" and file != path:
                parts["plugin:" + file] = side.whole(file)
        parts.update(self.configuration(number))
        self.groups[number].append(parts)
        self.group_numbers[number][key] = len(self.groups[number]) - 1
        return self.group_numbers[number][key]

    def configuration(self, number):
        side, parts = self.pair.sides[number], {}
        folders = {""} | {posixpath.dirname(one.inifile) for one in self.pair.sides if one.inifile}
        for folder in sorted(folders):
            for name in INI_FILES:
                path = posixpath.join(folder, name)
                held = side.files.get(path)
                if held is None:
                    continue
                digest = configuration_digest(
                    path, held[1], self.pair.contents.get(held[1]), self.pair.notes)
                if digest is not None:
                    parts["configuration:" + path] = digest
        for path in sorted(side.files):
            # What a checkout makes of the blobs that the other digests are taken from.
            if posixpath.basename(path) == ".gitattributes":
                held = side.files[path]
                lines = conversions(self.pair.contents.get(held[1]))
                if lines is None or lines:
                    parts["configuration:" + path] = sha("lines", *(lines or held))
        for one in (side.inifile,):
            name = posixpath.basename(one or "")
            if one in side.files and name not in INI_FILES:
                parts["configuration:" + one] = sha("bytes", *side.files[one])
        return parts

    def shared(self, number):
        """Helpers and data of the test folders, as every test of one side is fed them."""
        side, layout = self.pair.sides[number], self.pair.layout
        parent = self.pair.sides[0].files
        parts = {}
        for path in sorted(side.files):
            name = posixpath.basename(path)
            if path in self.pair.flat:
                if path in parent:
                    parts["helper:" + path] = side.whole(path)
                continue
            if not layout.in_test_folder(path) or not layout.is_data(path):
                continue
            if path in self.pair.texts:
                continue
            if path in self.pair.modules or name == "conftest.py":
                if path in parent or not self.shadows(path):
                    continue
            elif path not in parent and not self.shadows(path):
                continue
            if path.endswith(".py"):
                parts["helper:" + path] = side.whole(path)
            else:
                parts["data:" + path] = sha("data", *side.files[path])
                if side.files[path][0] == "link":
                    parts["data:" + path] = sha("link", side.files[path][1], *side.shown(path))
        return parts

    def shadows(self, path):
        """Whether an added module takes a name that can be imported already."""
        if not path.endswith(MODULE_ENDS):
            return False
        side, parent = self.pair.sides[1], self.pair.sides[0]
        top, name = module_names(path, side.files)
        if "importable" not in self.word_memory:
            self.word_memory["importable"] = self._importable(parent)
        tops, names, asked = self.word_memory["importable"]
        stands_first = name == top
        if stands_first and (top in STDLIB or top in tops):
            return True
        return name in names or path in asked

    def _importable(self, parent):
        """Names that the parent's modules have or ask for, and files its tests ask for in vain."""
        tops, names, asked = set(), set(), set()
        for path in parent.files:
            if path.endswith(".py"):
                top, name = module_names(path, parent.files)
                names.add(name)
                if name == top and posixpath.basename(path) != "conftest.py":
                    tops.add(top)
                tops.add(path.split("/")[0].split(".")[0] if "/" not in path else top)
                if path.startswith("src/") and path.count("/") > 1:
                    tops.add(path.split("/")[1])
        for path in self.pair.layout.python:
            for module, _ in self.pair.production_imports(path):
                if path in parent.files and not module.startswith("."):
                    tops.add(module.split(".")[0])
        after = self.pair.sides[1]
        for path in sorted(self.pair.test_side):
            source = parent.source(path) if path in parent.files else None
            if source is None or source.tree is None:
                continue
            for level, module, inner in import_list([source.tree]):
                if not level:
                    tops.add(module.split(".")[0])
                for file in after.targets(path, level, module, inner):
                    if file not in parent.files:
                        asked.add(file)
        tops.discard("conftest")
        return tops, names, asked

    def test(self, number, place):
        side, test = self.pair.sides[number], self.pair.sides[number].tests[place]
        found = self.pair.found[number][place]
        spec, closure, live = self.spec(number, place, test)
        group = self.group(number, test)
        path = test["file"]
        rest = self.rest(number, path)
        alone = is_doctest(test)
        live = live + (rest[1] if rest and not alone else [])
        pieces = [] if alone else self.called(side, path, found, live)
        if pieces:
            closure["called"] = sha(*pieces)
        closure.update(self.imported(number, path, live, found))
        source = side.source(path)
        # Whether the file can be read and does not hold the definition.
        gone = source is not None and source.tree is not None and not found.definitions
        return {"id": test["id"], "spec": spec, "closure": closure, "group": group,
                "undefined": gone and not alone}


def answer(given, contents):
    pair = Pair(given, contents)
    told = Answer(pair)
    sides = []
    shared = [told.shared(0), told.shared(1)]
    for number in (0, 1):
        tests = [told.test(number, place) for place in range(len(pair.sides[number].tests))]
        sides.append({
            "tests": tests, "groups": told.groups[number],
            "shared": sha(json.dumps(shared[number], sort_keys=True)), "differing": {}})
    differing = sorted(name for name in set(shared[0]) | set(shared[1])
                       if shared[0].get(name) != shared[1].get(name))
    for number in (0, 1):
        held = sides[number]["differing"]
        for name in differing[:LISTED]:
            if name in shared[number]:
                held[name] = shared[number][name]
        further = differing[LISTED:]
        if further:
            kept = {name: shared[number].get(name) for name in further}
            held["data:(%d more)" % len(further)] = sha(json.dumps(kept, sort_keys=True))
    return {"sides": sides, "notes": sorted(pair.notes)}


def main():
    stream = sys.stdin.buffer
    given = json.loads(stream.read(int(stream.readline())).decode("utf-8"))
    contents = {}
    for blob, size in given["blobs"]:
        contents[blob] = stream.read(size)
        if len(contents[blob]) != size:
            raise SystemExit("the input ends early")
    sys.stdout.buffer.write(json.dumps(answer(given, contents)).encode("utf-8", "surrogatepass"))


main()

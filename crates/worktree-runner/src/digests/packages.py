"""Which `__init__.py` outside the test folders feeds the tests below it."""

# What pytest and unittest look for in the module of a package.
PACKAGE_HOOKS = {"setup_module", "teardown_module", "setUpModule", "tearDownModule", "setup_function",
                 "teardown_function", "load_tests", "collect_ignore", "collect_ignore_glob", "fixture"}


def holds_hooks(source):
    """Whether a package's module names something of the framework, or cannot be read."""
    if source is None or source.tree is None:
        return True
    return any(word in PACKAGE_HOOKS or word.startswith("pytest") for word in source.words)


class Packages:
    """Tells packages of the product from packages that are there for the tests."""

    def __init__(self, pair):
        self.pair = pair
        self.memory = {}
        self.asked = None

    def feeds(self, path):
        if path not in self.memory:
            self.memory[path] = self._feeds(path)
        return self.memory[path]

    def _feeds(self, path):
        held = [side for side in self.pair.sides if path in side.files]
        # One that comes or goes changes how everything below it is imported.
        if len(held) < len(self.pair.sides):
            return True
        if any(holds_hooks(side.source(path)) for side in held):
            return True
        return not self._product(posixpath.dirname(path))

    def _product(self, folder):
        """Whether the parent has code in a package beside tests, or its tests are about the package."""
        def inside(one):
            return ((not folder or below(one, folder)) and one not in self.pair.test_side
                    and one in self.pair.sides[0].files)

        code = (one for one in self.pair.layout.python if inside(one)
                and posixpath.basename(one) not in TOOLING | {"__init__.py"})
        return any(True for _ in code) or any(inside(one) for one in self._imported())

    def _imported(self):
        """Files that the tests' side of the parent imports."""
        if self.asked is None:
            self.asked, side = set(), self.pair.sides[0]
            for path in sorted(self.pair.test_side):
                source = side.source(path) if path in side.files else None
                if source is None or source.tree is None:
                    continue
                for level, module, names in import_list([source.tree]):
                    self.asked.update(side.targets(path, level, module, names))
        return self.asked

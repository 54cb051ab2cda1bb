"""What the folders of a tree say: test folders, helpers, data, shadowing, configuration."""
import configparser
import fnmatch
import json
import posixpath
import re
import sys

try:
    import tomllib
except ImportError:  # before Python 3.11
    tomllib = None

TEST_NAMES = {"test", "tests", "testing"}
CODE_NAMES = {"src", "lib", "source", "python", "app", "packages"}
TOOLING = {"setup.py", "noxfile.py", "tasks.py", "manage.py", "fabfile.py", "conftest.py", "conf.py"}
NOT_DATA = {"tests/flaky-freeze.toml", "tests/suspects.txt"}
HELPER_WORDS = {"helper", "helpers", "testing", "testutil", "testutils", "fixtures", "fixture",
                "fake", "fakes", "mock", "mocks", "stub", "stubs", "strategies", "factories",
                "testlib", "testbase", "common", "utils", "util", "support", "asserts", "assertions"}
MODULE_ENDS = (".py", ".so", ".pyd", ".pyc")
INI_FILES = ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini",
             "setup.cfg")
TOML_HEADER = re.compile(r"""\[\[?[-\w."' ]+\]\]?\s*(#.*)?$""")
MARKERS = re.compile(r"markers\s*=\s*\[")
STDLIB = set(getattr(sys, "stdlib_module_names", ())) | set(sys.builtin_module_names) | set(
    "abc argparse ast asyncio base64 bisect calendar cmath code codecs collections contextlib copy csv "
    "ctypes dataclasses datetime decimal difflib email enum errno fnmatch fractions functools glob gzip "
    "hashlib heapq html http importlib inspect io ipaddress itertools json keyword linecache locale "
    "logging math mimetypes multiprocessing numbers operator os pathlib pickle platform pprint queue "
    "random re secrets select selectors shelve shlex shutil signal site socket sqlite3 ssl stat "
    "statistics string struct subprocess symtable sys sysconfig tarfile tempfile test textwrap threading "
    "time timeit tokenize traceback types typing unicodedata unittest urllib uuid warnings weakref xml "
    "zipfile zipimport zlib".split())


def parents(path):
    """Folders above a path, nearest first, the root ("") last."""
    folder = posixpath.dirname(path)
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


def stem(path):
    return posixpath.basename(path).split(".")[0]


def test_named(path):
    name = posixpath.basename(path)
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py")
                                     or name in ("test.py", "tests.py"))


def below(path, folder):
    return path.startswith(folder + "/")


class Layout:
    """The folders of both sides together, so that both are read by one rule."""

    def __init__(self, sides, production_imports):
        self.paths = set()
        for side in sides:
            self.paths.update(side["files"])
        self.python = [path for path in sorted(self.paths) if path.endswith(".py")]
        self.production_imports = production_imports
        folders = {folder for path in self.paths for folder in parents(path) if folder}
        self.python_folders = {folder for path in self.python for folder in parents(path) if folder}
        named = {folder for folder in folders if posixpath.basename(folder) in TEST_NAMES}
        self.named = named
        self.test_folders = set(named)
        for side in sides:
            bases = {"", posixpath.dirname(side.get("inifile") or "")}
            for given in side.get("testpaths") or []:
                for base in bases:
                    pattern = posixpath.normpath(posixpath.join(base, given))
                    for folder in folders:
                        if folder == pattern or matches(folder, pattern):
                            if folder not in named and not self._holds_code(folder):
                                self.test_folders.add(folder)

    def in_test_folder(self, path):
        return any(folder in self.test_folders for folder in parents(path))

    def _holds_code(self, folder):
        """Whether a folder of testpaths is where the package itself lives."""
        inside = [path for path in self.python if below(path, folder)]
        nested = [name for name in self.named if below(name, folder)]
        tests = [path for path in inside if test_named(path)]
        others = [path for path in inside
                  if not test_named(path) and not any(below(path, name) for name in nested)
                  and posixpath.basename(path) not in ("conftest.py", "__init__.py")]
        if not others:
            return False
        if nested or posixpath.basename(folder) in CODE_NAMES or len(tests) < len(others):
            return True
        outside = [path for path in self.python
                   if not below(path, folder) and not test_named(path)
                   and posixpath.basename(path) not in TOOLING
                   and not any(name in self.named for name in parents(path))]
        if not outside:
            return True
        top = posixpath.basename(folder)
        return any(module.split(".")[0] == top
                   for path in outside for module, _ in self.production_imports(path))

    def is_data(self, path):
        return path not in NOT_DATA and not path.startswith("tests/sweeps/")


def matches(folder, pattern):
    """testpaths are globs, in which `*` stays within one folder."""
    if not any(sign in pattern for sign in "*?["):
        return False
    have, want = folder.split("/"), pattern.split("/")

    def fits(i, j):
        if j == len(want):
            return i == len(have)
        if want[j] == "**":
            return any(fits(k, j + 1) for k in range(i, len(have) + 1))
        return i < len(have) and fnmatch.fnmatchcase(have[i], want[j]) and fits(i + 1, j + 1)

    return fits(0, 0)


def module_names(path, files):
    """(top-level name, dotted name) under which an import finds a module, by its `__init__` files."""
    parts = [stem(path)]
    folder = posixpath.dirname(path)
    if parts[0] == "__init__":
        parts = [posixpath.basename(folder)]
        folder = posixpath.dirname(folder)
    while folder and posixpath.join(folder, "__init__.py") in files:
        parts.insert(0, posixpath.basename(folder))
        folder = posixpath.dirname(folder)
    return parts[0], ".".join(parts)


def toml_sections(data):
    table = tomllib.loads(data.decode("utf-8")).get("tool", {})
    kept = {}
    for name, value in table.items():
        if name.startswith(("pytest", "hypothesis")):
            kept[name] = without_markers(value)
    return kept


def without_markers(value):
    if isinstance(value, dict):
        return {name: without_markers(held) for name, held in value.items() if name != "markers"}
    return value


def toml_lines(data):
    """The same without a TOML parser: the lines of the sections as they stand."""
    text = data.decode("utf-8")
    if '"""' in text or "'''" in text:
        raise ValueError("texts over several lines need a parser")
    kept, wanted, markers = [], False, False
    for line in text.splitlines():
        line = line.strip()
        if TOML_HEADER.match(line):
            name = line.partition("]")[0].strip("[ \t").replace('"', "").replace(" ", "")
            wanted = name.startswith(("tool.pytest", "tool.hypothesis", "pytest"))
            markers = False
        if markers:
            markers = line.startswith(("'", '"', "#"))
            if line.startswith("]") or markers:
                continue
        if MARKERS.match(line):
            markers = line.endswith("[")
            if markers or line.endswith("]"):
                continue
        if wanted and line and not line.startswith("#"):
            kept.append(line)
    return kept


def ini_sections(data, names):
    parser = configparser.RawConfigParser(
        strict=False, allow_no_value=True, delimiters=("=", ":"), default_section="\0")
    parser.optionxform = str
    parser.read_string(data.decode("utf-8-sig"))
    kept = {}
    for section in parser.sections():
        if section.startswith(names):
            kept[section] = {
                name: [line.strip() for line in (value or "").splitlines() if line.strip()]
                for name, value in parser.items(section) if name != "markers"}
    return kept


def configuration(path, data):
    """The runner's own sections of one configuration file; None if it has none."""
    name = posixpath.basename(path)
    if name in ("pytest.toml", ".pytest.toml"):
        if tomllib is None:
            return toml_lines(data)
        return without_markers(tomllib.loads(data.decode("utf-8")))
    if name.endswith(".toml"):
        kept = toml_lines(data) if tomllib is None else toml_sections(data)
        return kept or None
    if name in ("pytest.ini", ".pytest.ini"):
        # Even an empty one is chosen before all others.
        return ini_sections(data, ("pytest", "hypothesis"))
    return ini_sections(data, ("pytest", "tool:pytest", "hypothesis", "tool:hypothesis")) or None


def conversions(data):
    """The lines of a .gitattributes that change bytes on the way into a tree; None if unread."""
    if data is None:
        return None
    words = ("text", "crlf", "eol", "ident", "filter", "working-tree-encoding", "binary", "[attr]")
    return [line.strip() for line in data.decode("utf-8", "replace").splitlines()
            if not line.strip().startswith("#") and any(word in line for word in words)]


def configuration_digest(path, blob, data, notes):
    if data is None:
        return sha("bytes", blob)
    try:
        kept = configuration(path, data)
    except Exception as error:  # any parser error: compared as bytes, and said
        notes.add("%s cannot be read as configuration (%s): compared as bytes"
                  % (path, type(error).__name__))
        return sha("bytes", blob)
    return None if kept is None else sha("sections", json.dumps(kept, sort_keys=True, default=str))

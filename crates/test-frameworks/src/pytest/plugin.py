"""The part of patch-verdict that runs inside pytest: seeds, selects, lists and reports.

It is loaded through PYTEST_PLUGINS under a name with a nonce and reads its orders from the JSON
file beside it. Python 3.6 and pytest 6.2 are the oldest that must be able to read this file.
"""

import hashlib
import inspect
import json
import os
import platform
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
# Tests patch `open`, `json.dumps` or `os.replace` and may leave them so: keep the real ones.
_open, _dumps, _replace, _realpath = open, json.dumps, os.replace, os.path.realpath
_os_write, _fstat, _getpid = os.write, os.fstat, os.getpid

with _open(os.path.join(HERE, "settings.json"), encoding="utf-8") as _file:
    SETTINGS = json.load(_file)

MODE = SETTINGS["mode"]
SEED = SETTINGS["seed"]
TREE = _realpath(SETTINGS["tree"])
WANTED = frozenset(SETTINGS["ids"]) if MODE == "scored" else None

STATE = {
    "config": None,
    "wanted_files": frozenset(),
    "wanted_folders": frozenset(),
    "items": [],
    "uncollectable": [],
    "collect_skipped": [],
    "seeded": set(),
    "switched_off": set(),
}


def _hide():
    """Inner pytest runs must neither load this module nor overwrite the report."""
    for name in ("PYTHONPATH", "PYTEST_PLUGINS", "TOX_OVERRIDE"):
        before = SETTINGS["restore"].get(name)
        if before is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = before
    here = _realpath(HERE)
    sys.path[:] = [entry for entry in sys.path if not entry or _realpath(entry) != here]
    sys.path_importer_cache.pop(HERE, None)


_hide()


# The result channel ----------------------------------------------------------------------------


class _Channel:
    """Results as they happen, on a pipe whose name is gone before the first test is imported.

    Tests in this process can still find the descriptor if they look for it.
    """

    def __init__(self, path):
        self.owner, self.number, self.file = _getpid(), 0, None
        try:
            # Blocks for nobody: the runner holds the other end before the command starts.
            self.file = os.open(path, os.O_WRONLY | getattr(os, "O_CLOEXEC", 0))
            os.unlink(path)
            self.identity = self._identity()
            self.send(open=1)
        except OSError:
            pass

    def _identity(self):
        status = _fstat(self.file)
        return status.st_dev, status.st_ino

    def send(self, **event):
        # A test may have closed the descriptor (its number then means another file), or forked.
        try:
            if self.file is None or _getpid() != self.owner or self._identity() != self.identity:
                return
            rest = (_dumps(dict(event, n=self.number)) + "\n").encode("ascii", "replace")
            self.number += 1
            while rest:
                rest = rest[_os_write(self.file, rest):]
        except OSError:
            self.file = None


CHANNEL = _Channel(SETTINGS["channel"])


# What the tests do to pytest itself ------------------------------------------------------------

# Modules that decide what a result is, or carry it to the report.
DECIDING = ("_pytest.assertion", "_pytest.doctest", "_pytest.fixtures", "_pytest.junitxml",
            "_pytest.main", "_pytest.nodes", "_pytest.outcomes", "_pytest.python",
            "_pytest.python_api", "_pytest.raises", "_pytest.recwarn", "_pytest.reports",
            "_pytest.runner", "_pytest.skipping", "_pytest.subtests", "_pytest.unittest",
            "pluggy", "unittest.case")


class _Watch:
    """Functions of pytest as they were before the first test was imported."""

    def __init__(self):
        # A namespace, what it held, and those members of it that are functions, with their code.
        self.owners, self.known = [], set()
        for name, module in list(sys.modules.items()):
            if name.startswith(DECIDING) and isinstance(module, type(sys)):
                self._remember(name, name, vars(module))

    def _remember(self, module, path, members):
        functions = []
        for key, value in list(members.items()):
            if isinstance(value, (classmethod, staticmethod, property)):
                functions.append((key, value, None))
            elif getattr(value, "__module__", None) != module:
                continue
            elif isinstance(value, type(_junk)):
                functions.append((key, value, value.__code__))
            elif isinstance(value, type) and path == module:
                self._remember(module, path + "." + value.__name__, vars(value))
        if functions:
            self.owners.append([members, dict(members), path, functions])

    def look(self, closely=False):
        """Replaced functions that code of the tree, or code without a file, stands in for."""
        for owner in self.owners:
            members, before, path, functions = owner
            try:
                if members == before and not closely:
                    continue
            except Exception:
                pass
            owner[1] = dict(members)
            for key, value, code in functions:
                now = members.get(key)
                if now is value and getattr(now, "__code__", None) is code:
                    continue
                origin = self._origin(now)
                if origin:
                    self.known.add("%s.%s (by %s)" % (path, key, origin))

    @staticmethod
    def _origin(value):
        function = getattr(value, "__func__", getattr(value, "fget", value))
        file = getattr(getattr(function, "__code__", None), "co_filename", "")
        if os.path.isabs(file):
            return _relative(file) if _in_tree(file) else None
        return file or type(value).__name__


def _junk():
    """Its type is that of functions."""


WATCH = _Watch()


# Selection -------------------------------------------------------------------------------------


def _ancestors(path):
    while True:
        parent = os.path.dirname(path)
        if parent == path:
            return
        yield parent
        path = parent


def _resolve_wanted(rootdir):
    files = {_realpath(os.path.join(rootdir, node.split("::", 1)[0])) for node in WANTED}
    folders = set()
    for path in files:
        folders.update(_ancestors(path))
    STATE["wanted_files"], STATE["wanted_folders"] = frozenset(files), frozenset(folders)


def _is_wanted(path):
    """Whether a file holds a wanted id, or a folder a file that does."""
    path = _realpath(path)
    if path in STATE["wanted_files"] or path in STATE["wanted_folders"]:
        return True
    # The package above a wanted file is imported with it, and its node carries fixtures.
    return os.path.basename(path) == "__init__.py" and (
        os.path.dirname(path) in STATE["wanted_folders"]
    )


def _is_wanted_item(node):
    """`NAME[*]` stands for every parameter of NAME: ids that hold a time change from run to run."""
    return node in WANTED or ("[" in node and node.partition("[")[0] + "[*]" in WANTED)


def _argument_path(config, argument):
    """The path that a positional argument means; None where nothing is there."""
    path = str(argument).split("::", 1)[0].split("[", 1)[0] if "::" in str(argument) else argument
    found = os.path.join(str(config.invocation_params.dir), str(path))
    if os.path.exists(found):
        return found
    if getattr(config.option, "pyargs", False):
        try:
            import importlib.util

            spec = importlib.util.find_spec(str(path))
        except Exception:
            return None
        if spec is not None and spec.origin:
            whole = spec.submodule_search_locations is not None
            return os.path.dirname(spec.origin) if whole else spec.origin
    return None


def _narrow_arguments(config):
    """Drops what holds no wanted id: pytest never asks whether to ignore a named path."""
    kept = []
    for argument in config.args:
        path = _argument_path(config, argument)
        if path is None or not _is_wanted(path):
            continue
        # A vanished `file::test` would be a usage error; an id that is gone has no result instead.
        if "::" in str(argument):
            argument = path
        if argument not in kept:
            kept.append(argument)
    config.args = kept


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config):
    namespace = early_config.known_args_namespace
    if getattr(namespace, "cov_fail_under", None):
        STATE["switched_off"].add("cov_fail_under")
    if hasattr(namespace, "cov_fail_under"):
        namespace.cov_fail_under = 0
    if WANTED is None:
        return
    _resolve_wanted(str(early_config.rootdir if not hasattr(early_config, "rootpath")
                        else early_config.rootpath))
    # One file a folder is enough to load the conftest files above it, and only those.
    anchors = {}
    for path in sorted(STATE["wanted_files"]):
        if os.path.exists(path):
            anchors.setdefault(os.path.dirname(path), path)
    namespace.file_or_dir = list(anchors.values())


def _ignore(path):
    return True if WANTED is not None and not _is_wanted(str(path)) else None


if int(pytest.__version__.split(".")[0]) >= 7:

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(collection_path):
        return _ignore(collection_path)

else:

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(path):
        return _ignore(path)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config, items):
    yield
    if WANTED is None:
        return
    kept = [item for item in items if _is_wanted_item(item.nodeid)]
    dropped = [item for item in items if not _is_wanted_item(item.nodeid)]
    if dropped:
        items[:] = kept
        config.hook.pytest_deselected(items=dropped)


# What would hide results, or make the two sides run different things ---------------------------


def _set(options, name, value):
    """Sets an option only where its plugin is there."""
    if hasattr(options, name):
        if getattr(options, name) not in (value, None, False, 0, [], "no"):
            STATE["switched_off"].add(name)
        setattr(options, name, value)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    STATE["config"] = config
    options = config.option
    for name in ("lf", "failedfirst", "newfirst", "stepwise", "stepwise_skip", "distload",
                 "looponfail", "stepwise_reset"):
        _set(options, name, False)
    for name in ("maxfail", "numprocesses", "cov_fail_under", "reruns"):
        _set(options, name, 0)
    _set(options, "dist", "no")
    _set(options, "tx", [])
    if hasattr(options, "randomly_seed"):
        options.randomly_seed = SEED % 2**32
        STATE["seeded"].add("order")
    if hasattr(options, "random_order_seed"):
        options.random_order_seed = str(SEED)
        STATE["seeded"].add("order")
    options.continue_on_collection_errors = True
    options.collectonly = bool(getattr(options, "collectonly", False)) or MODE == "collect"
    if getattr(options, "xmlpath", None) is None:
        _silence_record_property(config)
    options.xmlpath = SETTINGS["report"]
    if getattr(options, "tbstyle", "auto") in ("no", "line"):
        options.tbstyle = "auto"
    if WANTED is not None:
        _narrow_arguments(config)


def _silence_record_property(config):
    """Without a report of the user's own, pytest would not warn that its family has no properties."""
    try:
        from _pytest import junitxml

        warn = junitxml._warn_incompatibility_with_xunit2
    except (ImportError, AttributeError):
        return

    def warn_incompatibility(request, fixture_name):
        if request.config is not config:
            warn(request, fixture_name)

    junitxml._warn_incompatibility_with_xunit2 = warn_incompatibility


def _claim(config):
    """Two sessions would write one report, and the failures of the first would be lost."""
    try:
        os.close(os.open(os.path.join(HERE, "claimed"), os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except FileExistsError:
        with _open(os.path.join(HERE, "second-session"), "w"):
            pass
        if os.path.exists(SETTINGS["inventory"]):
            with _open(SETTINGS["inventory"], encoding="utf-8") as file:
                _write_json(SETTINGS["inventory"], dict(json.load(file), complete=False))
        config.option.xmlpath = None
        raise pytest.UsageError("the test command starts pytest more than once")


# Plugins that run a failed test again and report only the last attempt.
RETRIES = ("pytest_rerunfailures", "flaky.flaky_pytest_plugin", "pytest_retry.retry_plugin")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    _claim(config)
    _keep_whole_explanations(config)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session):
    manager = session.config.pluginmanager
    for plugin in list(manager.get_plugins()):
        if getattr(plugin, "__name__", None) in RETRIES:
            manager.unregister(plugin)
            STATE["switched_off"].add(plugin.__name__.split(".")[0])
    coverage = manager.get_plugin("_cov")
    if hasattr(getattr(coverage, "options", None), "cov_fail_under"):
        coverage.options.cov_fail_under = 0


def _keep_whole_explanations(config):
    """Witness classes are made from the unclipped assertion text."""
    try:
        from _pytest.assertion import truncate

        clip = truncate.truncate_if_required
    except (ImportError, AttributeError):
        return

    def truncate_if_required(explanation, item, *rest, **named):
        if getattr(item, "config", None) is config:
            return explanation
        return clip(explanation, item, *rest, **named)

    truncate.truncate_if_required = truncate_if_required


# Seeds -----------------------------------------------------------------------------------------


def _number(text):
    digest = hashlib.sha256(("%d\0%s" % (SEED, text)).encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big")


def _seed_random(number):
    import random

    random.seed(number)
    STATE["seeded"].add("python.random")


def _seed_numpy(number):
    # Only where the tests imported numpy, which loads this part of itself at its first use.
    module = getattr(sys.modules.get("numpy"), "random", None)
    if hasattr(module, "seed"):
        module.seed(number % 2**32)
        STATE["seeded"].add("numpy.random")


def _seed_hypothesis(item):
    core = sys.modules.get("hypothesis.core")
    settings = getattr(sys.modules.get("hypothesis"), "settings", None)
    if not hasattr(core, "global_force_seed") or settings is None:
        return
    core.global_force_seed = _number("hypothesis")
    function = getattr(item, "obj", None)
    function = getattr(function, "__func__", function)
    used = getattr(function, "_hypothesis_internal_use_settings", None)
    if used is None:
        return
    # The example database replays what an earlier run saw, on one side only.
    if used.database is not None:
        function._hypothesis_internal_use_settings = settings(used, database=None)
    STATE["seeded"].add("hypothesis.derandomize" if used.derandomize else "hypothesis")


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    if STATE["config"] is item.config:
        number = _number(item.nodeid)
        for seed in (_seed_random, _seed_numpy):
            try:
                seed(number)
            except Exception:  # a test left a broken stand-in behind; `seeded` then says less
                pass
        try:
            _seed_hypothesis(item)
        except Exception:
            pass
        CHANNEL.send(start=_junit_name(item.nodeid)[2])
    yield


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_logreport(report):
    """Before any other plugin sees the report, the writer of the JUnit file among them."""
    outcome = getattr(report, "outcome", None)
    spelled = _junit_name(report.nodeid)[2]
    when = str(getattr(report, "when", ""))
    CHANNEL.send(test=spelled, when=when, outcome=str(outcome))
    if when == "teardown":
        # What a test replaced for its own time is back in place by now.
        WATCH.look()
    yield


# The inventory ---------------------------------------------------------------------------------


def _relative(path):
    """Relative to the tree with '/', or absolute where it lies outside."""
    path = _realpath(str(path))
    if path.startswith(TREE + os.sep):
        return path[len(TREE) + 1:].replace(os.sep, "/")
    return path


def _in_tree(path):
    if not path:
        return False
    path = _realpath(str(path))
    installed = {"site-packages", "dist-packages"}
    return path.startswith(TREE + os.sep) and not installed.intersection(path.split(os.sep))


def _junit_name(nodeid):
    """Suite and name as pytest's own writer gives them."""
    try:
        from _pytest.junitxml import bin_xml_escape, mangle_test_address
    except ImportError:
        return "", nodeid, nodeid
    names = mangle_test_address(nodeid)
    suites = names[:-1]
    prefix = getattr(STATE["config"].option, "junitprefix", None)
    if prefix:
        suites.insert(0, prefix)
    return ".".join(suites), str(bin_xml_escape(names[-1])), str(bin_xml_escape(nodeid))


def _bases(item, own_file, own_class):
    found = []
    for base in getattr(getattr(item, "cls", None), "__mro__", ())[1:]:
        module = sys.modules.get(base.__module__)
        path = getattr(module, "__file__", None)
        if not _in_tree(path):
            continue
        entry = {"file": _relative(path), "qualname": base.__qualname__}
        if entry != {"file": own_file, "qualname": own_class} and entry not in found:
            found.append(entry)
    return found


def _definition(item):
    """Where the function was written, which may be another file than the one it was found in."""
    function = getattr(item, "obj", None)
    function = getattr(function, "__func__", function)
    inner = getattr(getattr(function, "hypothesis", None), "inner_test", function)
    inner = inspect.unwrap(inner)
    code = getattr(inner, "__code__", None)
    path = getattr(code, "co_filename", None)
    if not _in_tree(path):
        return None
    return {"file": _relative(path), "qualname": getattr(inner, "__qualname__", "")}


def _skip_marked(item):
    if getattr(getattr(item, "obj", None), "__unittest_skip__", False) is True:
        return True
    if getattr(getattr(item, "cls", None), "__unittest_skip__", False) is True:
        return True
    try:
        from _pytest.skipping import evaluate_skip_marks

        return evaluate_skip_marks(item) is not None
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        return False


def _describe(item):
    suite, name, spelled = _junit_name(item.nodeid)
    path = _relative(getattr(item, "path", None) or item.fspath)
    classes = [
        node.name for node in item.listchain() if isinstance(node, pytest.Class)
    ]
    function = getattr(item, "originalname", None) or item.name
    params = None
    callspec = getattr(item, "callspec", None)
    if item.name.startswith(function + "[") and item.name.endswith("]"):
        params = item.name[len(function) + 1:-1]
    elif callspec is not None and "[" in item.name:
        function, params = item.name.split("[", 1)
        params = params[:-1] if params.endswith("]") else params
    index = {"argnames": [], "indices": []}
    for argname, position in getattr(callspec, "indices", {}).items():
        index["argnames"].append(str(argname))
        index["indices"].append(int(position))
    try:
        definition = _definition(item)
    except Exception:
        definition = None
    return {
        "id": item.nodeid,
        "property_id": spelled,
        "suite": suite,
        "name": name,
        "file": path,
        "qualname": ".".join(classes + [function]),
        "params": params,
        "param_index": index if callspec is not None else None,
        "definition": definition,
        "bases": _bases(item, path, ".".join(classes)),
        "skip_marked": _skip_marked(item),
    }


def _loaded():
    found = {}
    for name, module in list(sys.modules.items()):
        if name.count(".") > 1 or name == __name__:
            continue
        path = getattr(module, "__file__", None)
        if not isinstance(path, str):
            continue
        found[name] = path if os.path.isabs(path) else os.path.abspath(path)
    return [{"module": str(name), "file": found[name]} for name in sorted(found, key=str)]


def _versions():
    versions = {}
    if MODE in ("discover", "collect"):
        try:
            from importlib.metadata import distributions
        except ImportError:
            distributions = list
        for one in distributions():
            name = one.metadata["Name"]
            if not name:
                continue
            text = str(one.version)
            try:
                origin = json.loads(one.read_text("direct_url.json") or "null")
            except Exception:
                origin = None
            if origin:
                text += " @ " + str(origin.get("url"))
                text += "#" + str(origin["vcs_info"].get("commit_id")) if "vcs_info" in origin else ""
                text += " (editable)" if origin.get("dir_info", {}).get("editable") else ""
            versions.setdefault(name.lower().replace("_", "-"), text)
    versions["python"] = platform.python_version()
    versions["pytest"] = pytest.__version__
    return versions


def _registered(config):
    """conftest files and other files of the tree that act as plugins, hooks they borrow included."""
    conftests, plugins = set(), set()
    for plugin in config.pluginmanager.get_plugins():
        files = {getattr(plugin, "__file__", None)}
        owner = plugin if hasattr(plugin, "__file__") else type(plugin)
        files.add(getattr(sys.modules.get(getattr(owner, "__module__", "")), "__file__", None))
        own = {path for path in files if isinstance(path, str) and _in_tree(path)}
        for path in own | (_hook_files(owner) if own else set()):
            conftest = os.path.basename(path) == "conftest.py"
            (conftests if conftest else plugins).add(_relative(path))
    return sorted(conftests), sorted(plugins)


def _hook_files(owner):
    """Where the hooks that a plugin holds were really written."""
    files = set()
    for name in dir(owner):
        if name.startswith("pytest_"):
            function = getattr(owner, name, None)
            function = getattr(function, "__wrapped__", getattr(function, "__func__", function))
            path = getattr(getattr(function, "__code__", None), "co_filename", "")
            if os.path.isabs(path) and _in_tree(path):
                files.add(path)
    return files


PACKAGE_HOOKS = ("setUpModule", "setup_module", "tearDownModule", "teardown_module")


def _package_hooks():
    """What pytest runs around the tests of a package, wherever its module has it from."""
    folders, found = set(), set()
    if MODE == "whole":
        return found  # new tests may come with packages of their own
    for item in STATE["items"]:
        folders.update(_ancestors(os.path.join(TREE, item["file"])))
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None)
        if not isinstance(path, str) or os.path.basename(path) != "__init__.py":
            continue
        if _in_tree(path) and os.path.dirname(_realpath(path)) in folders:
            for name in PACKAGE_HOOKS:
                try:
                    held = getattr(module, name, None) is not None
                except Exception:
                    held = True
                if held:
                    found.add("%s (by %s)" % (name, _relative(path)))
    return found


def _write_inventory(config, complete, exitstatus):
    conftests, plugins = _registered(config)
    inifile = getattr(config, "inipath", None) or getattr(config, "inifile", None)
    if os.path.exists(os.path.join(HERE, "second-session")):
        complete = False
    WATCH.look(closely=True)
    content = {
        "schema_version": 1,
        "complete": complete,
        "mode": MODE,
        "rootdir": str(config.rootdir if not hasattr(config, "rootpath") else config.rootpath),
        "items": STATE["items"],
        "uncollectable": STATE["uncollectable"],
        "collect_skipped": STATE["collect_skipped"],
        "conftests": conftests,
        "plugins": plugins,
        "loaded": _loaded() if exitstatus is not None else [],
        "seeded": sorted(STATE["seeded"]),
        "switched_off": sorted(STATE["switched_off"]),
        "replaced": sorted(WATCH.known | _package_hooks()),
        "versions": _versions(),
        "testpaths": [str(path) for path in config.getini("testpaths")],
        "inifile": _relative(inifile) if inifile else None,
        "exitstatus": exitstatus,
    }
    _write_json(SETTINGS["inventory"], content)


def _write_json(path, content):
    with _open(path + ".new", "w", encoding="utf-8") as file:
        file.write(_dumps(content))
    _replace(path + ".new", path)


def pytest_collectreport(report):
    if report.outcome == "passed":
        return
    suite, name, _ = _junit_name(report.nodeid)
    text = getattr(report, "longreprtext", None) or str(report.longrepr)
    file = report.fspath if getattr(report, "fspath", None) else report.nodeid.split("::", 1)[0]
    root = STATE["config"].rootdir if not hasattr(STATE["config"], "rootpath") \
        else STATE["config"].rootpath
    entry = {
        "id": report.nodeid,
        "suite": suite,
        "name": name,
        "file": _relative(os.path.join(str(root), str(file))),
        "text": text,
    }
    kind = "uncollectable" if report.outcome == "failed" else "collect_skipped"
    STATE[kind].append(entry)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_collection_finish(session):
    yield
    STATE["items"] = [_describe(item) for item in session.items]
    for item in session.items:
        if ("pv.nodeid", item.nodeid) not in item.user_properties:
            item.user_properties.append(("pv.nodeid", item.nodeid))
    _write_inventory(session.config, False, None)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_sessionfinish(session, exitstatus):
    yield
    # Plugins may change the session's status in this very hook; theirs is what the process returns.
    status = int(getattr(session, "exitstatus", exitstatus))
    CHANNEL.send(end=status)
    _write_inventory(session.config, status in (0, 1, 5), status)

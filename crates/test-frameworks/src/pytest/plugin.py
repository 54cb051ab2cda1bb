"""Injected by patch-verdict: seeds, exact ids, selection, inventory. Settings stand in a file beside it.

Nothing here decides anything: it makes both sides run the same tests under the same seed, and tells what was collected.
"""
import json
import os
import random
import sys

import pytest

_HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(_HERE, "settings.json"), encoding="utf-8") as _file:
    _SETTINGS = json.load(_file)
_TREE = _SETTINGS["tree"]
_MODE = _SETTINGS["mode"]
_SEED = _SETTINGS["seed"]
_IDS = None
if _SETTINGS["ids_file"]:
    with open(os.path.join(_HERE, _SETTINGS["ids_file"]), encoding="utf-8") as _file:
        _IDS = set(json.load(_file))
_STATE = {"items": [], "uncollectable": [], "seeded": {"random"}, "finished": False, "exitstatus": None}


def _forget_traces():
    """Inner pytest runs must neither load this plugin nor write over the report."""
    name = __name__
    plugins = [p for p in os.environ.get("PYTEST_PLUGINS", "").split(",") if p and p != name]
    paths = [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p != _HERE]
    for key, values, separator in (("PYTEST_PLUGINS", plugins, ","), ("PYTHONPATH", paths, os.pathsep)):
        if values:
            os.environ[key] = separator.join(values)
        else:
            os.environ.pop(key, None)


_forget_traces()


def _set(option, name, value):
    if hasattr(option, name):
        setattr(option, name, value)


# ---- options -------------------------------------------------------------------------------------


def _files_of_ids(rootdir):
    files = []
    for node in _IDS:
        file = os.path.join(rootdir, node.split("::", 1)[0])
        if file not in files:
            files.append(file)
    return sorted(file for file in files if os.path.exists(file))


def _override(config):
    option = config.option
    report = _SETTINGS["report"]
    _set(option, "xmlpath", report)
    _set(option, "maxfail", 0)
    _set(option, "lf", False)
    _set(option, "failedfirst", False)
    _set(option, "newfirst", False)
    _set(option, "stepwise", False)
    _set(option, "stepwise_skip", False)
    _set(option, "cov_fail_under", None)
    _set(option, "reruns", 0)
    _set(option, "only_rerun", None)
    _set(option, "continue_on_collection_errors", True)
    if getattr(option, "tbstyle", "auto") in ("no", "line"):
        option.tbstyle = "auto"
    if hasattr(option, "numprocesses"):
        option.numprocesses = None
        option.tx = []
        option.dist = "no"
        _set(option, "distload", False)
    if _MODE == "collect":
        option.collectonly = True


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config, parser, args):
    namespace = early_config.known_args_namespace
    namespace.xmlpath = _SETTINGS["report"]
    if _IDS is not None:
        # Folders without a wanted test stay closed: their conftest files are not imported.
        namespace.file_or_dir = _files_of_ids(str(early_config.rootpath))
        namespace.pyargs = False


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    _override(config)
    if _IDS is not None:
        config.args = _files_of_ids(str(config.rootpath))
        _set(config.option, "pyargs", False)
        _set(config.option, "file_or_dir", list(config.args))
        if not config.args:
            # No file of the wanted tests is left: collect nothing instead of everything.
            config.args = [_HERE]


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    _override(config)


def pytest_ignore_collect(collection_path, config):
    if _IDS is None:
        return None
    path = str(collection_path)
    if os.path.isdir(path):
        prefix = path.rstrip(os.sep) + os.sep
        wanted = any(file.startswith(prefix) for file in _wanted(config))
        return None if wanted else True
    return None if path in _wanted(config) else True


def _wanted(config):
    if "wanted" not in _STATE:
        files = set(_files_of_ids(str(config.rootpath)))
        # Packages' own files and conftest files of open folders stay as pytest treats them.
        for file in list(files):
            folder = os.path.dirname(file)
            while folder.startswith(str(config.rootpath)):
                files.add(os.path.join(folder, "__init__.py"))
                parent = os.path.dirname(folder)
                if parent == folder:
                    break
                folder = parent
        _STATE["wanted"] = files
    return _STATE["wanted"]


# ---- seeds ---------------------------------------------------------------------------------------


def _seed_hypothesis(config):
    try:
        import hypothesis
        import hypothesis.core
    except Exception:
        return
    hypothesis.core.global_force_seed = _SEED
    _set(config.option, "hypothesis_seed", _SEED)
    try:
        # No example database: what one run found must not decide the next.
        current = getattr(hypothesis.settings, "_current_profile", None) or "default"
        profile = hypothesis.settings.get_profile(current)
        hypothesis.settings.register_profile("pv", hypothesis.settings(profile, database=None))
        hypothesis.settings.load_profile("pv")
        _STATE["seeded"].add("hypothesis")
    except Exception:
        _STATE["seeded"].add("hypothesis")


def _reseed(nodeid):
    material = "%d %s" % (_SEED, nodeid)
    random.seed(material, version=2)
    numpy = sys.modules.get("numpy")
    if numpy is not None and hasattr(numpy, "random"):
        try:
            import hashlib

            digest = hashlib.sha256(material.encode("utf-8", "surrogateescape")).digest()
            numpy.random.seed(int.from_bytes(digest[:4], "big"))
            _STATE["seeded"].add("numpy")
        except Exception:
            pass


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    _reseed(item.nodeid)


# ---- collection ----------------------------------------------------------------------------------


def pytest_collectreport(report):
    if report.failed:
        file = report.nodeid.split("::", 1)[0]
        _STATE["uncollectable"].append(
            {"id": report.nodeid, "file": _relative(file), "text": str(report.longrepr)[:20000]}
        )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(session, config, items):
    if _IDS is not None:
        kept = [item for item in items if item.nodeid in _IDS]
        dropped = [item for item in items if item.nodeid not in _IDS]
        if dropped:
            items[:] = kept
            config.hook.pytest_deselected(items=dropped)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session):
    _STATE["items"] = [_describe(item) for item in session.items]
    for item in session.items:
        item.user_properties.append(("pv.nodeid", item.nodeid))
    _write(session)


def _mangle(nodeid):
    """The suite and name that pytest's JUnit report gives to a node."""
    path, possible_open_bracket, params = nodeid.partition("[")
    names = path.split("::")
    names[0] = names[0].replace("/", ".")
    if names[0].endswith(".py"):
        names[0] = names[0][:-3]
    names[-1] += possible_open_bracket + params
    return ".".join(names[:-1]), names[-1]


def _xml(text):
    """Characters that XML cannot hold, as pytest spells them."""

    def escape(char):
        number = ord(char)
        allowed = number in (0x9, 0xA, 0xD) or 0x20 <= number <= 0x7E or 0x80 <= number <= 0xD7FF
        if allowed or 0xE000 <= number <= 0xFFFD or 0x10000 <= number <= 0x10FFFF:
            return char
        return "#x%02X" % number if number <= 0xFF else "#x%04X" % number

    return "".join(escape(char) for char in text)


def _describe(item):
    suite, name = _mangle(item.nodeid)
    function = getattr(item, "originalname", None) or item.name.partition("[")[0]
    chain = [node.name for node in item.listchain() if isinstance(node, pytest.Class)]
    path = str(getattr(item, "path", None) or item.fspath)
    entry = {
        "id": item.nodeid,
        "suite": _xml(suite),
        "name": _xml(name),
        "file": _relative(path),
        "qualname": ".".join(chain + [function]),
        "params": None,
        "param_index": None,
        "bases": [],
        "skip_marked": any(True for _ in item.iter_markers("skip")),
    }
    callspec = getattr(item, "callspec", None)
    if callspec is not None:
        entry["params"] = callspec.id
        indices = getattr(callspec, "indices", None) or {}
        if all(isinstance(value, int) for value in indices.values()):
            entry["param_index"] = {"argnames": list(indices), "indices": [indices[key] for key in indices]}
    cls = getattr(item, "cls", None)
    for base in getattr(cls, "__mro__", ())[1:]:
        module = sys.modules.get(base.__module__)
        file = getattr(module, "__file__", None)
        if file and _inside(file):
            entry["bases"].append({"file": _relative(file), "qualname": base.__qualname__})
    return entry


def _inside(file):
    return os.path.abspath(file).startswith(_TREE.rstrip(os.sep) + os.sep)


def _relative(file):
    if not os.path.isabs(file):
        file = os.path.join(_STATE.get("rootdir", _TREE), file)
    return os.path.relpath(file, _TREE).replace(os.sep, "/")


# ---- inventory -----------------------------------------------------------------------------------


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session):
    _STATE["rootdir"] = str(session.config.rootpath)
    # As late as a conftest or Hypothesis' own plugin can have chosen a profile.
    _seed_hypothesis(session.config)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    _STATE["finished"] = True
    _STATE["exitstatus"] = int(exitstatus)
    _write(session)


def _versions():
    try:
        from importlib import metadata
    except ImportError:
        return {}
    versions = {}
    for distribution in metadata.distributions():
        try:
            name, version = distribution.metadata["Name"], distribution.version
            origin = distribution.read_text("direct_url.json")
            if origin:
                told = json.loads(origin)
                commit = told.get("vcs_info", {}).get("commit_id", "")
                version = "%s @ %s%s" % (version, told.get("url", ""), "#" + commit if commit else "")
            if name:
                versions[str(name)] = str(version)
        except Exception:
            continue
    versions["python"] = "%d.%d.%d" % sys.version_info[:3]
    return versions


def _loaded():
    loaded = []
    for name, module in sorted(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and name.count(".") <= 1:
            loaded.append({"module": name, "file": os.path.abspath(file)})
    return loaded


def _plugins(config):
    conftests, plugins = set(), set()
    for plugin in config.pluginmanager.get_plugins():
        file = getattr(plugin, "__file__", None)
        if isinstance(file, str) and _inside(file):
            target = conftests if os.path.basename(file) == "conftest.py" else plugins
            target.add(_relative(file))
    return sorted(conftests), sorted(plugins)


def _write(session):
    config = session.config
    conftests, plugins = _plugins(config)
    inifile = getattr(config, "inipath", None)
    try:
        testpaths = [str(path) for path in config.getini("testpaths")]
    except Exception:
        testpaths = []
    inventory = {
        "schema_version": 1,
        "complete": _STATE["finished"],
        "mode": _MODE,
        "rootdir": str(config.rootpath),
        "items": _STATE["items"],
        "uncollectable": _STATE["uncollectable"],
        "conftests": conftests,
        "plugins": plugins,
        "loaded": _loaded(),
        "seeded": sorted(_STATE["seeded"]),
        "versions": _versions(),
        "testpaths": [_relative(path) for path in testpaths],
        "inifile": _relative(str(inifile)) if inifile and _inside(str(inifile)) else None,
        "exitstatus": _STATE["exitstatus"],
    }
    path = _SETTINGS["inventory"]
    with open(path + ".part", "w", encoding="utf-8", errors="surrogateescape") as file:
        json.dump(inventory, file)
    os.replace(path + ".part", path)

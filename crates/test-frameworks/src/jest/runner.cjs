"use strict";
// Written by patch-verdict into a folder of its own: jest-circus with a selection by exact ids, seeded.
const path = require("path");
const { settings, relative, idOf, isWanted, wantedFiles } = require("./pv_report.cjs");
const { seedWorld, seedProperties } = require("./pv_random.cjs");

const RETRIES = Symbol.for("RETRY_TIMES");
const files = settings.mode === "scored" ? wantedFiles() : null;

// Beside jest's own modules: the tree may have no jest, or another one.
function circus(config) {
  const loaded = Object.keys(require.cache).filter((file) => /[\\/]jest-(runner|runtime|worker)[\\/]/.test(file));
  const places = [...loaded.map((file) => path.dirname(file)), config.rootDir, process.cwd()];
  if (require.main) places.unshift(path.dirname(require.main.filename));
  for (const place of places) {
    for (const name of ["jest-circus/runner", "jest-circus/build/runner"]) {
      try {
        const found = require(require.resolve(name, { paths: [place] }));
        return found.default || found;
      } catch (error) {
        if (error.code !== "MODULE_NOT_FOUND" && error.code !== "ERR_PACKAGE_PATH_NOT_EXPORTED") throw error;
      }
    }
  }
  throw new Error("jest-circus was not found beside jest: patch-verdict needs jest 27 or newer");
}

function nothing(testFilePath) {
  return {
    leaks: false, numFailingTests: 0, numPassingTests: 0, numPendingTests: 1, numTodoTests: 0,
    openHandles: [], perfStats: { start: 0, end: 0, runtime: 0, slow: false, loadTestEnvironmentEnd: 0,
      loadTestEnvironmentStart: 0, setupAfterEnvEnd: 0, setupAfterEnvStart: 0, setupFilesEnd: 0, setupFilesStart: 0 },
    skipped: true, testFilePath,
    // A file without any test would be an error; this one matches no id.
    testResults: [{ ancestorTitles: [], title: "", fullName: "", status: "pending", duration: null, failureDetails: [],
      failureMessages: [], invocations: 0, location: null, numPassingAsserts: 0, retryReasons: [] }],
    snapshot: { added: 0, fileDeleted: false, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0, updated: 0 },
  };
}

function select(block, titles, file) {
  for (const child of block.children) {
    const below = [...titles, child.name];
    if (child.type === "describeBlock") select(child, below, file);
    else if (settings.mode === "collect" || !isWanted(file, idOf(file, below))) child.mode = "skip";
  }
}

function titlesOf(test) {
  const titles = [test.name];
  for (let block = test.parent; block && block.parent; block = block.parent) titles.unshift(block.name);
  return titles;
}

module.exports = async function run(globalConfig, config, environment, runtime, testPath, ...more) {
  const file = relative(testPath);
  if (files !== null && !files.has(file)) return nothing(testPath);
  const seeded = { ...globalConfig, seed: settings.seed | 0 };
  // What `jest.getSeed()` reads: the name of jest 30, and the one before it.
  for (const name of ["globalConfig", "_globalConfig"]) if (name in runtime) runtime[name] = seeded;
  const load = runtime.requireModuleOrMock;
  runtime.requireModuleOrMock = function requireModuleOrMock(from, name) {
    const loaded = load.call(runtime, from, name);
    if (name === "fast-check") seedProperties(loaded, settings.seed);
    return loaded;
  };
  const world = environment.global;
  const reset = seedWorld(world, settings.seed);
  const theirs = environment.handleTestEvent;
  environment.handleTestEvent = function handle(event, state) {
    if (event.name === "run_start") select(state.rootDescribeBlock, [], file);
    if (event.name === "test_start") reset(idOf(file, titlesOf(event.test)));
    // A retry would hide a failure.
    if (/^(run_start|run_describe_start|test_start)$/.test(event.name)) world[RETRIES] = 0;
    return theirs ? theirs.call(environment, event, state) : undefined;
  };
  return circus(config)(seeded, config, environment, runtime, testPath, ...more);
};

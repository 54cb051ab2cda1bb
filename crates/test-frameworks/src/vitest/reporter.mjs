// Written by patch-verdict into a folder of its own: selects, seeds and reports a run of vitest.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const { settings, wantedFiles, write, version } = require("./pv_report.cjs");
const setup = fileURLToPath(new URL("./pv_setup.mjs", import.meta.url));
const escape = (text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

// Vitest joins the titles of a test by a space; a name that fits by chance is left out of the report.
function pattern() {
  if (settings.mode === "collect") return /(?!)/;
  if (settings.mode !== "scored") return undefined;
  const titles = settings.ids.map((id) => id.slice(id.indexOf("::") + 2));
  if (titles.includes("*")) return undefined;
  const words = titles.map((title) => title.split(" > ").map(escape).join("(?: > | )"));
  return new RegExp(`^\\s*(?:${words.join("|") || "(?!)"})$`);
}

// Files that hold no wanted test are not even looked for.
function narrowed(config) {
  if (settings.mode !== "scored") return;
  const only = [...wantedFiles()].map((file) => `${settings.tree}/${file}`.replace(/[\\*?[\]{}()!+@|]/g, "\\$&"));
  config.include = only.length > 0 ? only : ["\u0000nothing"];
  config.includeSource = [];
}

export default class Reporter {
  onInit(vitest) {
    this.vitest = vitest;
    const names = pattern();
    const projects = vitest.projects || [];
    for (const config of new Set([vitest.config, ...projects.map((project) => project.config)])) {
      config.setupFiles = [setup, ...[config.setupFiles || []].flat()];
      if (names) config.testNamePattern = names;
      config.retry = 0;
      config.bail = 0;
      config.allowOnly = true;
    }
    for (const project of projects) narrowed(project.config);
  }

  // Vitest 3 and later.
  onTestRunEnd(modules, errors, reason) {
    this.end(modules.map((module) => module.task || module), errors, reason === "interrupted");
  }

  // Vitest 1 and 2; later versions that still call it have called the other one before.
  onFinished(files = [], errors = []) {
    if (!this.done) this.end(files, errors, false);
  }

  end(files, errors, interrupted) {
    this.done = true;
    const tests = [];
    const broken = [];
    for (const file of files) {
      const before = tests.length;
      visit(file, [], file.filepath, tests);
      const own = (file.result && file.result.errors) || [];
      const failed = tests.slice(before).some((test) => test.status === "failed");
      if (own.length > 0 || (file.result && file.result.state === "fail" && !failed)) {
        broken.push({ file: file.filepath, text: own.map(textOf).join("\n") || "the file failed without a message" });
      }
    }
    const starts = [settings.tree, process.cwd(), process.argv[1] || process.cwd()];
    const versions = { node: process.versions.node };
    for (const name of ["vitest", "fast-check"]) {
      const found = version(name, starts);
      if (found) versions[name] = found;
    }
    write({
      framework: "vitest",
      tests,
      broken,
      complete: !interrupted,
      failed: errors.length > 0 || broken.length > 0 || tests.some((test) => test.failures.length > 0),
      seeded: ["Math.random", "fast-check"],
      switchedOff: ["bail", "coverage", "retry"],
      versions,
    });
  }
}

function textOf(error) {
  const name = error.name || "Error";
  const first = String(error.message === undefined ? error : error.message);
  const diff = error.diff ? `\n${error.diff}` : "";
  return `${name}: ${first}${diff}`;
}

function visit(task, titles, file, tests) {
  for (const child of task.tasks || []) {
    const below = [...titles, child.name];
    if (child.type === "suite") {
      const own = (child.result && child.result.errors) || [];
      // A failed `beforeAll`: none of its tests ran.
      if (own.length > 0) tests.push(test([...below, "(hooks)"], file, "failed", own.map(textOf)));
      visit(child, below, file, tests);
      continue;
    }
    const result = child.result || {};
    const failures = (result.errors || []).map(textOf);
    const state = result.state === "pass" || result.state === "fail" ? result.state : "skip";
    if (state === "fail" && failures.length === 0) failures.push("failed without a message");
    const status = failures.length > 0 ? "failed" : { pass: "passed", skip: "skipped" }[state];
    tests.push(test(below, file, status, failures, result.duration));
  }
}

const test = (titles, file, status, failures, ms) => ({ titles, file, status, failures, ms });

"use strict";
// Written by patch-verdict into a folder of its own: writes the report and the inventory of a run.
const fs = require("fs");
const path = require("path");

// Tests patch these and may leave them so: keep the real ones.
const { writeFileSync, renameSync, realpathSync, readFileSync, existsSync } = fs;
const { stringify } = JSON;
const settings = JSON.parse(readFileSync(path.join(__dirname, "settings.json"), "utf8"));
const wanted = settings.mode === "scored" ? new Set(settings.ids) : null;
const root = realpathSync(settings.tree);

function relative(file) {
  let real = file;
  try {
    real = realpathSync(file);
  } catch (error) {
    // A file that is gone keeps its name.
  }
  return path.relative(root, real).split(path.sep).join("/");
}

const idOf = (file, titles) => `${file}::${titles.join(" > ")}`;
const isWanted = (file, id) => wanted === null || wanted.has(id) || wanted.has(`${file}::*`);
const wantedFiles = () => new Set([...wanted].map((id) => id.slice(0, id.indexOf("::"))));

// What XML may not hold becomes U+FFFD, in the report as in the inventory.
function legal(text) {
  return String(text)
    .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, "")
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

function escape(text) {
  return legal(text)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/[\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

// The text of a failure without the frames of its stack, whose lines move.
function failure(text) {
  const lines = legal(text).split("\n").filter((line) => !/^\s+at .+/.test(line) && !/^\s*❯ /.test(line));
  const detail = lines.join("\n").trim() || "failed without a message";
  const first = detail.split("\n", 1)[0];
  const type = /^([A-Za-z_$][\w$.]*(?:Error|Exception)?)(?: \[[^\]]*\])?:/.exec(first);
  return { message: first, type: type ? type[1] : "Error", detail };
}

function caseXml(one) {
  const seconds = Number.isFinite(one.ms) ? ` time="${(one.ms / 1000).toFixed(6)}"` : "";
  const property = one.id === null ? "" : `<properties><property name="pv.nodeid" value="${escape(one.property)}"/></properties>`;
  let inside = property;
  if (one.status === "skipped") inside += "<skipped/>";
  for (const text of one.failures) {
    const { message, type, detail } = failure(text);
    inside += `<failure message="${escape(message)}" type="${escape(type)}">${escape(detail)}</failure>`;
  }
  return `<testcase classname="${escape(one.suite)}" name="${escape(one.name)}"${seconds}>${inside}</testcase>`;
}

function version(name, from) {
  for (const start of from) {
    try {
      const file = require.resolve(`${name}/package.json`, { paths: [start] });
      return JSON.parse(readFileSync(file, "utf8")).version;
    } catch (error) {
      // Not to be found from there.
    }
  }
  return undefined;
}

// tests: {file, titles, status, failures, ms}; broken: {file, text}.
function write({ framework, tests, broken, complete, failed, seeded, switchedOff, versions }) {
  const items = [];
  const cases = [];
  for (const test of tests) {
    const file = relative(test.file);
    const id = idOf(file, test.titles);
    if (!isWanted(file, id)) continue;
    const name = legal(test.titles.join(" > "));
    const suite = legal(file);
    const property = legal(id);
    items.push({
      id, property_id: property, suite, name, file,
      qualname: name, params: null, param_index: null, definition: null, bases: [], skip_marked: false,
    });
    if (settings.mode !== "collect") cases.push({ ...test, id, property, suite, name });
  }
  const uncollectable = broken.map(({ file, text }) => {
    const place = relative(file);
    return { id: place, suite: legal(place), name: "(file)", file: place, text: legal(text) };
  });
  for (const entry of uncollectable) {
    cases.push({ id: null, suite: entry.suite, name: entry.name, status: "failed", failures: [entry.text] });
  }
  const failures = cases.filter((one) => one.failures.length > 0).length;
  const xml = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${framework}"><testsuite name="${framework}" tests="${cases.length}" failures="${failures}">`,
    ...cases.map(caseXml),
    "</testsuite></testsuites>",
    "",
  ].join("\n");
  const inventory = stringify({
    schema_version: 1, complete, mode: settings.mode, rootdir: settings.tree, items, uncollectable,
    collect_skipped: [], conftests: [], plugins: [], loaded: [], seeded, switched_off: switchedOff,
    replaced: [], versions, testpaths: [], inifile: null, exitstatus: failed ? 1 : 0,
  });
  if (settings.mode !== "collect") {
    writeFileSync(`${settings.report}.part`, xml);
    renameSync(`${settings.report}.part`, settings.report);
  }
  writeFileSync(`${settings.inventory}.part`, inventory);
  renameSync(`${settings.inventory}.part`, settings.inventory);
}

module.exports = { settings, relative, idOf, isWanted, wantedFiles, write, version, existsSync };

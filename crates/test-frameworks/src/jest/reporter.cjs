"use strict";
// Written by patch-verdict into a folder of its own: what jest ran, as a report and an inventory.
const { write, version } = require("./pv_report.cjs");

class Reporter {
  onRunComplete(contexts, results) {
    const tests = [];
    const broken = [];
    for (const file of results.testResults) {
      const failedToRun = file.testExecError || (file.failureMessage && file.testResults.length === 0);
      if (failedToRun) {
        broken.push({ file: file.testFilePath, text: file.failureMessage || String(file.testExecError.message) });
      }
      for (const test of file.testResults) tests.push(testOf(file, test));
    }
    const starts = [process.cwd(), ...(require.main ? [require.main.filename] : [])];
    const versions = { node: process.versions.node };
    for (const name of ["jest", "jest-circus", "fast-check"]) {
      const found = version(name, starts);
      if (found) versions[name] = found;
    }
    write({
      framework: "jest",
      tests,
      broken,
      complete: !results.wasInterrupted,
      failed: results.numFailedTests > 0 || results.numFailedTestSuites > 0 || Boolean(results.runExecError),
      seeded: ["Math.random", "fast-check", "jest.getSeed"],
      switchedOff: ["bail", "coverageThreshold", "retryTimes"],
      versions,
    });
  }
}

function testOf(file, test) {
  const titles = [...test.ancestorTitles, test.title];
  const failures = test.status === "failed" ? [...test.failureMessages] : [];
  if (test.status === "failed" && failures.length === 0) failures.push("failed without a message");
  if (test.status === "passed" && test.invocations > 1) failures.push("passed only when it was tried again");
  const skipped = test.status !== "passed" && test.status !== "failed";
  return { file: file.testFilePath, titles, status: skipped ? "skipped" : test.status, failures, ms: test.duration };
}

module.exports = Reporter;

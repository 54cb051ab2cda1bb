// Written by patch-verdict into a folder of its own: seeds a test file before it is loaded.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(path.join(folder, "pv_setup.mjs"));
const { seedWorld, seedProperties } = require("./pv_random.cjs");
const settings = JSON.parse(readFileSync(path.join(folder, "settings.json"), "utf8"));

seedWorld(globalThis, settings.seed)("file");

// The module that tests import, found from the working folder: vitest leaves packages to Node.
try {
  const place = require.resolve("fast-check/package.json", { paths: [process.cwd()] });
  const { exports: entries = {}, module: fallback } = JSON.parse(readFileSync(place, "utf8"));
  const main = entries["."] && entries["."].import;
  const entry = (main && (main.default || main)) || fallback;
  const loaded = await import(/* @vite-ignore */ pathToFileURL(path.join(path.dirname(place), entry)).href);
  seedProperties(loaded, settings.seed);
  seedProperties(loaded.default, settings.seed);
} catch (error) {
  if (!["MODULE_NOT_FOUND", "ERR_PACKAGE_PATH_NOT_EXPORTED"].includes(error.code)) throw error;
}

"use strict";
// Written by patch-verdict into a folder of its own: seeds what draws numbers in a JavaScript world.

// FNV-1a over the seed and the name of what runs, then mulberry32.
function start(seed, name) {
  let hash = 0x811c9dc5;
  for (const sign of `${seed} ${name}`) {
    hash = Math.imul(hash ^ sign.codePointAt(0), 0x01000193) >>> 0;
  }
  return hash;
}

// Replaces `Math.random` once, so that a mock of it that a test laid over stays; `reset(name)` starts
// its numbers anew.
function seedWorld(world, seed) {
  let state = start(seed, "");
  world.Math.random = function random() {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return (name) => {
    state = start(seed, name);
  };
}

// fast-check mixes the clock into its default seed; a test's own seed goes before ours.
function seedProperties(library, seed) {
  if (!library || typeof library.configureGlobal !== "function") return;
  const parameters = library.readConfigureGlobal() || {};
  if (parameters.seed === undefined) library.configureGlobal({ ...parameters, seed: seed | 0 });
}

module.exports = { seedWorld, seedProperties };

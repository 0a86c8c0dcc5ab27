// The worker: one engine, one question at a time. bpercModule is the glue code
// of emscripten, which the page puts in front of this script.
import { engine } from "./engine.js";

let ready;

self.onmessage = async ({ data: { id, name, args } }) => {
  try {
    if (name === "start") {
      ready = engine(self.bpercModule, args.wasm, (share, found) =>
        self.postMessage({ progress: share, found }));
      await ready;
      self.postMessage({ id, answer: true });
      return;
    }
    const functions = await ready;
    self.postMessage({ id, answer: functions[name](args) });
  } catch (error) {
    self.postMessage({ id, failed: error.message || String(error) });
  }
};

// A worker that answers questions and can be stopped: stopping ends it and
// starts another one, which knows nothing of what came before.

// Smallest module with a vector instruction: does this browser have them?
const VECTORS = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3,
  2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);
export const simd = WebAssembly.validate(VECTORS);

async function unpack(name) {
  const packed = Uint8Array.from(atob(document.getElementById(name).textContent),
    (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

let code, wasm;
function parts() {
  code ??= URL.createObjectURL(new Blob([document.getElementById("worker").textContent],
    { type: "text/javascript" }));
  wasm ??= unpack(simd ? "simd" : "plain");
  return wasm;
}

export class Stopped extends Error {}

export class Client {
  constructor() {
    this.waiting = new Map();
    this.next = 1;
    this.onProgress = null;
  }

  get busy() { return this.waiting.size > 0; }

  async start() {
    const bytes = await parts();
    const worker = new Worker(code);
    this.worker = worker;
    worker.onmessage = ({ data }) => {
      if ("progress" in data) return this.onProgress?.(data.progress, data.found);
      const asked = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (!asked) return;
      if ("failed" in data) asked.reject(new Error(data.failed));
      else asked.resolve(data.answer);
    };
    worker.onerror = (event) => this.fail(new Error(event.message || "the worker failed"));
    return this.post("start", { wasm: bytes });
  }

  post(name, args) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, name, args });
    });
  }

  async ask(name, args = {}) {
    const begun = (this.started ??= this.start());
    await begun;
    if (begun !== this.started) throw new Stopped();
    return this.post(name, args);
  }

  fail(error) {
    for (const asked of this.waiting.values()) asked.reject(error);
    this.waiting.clear();
  }

  stop() {
    if (!this.started) return;
    this.worker?.terminate();
    this.started = null;
    this.fail(new Stopped());
  }
}

// The C library behind plain functions. Runs in the worker of the page and,
// for tests, in node. Every answer is copied out of the module's memory.

const PROGRESS = ["running", "solved", "exhausted", "contradiction", "diverged"];
const LIST_MOST = 4e5; // solutions that are listed; more are only counted
const MAP_FEWEST = 120; // points below which a map is drawn anew

export async function engine(factory, wasmBinary, onProgress) {
  const module = await factory({ wasmBinary, onProgress });

  const text = (at) => module.UTF8ToString(at);
  const failure = () => new Error(text(module._web_error()));

  // The function's number; a negative one is a failure with a sentence.
  function call(name, ...args) {
    const kept = [];
    const flat = args.map((arg) => {
      if (typeof arg !== "string") return arg;
      const size = module.lengthBytesUTF8(arg) + 1;
      const at = module._malloc(size);
      module.stringToUTF8(arg, at, size);
      kept.push(at);
      return at;
    });
    const answer = module["_web_" + name](...flat);
    kept.forEach((at) => module._free(at));
    if (answer < 0) throw failure();
    return answer;
  }

  function room(count, from = 0) {
    const at = module._web_room() / 8 + from;
    return module.HEAPF64.slice(at, at + count);
  }

  function fill(numbers) {
    const at = module._web_write(numbers.length);
    module.HEAPF64.set(numbers, at / 8);
  }

  const here = { n: 0, m: 0, space: null };

  function problem({ n, alpha, fin, a, seed }) {
    here.m = call("random", n, alpha, fin, a, seed);
    here.n = n;
    const contradiction = call("contradiction") ? text(module._web_error()) : "";
    return { n, m: here.m, contradiction };
  }

  // ---- solving

  function look(outcome) {
    const n = call("look");
    const all = room(3 * n + 2);
    return {
      outcome: PROGRESS[outcome],
      step: all[0],
      errors: all[1],
      fields: all.slice(2, n + 2),
      weights: all.slice(n + 2, 2 * n + 2),
      tFix: all.slice(2 * n + 2),
    };
  }

  function margins() {
    const m = call("margins");
    const all = room(3 * m);
    return Array.from({ length: m }, (_, k) => ({
      label: all[3 * k], sum: all[3 * k + 1], margin: all[3 * k + 2],
    }));
  }

  function solver({ name, seed }) {
    call("solver", name, seed);
    return look(0);
  }

  // Every state on the way, so that curves have no gaps.
  function steps({ count }) {
    const path = [];
    for (let k = 0; k < count; k++) {
      const outcome = call("steps", 1);
      path.push(look(outcome));
      if (outcome) break;
    }
    return path;
  }

  function order() {
    const count = call("order");
    return room(count);
  }

  // The order in which decimation guided by belief propagation fixes weights.
  function fixingOrder({ seed }) {
    call("solver", "bpd", seed);
    let outcome = 0;
    for (let k = 0; !outcome; k++) {
      outcome = call("steps", 1);
      if (k % 16 === 0) onProgress?.(k / here.n, k);
    }
    return { order: order(), outcome: PROGRESS[outcome] };
  }

  // ---- solution spaces

  const count = () => {
    const digits = text(module._web_count());
    if (!digits) throw failure();
    return digits;
  };

  function stepsOfDecimation() {
    const rows = call("decimation");
    const all = room(8 * rows);
    return Array.from({ length: rows }, (_, k) => {
      const [logCount, clusters, largest, x, qSame, qDiff, weight, value] =
        all.subarray(8 * k, 8 * k + 8);
      return { logCount, clusters, largest, x, qSame, qDiff, weight, value };
    });
  }

  function space({ most = LIST_MOST } = {}) {
    here.space = null;
    const complete = call("list", most);
    if (!complete) {
      module._web_space_forget();
      return { count: count(), listed: false };
    }
    const listed = module._web_listed();
    here.space = { steps: listed ? stepsOfDecimation() : [], maps: new Map(), seed: 1 };
    return { count: String(listed), listed: true, steps: here.space.steps };
  }

  // A map begins where too few points of the one before are left.
  function mapFor(fixed, points) {
    const { steps, maps } = here.space;
    let base = 0, map;
    for (;;) {
      if (!maps.has(base)) {
        call("after", base);
        const drawn = call("map", points, 1);
        maps.set(base, { base, all: room(4 * drawn), drawn });
      }
      map = maps.get(base);
      let next = base;
      const solutions = Array.from({ length: map.drawn }, (_, k) => map.all[4 * k + 2]);
      while (++next <= fixed) {
        call("after", next);
        fill(solutions);
        call("clusters_of", map.drawn);
        const left = room(map.drawn).filter((c) => c >= 0).length;
        const there = Math.exp(steps[next].logCount);
        if (left < MAP_FEWEST && there > 2 * left) break;
      }
      if (next > fixed) return { ...map, solutions };
      base = next;
    }
  }

  function spaceAfter({ fixed, points = 400 }) {
    const map = mapFor(fixed, points);
    call("after", fixed);
    fill(map.solutions);
    call("clusters_of", map.drawn);
    const clusters = room(map.drawn);
    const sizes = room(call("cluster_sizes", 12));
    return {
      base: map.base,
      sizes,
      points: map.solutions.map((solution, k) => ({
        x: map.all[4 * k], y: map.all[4 * k + 1], solution, cluster: clusters[k],
      })),
    };
  }

  function solution({ k, others }) {
    const most = call("solution", k), n = here.n;
    const all = room(2 + 2 * n + most + 1);
    fill(others);
    call("distances", k, others.length);
    return {
      cluster: all[0],
      size: all[1],
      weights: all.slice(2, 2 + n),
      flips: all.slice(2 + n, 2 + 2 * n),
      around: all.slice(2 + 2 * n),
      distances: room(others.length),
    };
  }

  function localEntropy({ most }) {
    const far = call("local_entropy", most);
    return room(far);
  }

  // ---- theory

  function capacity({ a, fin }) {
    const alpha = module._web_capacity(a, fin);
    if (Number.isNaN(alpha)) throw failure();
    return alpha;
  }

  function entropy({ alpha, a, fin }) {
    call("entropy", alpha, a, fin);
    const [value, overlap, distance] = room(3);
    return { entropy: value, overlap, distance };
  }

  function local({ dense, alpha, a, fin, distances }) {
    fill(distances);
    const count = call("local", dense ? 1 : 0, alpha, a, fin, distances.length);
    const all = room(2 * count);
    return { entropy: all.slice(0, count), bound: all.slice(count) };
  }

  // ---- own data

  function table({ content, label = "", binarise = "", complement = false }) {
    module.FS.writeFile("/table.csv", content);
    here.n = call("table", "/table.csv", label, binarise, complement ? 1 : 0);
    here.m = module._web_patterns();
    return {
      n: here.n, m: here.m,
      labels: [0, 1].map((k) => text(module._web_label(k))),
    };
  }

  function fit({ folds, seed }) {
    const head = call("fit", folds, seed);
    const all = room(head + here.n + 2 * here.m);
    const [threshold, kappa, errors, tp, fp, tn, fn, balanced, foldErrors, foldBalanced,
      unavoidable] = all;
    return {
      threshold, kappa, errors, tp, fp, tn, fn, balanced, foldErrors, foldBalanced,
      unavoidable,
      weights: all.slice(head, head + here.n),
      rows: Array.from({ length: here.m }, (_, mu) => ({
        label: all[head + here.n + 2 * mu], sum: all[head + here.n + 2 * mu + 1],
      })),
    };
  }

  const version = () => text(module._web_version());
  const memory = () => module.HEAPU8.length;

  return {
    version, memory, problem, solver, steps, order, margins, fixingOrder, count, space,
    spaceAfter, solution, localEntropy, capacity, entropy, local, table, fit,
  };
}

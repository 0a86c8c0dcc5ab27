// Solving: a solver at work, one step after the other.
import { address } from "./address.js";
import { Client, Stopped } from "./client.js";
import { choice, debounce, el, folded, format, number, progress } from "./controls.js";
import { Axes, colours, scale } from "./plot.js";

const SOLVERS = {
  sbpi: { name: "SBPI", step: "sweep", plural: "sweeps", state: "hidden state hᵢ",
    about: "Stochastic belief-propagation-inspired learning. Every weight has an odd hidden state hᵢ and is 1 where hᵢ > 0. A sweep shows every pattern once; a violated pattern pushes the hidden states of its active inputs." },
  rbp: { name: "rBP", step: "iteration", plural: "iterations", state: "field hᵢ",
    about: "Reinforced belief propagation. Messages between patterns and weights are updated together; each weight’s own field hᵢ is fed back, more often as time goes on, until all weights are decided." },
  amp: { name: "AMP", step: "iteration", plural: "iterations", state: "field hᵢ",
    about: "Reinforced approximate message passing: one mean per weight and one force per pattern instead of a message per pair. A round that ends with violated patterns is started again, more slowly." },
  bpd: { name: "BPD", step: "weight fixed", plural: "weights fixed", state: "field hᵢ",
    about: "Decimation guided by belief propagation. Each step runs belief propagation to its fixed point and then fixes the weight that is most certain. The order of fixing gives the colours of this page." },
};
const BINS = 24; // colours of the fixing order
const CURVES = 480; // most curves drawn
const FAR = 15; // fields beyond are drawn at the edge
const NORMAL = 12; // steps a second

// Spearman's rank correlation of two lists, ties sharing their mean rank.
function ranks(values) {
  const by = Array.from(values, (v, k) => [v, k]).sort((a, b) => a[0] - b[0]);
  const out = new Float64Array(values.length);
  for (let k = 0, next; k < by.length; k = next) {
    for (next = k + 1; next < by.length && by[next][0] === by[k][0];) next++;
    for (let j = k; j < next; j++) out[by[j][1]] = (k + next - 1) / 2;
  }
  return out;
}

export function spearman(a, b) {
  const x = ranks(a), y = ranks(b), mean = (x.length - 1) / 2;
  let xy = 0, xx = 0, yy = 0;
  for (let k = 0; k < x.length; k++) {
    xy += (x[k] - mean) * (y[k] - mean);
    xx += (x[k] - mean) ** 2;
    yy += (y[k] - mean) ** 2;
  }
  return xx && yy ? xy / Math.sqrt(xx * yy) : NaN;
}

export function solvingView({ values, moved }) {
  const main = new Client(), other = new Client();
  const fresh = debounce(250, () => open());
  const parameters = [
    { name: "n", label: "Weights <i>N</i>", low: 20, high: 2000, step: 1, log: true, value: 480 },
    { name: "alpha", label: "Patterns per weight <i>α</i> = <i>M</i>/<i>N</i>", low: 0.02, high: 1, step: 0.01, value: 0.2 },
    { name: "fin", label: "Share of active inputs <i>f</i><sub>in</sub>", low: 0.02, high: 0.98, step: 0.01, value: 0.3 },
    { name: "a", label: "<i>A</i>: the threshold is <i>N</i>/<i>A</i>", low: 2, high: 100, step: 1, limit: 1000, value: 40 },
    { name: "seed", label: "Seed of the random problem", low: 0, high: 100, step: 1, limit: 2 ** 53 - 1, value: 1 },
  ].map((p) => number({ ...p, value: Number(values[p.name] ?? p.value), change: () => { note(); fresh(); } }));
  const control = Object.fromEntries(parameters.map((p) => [p.name, p]));
  const solver = choice({
    name: "solver", label: "Solver", options: Object.entries(SOLVERS).map(([k, s]) => [k, s.name]),
    value: SOLVERS[values.solver] ? values.solver : "sbpi", change: () => { note(); restart(); },
  });
  const speed = number({ name: "speed", label: "Speed, steps a second", low: 1, high: 240, step: 1,
    log: true, value: Number(values.speed ?? NORMAL), change: () => note() });

  const playButton = el("button", { type: "button", class: "primary", id: "play", onclick: () => setPlaying(!playing) }, "Play");
  const stepButton = el("button", { type: "button", id: "step", onclick: () => { setPlaying(false); advance(1); } }, "Step");
  const againButton = el("button", { type: "button", id: "again", onclick: () => restart() }, "Restart");
  const status = el("p", { class: "status", id: "solving-status", role: "status" }, "Loading…");
  const about = el("p", { class: "about" });
  const canvases = Object.fromEntries(["curves", "now", "violated", "fix"].map((k) => [k,
    el("canvas", { class: `plot ${k}`, role: "img" })]));
  const captions = { curves: el("h3", {}), now: el("h3", {}), fix: el("h3", {}) };
  const orderNote = el("p", { class: "hint", id: "order" });
  const wait = progress(() => { other.stop(); wait.hide(); orderNote.textContent = "Stopped: weights stay grey. Restarting the problem finds BPD’s order again."; });
  const rows = el("tbody", {});
  const links = el("p", { class: "links" });

  const card = (title, canvas, text, extra) => el("section", { class: "card" },
    title, canvas, extra ?? null, el("p", { class: "hint", html: text }));
  const element = el("div", { class: "view" },
    el("p", { class: "lead", html: "<i>N</i> weights <i>w</i><sub>i</sub>, each 0 or 1, must give each of <i>M</i> = <i>αN</i> random patterns its label: output 1 when the weights of its active inputs sum to more than <i>N</i>/<i>A</i>, else 0. Watch four solvers find such weights on the same problem." }),
    el("form", { class: "controls", "aria-label": "The problem and its solver", onsubmit: (e) => e.preventDefault() },
      solver.element,
      el("div", { class: "transport" }, playButton, stepButton, againButton),
      speed.element,
      folded("The problem", ...parameters.map((p) => p.element)),
      el("p", { class: "hint keys", html: "Keys: <kbd>space</kbd> play or pause, <kbd>→</kbd> step, <kbd>R</kbd> restart, <kbd>1</kbd>–<kbd>4</kbd> solver." })),
    el("div", { class: "panels" },
      status,
      el("section", { class: "card wide" }, captions.curves, canvases.curves,
        el("div", { class: "order-key", "aria-hidden": "true" }, el("span", {}, "fixed early"), el("span", { class: "ramp" }), el("span", {}, "fixed late")),
        wait.element, orderNote, about, links),
      card(captions.now, canvases.now, "One bar per weight, in the order in which BPD fixes them."),
      card(el("h3", {}, "Violated patterns"), canvases.violated, "Patterns whose output is not yet their label."),
      card(captions.fix, canvases.fix, "<i>t</i><sub>i</sub><sup>fix</sup> is the last step at which weight <i>i</i> changed its value. Dots: weights; line: mean of twenty groups. Late in BPD’s order usually means late here."),
      el("section", { class: "card" }, el("h3", {}, "On this problem"),
        el("table", { id: "results" }, el("thead", {}, el("tr", {}, ...["Solver", "Steps", "Violated", "Result"].map((t) => el("th", { scope: "col" }, t)))), rows),
        el("p", { class: "hint" }, "Filled in as you play the solvers."))));

  // ---- state

  let playing = false, due = 0, last = 0, asking = false;
  let opened = 0, generation = 0; // problems, runs
  let history = [], current = null, previous = null, arrived = 0, problem = null;
  let rank = null, results = {}, palette = scale(BINS), shown = true, limit = 1;
  let frames = 0, begun = 0;
  const axes = Object.fromEntries(Object.entries(canvases).map(([k, canvas]) =>
    [k, new Axes(canvas, () => k === "curves" ? redrawCurves() : draw())]));

  const now = () => ({
    ...Object.fromEntries(parameters.map((p) => [p.name, p.get()])),
    solver: solver.get(), speed: speed.get(),
  });
  function note() { if (shown) moved(now()); }

  async function open() {
    const mine = ++opened;
    const p = now();
    generation++;
    main.stop();
    other.stop();
    rank = null;
    results = {};
    current = null;
    try {
      problem = await main.ask("problem", p);
      if (mine !== opened) return;
      restart();
      orderNote.textContent = "Curves are grey until BPD’s order of fixing is known.";
      wait.show("Finding BPD’s order of fixing");
      other.onProgress = (share) => wait.at(share);
      await other.ask("problem", p);
      const found = await other.ask("fixingOrder", { seed: p.seed });
      if (mine !== opened) return;
      wait.hide();
      rank = new Int32Array(p.n).fill(p.n - 1);
      found.order.forEach((weight, k) => { rank[weight] = k; });
      orderNote.textContent = found.outcome === "solved" ? ""
        : `BPD itself ended without a solution (${found.outcome}); weights that it did not fix count as last.`;
      redrawCurves();
      draw();
    } catch (error) {
      if (error instanceof Stopped) return;
      wait.hide();
      status.textContent = error.message;
    }
  }

  async function restart() {
    const mine = ++generation;
    setPlaying(false);
    history = [];
    previous = current = null;
    try {
      if (main.busy) {
        main.stop();
        await main.ask("problem", now());
      }
      const first = await main.ask("solver", { name: solver.get(), seed: now().seed });
      if (mine !== generation) return;
      asking = false;
      take([first]);
      redrawCurves();
      say();
      draw();
    } catch (error) {
      if (!(error instanceof Stopped)) status.textContent = error.message;
    }
  }

  function take(path) {
    for (const state of path) {
      previous = current;
      current = state;
      history.push({ step: state.step, errors: state.errors, fields: Float32Array.from(state.fields) });
    }
    arrived = performance.now();
    if (current.outcome !== "running") finish();
  }

  function finish() {
    setPlaying(false);
    results[solver.get()] = { step: current.step, errors: current.errors, outcome: current.outcome };
  }

  async function advance(count) {
    if (asking || !current || current.outcome !== "running") return;
    asking = true;
    const mine = generation;
    try {
      const path = await main.ask("steps", { count });
      if (mine !== generation) return;
      take(path);
      drawNewCurves(path.length);
      say();
      drawViolated();
      drawFix();
      if (!playing) requestAnimationFrame(frame);
    } catch (error) {
      if (!(error instanceof Stopped)) status.textContent = error.message;
    } finally {
      if (mine === generation) asking = false;
    }
  }

  // Frames a second of the last run.
  let rate = 0;
  function setPlaying(on) {
    if (on && current && current.outcome !== "running") {
      restart().then(() => setPlaying(true));
      return;
    }
    if (on === playing) return;
    playing = on;
    playButton.textContent = on ? "Pause" : "Play";
    due = on ? 1 : 0;
    last = begun = performance.now();
    if (on) {
      frames = 0;
      requestAnimationFrame(frame);
    } else {
      element.dataset.fps = rate.toFixed(1);
      element.dataset.frames = frames;
    }
  }

  function frame(time) {
    if (!shown) return;
    if (playing) {
      frames++;
      rate = time > begun + 200 ? 1000 * frames / (time - begun) : 0;
      due = Math.min(due + speed.get() * Math.max(0, time - last) / 1000, 60);
      last = time;
      if (due >= 1 && !asking) {
        const count = Math.floor(due);
        due -= count;
        advance(count);
      }
    }
    if (current) drawBars();
    if (playing || performance.now() - arrived < 300) requestAnimationFrame(frame);
  }

  // ---- words

  function say() {
    const s = SOLVERS[solver.get()];
    const what = `${current.step} ${current.step === 1 ? s.step : s.plural}`;
    const left = `${current.errors} of ${problem.m} patterns violated`;
    status.textContent = current.outcome === "running"
      ? `${s.name}: ${what}, ${left}.${current.step ? "" : " Press Play."}`
      : current.outcome === "solved" ? `${s.name}: solved after ${what}.`
        : `${s.name}: not solved (${current.outcome}) after ${what}, ${left}.`;
    status.dataset.outcome = current.outcome;
    status.dataset.step = current.step;
    if (problem.contradiction) status.textContent += ` No weights can solve this problem: ${problem.contradiction}.`;
    captions.curves.textContent = `${s.name}: every ${s.state} over time`;
    captions.now.textContent = `Now: ${s.state}`;
    captions.fix.textContent = "When weights settle";
    about.textContent = s.about;
    const p = now();
    links.replaceChildren(el("a", { href: address("theory", { a: p.a, fin: p.fin, alpha: p.alpha }) }, "What theory predicts for such problems"));
    rows.replaceChildren(...Object.entries(SOLVERS).map(([key, t]) => {
      const r = results[key];
      return el("tr", {}, el("th", { scope: "row" }, t.name), el("td", {}, r ? String(r.step) : "–"),
        el("td", {}, r ? String(r.errors) : "–"), el("td", {}, r ? (r.outcome === "solved" ? "solved" : "not solved") : "–"));
    }));
    canvases.curves.setAttribute("aria-label", `Curves of ${s.state} of ${problem.n} weights over ${current.step} ${s.plural}`);
    canvases.now.setAttribute("aria-label", `${count(current.weights)} of ${problem.n} weights are 1 now`);
    canvases.violated.setAttribute("aria-label", `Violated patterns over time, now ${current.errors} of ${problem.m}`);
    canvases.fix.setAttribute("aria-label", "Step at which each weight changed last, against its place in BPD’s order");
  }
  const count = (bits) => bits.reduce((a, b) => a + b, 0);

  // ---- pictures

  // Hidden states of SBPI are odd numbers: curves of one value are drawn side by
  // side, in BPD's order.
  const shift = (i) => rank && solver.get() === "sbpi" ? 1.6 * rank[i] / problem.n - 0.8 : 0;
  const clip = (h) => Math.max(-limit, Math.min(limit, Number.isNaN(h) ? 0 : h));

  function setLimit() {
    if (solver.get() !== "sbpi") limit = FAR;
    else {
      const most = Math.max(...history.map((s) => s.fields.reduce((a, h) => Math.max(a, Math.abs(h)), 0)));
      limit = Math.max(9, 4 * Math.ceil((most + 2) / 4));
    }
  }

  const xMost = () => {
    let most = 16;
    while (most < history.at(-1).step) most *= 2;
    return most;
  };

  const chosen = () => {
    const n = problem.n, every = Math.max(1, n / Math.min(n, CURVES));
    return Array.from({ length: Math.floor(n / every) }, (_, k) => Math.floor(k * every));
  };
  const bin = (i) => Math.min(BINS - 1, Math.floor(BINS * rank[i] / problem.n));

  let drawnMost = 0, groups = [];
  function redrawCurves() {
    if (!current || !shown) return;
    setLimit();
    palette = scale(BINS);
    const a = axes.curves;
    a.fit();
    drawnMost = xMost();
    a.range({ x: [0, drawnMost], y: [-limit, limit] });
    a.begin();
    a.frame({ xName: SOLVERS[solver.get()].plural, yName: SOLVERS[solver.get()].state });
    a.end();
    groups = Array.from({ length: rank ? BINS : 1 }, () => []);
    for (const i of chosen()) groups[rank ? bin(i) : 0].push(i);
    const every = Math.max(1, Math.floor(history.length / 600));
    stroke(history.filter((_, k) => k % every === 0 || k === history.length - 1));
  }

  function stroke(path) {
    const a = axes.curves, g = a.context;
    g.lineWidth = 1;
    g.globalAlpha = problem.n > 200 ? 0.55 : 0.8;
    groups.forEach((members, b) => {
      g.strokeStyle = rank ? palette[b] : colours().dim;
      g.beginPath();
      for (const i of members) {
        const aside = shift(i);
        g.moveTo(a.x(path[0].step), a.y(clip(path[0].fields[i]) + aside));
        for (let k = 1; k < path.length; k++)
          g.lineTo(a.x(path[k].step), a.y(clip(path[k].fields[i]) + aside));
      }
      g.stroke();
    });
    g.globalAlpha = 1;
  }

  function drawNewCurves(count) {
    const before = limit;
    if (history.at(-1).step > drawnMost) return redrawCurves();
    if (solver.get() === "sbpi") {
      const most = history.at(-1).fields.reduce((a, h) => Math.max(a, Math.abs(h)), 0);
      if (most > before) return redrawCurves();
    }
    stroke(history.slice(-count - 1));
  }

  function draw() {
    if (!current || !shown) return;
    drawBars();
    drawViolated();
    drawFix();
  }

  // Bars move from the state before to the current one.
  function drawBars() {
    const a = axes.now, n = problem.n, c = colours();
    const pace = playing ? Math.min(220, 900 / speed.get()) : 220;
    const part = previous ? Math.min(1, (performance.now() - arrived) / pace) : 1;
    a.range({ x: [0, n], y: [-limit, limit] });
    const g = a.begin();
    a.frame({ xName: rank ? "place in BPD’s order" : "weight", yName: SOLVERS[solver.get()].state });
    const zero = a.y(0), wide = Math.max(0.6, (a.x(1) - a.x(0)) * 0.86);
    for (let i = 0; i < n; i++) {
      const from = previous ? clip(previous.fields[i]) : 0, to = clip(current.fields[i]);
      const at = a.y(from + part * (to - from));
      g.fillStyle = rank ? palette[bin(i)] : c.dim;
      g.fillRect(a.x(rank ? rank[i] : i), Math.min(at, zero), wide, Math.max(1, Math.abs(at - zero)));
    }
    a.end();
  }

  function drawViolated() {
    const a = axes.violated, c = colours();
    const every = Math.max(1, Math.floor(history.length / 800));
    const some = history.filter((_, k) => k % every === 0 || k === history.length - 1);
    a.range({ x: [0, xMost()], y: [0, Math.max(4, ...some.map((s) => s.errors)) * 1.05] });
    a.begin();
    a.frame({ xName: SOLVERS[solver.get()].plural, yName: "patterns" });
    a.line(some.map((s) => s.step), some.map((s) => s.errors), { colour: c.accent, width: 2 });
    a.dot(current.step, current.errors, { colour: c.accent, radius: 5, ring: true });
    a.end();
  }

  function drawFix() {
    const a = axes.fix, n = problem.n, c = colours();
    const most = Math.max(4, current.step);
    a.range({ x: [0, n], y: [0, most * 1.05] });
    a.begin();
    a.frame({ xName: rank ? "place in BPD’s order" : "waiting for BPD’s order", yName: "t fix" });
    if (rank) {
      const sum = new Float64Array(20), many = new Float64Array(20);
      for (let i = 0; i < n; i++) {
        const group = Math.min(19, Math.floor(20 * rank[i] / n));
        sum[group] += current.tFix[i];
        many[group]++;
        a.dot(rank[i] + 0.5, current.tFix[i], { colour: palette[bin(i)], radius: 2, alpha: 0.8 });
      }
      a.line(Array.from(sum, (_, k) => (k + 0.5) * n / 20), Array.from(sum, (s, k) => s / many[k]), { colour: c.ink, width: 2 });
      const r = spearman(rank, current.tFix);
      captions.fix.textContent = Number.isFinite(r)
        ? `When weights settle (rank correlation with BPD’s order ${format(r, 2)})` : "When weights settle";
    }
    a.end();
  }

  // ---- from outside

  function key(event) {
    const digit = "1234".indexOf(event.key);
    if (event.key === " ") setPlaying(!playing);
    else if (event.key === "ArrowRight") { setPlaying(false); advance(1); }
    else if (event.key.toLowerCase() === "r") restart();
    else if (digit >= 0 && event.key) {
      solver.set(Object.keys(SOLVERS)[digit]);
      note();
      restart();
    } else return false;
    return true;
  }

  open();
  return {
    element, key,
    redraw() { redrawCurves(); draw(); },
    show() { shown = true; moved(now()); requestAnimationFrame(() => { redrawCurves(); draw(); }); },
    hide() { setPlaying(false); shown = false; },
    close() { opened++; generation++; main.stop(); other.stop(); },
  };
}

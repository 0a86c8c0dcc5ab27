// Solution space: every solution of a small problem, its clusters, decimation.
import { address } from "./address.js";
import { Client, Stopped } from "./client.js";
import { debounce, el, folded, format, grouped, number, progress } from "./controls.js";
import { Axes, colours } from "./plot.js";

const SHAPES = 7; // clusters with a colour and a shape of their own

// Circle, square, triangle, diamond, triangle down, plus, cross.
function mark(g, kind, x, y, r) {
  g.beginPath();
  if (kind === 0) g.arc(x, y, r, 0, 2 * Math.PI);
  else if (kind === 1) g.rect(x - r * 0.9, y - r * 0.9, 1.8 * r, 1.8 * r);
  else if (kind === 3) { g.moveTo(x, y - 1.25 * r); g.lineTo(x + 1.25 * r, y); g.lineTo(x, y + 1.25 * r); g.lineTo(x - 1.25 * r, y); }
  else if (kind === 2 || kind === 4) {
    const s = kind === 2 ? 1 : -1;
    g.moveTo(x, y - s * 1.2 * r); g.lineTo(x + 1.15 * r, y + s * 0.9 * r); g.lineTo(x - 1.15 * r, y + s * 0.9 * r);
  } else {
    const t = r * 0.4, turn = kind === 5 ? 0 : Math.PI / 4;
    for (let k = 0; k < 4; k++) {
      const c = Math.cos(turn + k * Math.PI / 2), s = Math.sin(turn + k * Math.PI / 2);
      const p = (u, v) => [x + u * c - v * s, y + u * s + v * c];
      const [a, b, d] = [p(t, -t), p(1.3 * r, -t), p(1.3 * r, t)];
      if (k === 0) g.moveTo(...a); else g.lineTo(...a);
      g.lineTo(...b);
      g.lineTo(...d);
    }
  }
  g.closePath();
}

export function spaceView({ values, moved }) {
  const client = new Client();
  const start = debounce(300, () => open());
  const later = debounce(60, () => after());
  const parameters = [
    { name: "n", label: "Weights <i>N</i>", low: 10, high: 40, step: 1, limit: 50, value: 40 },
    { name: "alpha", label: "Patterns per weight <i>α</i>", low: 0.05, high: 1, step: 0.01, value: 0.5 },
    { name: "fin", label: "Share of active inputs <i>f</i><sub>in</sub>", low: 0.05, high: 0.95, step: 0.01, value: 0.3 },
    { name: "a", label: "<i>A</i>: the threshold is <i>N</i>/<i>A</i>", low: 2, high: 40, step: 1, limit: 1000, value: 12 },
    { name: "seed", label: "Seed of the random problem", low: 0, high: 100, step: 1, limit: 2 ** 53 - 1, value: 3 },
  ].map((p) => number({ ...p, value: Number(values[p.name] ?? p.value), change: () => { chosen = null; fixed.set(0); note(); start(); } }));
  const fixed = number({ name: "fixed", label: "Weights fixed by decimation <i>N</i><sub>fix</sub>", low: 0, high: 1, step: 1,
    limit: 128, value: Number(values.fixed ?? 0), change: () => { note(); later(); } });
  const wait = progress(() => { client.stop(); wait.hide(); say("Stopped. Change a parameter to start again."); });

  const status = el("p", { class: "status", id: "space-status", role: "status" }, "Loading…");
  const map = el("canvas", { class: "plot map", tabindex: 0, role: "img" });
  const along = el("canvas", { class: "plot", role: "img" });
  const near = el("canvas", { class: "plot", role: "img" });
  const facts = Object.fromEntries(["solutions", "clusters", "largest", "x", "same", "diff"].map((k) => [k, el("dd", { id: `space-${k}` }, "–")]));
  const fact = (name, key) => el("div", {}, el("dt", { html: name }), facts[key]);
  const legend = el("p", { class: "legend" });
  const links = el("p", { class: "links" });
  const chosenWords = el("p", { id: "chosen", class: "hint", role: "status" }, "Click a point, or use the buttons.");
  const bits = el("div", { class: "bits", role: "img", "aria-label": "no solution chosen" });
  const go = (step) => el("button", { type: "button", onclick: () => move(step) }, step > 0 ? "Next solution" : "Previous");

  const element = el("div", { class: "view" },
    el("p", { class: "lead", html: "For a small problem all weights that satisfy every pattern can be listed. Two solutions are neighbours when they differ in one weight; solutions that are connected by such steps form a <b>cluster</b>. <b>Decimation</b> fixes the most certain weight, again and again, and keeps the solutions that agree with it: watch the space condense." }),
    el("form", { class: "controls", "aria-label": "The problem", onsubmit: (e) => e.preventDefault() },
      fixed.element, folded("The problem", ...parameters.map((p) => p.element)),
      el("p", { class: "hint keys", html: "Keys: <kbd>←</kbd> <kbd>→</kbd> fix fewer or more weights, <kbd>N</kbd> <kbd>P</kbd> next or previous solution." })),
    el("div", { class: "panels" }, status, wait.element,
      el("section", { class: "card tall" }, el("h3", {}, "Map of the solutions"), map, legend,
        el("p", { class: "hint" }, "Distances on the map are as close as possible to the number of weights in which two solutions differ (Sammon’s map). Faint points are solutions that decimation has removed.")),
      el("section", { class: "card" }, el("h3", {}, "What is left"),
        el("dl", { class: "facts" }, fact("solutions", "solutions"), fact("clusters", "clusters"), fact("largest cluster", "largest"),
          fact("<i>x</i>*", "x"), fact("<i>q</i><sub>same</sub>", "same"), fact("<i>q</i><sub>diff</sub>", "diff")),
        el("p", { class: "hint", html: "<i>x</i>* is the chance that two solutions drawn at random lie in different clusters; <i>q</i><sub>same</sub> and <i>q</i><sub>diff</sub> are the mean overlaps Σ <i>w</i><sub>i</sub><i>w</i><sub>i</sub>′ / <i>N</i><sub>unfixed</sub> within one cluster and between two." }), links),
      el("section", { class: "card" }, el("h3", {}, "Along decimation"), along,
        el("p", { class: "legend" }, key(1, "<i>x</i>*"), key(2, "<i>q</i><sub>same</sub>"), key(3, "<i>q</i><sub>diff</sub>"))),
      el("section", { class: "card wide split" },
        el("div", {}, el("h3", {}, "One solution"), el("div", { class: "transport" }, go(-1), go(1)), chosenWords, bits,
          el("p", { class: "hint" }, "Filled: weight 1. A frame marks weights that can be flipped alone: each gives a neighbour.")),
        el("div", {}, el("h3", {}, "Solutions around it"), near,
          el("p", { class: "hint", html: "Local entropy: (1/<i>N</i>) ln of the number of solutions that differ in <i>d</i> weights. Zero also where there is one or none." })))));

  function key(k, text, shape = "") { return el("span", {}, el("i", { class: `dot ${shape}`, style: `background:var(--c${k})`, "aria-hidden": "true" }), el("span", { html: text })); }

  let shown = true, space = null, state = null, chosen = values.solution === undefined ? null : Number(values.solution), detail = null, generation = 0;
  const axes = { map: new Axes(map, () => drawMap()), along: new Axes(along, () => drawAlong()), near: new Axes(near, () => drawNear()) };
  const now = () => ({ ...Object.fromEntries(parameters.map((p) => [p.name, p.get()])), fixed: fixed.get(), solution: chosen });
  function note() { if (shown) moved(now()); }
  function say(text) { status.textContent = text; }

  async function guarded(work) {
    try {
      await work(++generation);
    } catch (error) {
      if (!(error instanceof Stopped)) { wait.hide(); say(error.message); }
    }
  }

  const open = () => guarded(async (mine) => {
    const p = now();
    status.dataset.ready = "";
    client.stop();
    space = state = detail = null;
    wait.show("Searching for all solutions");
    client.onProgress = (share, found) => { wait.at(share); if (!space) say(`Searching: ${grouped(String(found))} solutions so far.`); };
    const problem = await client.ask("problem", p);
    const found = await client.ask("space");
    if (mine !== generation) return;
    space = { ...found, ...problem };
    status.dataset.count = found.count;
    if (!found.listed || found.count === "0") {
      wait.hide();
      clear();
      say(found.count === "0" ? `No solution. ${problem.contradiction || "The patterns exclude all weights together."}`
        : `${grouped(found.count)} solutions: too many to list and map here. More patterns per weight leave fewer.`);
      status.dataset.ready = "counted";
      return;
    }
    fixed.high(found.steps.length - 1);
    if (fixed.get() > found.steps.length - 1) fixed.set(0);
    await after();
  });

  const after = () => guarded(async (mine) => {
    if (!space?.listed) return;
    wait.show("Drawing the map");
    const at = fixed.get();
    const answer = await client.ask("spaceAfter", { fixed: at });
    if (mine !== generation) return;
    wait.hide();
    state = answer;
    const step = space.steps[at], left = Math.round(Math.exp(step.logCount));
    say(`${grouped(space.count)} solution${space.count === "1" ? "" : "s"} of ${space.m} patterns`
      + (at ? `, ${grouped(String(left))} left after ${at} weights are fixed` : "") + ` in ${step.clusters} cluster${step.clusters === 1 ? "" : "s"}.`);
    facts.solutions.textContent = grouped(String(left));
    facts.clusters.textContent = step.clusters;
    facts.largest.textContent = step.largest;
    facts.x.textContent = format(step.x);
    facts.same.textContent = format(step.qSame);
    facts.diff.textContent = format(step.qDiff);
    describe(at, step);
    if (chosen === null || chosen >= Number(space.count)) chosen = state.points.find((p) => p.cluster >= 0)?.solution ?? null;
    await look(mine);
    draw();
    status.dataset.fixed = at;
    status.dataset.ready = "mapped";
  });

  function describe(at, step) {
    const { fixed: _, solution: __, ...p } = now();
    links.replaceChildren(el("a", { href: address("solving", p) }, "Watch solvers find one of them"), el("a", { href: address("theory", p) }, "Compare with theory"));
    const c = state.sizes.length;
    legend.replaceChildren(...Array.from(state.sizes.slice(0, SHAPES), (size, k) => key(k + 1, `${size}`, `shape${k}`)),
      ...(step.clusters > SHAPES ? [el("span", {}, el("i", { class: "dot shape0", style: "background:var(--dim)", "aria-hidden": "true" }), `${step.clusters - Math.min(c, SHAPES)} smaller`)] : []));
    legend.prepend(el("span", {}, "Clusters by size:"));
    map.setAttribute("aria-label", `Map of ${state.points.length} solutions, ${state.points.filter((p) => p.cluster >= 0).length} of them left, in ${step.clusters} clusters`);
    along.setAttribute("aria-label", `x*, q same and q diff against the number of fixed weights, now ${at}`);
  }

  function clear() {
    for (const value of Object.values(facts)) value.textContent = "–";
    if (space) facts.solutions.textContent = grouped(space.count);
    state = detail = null;
    for (const a of Object.values(axes)) a.begin();
    bits.replaceChildren();
    legend.replaceChildren();
    for (const canvas of [map, along, near]) canvas.setAttribute("aria-label", "nothing to draw");
    chosenWords.textContent = "";
  }

  async function look(mine) {
    if (chosen === null) return;
    const answer = await client.ask("solution", { k: chosen, others: state.points.map((p) => p.solution) });
    if (mine !== generation) return;
    detail = answer;
    const neighbours = detail.flips.reduce((a, b) => a + b, 0);
    chosenWords.textContent = `Solution ${chosen + 1} of ${space.count}: ${neighbours} neighbour${neighbours === 1 ? "" : "s"}, `
      + (detail.cluster < 0 ? "removed by decimation." : `in cluster ${detail.cluster + 1} with ${detail.size} solution${detail.size === 1 ? "" : "s"}.`);
    const order = new Set(space.steps.slice(1, fixed.get() + 1).map((s) => s.weight));
    bits.replaceChildren(...Array.from(detail.weights, (w, i) => el("span", { class: `${w ? "one" : ""} ${detail.flips[i] ? "free" : ""} ${order.has(i) ? "fixed" : ""}` })));
    bits.setAttribute("aria-label", `Weights: ${detail.weights.join("")}`);
    near.setAttribute("aria-label", `Solutions at distance 1, 2, …: ${Array.from(detail.around).slice(1).join(", ")}`);
    note();
  }

  const choose = (k) => guarded(async (mine) => { chosen = k; await look(mine); draw(); });

  function move(step) {
    const there = state?.points.filter((p) => p.cluster >= 0).sort((a, b) => a.cluster - b.cluster || a.solution - b.solution) ?? [];
    if (!there.length) return;
    const at = there.findIndex((p) => p.solution === chosen);
    choose(there[(at + step + there.length) % there.length].solution);
  }

  // ---- pictures

  function place() {
    const { points } = state, a = axes.map;
    const xs = points.map((p) => p.x), ys = points.map((p) => p.y);
    const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const size = Math.max(x1 - x0, y1 - y0, 1) * 1.08, r = Math.min(a.width, a.height) / size;
    return (p) => [a.width / 2 + r * (p.x - (x0 + x1) / 2), a.height / 2 - r * (p.y - (y0 + y1) / 2)];
  }

  function drawMap() {
    if (!state || !shown) return;
    const g = axes.map.begin(), c = colours(), at = place();
    const sorted = state.points.map((p, k) => ({ ...p, k })).sort((p, q) => (p.cluster < 0 ? -1 : 1) - (q.cluster < 0 ? -1 : 1) || q.cluster - p.cluster);
    if (detail) {
      const here = state.points.findIndex((p) => p.solution === chosen);
      if (here >= 0) {
        g.strokeStyle = c.ink;
        for (const p of sorted) if (detail.distances[p.k] === 1) {
          g.beginPath();
          g.moveTo(...at(state.points[here]));
          g.lineTo(...at(p));
          g.stroke();
        }
      }
    }
    for (const p of sorted) {
      const [x, y] = at(p), big = p.cluster >= 0 && p.cluster < SHAPES;
      g.globalAlpha = p.cluster < 0 ? 0.16 : 0.9;
      g.fillStyle = big ? c.series[p.cluster] : c.dim;
      mark(g, big ? p.cluster : 0, x, y, p.cluster < 0 ? 2.5 : big ? 4 : 3);
      g.fill();
    }
    g.globalAlpha = 1;
    const here = state.points.find((p) => p.solution === chosen);
    if (here) {
      g.strokeStyle = c.ink;
      g.lineWidth = 2.5;
      g.beginPath();
      g.arc(...at(here), 9, 0, 2 * Math.PI);
      g.stroke();
    }
  }

  function drawAlong() {
    if (!state || !shown) return;
    const a = axes.along, c = colours(), steps = space.steps, xs = steps.map((_, k) => k);
    a.range({ x: [0, Math.max(1, steps.length - 1)], y: [0, 1] });
    a.begin();
    a.frame({ xName: "weights fixed", yName: "" });
    a.rule(fixed.get(), { colour: c.ink });
    ["x", "qSame", "qDiff"].forEach((name, k) => {
      a.line(xs, steps.map((s) => s[name]), { colour: c.series[k], width: 2, dash: [[], [7, 3], [2, 3]][k] });
      a.dot(fixed.get(), steps[fixed.get()][name], { colour: c.series[k], radius: 5, ring: true });
    });
    a.end();
  }

  function drawNear() {
    if (!detail || !shown) return;
    const a = axes.near, c = colours(), n = detail.weights.length;
    const values = Array.from(detail.around, (count) => count > 0 ? Math.log(count) / n : 0);
    a.range({ x: [0.4, values.length - 0.4], y: [0, Math.max(0.05, ...values) * 1.1] });
    const g = a.begin();
    a.frame({ xName: "distance d", yName: "local entropy" });
    for (let d = 1; d < values.length; d++) {
      g.fillStyle = c.accent;
      const top = a.y(values[d]);
      g.fillRect(a.x(d - 0.36), top, a.x(d + 0.36) - a.x(d - 0.36), a.y(0) - top);
    }
    a.end();
  }

  function draw() { drawMap(); drawAlong(); drawNear(); }

  map.addEventListener("click", (event) => {
    if (!state) return;
    const at = place(), far = (p) => { const [x, y] = at(p); return Math.hypot(x - event.offsetX, y - event.offsetY); };
    const best = state.points.reduce((a, b) => far(b) < far(a) ? b : a);
    if (far(best) < 30) choose(best.solution);
  });

  open();
  return {
    element, redraw: draw,
    key(event) {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step && space?.listed) {
        fixed.set(Math.max(0, Math.min(space.steps.length - 1, fixed.get() + step)));
        note();
        later();
      } else if (event.key.toLowerCase() === "n") move(1);
      else if (event.key.toLowerCase() === "p") move(-1);
      else return false;
      return true;
    },
    show() { shown = true; moved(now()); requestAnimationFrame(draw); },
    hide() { shown = false; },
    close() { client.stop(); },
  };
}

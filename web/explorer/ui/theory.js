// Theory: what the replica method predicts, and one small problem beside it.
import { address } from "./address.js";
import { Client, Stopped } from "./client.js";
import { debounce, el, folded, format, grouped, number, progress } from "./controls.js";
import { Axes, colours } from "./plot.js";

const SHARES = [0.1, 0.2, 0.3, 0.4, 0.5]; // f_in of the curves of capacity
const A_FROM = 2, A_TO = 200;

const spread = (low, high, count) => Array.from({ length: count }, (_, k) => low + (high - low) * k / (count - 1));

export function theoryView({ values, moved }) {
  const client = new Client(), exact = new Client();
  const soon = debounce(200, () => compute());
  const measureSoon = debounce(400, () => measure());
  const change = () => { note(); soon(); measureSoon(); };
  const model = [
    { name: "a", label: "<i>A</i>: the threshold is <i>N</i>/<i>A</i>", low: A_FROM, high: A_TO, step: 0.1, log: true, value: 12 },
    { name: "fin", label: "Share of active inputs <i>f</i><sub>in</sub>", low: 0.05, high: 0.95, step: 0.01, value: 0.5 },
    { name: "alpha", label: "Patterns per weight <i>α</i>", low: 0.01, high: 0.8, step: 0.01, value: 0.3 },
  ].map((p) => number({ ...p, value: Number(values[p.name] ?? p.value), change }));
  const instance = [
    { name: "n", label: "Weights <i>N</i>", low: 10, high: 40, step: 1, value: 30 },
    { name: "seed", label: "Seed", low: 0, high: 100, step: 1, limit: 2 ** 53 - 1, value: 1 },
  ].map((p) => number({ ...p, value: Number(values[p.name] ?? p.value), change: () => { note(); measureSoon(); } }));
  const wait = progress(() => { client.stop(); exact.stop(); wait.hide(); status.textContent = "Stopped. Move a slider to start again."; });
  const status = el("p", { class: "status", id: "theory-status", role: "status" }, "Loading…");
  const links = el("p", { class: "links" });
  const measured = el("p", { class: "hint", id: "measured", role: "status" });
  const plots = Object.fromEntries(["capacity", "entropy", "local"].map((k) => [k, el("canvas", { class: "plot high", role: "img" })]));
  const key = (k, text, dash) => el("span", {}, el("i", { class: dash ? "dot dashed" : "dot", style: `--k:var(--c${k});background:var(--c${k})`, "aria-hidden": "true" }), el("span", { html: text }));

  const element = el("div", { class: "view" },
    el("p", { class: "lead", html: "For <i>N</i> → ∞ the replica method predicts how many patterns can be stored, how many solutions there are, and how they lie around each other. Entropies are natural logarithms of numbers of solutions, per weight. Everything depends on <i>A</i> and <i>f</i><sub>in</sub> through their product alone." }),
    el("form", { class: "controls", "aria-label": "The model", onsubmit: (e) => e.preventDefault() },
      ...model.map((p) => p.element), folded("The measured problem", ...instance.map((p) => p.element))),
    el("div", { class: "panels" }, status, wait.element,
      el("section", { class: "card" }, el("h3", { html: "Capacity <i>α</i><sub>c</sub>" }), plots.capacity,
        el("p", { class: "legend" }, ...SHARES.map((f, k) => key(k + 1, `<i>f</i><sub>in</sub> = ${f}`))),
        el("p", { class: "hint", html: "The largest <i>α</i> with solutions, against <i>A</i>, for five shares of active inputs; the ring is your <i>A</i> and <i>f</i><sub>in</sub>." })),
      el("section", { class: "card" }, el("h3", {}, "Entropy of the solutions"), plots.entropy,
        el("p", { class: "legend" }, key(1, "theory"), key(2, "this problem, counted")),
        el("p", { class: "hint", html: "It falls with every pattern and vanishes at <i>α</i><sub>c</sub>. The orange point counts the solutions of one random problem; single small problems scatter widely." })),
      el("section", { class: "card wide" }, el("h3", {}, "Local entropy: solutions at distance D"), plots.local,
        el("p", { class: "legend" }, key(1, "around a typical solution (Franz–Parisi)"), key(3, "in the densest region"), key(6, "all configurations", true), key(2, "this problem, mean over its solutions")),
        el("p", { class: "hint", html: "<i>D</i> is the share of weights in which two configurations differ. Where the blue curve is below zero, typical solutions are isolated; at small <i>D</i> the densest region stays close to the bound of all configurations." }),
        measured, links)));

  let shown = true, generation = 0, measuring = 0, curve = null, found = null, point = null;
  const axes = Object.fromEntries(Object.entries(plots).map(([k, canvas]) => [k, new Axes(canvas, () => draw())]));
  const now = () => Object.fromEntries([...model, ...instance].map((p) => [p.name, p.get()]));
  function note() { if (shown) moved(now()); }

  // alpha_c as a function of A f_in, once.
  async function capacities() {
    if (curve) return;
    const products = spread(Math.log(A_FROM * 0.05), Math.log(A_TO * 0.95), 56).map(Math.exp);
    const alphas = [];
    for (const [k, product] of products.entries()) {
      wait.at(k / products.length);
      alphas.push(product <= 1 ? 0 : await client.ask("capacity", { a: 2 * product, fin: 0.5 }).catch((e) => { if (e instanceof Stopped) throw e; return NaN; }));
    }
    curve = { logs: products.map(Math.log), alphas };
  }

  function capacityAt(product) {
    const { logs, alphas } = curve, x = Math.log(product);
    const k = Math.max(0, Math.min(logs.length - 2, Math.floor((x - logs[0]) / (logs[1] - logs[0]))));
    const part = (x - logs[k]) / (logs[k + 1] - logs[k]);
    return alphas[k] + part * (alphas[k + 1] - alphas[k]);
  }

  async function compute() {
    const mine = ++generation, p = now();
    status.dataset.ready = "";
    if (client.busy && curve) client.stop();
    try {
      wait.show(curve ? "Solving the saddle-point equations" : "Computing the curves of capacity");
      const alphaC = await client.ask("capacity", p);
      await capacities();
      if (mine !== generation) return;
      const loads = alphaC > 0 ? spread(alphaC / 60, alphaC * 1.08, 30) : [];
      const entropies = [];
      for (const alpha of loads) {
        const answer = await client.ask("entropy", { ...p, alpha }).catch((e) => { if (e instanceof Stopped) throw e; return { entropy: NaN }; });
        entropies.push(answer.entropy);
      }
      let here = null, typical = null, dense = null;
      const distances = [0.002, 0.005, ...spread(0.01, 0.3, 30)];
      if (p.a * p.fin > 1) {
        wait.show("Following the local entropies");
        here = await client.ask("entropy", p).catch(ignore);
        typical = await client.ask("local", { ...p, dense: false, distances }).catch(ignore);
        dense = await client.ask("local", { ...p, dense: true, distances }).catch(ignore);
      }
      if (mine !== generation) return;
      wait.hide();
      found = { p, alphaC, loads, entropies, here, distances, typical, dense };
      say();
      draw();
      status.dataset.ready = "yes";
    } catch (error) {
      if (!(error instanceof Stopped)) { wait.hide(); status.textContent = error.message; }
    }
  }
  function ignore(error) {
    if (error instanceof Stopped) throw error;
    return null;
  }

  async function measure() {
    const mine = ++measuring, p = now();
    measured.dataset.ready = "";
    exact.stop();
    point = null;
    try {
      measured.textContent = "Counting the solutions of this problem…";
      const problem = await exact.ask("problem", p);
      const space = await exact.ask("space");
      const local = space.listed && space.count !== "0" ? await exact.ask("localEntropy", { most: 400 }) : [];
      if (mine !== measuring) return;
      point = { n: p.n, alpha: problem.m / p.n, entropy: Math.log(Number(space.count)) / p.n, local: Array.from(local) };
      measured.textContent = space.count === "0" ? "This problem has no solution; try another seed or fewer patterns."
        : `This problem (N = ${p.n}, ${problem.m} patterns, seed ${p.seed}) has ${grouped(space.count)} solutions: entropy ${format(point.entropy)} per weight.`
        + (space.listed ? "" : " Too many to list: no local entropy.");
      links.replaceChildren(el("a", { href: address("space", p) }, "Map the solutions of this problem"));
      measured.dataset.ready = "yes";
      draw();
    } catch (error) {
      if (!(error instanceof Stopped)) measured.textContent = error.message;
    }
  }

  function say() {
    const { p, alphaC, here } = found;
    const sum = p.a * p.fin;
    status.dataset.capacity = alphaC.toFixed(8);
    status.innerHTML = sum <= 1 ? "<i>A</i> <i>f</i><sub>in</sub> is at most 1: the threshold cannot be reached, and nothing can be stored."
      : `Capacity <i>α</i><sub>c</sub> = ${alphaC.toFixed(8)}. At α = ${p.alpha}: `
      + (here ? `entropy ${format(here.entropy)}, overlap q = ${format(here.overlap)} of two typical solutions, which differ in ${format(100 * here.distance, 3)} % of their weights.`
        : "no saddle point.") + (here && here.entropy < 0 ? " Above capacity: a negative entropy means that typically there is no solution." : "");
    plots.capacity.setAttribute("aria-label", `Capacity against A; at A = ${p.a}, f in = ${p.fin}: ${alphaC.toFixed(4)}`);
    plots.entropy.setAttribute("aria-label", `Entropy against alpha, zero at ${alphaC.toFixed(4)}`);
    plots.local.setAttribute("aria-label", `Local entropies at alpha = ${p.alpha}`);
  }

  function draw() {
    if (!found || !shown) return;
    drawCapacity();
    drawEntropy();
    drawLocal();
  }

  function drawCapacity() {
    const a = axes.capacity, c = colours(), p = found.p;
    const xs = spread(Math.log(A_FROM), Math.log(A_TO), 120).map(Math.exp);
    a.range({ x: [A_FROM, A_TO], y: [0, 0.65], logX: true });
    a.begin();
    a.frame({ xName: "A", yName: "capacity", xTicks: [2, 5, 10, 20, 50, 100, 200] });
    SHARES.forEach((f, k) => a.line(xs, xs.map((x) => x * f > 1 ? capacityAt(x * f) : NaN), { colour: c.series[k], width: Math.abs(f - p.fin) < 1e-9 ? 3 : 1.5 }));
    a.line([A_FROM, A_TO], [p.alpha, p.alpha], { colour: c.dim, width: 1, dash: [4, 4] });
    a.dot(p.a, found.alphaC, { colour: c.ink, radius: 6, ring: true });
    a.end();
  }

  function drawEntropy() {
    const a = axes.entropy, c = colours(), { p, loads, entropies, alphaC } = found;
    const finite = [...entropies, point?.entropy].filter(Number.isFinite);
    const top = Math.max(0.1, ...finite) * 1.06;
    a.range({ x: [0, Math.max(alphaC * 1.1, p.alpha * 1.1, 0.1)], y: [Math.min(-0.04, Math.max(-0.15, Math.min(...finite, 0))), top] });
    a.begin();
    a.frame({ xName: "α", yName: "entropy per weight" });
    a.line([0, 9], [0, 0], { colour: c.edge || c.dim, width: 1 });
    a.rule(p.alpha, { colour: c.dim });
    a.line(loads, entropies, { colour: c.series[0], width: 2.5 });
    if (found.here) a.dot(p.alpha, found.here.entropy, { colour: c.series[0], radius: 5, ring: true });
    if (point) a.dot(point.alpha, point.entropy, { colour: c.series[1], radius: 6, ring: true });
    a.end();
  }

  function drawLocal() {
    const a = axes.local, c = colours(), { distances, typical, dense } = found;
    const bound = (dense ?? typical)?.bound ?? [];
    const top = Math.max(0.1, ...Array.from(bound).filter(Number.isFinite));
    a.range({ x: [0, 0.3], y: [-0.25 * top, top * 1.03] });
    a.begin();
    a.frame({ xName: "distance D", yName: "local entropy per weight" });
    a.line([0, 1], [0, 0], { colour: c.dim, width: 1 });
    a.line(distances, bound, { colour: c.series[5], width: 2, dash: [5, 4] });
    if (typical) a.line(distances, typical.entropy, { colour: c.series[0], width: 2.5 });
    if (dense) a.line(distances, dense.entropy, { colour: c.series[2], width: 2.5 });
    point?.local.forEach((v, k) => a.dot((k + 1) / point.n, v, { colour: c.series[1], radius: 5, ring: true }));
    a.end();
  }

  compute();
  measure();
  return {
    element, redraw: draw,
    show() { shown = true; moved(now()); requestAnimationFrame(draw); },
    hide() { shown = false; },
    close() { client.stop(); exact.stop(); },
  };
}

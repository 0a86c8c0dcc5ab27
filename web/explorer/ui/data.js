// Your data: a small table, its weights and margins.
import { Client, Stopped } from "./client.js";
import { choice, el, folded, format, number, progress } from "./controls.js";
import { Axes, colours } from "./plot.js";

const LINK = 6000; // characters of a table that still go into the address

// Rows that a rule labels: 1 where at least two of rain, wind, cold hold.
const EXAMPLE = `label,rain,wind,cold,weekend,music
1,1,1,0,0,1
1,1,0,1,1,0
1,0,1,1,0,0
1,1,1,1,1,1
0,1,0,0,0,1
0,0,1,0,1,0
0,0,0,1,0,1
0,0,0,0,1,1
0,1,0,0,1,0
1,1,1,0,1,0
0,0,0,1,1,1
1,0,1,1,1,1
`;

// Rows of bits get a header: "1 0110" or "1 0 1 1 0", the label first.
export function asTable(text) {
  const lines = text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line && !line.startsWith("#"));
  if (!lines.length || !lines.every((line) => /^[01][\s,;:]*[01][01\s,;]*$/.test(line))) return text;
  const rows = lines.map((line) => Array.from(line.replace(/[^01]/g, "")));
  const wide = rows[0].length;
  const wrong = rows.findIndex((row) => row.length !== wide);
  if (wrong >= 0) throw new Error(`row ${wrong + 1} has ${rows[wrong].length - 1} inputs, the first one ${wide - 1}`);
  const names = ["label", ...rows[0].slice(1).map((_, k) => `x${k + 1}`)];
  return [names, ...rows].map((row) => row.join(",")).join("\n") + "\n";
}

const columnsOf = (table) => table.split(/\r?\n/)[0].split(/[,\t;]/).map((name) => name.trim().replace(/^"|"$/g, ""));

export function dataView({ values, moved }) {
  const client = new Client();
  const note = () => { if (shown) moved(now()); };
  const area = el("textarea", { id: "table", rows: 10, spellcheck: "false", "aria-describedby": "table-help" });
  area.value = values.table ?? EXAMPLE;
  const file = el("input", { type: "file", id: "file", accept: ".csv,.tsv,.txt,text/*", class: "hidden-file" });
  const label = el("input", { type: "text", id: "label-column", placeholder: "label, or the first" });
  label.value = values.label ?? "";
  const binarise = choice({ name: "binarise", label: "Numbers become inputs 0/1 by", options: [["median", "median"], ["levels=4", "4 levels"], ["levels=8", "8 levels"]], value: values.binarise ?? "median", change: note });
  const folds = choice({ name: "folds", label: "Threshold chosen by", options: [["0", "training errors"], ["5", "5-fold validation"]], value: values.folds ?? "0", change: note });
  const complement = el("input", { type: "checkbox", id: "complement" });
  complement.checked = values.complement === "1";
  const seed = number({ name: "seed", label: "Seed", low: 0, high: 100, step: 1, limit: 2 ** 53 - 1, value: Number(values.seed ?? 1), change: note });
  const button = el("button", { type: "submit", class: "primary", id: "fit" }, "Find weights");
  const wait = progress(() => { client.stop(); wait.hide(); status.textContent = "Stopped."; });
  const status = el("p", { class: "status", id: "data-status", role: "status" }, "Paste or drop a table, then press “Find weights”.");
  const drop = el("div", { class: "drop" },
    el("label", { for: "table" }, "Table"), area,
    el("p", { class: "hint", id: "table-help", html: "CSV or TSV with a header line, or rows of bits such as <code>1 0110</code> with the label first. Drop a file here." }),
    el("label", { for: "file", class: "button file" }, "Choose a file…"), file);
  const weights = el("div", { class: "weights" });
  const sums = el("canvas", { class: "plot high", role: "img", "aria-label": "nothing computed yet" });
  const confusion = el("tbody", {});
  const element = el("div", { class: "view" },
    el("p", { class: "lead", html: "A perceptron with weights 0 and 1 adds up the inputs that have weight 1 and answers 1 when the sum is above a threshold. Here it learns your own small table. Nothing leaves this page." }),
    el("form", { class: "controls", "aria-label": "The table and how it is learnt", onsubmit: (e) => { e.preventDefault(); fit(); } },
      drop, el("div", { class: "transport" }, button),
      folded("How it is learnt",
        el("div", { class: "stack" }, el("label", { for: "label-column" }, "Column with the label"), label),
        binarise.element, folds.element,
        el("label", { class: "check" }, complement, "add “not x” for every input x"), seed.element)),
    el("div", { class: "panels" }, status, wait.element,
      el("section", { class: "card wide" }, el("h3", {}, "Weights"), weights,
        el("p", { class: "hint" }, "Filled: weight 1, the input counts. Empty: weight 0, it is ignored.")),
      el("section", { class: "card" }, el("h3", {}, "Margins"), sums,
        el("p", { class: "legend" }, el("span", {}, el("i", { class: "dot", style: "background:var(--c1)", "aria-hidden": "true" }), "label 1"), el("span", {}, el("i", { class: "dot", style: "background:var(--c2)", "aria-hidden": "true" }), "label 0")),
        el("p", { class: "hint" }, "Number of rows for each sum of inputs with weight 1. The dashed line is the threshold: rows on the wrong side are errors.")),
      el("section", { class: "card" }, el("h3", {}, "Answers"),
        el("table", { id: "confusion" }, el("thead", {}, el("tr", {}, ...["Label", "answered 0", "answered 1"].map((t) => el("th", { scope: "col" }, t)))), confusion))));

  let shown = true, answer = null, generation = 0;
  const axes = new Axes(sums, () => draw());
  const now = () => ({
    table: area.value.length <= LINK && area.value !== EXAMPLE ? area.value : "",
    label: label.value, binarise: binarise.get(), folds: folds.get(), complement: complement.checked ? 1 : 0, seed: seed.get(),
  });

  async function fit() {
    const mine = ++generation;
    status.dataset.ready = "";
    client.stop();
    wait.show("Reading the table");
    client.onProgress = (share) => wait.at(share);
    note();
    try {
      const content = asTable(area.value), columns = columnsOf(content);
      const table = await client.ask("table", { content, label: label.value, binarise: binarise.get(), complement: complement.checked });
      wait.show(`Trying thresholds on ${table.m} rows with ${table.n} inputs`);
      const found = await client.ask("fit", { folds: Number(folds.get()), seed: seed.get() });
      if (mine !== generation) return;
      answer = { ...found, ...table, columns };
      wait.hide();
      say();
      draw();
      status.dataset.errors = found.errors;
      status.dataset.ready = "yes";
    } catch (error) {
      if (error instanceof Stopped) return;
      wait.hide();
      status.textContent = error.message.replace("/table.csv", "table");
      status.dataset.ready = "failed";
    }
  }

  // Names of inputs where every column is one input.
  function names() {
    const used = label.value || (answer.columns.includes("label") ? "label" : answer.columns[0]);
    const rest = answer.columns.filter((name, k) => name !== used && String(k + 1) !== used);
    if (2 * rest.length === answer.n && complement.checked) return [...rest, ...rest.map((name) => `not ${name}`)];
    return rest.length === answer.n ? rest : Array.from({ length: answer.n }, (_, k) => `input ${k + 1}`);
  }

  function say() {
    const a = answer, ones = a.weights.reduce((x, y) => x + y, 0);
    status.textContent = `${a.errors === 0 ? "No errors" : `${a.errors} error${a.errors === 1 ? "" : "s"}`} on ${a.m} rows with threshold ${format(a.threshold)} and ${ones} of ${a.n} inputs at weight 1.`
      + (Number(folds.get()) ? ` In cross-validation ${a.foldErrors} errors, balanced accuracy ${format(a.foldBalanced, 3)}.` : "")
      + (a.unavoidable ? ` ${a.unavoidable} error${a.unavoidable === 1 ? "" : "s"} cannot be avoided: equal inputs with different labels.` : "");
    const named = names();
    weights.replaceChildren(...Array.from(a.weights, (w, k) => el("span", { class: w ? "one" : "" }, named[k], el("span", { class: "sr" }, w ? ": weight 1" : ": weight 0"))));
    const row = (name, zero, one) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, String(zero)), el("td", {}, String(one)));
    confusion.replaceChildren(row(a.labels[1], a.fn, a.tp), row(a.labels[0], a.tn, a.fp));
    sums.setAttribute("aria-label", `Sums of ${a.m} rows against the threshold ${format(a.threshold)}; ${a.errors} on the wrong side`);
  }

  function draw() {
    if (!answer || !shown) return;
    const c = colours(), { rows, threshold } = answer, counts = [new Map(), new Map()];
    for (const { label: l, sum } of rows) counts[l].set(sum, (counts[l].get(sum) ?? 0) + 1);
    const all = rows.map((r) => r.sum);
    const low = Math.min(...all, Math.floor(threshold)) - 1, high = Math.max(...all, Math.ceil(threshold)) + 1;
    axes.range({ x: [low, high], y: [0, 1.1 * Math.max(...counts.flatMap((m) => [...m.values()]))] });
    const g = axes.begin();
    axes.frame({ xName: "sum", yName: "rows" });
    counts.forEach((map, l) => {
      g.fillStyle = c.series[l ? 0 : 1];
      for (const [sum, count] of map) {
        const from = axes.x(sum - (l ? 0 : 0.36)), to = axes.x(sum + (l ? 0.36 : 0)), top = axes.y(count);
        g.fillRect(from, top, to - from - 1, axes.y(0) - top);
      }
    });
    axes.rule(threshold, { colour: c.ink });
    axes.end();
  }

  async function load(list) {
    if (!list?.[0]) return;
    area.value = await list[0].text();
    label.value = "";
    fit();
  }
  file.addEventListener("change", () => load(file.files));
  drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => { event.preventDefault(); drop.classList.remove("over"); load(event.dataTransfer.files); });

  fit();
  return {
    element, redraw: draw,
    show() { shown = true; moved(now()); requestAnimationFrame(draw); },
    hide() { shown = false; },
    close() { client.stop(); },
  };
}

/* Plots of the report page: what gnuplot drew, to zoom and to read off.
 *
 * Beside each picture stands a hidden <pre class="points"> with the settings
 * and numbers of its panels (src/lab/page/plot_points.c); colours, dashes and symbols
 * are read from the picture itself. uPlot keeps axes, zoom and cursor; curves,
 * error bars and symbols are drawn here.
 */
(function () {
  "use strict";

  /* ---- reading */

  function unquote(line, start) {
    const m = /^"((?:[^"\\]|\\.)*)"/.exec(line.slice(start));
    return m ? m[1].replace(/\\(.)/g, "$1") : "";
  }

  /* "[ 0.1 : * ]" as [0.1, null] */
  function range(line) {
    const m = /\[\s*(\S+)\s*:\s*(\S+)\s*\]/.exec(line);
    return m ? [m[1], m[2]].map((v) => (v === "*" ? null : Number(v))) : [null, null];
  }

  const settings = [
    [/^set title "/, (p, line) => { p.title = unquote(line, 10) || p.title; }],
    [/^set label 1 "/, (p, line) => { p.title = p.title || unquote(line, 12); }],
    [/^set xlabel "/, (p, line) => { p.xlabel = unquote(line, 11); }],
    [/^set ylabel "/, (p, line) => { p.ylabel = unquote(line, 11); }],
    [/^set logscale /, (p, line) => {
      const axes = line.split(" ")[2];
      p.logx = p.logx || axes.includes("x");
      p.logy = p.logy || axes.includes("y");
    }],
    [/^set xrange /, (p, line) => { p.xrange = range(line); }],
    [/^set yrange /, (p, line) => { p.yrange = range(line); }],
    [/^set arrow \d+ from (\S+), graph 0, 0 to \1, graph 1, 0 nohead/, (p, line) => {
      p.verticals.push(Number(/from (\S+),/.exec(line)[1]));
    }],
    [/^set object +\d+ rect from \S+, graph 0 to \S+, graph 1/, (p, line) => {
      const m = /from (\S+), graph 0 to (\S+), graph 1/.exec(line);
      p.bands.push([Number(m[1]), Number(m[2])]);
    }],
  ];

  function parse(text) {
    const panels = [];
    let panel, curve;
    for (const line of text.split("\n")) {
      if (line === "= panel") {
        panel = { title: "", xlabel: "", ylabel: "", xrange: [null, null],
          yrange: [null, null], verticals: [], bands: [], curves: [] };
        panels.push(panel);
      } else if (line.startsWith("set ")) {
        const found = settings.find((s) => s[0].test(line));
        if (found) found[1](panel, line);
      } else if (line.startsWith("# Curve title: ")) {
        curve.title = line.slice(16, -1);
      } else if (line.startsWith("# Curve ")) {
        curve = { index: Number(line.split(" ")[2]), title: "", columns: [], points: [] };
        panel.curves.push(curve);
      } else if (line.startsWith("# x")) {
        curve.columns = line.slice(2).trim().split(/\s+/);
      } else if (line) {
        curve.points.push(line.trim().split(/\s+/).map(Number));
      }
    }
    return panels.filter((p) => p.curves.some((c) => c.points.length));
  }

  /* ---- styles, from the groups gnuplot_plot_1a, gnuplot_plot_2a, ... */

  const shapes = ["plus", "cross", "star", "square", "square", "circle", "circle",
    "up", "up", "down", "down", "diamond", "diamond"];

  function colour(text) {
    return text ? text.replace(/\s+/g, "") : null;
  }

  function styleOf(group) {
    const style = { colour: "#000", dash: [], line: false, width: 1.6, shape: null, fills: [] };
    const outer = group.querySelector("g[stroke-width]");
    if (outer) style.width = Number(outer.getAttribute("stroke-width"));
    for (const path of group.querySelectorAll("path")) {
      const stroke = colour(path.getAttribute("stroke"));
      if (stroke) style.colour = stroke;
      const dash = path.getAttribute("stroke-dasharray");
      if (dash) style.dash = dash.split(",").map(Number);
      const pieces = (path.getAttribute("d") || "").split("M");
      if (pieces.some((d) => (d.match(/L/g) || []).length > 1)) style.line = true;
    }
    for (const use of group.querySelectorAll("use")) {
      const tint = colour(use.getAttribute("color"));
      if (tint) style.colour = tint;
      const m = /gpPt(\d+)$/.exec(use.getAttribute("xlink:href") || use.getAttribute("href") || "");
      if (m) {
        style.shape = shapes[Number(m[1])] || "circle";
        style.filled = [4, 6, 8, 10, 12].includes(Number(m[1]));
      }
    }
    for (const box of group.querySelectorAll("polygon")) style.fills.push(colour(box.getAttribute("fill")));
    return style;
  }

  function styles(image) {
    const source = image.getAttribute("src");
    const bytes = Uint8Array.from(atob(source.slice(source.indexOf(",") + 1)), (c) => c.charCodeAt(0));
    const svg = new DOMParser().parseFromString(new TextDecoder().decode(bytes), "image/svg+xml");
    const panels = [], size = (g) => g.querySelectorAll("path, polygon, use").length;
    let last = null;
    for (const group of svg.querySelectorAll("g[id^=gnuplot_plot_]")) {
      const m = /^gnuplot_plot_(\d+)(.*)$/.exec(group.id);
      if (m[2] !== last) panels.push([]);
      last = m[2];
      const panel = panels[panels.length - 1], n = Number(m[1]) - 1;
      /* A panel with a colour scale is written twice, once without content. */
      if (!panel[n] || size(group) > size(panel[n])) panel[n] = group;
    }
    return panels;
  }

  /* ---- text: gnuplot's f_{in}, t^{fix} as nodes */

  function pretty(target, text) {
    const pattern = /([_^])(?:\{([^{}]*)\}|(.))/g;
    let at = 0, m;
    target.textContent = "";
    while ((m = pattern.exec(text))) {
      target.append(text.slice(at, m.index));
      const node = document.createElement(m[1] === "_" ? "sub" : "sup");
      node.textContent = m[2] !== undefined ? m[2] : m[3];
      target.append(node);
      at = m.index + m[0].length;
    }
    target.append(text.slice(at));
    return target;
  }

  function element(tag, name, parent) {
    const node = document.createElement(tag);
    if (name) node.className = name;
    if (parent) parent.append(node);
    return node;
  }

  const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  function show(value, digits) {
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1e-3 && size < 1e6) return String(Number(value.toPrecision(digits || 6))).replace("-", "−");
    const [head, power] = value.toExponential(Math.max(0, (digits || 6) - 1)).split("e");
    const mantissa = String(Number(head)).replace("-", "−");
    const exponent = String(Math.abs(Number(power))).replace(/\d/g, (d) => raised[d]);
    return (mantissa === "1" ? "" : mantissa + "·") + "10" + (Number(power) < 0 ? "⁻" : "") + exponent;
  }

  /* As many digits as the error allows. */
  function withError(value, error) {
    if (!(error > 0)) return show(value, 5);
    const digits = Math.max(0, Math.floor(Math.log10(Math.abs(value) || error)) - Math.floor(Math.log10(error))) + 2;
    return show(value, Math.min(9, digits)) + " ± " + show(error, 2);
  }

  /* ---- one panel */

  function errorOf(curve, p) {
    const low = curve.columns.indexOf("ylow");
    return low > 0 && !curve.columns.includes("xlow") ? [p[low], p[low + 1]] : null;
  }

  function limits(values, log, fixed) {
    let low = Infinity, high = -Infinity;
    for (const v of values) {
      if (!Number.isFinite(v) || (log && v <= 0)) continue;
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
    if (low > high) [low, high] = log ? [1, 10] : [0, 1];
    const to = log ? Math.log : (v) => v, from = log ? Math.exp : (v) => v;
    let room = 0.05 * (to(high) - to(low)) || (log ? 0.5 : Math.abs(low) * 0.1 || 0.5);
    const bottom = fixed[0] !== null && (!log || fixed[0] > 0) ? fixed[0]
      : !log && low >= 0 && low - room < 0 ? 0 : from(to(low) - room);
    const top = fixed[1] !== null && (!log || fixed[1] > 0) ? fixed[1] : from(to(high) + room);
    return [bottom, top];
  }

  /* Where points go on the page: curves that are not points keep the range. */
  function ranges(panel) {
    const xs = [], ys = [];
    for (const c of panel.curves)
      for (const p of c.points) {
        const e = errorOf(c, p);
        xs.push(p[0]);
        ys.push(p[1], e ? e[0] : p[1], e ? e[1] : p[1]);
      }
    for (const v of panel.verticals) xs.push(v);
    return [limits(xs, panel.logx, panel.xrange), limits(ys, panel.logy, [panel.yrange[0], null])];
  }

  const marks = {
    circle: (g, x, y, r) => g.arc(x, y, r, 0, 7),
    square: (g, x, y, r) => g.rect(x - r, y - r, 2 * r, 2 * r),
    diamond: (g, x, y, r) => { g.moveTo(x, y - 1.3 * r); g.lineTo(x + 1.3 * r, y); g.lineTo(x, y + 1.3 * r); g.lineTo(x - 1.3 * r, y); g.closePath(); },
    up: (g, x, y, r) => { g.moveTo(x, y - 1.2 * r); g.lineTo(x + 1.1 * r, y + 0.8 * r); g.lineTo(x - 1.1 * r, y + 0.8 * r); g.closePath(); },
    down: (g, x, y, r) => { g.moveTo(x, y + 1.2 * r); g.lineTo(x + 1.1 * r, y - 0.8 * r); g.lineTo(x - 1.1 * r, y - 0.8 * r); g.closePath(); },
    plus: (g, x, y, r) => { g.moveTo(x - r, y); g.lineTo(x + r, y); g.moveTo(x, y - r); g.lineTo(x, y + r); },
    cross: (g, x, y, r) => { g.moveTo(x - r, y - r); g.lineTo(x + r, y + r); g.moveTo(x + r, y - r); g.lineTo(x - r, y + r); },
    star: (g, x, y, r) => { marks.plus(g, x, y, r); marks.cross(g, x, y, 0.7 * r); },
  };

  function drawCurve(g, curve, style, at, ratio) {
    const many = curve.points.length > 150;
    g.strokeStyle = g.fillStyle = style.colour;
    g.lineWidth = Math.max(1, style.width) * ratio;
    if (curve.columns.includes("xlow") && curve.columns.includes("ylow") && style.fills.length) {
      const k = curve.columns.indexOf("xlow");
      curve.points.forEach((p, n) => {
        const [x0, y0] = at(p[k], p[k + 2]), [x1, y1] = at(p[k + 1], p[k + 3]);
        g.fillStyle = style.fills[n] || "#ccc";
        g.fillRect(x0, y1, x1 - x0 + 1, y0 - y1 + 1);
      });
      return;
    }
    g.setLineDash(style.dash.map((d) => d * 0.8 * ratio));
    if (style.line) {
      g.beginPath();
      curve.points.forEach((p, n) => g[n ? "lineTo" : "moveTo"](...at(p[0], p[1])));
      g.stroke();
    }
    g.setLineDash([]);
    g.lineWidth = ratio;
    for (const p of curve.points) {
      const e = errorOf(curve, p), [x, y] = at(p[0], p[1]);
      if (e && e[1] > e[0]) {
        const low = at(p[0], e[0])[1], high = at(p[0], e[1])[1];
        g.beginPath();
        g.moveTo(x, low);
        g.lineTo(x, high);
        g.stroke();
      }
      if (style.shape && marks[style.shape]) {
        g.beginPath();
        marks[style.shape](g, x, y, (many ? 2 : 3) * ratio);
        if (style.filled) g.fill();
        else if (["circle", "square", "up", "down", "diamond"].includes(style.shape)) {
          g.fillStyle = "#fff";
          g.fill();
          g.fillStyle = style.colour;
          g.stroke();
        } else g.stroke();
      }
    }
  }

  function swatch(style) {
    const canvas = element("canvas"), ratio = 2;
    canvas.width = 26 * ratio;
    canvas.height = 12 * ratio;
    const curve = { columns: [], points: [[2, 6], [24, 6]] };
    const g = canvas.getContext("2d");
    drawCurve(g, curve, { ...style, shape: null }, (x, y) => [x * ratio, y * ratio], ratio);
    if (style.shape) drawCurve(g, { columns: [], points: [[13, 6]] }, { ...style, line: false }, (x, y) => [x * ratio, y * ratio], ratio);
    canvas.setAttribute("aria-hidden", "true");
    return canvas;
  }

  /* Curves of one colour belong together: the titled one names them all. */
  function grouped(panel, style) {
    const groups = new Map();
    panel.curves.forEach((curve, n) => {
      const key = curve.title || !style[n] ? "t" + curve.title + (style[n] || {}).colour : null;
      if (!key) return;
      if (!groups.has(key)) groups.set(key, { title: curve.title, curves: [], colour: (style[n] || {}).colour });
      groups.get(key).curves.push(n);
    });
    panel.curves.forEach((curve, n) => {
      if (curve.title || !style[n]) return;
      const home = [...groups.values()].find((g) => g.colour === style[n].colour);
      if (home) home.curves.push(n);
    });
    return [...groups.values()].filter((g) => g.title);
  }

  function legend(host, panel, style, hidden, redraw) {
    for (const group of grouped(panel, style)) {
      const button = element("button", "entry", host);
      const look = style[group.curves.find((n) => panel.curves[n].title)] || style[group.curves[0]];
      button.type = "button";
      if (look) button.append(swatch(look));
      pretty(element("span", "", button), group.title);
      button.setAttribute("aria-pressed", "true");
      button.addEventListener("click", () => {
        const off = button.getAttribute("aria-pressed") === "true";
        button.setAttribute("aria-pressed", String(!off));
        group.curves.forEach((n) => (off ? hidden.add(n) : hidden.delete(n)));
        redraw();
      });
    }
  }

  function nearest(u, panel, hidden) {
    const { left, top } = u.cursor;
    let best = null, distance = 28 * 28;
    if (!(left >= 0)) return null;
    panel.curves.forEach((curve, n) => {
      if (hidden.has(n)) return;
      for (const p of curve.points) {
        const dx = u.valToPos(p[0], "x") - left, dy = u.valToPos(p[1], "y") - top;
        if (dx * dx + dy * dy < distance) {
          distance = dx * dx + dy * dy;
          best = { curve, point: p, n };
        }
      }
    });
    return best;
  }

  function nameOf(panel, style, n) {
    if (panel.curves[n].title) return panel.curves[n].title;
    const home = grouped(panel, style).find((g) => g.curves.includes(n));
    return home ? home.title : "";
  }

  function hover(u, panel, style, hidden, tip, ring) {
    const hit = nearest(u, panel, hidden);
    tip.hidden = ring.hidden = !hit;
    if (!hit) return;
    const [x, y] = hit.point, e = errorOf(hit.curve, hit.point);
    const name = nameOf(panel, style, hit.n);
    tip.textContent = "";
    if (name) pretty(element("b", "", tip), name);
    pretty(element("span", "", tip), (panel.xlabel || "x") + ": " + show(x, 5));
    pretty(element("span", "", tip), (panel.ylabel || "y") + ": " + withError(y, e ? (e[1] - e[0]) / 2 : 0));
    const left = u.valToPos(x, "x"), top = u.valToPos(y, "y");
    ring.style.transform = "translate(" + left + "px," + top + "px)";
    const side = left > u.over.clientWidth / 2;
    tip.style.left = side ? "" : left + 12 + "px";
    tip.style.right = side ? u.over.clientWidth - left + 12 + "px" : "";
    tip.style.top = Math.max(0, Math.min(top - 10, u.over.clientHeight - 70)) + "px";
  }

  /* Ticks of a logarithmic axis: powers of ten, over a short range 1 to 9 times
   * each. */
  function decades(u, number, low, high) {
    const splits = [], last = high < 1e5 * low ? 9 : 1;
    for (let d = Math.floor(Math.log10(low)); d <= Math.log10(high); d++)
      for (let k = 1; k <= last; k++) {
        const v = Number(k + "e" + d);
        if (v >= low && v <= high) splits.push(v);
      }
    return splits.length > 1 ? splits : [low, high];
  }

  /* Those that get a label: 1, 2, 5 where a decade has room, else 1, or every
   * second or third power of ten. */
  function labelled(u, splits, number) {
    const vertical = number === 1, need = vertical ? 18 : 46;
    const length = (vertical ? u.over.clientHeight : u.over.clientWidth) || 200;
    const count = Math.log10(splits[splits.length - 1] / splits[0]);
    const decade = length / Math.max(count, 0.1);
    const step = Math.ceil(need / decade);
    return splits.map((v) => {
      const power = Math.floor(Math.log10(v) + 1e-9), digit = Math.round(v / 10 ** power);
      const wanted = digit === 1 ? power % step === 0
        : decade * Math.log10(2) >= need && (digit === 2 || digit === 5);
      return wanted || splits.length < 3 ? v : null;
    });
  }

  function axis(log) {
    return {
      font: "12px system-ui, sans-serif",
      stroke: "#3a3f48",
      grid: { stroke: "#eef0f3", width: 1 },
      ticks: { stroke: "#c9cdd4", width: 1, size: 4 },
      gap: 4,
      values: (u, splits) => splits.map((v) => (v === null ? "" : show(v, 4))),
      ...(log ? { splits: decades, filter: labelled } : { space: 48 }),
    };
  }

  function plot(host, panel, style, hidden) {
    const [xs, ys] = ranges(panel);
    const tip = element("div", "tip"), ring = element("div", "ring");
    tip.hidden = ring.hidden = true;
    const draw = (u) => {
      const g = u.ctx, ratio = uPlot.pxRatio, b = u.bbox;
      const at = (x, y) => [u.valToPos(x, "x", true), u.valToPos(y, "y", true)];
      g.save();
      g.beginPath();
      g.rect(b.left, b.top, b.width, b.height);
      g.clip();
      g.fillStyle = "#e4e8f4";
      for (const [low, high] of panel.bands) g.fillRect(at(low, ys[0])[0], b.top, at(high, ys[0])[0] - at(low, ys[0])[0], b.height);
      g.strokeStyle = "#555";
      g.lineWidth = ratio;
      g.setLineDash([4 * ratio, 3 * ratio]);
      for (const v of panel.verticals) {
        g.beginPath();
        g.moveTo(at(v, ys[0])[0], b.top);
        g.lineTo(at(v, ys[0])[0], b.top + b.height);
        g.stroke();
      }
      g.setLineDash([]);
      panel.curves.forEach((curve, n) => {
        if (!hidden.has(n)) drawCurve(g, curve, style[n] || { colour: "#000", dash: [], line: true, width: 1, shape: null, fills: [] }, at, ratio);
      });
      g.restore();
    };
    const width = host.clientWidth, height = host.clientHeight;
    const y = axis(panel.logy);
    y.size = (u, values) => 16 + 6.6 * Math.max(3, ...(values || []).map((v) => v.length));
    const u = new uPlot({
      width, height,
      padding: [8, 10, 0, 0],
      scales: {
        x: { time: false, distr: panel.logx ? 3 : 1, range: (self, a, b) => [a, b] },
        y: { distr: panel.logy ? 3 : 1, range: () => ys },
      },
      axes: [{ ...axis(panel.logx), size: 28 }, y],
      series: [{}, { paths: () => null, points: { show: false } }],
      legend: { show: false },
      cursor: { x: false, y: false, points: { show: false }, drag: { x: true, y: true, uni: 40, dist: 6 } },
      hooks: { draw: [draw], setCursor: [(self) => hover(self, panel, style, hidden, tip, ring)] },
    }, [xs, ys], host);
    u.over.append(ring, tip);
    u.root.querySelector("canvas").setAttribute("aria-hidden", "true");
    u.over.setAttribute("role", "img");
    u.over.setAttribute("aria-label", panel.title + ": " + panel.ylabel + " against " + panel.xlabel);
    return u;
  }

  /* ---- a figure: a box per panel at once, its plot when it comes into sight */

  function build(figure) {
    const image = figure.querySelector(".picture img");
    const panels = parse(figure.querySelector("pre.points").textContent);
    if (!panels.length) return;
    let groups = null;
    const grid = element("div", "panels");
    if (panels.length < 3) grid.classList.add("few");
    const sight = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        sight.unobserve(entry.target);
        groups = groups || styles(image);
        start(entry.target, groups);
      }
    }, { rootMargin: "400px" });
    const start = (box, all) => {
      const panel = panels[box.dataset.number];
      const found = all[box.dataset.number] || [];
      const style = panel.curves.map((c) => (found[c.index] ? styleOf(found[c.index]) : null));
      const hidden = new Set();
      const host = box.querySelector(".plot");
      let u = null;
      legend(box.querySelector(".legend"), panel, style, hidden, () => u.redraw(false));
      u = plot(host, panel, style, hidden);
      new ResizeObserver(() => u.setSize({ width: host.clientWidth, height: host.clientHeight })).observe(host);
    };
    panels.forEach((panel, n) => {
      const box = element("div", "panel", grid);
      box.dataset.number = n;
      pretty(element("div", "name", box), panel.title);
      element("div", "legend", box);
      pretty(element("div", "ylabel", box), panel.ylabel);
      element("div", "plot", box);
      pretty(element("div", "xlabel", box), panel.xlabel);
      sight.observe(box);
    });
    const picture = figure.querySelector(".picture");
    picture.before(grid);
    figure.classList.add("live");
    const button = element("button", "switch");
    button.type = "button";
    button.textContent = "as printed";
    button.title = "the picture as it is printed, without interaction";
    button.addEventListener("click", () => {
      const printed = figure.classList.toggle("printed");
      button.textContent = printed ? "interactive" : "as printed";
    });
    const files = figure.querySelector(".files");
    if (files) files.append(" ", button);
  }

  for (const figure of document.querySelectorAll("figure")) {
    if (!figure.querySelector("pre.points")) continue;
    try {
      build(figure);
    } catch (problem) {
      console.error(problem); /* the plain picture stays */
    }
  }

  /* A link to a claim unfolds it. */
  function unfold() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const folded = target && target.querySelector("details");
    if (folded && target.matches(".claim")) folded.open = true;
  }
  addEventListener("hashchange", unfold);
  unfold();
})();

// Small plots on a canvas, in the colours of the page's style.

const SPACE = { left: 46, right: 12, top: 10, bottom: 34 };

export const colours = () => {
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue("--" + name).trim();
  return {
    ink: get("ink"), dim: get("dim"), line: get("line"), soft: get("soft"), back: get("card"),
    accent: get("accent"), early: get("early"), late: get("late"),
    series: [1, 2, 3, 4, 5, 6, 7].map((k) => get("c" + k)),
  };
};

const channels = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));

// From early (0) to late (1) in `count` colours; the way leads through grey, so
// that order can be read without telling red from green.
export function scale(count) {
  const { early, late, dim } = colours();
  const [a, b, c] = [early, dim, late].map(channels);
  return Array.from({ length: count }, (_, k) => {
    const t = count > 1 ? 2 * k / (count - 1) : 0;
    const [from, to, part] = t < 1 ? [a, b, t] : [b, c, t - 1];
    return `rgb(${from.map((v, j) => Math.round(v + part * (to[j] - v))).join(",")})`;
  });
}

export function ticks(low, high, about) {
  const raw = (high - low) / about, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= raw * 0.999);
  const out = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++)
    out.push(Number((k * step).toPrecision(12)));
  return out;
}

export const label = (x) => String(x).replace("-", "−");

// Axes and mapping of one canvas. Listens to its size.
export class Axes {
  constructor(canvas, redraw) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    new ResizeObserver(() => {
      if (this.fit()) redraw();
    }).observe(canvas);
    this.fit();
  }

  // True when the size has changed.
  fit() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === this.width && height === this.height && ratio === this.ratio) return false;
    Object.assign(this, { width, height, ratio });
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    return true;
  }

  range({ x, y, logX = false }) {
    Object.assign(this, { xRange: x, yRange: y, logX });
    const [x0, x1] = logX ? x.map(Math.log) : x;
    const wide = this.width - SPACE.left - SPACE.right;
    const tall = this.height - SPACE.top - SPACE.bottom;
    this.x = (v) => SPACE.left + wide * ((logX ? Math.log(v) : v) - x0) / (x1 - x0);
    this.y = (v) => SPACE.top + tall * (1 - (v - y[0]) / (y[1] - y[0]));
  }

  begin() {
    const g = this.context;
    g.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    g.clearRect(0, 0, this.width, this.height);
    g.lineWidth = 1;
    g.setLineDash([]);
    g.globalAlpha = 1;
    return g;
  }

  // Grid, numbers and names of the axes.
  frame({ xName, yName, xTicks, yTicks }) {
    const g = this.context, c = colours();
    const { left, right, top, bottom } = SPACE;
    g.font = "12px system-ui, sans-serif";
    g.lineWidth = 1;
    g.strokeStyle = c.line;
    g.fillStyle = c.dim;
    g.textBaseline = "middle";
    g.textAlign = "right";
    for (const v of yTicks ?? ticks(...this.yRange, Math.max(2, this.height / 55))) {
      const at = Math.round(this.y(v)) + 0.5;
      g.beginPath();
      g.moveTo(left, at);
      g.lineTo(this.width - right, at);
      g.stroke();
      g.fillText(label(v), left - 7, at);
    }
    g.textBaseline = "top";
    g.textAlign = "center";
    const across = xTicks ?? ticks(...this.xRange, Math.max(2, this.width / 90));
    for (const v of across) {
      if (v < this.xRange[0] || v > this.xRange[1]) continue;
      g.fillText(label(v), this.x(v), this.height - bottom + 6);
    }
    g.textAlign = "right";
    g.textBaseline = "bottom";
    g.fillText(xName, this.width - right, this.height - 1);
    g.textAlign = "left";
    g.textBaseline = "top";
    if (yName) {
      const wide = g.measureText(yName).width;
      g.fillStyle = c.back;
      g.globalAlpha = 0.85;
      g.fillRect(left, 0, wide + 8, 16);
      g.globalAlpha = 1;
      g.fillStyle = c.dim;
      g.fillText(yName, left + 4, 2);
    }
    g.save();
    g.beginPath();
    g.rect(left - 1, top - 4, this.width - left - right + 2, this.height - top - bottom + 8);
    g.clip();
  }

  end() { this.context.restore(); }

  line(xs, ys, { colour, width = 2, dash = [], alpha = 1 }) {
    const g = this.context;
    g.strokeStyle = colour;
    g.lineWidth = width;
    g.globalAlpha = alpha;
    g.setLineDash(dash);
    g.lineJoin = "round";
    g.beginPath();
    let pen = false;
    for (let k = 0; k < xs.length; k++) {
      if (!Number.isFinite(ys[k])) {
        pen = false;
        continue;
      }
      if (pen) g.lineTo(this.x(xs[k]), this.y(ys[k]));
      else g.moveTo(this.x(xs[k]), this.y(ys[k]));
      pen = true;
    }
    g.stroke();
    g.setLineDash([]);
    g.globalAlpha = 1;
  }

  dot(x, y, { colour, radius = 4, ring = false, alpha = 1 }) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    const g = this.context;
    g.globalAlpha = alpha;
    g.fillStyle = colour;
    g.beginPath();
    g.arc(this.x(x), this.y(y), radius, 0, 2 * Math.PI);
    g.fill();
    if (ring) {
      g.strokeStyle = colours().back;
      g.lineWidth = 2;
      g.stroke();
    }
    g.globalAlpha = 1;
  }

  rule(x, { colour, dash = [4, 4] }) {
    const g = this.context;
    g.strokeStyle = colour;
    g.lineWidth = 1;
    g.setLineDash(dash);
    g.beginPath();
    g.moveTo(this.x(x), SPACE.top);
    g.lineTo(this.x(x), this.height - SPACE.bottom);
    g.stroke();
    g.setLineDash([]);
  }
}

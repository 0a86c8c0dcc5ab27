// Elements and labelled inputs.

export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "html") element.innerHTML = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

let made = 0;

// A number with a slider: name, label (HTML), low, high, step, log scale.
// `limit` is the largest number that may be typed, if above the slider's.
export function number({ name, label, hint, low, high, step, log, limit, value, change }) {
  const id = `${name}-${++made}`;
  const toSlider = (v) => log ? Math.log(v) : v;
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const round = (v) => Number((Math.round(v / step) * step).toFixed(digits));
  const box = el("input", { type: "number", id, min: low, max: limit ?? high, step, inputmode: "decimal" });
  const slider = el("input", {
    type: "range", min: toSlider(low), max: toSlider(high),
    step: log ? (toSlider(high) - toSlider(low)) / 400 : step,
    "aria-label": label.replace(/<[^>]*>/g, "") + ", slider",
  });
  const top = limit ?? high;
  const clamp = (v) => Math.min(top, Math.max(low, v));
  const refused = el("p", { class: "hint refused", role: "alert", hidden: true });
  const refuse = (what, stays) => {
    refused.textContent = `${what === "" ? "No number" : what} is refused: it must be a number from ${low} to ${top}. ${stays} stands instead.`;
    refused.hidden = false;
  };
  const api = {
    name,
    element: el("div", { class: "field" },
      el("label", { for: id, html: label }), box, slider, refused,
      hint ? el("p", { class: "hint", html: hint }) : null),
    get: () => Number(box.value),
    set(v) {
      box.value = v;
      slider.value = toSlider(v);
      slider.style.setProperty("--part",
        `${100 * (slider.value - slider.min) / (slider.max - slider.min)}%`);
      slider.setAttribute("aria-valuetext", v);
    },
    high(v) {
      slider.max = toSlider(v);
      api.set(Number(box.value));
    },
  };
  box.addEventListener("change", () => {
    const typed = Number(box.value);
    if (box.value === "" || !(typed >= low && typed <= top)) {
      refuse(box.value, api.last);
      api.set(api.last);
      return;
    }
    refused.hidden = true;
    api.set(typed);
    api.last = api.get();
    change(api.last);
  });
  slider.addEventListener("input", () => {
    refused.hidden = true;
    api.set(clamp(round(log ? Math.exp(slider.value) : Number(slider.value))));
    api.last = api.get();
    change(api.last);
  });
  const start = value >= low && value <= top ? value : clamp(Number.isFinite(value) ? value : low);
  if (start !== value) refuse(value, start);
  api.set(start);
  api.last = start;
  return api;
}

// One of several, as a row of buttons.
export function choice({ name, label, options, value, change }) {
  const group = `${name}-${++made}`;
  const inputs = options.map(([key, text, title]) => {
    const input = el("input", { type: "radio", name: group, value: key, id: `${group}-${key}` });
    input.addEventListener("change", () => change(key));
    return [input, el("label", { for: `${group}-${key}`, title: title ?? null }, text)];
  });
  const api = {
    name,
    element: el("fieldset", { class: "choice" }, el("legend", {}, label),
      el("div", {}, ...inputs.flat())),
    get: () => inputs.find(([input]) => input.checked)?.[0].value,
    set(v) { for (const [input] of inputs) input.checked = input.value === v; },
  };
  api.set(value);
  return api;
}

// Inputs that a phone folds away.
export function folded(title, ...children) {
  const open = matchMedia("(min-width: 64.01rem)").matches;
  return el("details", { class: "folded", open }, el("summary", {}, title), ...children);
}

// Progress of a long computation, with a button that stops it.
export function progress(stop) {
  const bar = el("progress", { max: 1, "aria-label": "progress of the computation" });
  const words = el("span", {});
  const element = el("div", { class: "progress", hidden: true }, words, bar,
    el("button", { type: "button", onclick: stop }, "Stop"));
  return {
    element,
    show(text) {
      element.hidden = false;
      words.textContent = text;
      bar.removeAttribute("value");
    },
    at(share) { bar.value = share; },
    hide() { element.hidden = true; },
  };
}

export const debounce = (ms, f) => {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => f(...args), ms);
  };
};

export const format = (x, digits = 4) => !Number.isFinite(x) ? "–" : Math.abs(x) >= 1e-3 || x === 0
  ? String(Number(x.toPrecision(digits))).replace("-", "−") : x.toExponential(2).replace("-", "−");

export const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");

// Views, the address, the theme and the keys.
import { read, write } from "./address.js";
import { simd } from "./client.js";
import { el } from "./controls.js";
import { dataView } from "./data.js";
import { solvingView } from "./solving.js";
import { spaceView } from "./space.js";
import { theoryView } from "./theory.js";

const VIEWS = {
  solving: { title: "Solving", make: solvingView },
  space: { title: "Solution space", make: spaceView },
  theory: { title: "Theory", make: theoryView },
  data: { title: "Your data", make: dataView },
};

const nav = document.querySelector("nav");
const main = document.querySelector("main");
const made = {};
let current;

for (const [name, { title }] of Object.entries(VIEWS))
  nav.append(el("a", { href: `#${name}`, id: `tab-${name}` }, title));

function open() {
  const { view, values } = read();
  const name = VIEWS[view] ? view : "solving";
  // Another address of a view than its own: the view is made anew.
  if (made[name] && Object.keys(values).length && made[name].last !== location.hash) {
    made[name].remove();
    delete made[name];
  }
  if (made[name] && current === name) return made[name].show();
  if (current && made[current]) made[current].hide();
  if (!made[name]) {
    const state = made[name] = {};
    const view = VIEWS[name].make({
      values,
      moved(now) {
        write(name, now);
        state.last = location.hash;
      },
    });
    Object.assign(state, view, { remove() { view.hide(); view.close?.(); view.element.remove(); } });
    main.append(view.element);
  }
  for (const [key, view] of Object.entries(made)) view.element.hidden = key !== name;
  current = name;
  for (const link of nav.children)
    if (link.id === `tab-${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  document.title = `${VIEWS[name].title} · bperc explorer`;
  made[name].show();
}

addEventListener("hashchange", open);

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

addEventListener("keydown", (event) => {
  const field = event.target.closest("input:not([type=radio]):not([type=range]), textarea, select, button, a, summary");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (field && !(event.key.toLowerCase() === "r" && field.matches("button, a"))) return;
  if (event.target.matches("input") && event.key.startsWith("Arrow")) return;
  if (made[current].key?.(event)) event.preventDefault();
});

const THEMES = ["auto", "light", "dark"];
const theme = document.getElementById("theme");
let kept = "auto";
try { kept = localStorage.getItem("bperc-theme") ?? "auto"; } catch { /* no storage for files */ }
function paint() {
  document.documentElement.dataset.theme = kept;
  theme.textContent = `Theme: ${kept}`;
  for (const view of Object.values(made)) view.redraw?.();
}
theme.addEventListener("click", () => {
  kept = THEMES[(THEMES.indexOf(kept) + 1) % 3];
  try { localStorage.setItem("bperc-theme", kept); } catch { /* as above */ }
  paint();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);

document.getElementById("build").textContent = simd ? "with vector instructions" : "without vector instructions";
paint();
open();

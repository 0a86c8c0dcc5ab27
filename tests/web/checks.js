// What a reader without mouse, without sight or with a thumb needs. Returns a
// list of faults of the page as it stands: contrast of text, names of inputs,
// buttons, links and pictures, size of what one taps, order of headings.
const LEAST_CONTRAST = 4.5, LEAST_TAP = arguments[0] ?? 44;
const faults = [];
const where = (e) => `${e.tagName.toLowerCase()}${e.id ? "#" + e.id : ""}.${[...e.classList].join(".")} "${(e.textContent || "").trim().slice(0, 30)}"`;
const seen = (e) => e.checkVisibility() && e.getClientRects().length > 0;

function rgba(text) {
  const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
  return [r, g, b, a];
}
function over([r, g, b, a], [R, G, B]) {
  return [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
}
function luminance([r, g, b]) {
  const [x, y, z] = [r, g, b].map((v) => {
    const u = v / 255;
    return u <= 0.04045 ? u / 12.92 : ((u + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
}
function behind(e) {
  const layers = [];
  for (let at = e; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
  return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
}
for (const e of document.querySelectorAll("body *")) {
  const own = [...e.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim());
  if (!own && !e.matches("input[type=number], textarea, select")) continue;
  if (!seen(e) || e.closest("script, .skip, option")) continue;
  const back = behind(e), front = over(rgba(getComputedStyle(e).color), back);
  const [a, b] = [luminance(front), luminance(back)].sort((x, y) => y - x);
  const contrast = (a + 0.05) / (b + 0.05);
  if (contrast < LEAST_CONTRAST) faults.push(`contrast ${contrast.toFixed(2)}: ${where(e)}`);
}

function named(e) {
  if (e.getAttribute("aria-label")?.trim() || e.title || e.alt?.trim()) return true;
  if ([...e.querySelectorAll("img")].some((i) => i.alt.trim())) return true;
  if (e.labels && [...e.labels].some((l) => l.textContent.trim())) return true;
  return Boolean(e.textContent.trim()) && !e.matches("input, textarea, select, canvas, svg, img, progress");
}
for (const e of document.querySelectorAll("a, button, input, select, textarea, summary, img, progress, [role=img], [tabindex]:not(main)"))
  if (seen(e) && !named(e)) faults.push(`no name: ${where(e)}`);
for (const e of document.querySelectorAll("canvas"))
  if (!e.getAttribute("role") && e.getAttribute("aria-hidden") !== "true") faults.push(`canvas without a role: ${where(e)}`);
for (const e of document.querySelectorAll("img"))
  if (!e.hasAttribute("alt")) faults.push(`no alt text: ${where(e)}`);

// A radio button or checkbox is tapped through its label. Links within a text
// or a table have the height of their line.
const inText = (e) => e.matches("main p a, main li a, main td a, main dd a, main blockquote a, main h2 a, main h3 a") && getComputedStyle(e).display === "inline";
for (const e of document.querySelectorAll("a, button, input, select, summary, textarea")) {
  if (!seen(e) || e.matches(".skip") || inText(e)) continue;
  const target = e.matches("[type=radio], [type=checkbox], [type=file]") ? e.labels[0] : e;
  const { width, height } = target.getBoundingClientRect();
  if (Math.min(width, height) < LEAST_TAP) faults.push(`tap size ${width.toFixed(0)} x ${height.toFixed(0)}: ${where(target)}`);
}

let level = 0;
for (const e of document.querySelectorAll("h1, h2, h3, h4")) {
  if (!seen(e)) continue;
  const next = Number(e.tagName[1]);
  if (level === 0 && next !== 1) faults.push(`first heading is ${where(e)}`);
  level = next;
}
if (!document.documentElement.lang) faults.push("no language");
if (!document.title) faults.push("no title");
if (!document.querySelector("meta[name=viewport]")) faults.push("no viewport");
if (/user-scalable|maximum-scale/.test(document.querySelector("meta[name=viewport]").content)) faults.push("zoom is forbidden");
const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
for (const id of new Set(ids)) if (ids.filter((x) => x === id).length > 1) faults.push(`id twice: ${id}`);
if (document.documentElement.scrollWidth > innerWidth) faults.push(`wider than the window: ${document.documentElement.scrollWidth}`);
return faults;

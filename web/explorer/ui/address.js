// The address holds the view and its parameters: #solving?n=480&alpha=0.2

export function read() {
  const [view, rest = ""] = location.hash.slice(1).split("?");
  return { view, values: Object.fromEntries(new URLSearchParams(rest)) };
}

export function address(view, values) {
  const rest = new URLSearchParams(Object.entries(values)
    .filter(([, value]) => value !== "" && value !== null && value !== undefined));
  return `#${view}?${rest}`;
}

export function write(view, values) {
  const next = address(view, values);
  if (next !== location.hash) history.replaceState(null, "", next);
}

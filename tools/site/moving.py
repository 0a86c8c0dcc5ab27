"""The moving picture of the site: SBPI solves the problem of the README.

    moving.py PROGRAM FOLDER

Hidden states over the sweeps, as `bperc solve --trace` records them, coloured
by the order in which `bperc decimate` fixes the weights; below them the number
of violated patterns. One animated SVG without script, which a reader who asks
for less motion sees at rest.
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

PROBLEM = "--n 480 --alpha 0.2 --fin 0.3 --a 40".split()
Layout = collections.namedtuple("Layout", "size curves errors bars said")
LAYOUTS = {  # boxes: left, top, width, height; `said`: where the sentence is
    "moving.svg": Layout((960, 430), (56, 46, 560, 250), (56, 326, 560, 66),
                         (664, 46, 280, 250), 418),
    "moving-narrow.svg": Layout((400, 690), (52, 42, 336, 220),
                                (52, 296, 336, 60), (52, 424, 336, 180), 382),
}
BINS = 24  # colours of the fixing order
SECONDS, HOLD, ROUNDS = 0.32, 3.0, 3  # a sweep, the last state, how often
EARLY, LATE = (10, 95, 165), (217, 122, 0)
STYLE = """
text { font: 15px system-ui, sans-serif; fill: #16202b; }
.title { font-weight: 600; }
.dim { fill: #56616e; font-size: 13px; }
.axis { stroke: #9aa5b1; fill: none; }
.back { fill: #ffffff; }
.errors { stroke: #16202b; fill: none; stroke-width: 2; }
.curves path { fill: none; stroke-width: 1; stroke-opacity: 0.6; }
.rest { display: none; }
@media (prefers-color-scheme: dark) {
  text { fill: #e9eef4; } .dim { fill: #a3afbd; } .back { fill: #171d25; }
  .errors { stroke: #e9eef4; } .axis { stroke: #6b7887; }
}
@media (prefers-reduced-motion: reduce) {
  .moving { display: none; } .rest { display: inline; }
  .uncovered { clip-path: none; }
}
"""


def run(program, folder):
    """(hidden states [sweep][weight], errors, place of each weight)."""
    import h5py
    problem, trace = folder / "p.txt", folder / "run.h5"
    call = [str(program)]
    subprocess.run(call + ["generate", *PROBLEM, "--out", problem], check=True)
    subprocess.run(call + ["solve", problem, "--solver", "sbpi", "--trace",
                           trace], check=True, stdout=subprocess.DEVNULL)
    said = subprocess.run(call + ["decimate", problem, "--marginals", "bp",
                                  "--json", "--quiet"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    with h5py.File(trace) as file:
        hidden, errors = file["hidden"][:].tolist(), file["errors"][:].tolist()
    place = {weight: k for k, weight in enumerate(json.loads(said)["order"])}
    return hidden, errors, [place[i] for i in range(len(place))]


def colour(bin_):
    part = bin_ / (BINS - 1)
    return "#" + "".join(f"{round(a + part * (b - a)):02x}"
                         for a, b in zip(EARLY, LATE))


class Box:
    """A panel: from numbers to places."""

    def __init__(self, place, x, y):
        self.left, self.top, self.width, self.height = place
        self.xs, self.ys = x, y

    def x(self, value):
        low, high = self.xs
        return self.left + self.width * (value - low) / (high - low)

    def y(self, value):
        low, high = self.ys
        return self.top + self.height * (high - value) / (high - low)

    def frame(self, zero):
        y = self.y(zero)
        return (f'<path class="axis" d="M{self.left} {self.top}v{self.height}'
                f'M{self.left} {y:.1f}h{self.width}"/>')


def polyline(points):
    """Places with one digit, each relative to the one before."""
    tenths = [(round(10 * x), round(10 * y)) for x, y in points]
    out = [f"M{tenths[0][0] / 10:g} {tenths[0][1] / 10:g}"]
    for (a, b), (x, y) in zip(tenths, tenths[1:]):
        out.append(f"l{(x - a) / 10:g} {(y - b) / 10:g}")
    return "".join(out)


def times(steps):
    """(seconds of a round, key times of the states)."""
    whole = steps * SECONDS + HOLD
    keys = [min(1, k * SECONDS / whole) for k in range(steps + 1)] + [1]
    return whole, ";".join(f"{key:.4f}" for key in keys)


def animate(name, values, steps, more=""):
    """One attribute through all states; the last one stays."""
    whole, keys = times(steps)
    return (f'<animate attributeName="{name}" dur="{whole:.2f}s" '
            f'repeatCount="{ROUNDS}" fill="freeze" keyTimes="{keys}" '
            f'values="{";".join([*values, values[-1]])}"{more}/>')


def curves(layout, hidden, place):
    """One line per weight; equal states lie side by side, in BPD's order."""
    n, steps = len(place), len(hidden) - 1
    most = max(abs(h) for row in hidden for h in row) + 1
    box = Box(layout.curves, (0, steps), (-most, most))
    out = [box.frame(0), '<g class="curves uncovered" clip-path="url(#till)">']
    for b in range(BINS):
        lines = (polyline((box.x(t), box.y(row[i] + 1.6 * place[i] / n - 0.8))
                          for t, row in enumerate(hidden))
                 for i in range(n) if BINS * place[i] // n == b)
        out.append(f'<path stroke="{colour(b)}" d="{"".join(lines)}"/>')
    widths = [f"{box.x(t) - box.left:.1f}" for t in range(steps + 1)]
    clip = (f'<clipPath id="till"><rect x="{box.left}" y="0" height="{layout.size[1]}"'
            f' width="{box.width}">{animate("width", widths, steps)}</rect>'
            "</clipPath>")
    return [clip, *out, "</g>"], most


def bars(layout, hidden, place, most):
    """The states of now, in BPD's order; at rest the last ones."""
    n, steps = len(place), len(hidden) - 1
    box = Box(layout.bars, (0, n), (-most, most))
    zero, wide = box.y(0), f'stroke-width="{1.1 * box.width / n:.2f}"'
    moving, rest = [f'<g class="moving" {wide}>'], [f'<g class="rest" {wide}>']
    for b in range(BINS):
        members = [i for i in range(n) if BINS * place[i] // n == b]

        def state(row):
            return "".join(f"M{box.x(place[i] + 0.5):.1f} {zero:.0f}"
                           f"V{box.y(row[i]):.0f}" for i in members)
        shapes = [state(row) for row in hidden]
        path = f'<path stroke="{colour(b)}" d="{shapes[-1]}"'
        moving.append(f'{path}>{animate("d", shapes, steps)}</path>')
        rest.append(path + "/>")
    return [box.frame(0), *moving, "</g>", *rest, "</g>"]


def violated(layout, errors):
    box = Box(layout.errors, (0, len(errors) - 1), (0, max(errors)))
    line = polyline((box.x(t), box.y(e)) for t, e in enumerate(errors))
    return [box.frame(0), f'<path class="errors uncovered" '
            f'clip-path="url(#till)" d="{line}"/>']


def counter(layout, errors, patterns):
    """A sentence per sweep, one seen at a time."""
    steps = len(errors) - 1
    where = f'x="{layout.curves[0]}" y="{layout.said}"'
    out = ['<g class="moving">']
    for t, e in enumerate(errors):
        seen = ["1" if k == t else "0" for k in range(steps + 1)]
        out.append(f'<text {where} opacity="{int(t == steps)}">sweep {t}: {e} '
                   f"of {patterns} patterns violated"
                   + animate("opacity", seen, steps, ' calcMode="discrete"')
                   + "</text>")
    return out + ["</g>", f'<text class="rest" {where}>sweep {steps}: '
                  f"{errors[-1]} of {patterns} patterns violated</text>"]


def order_key(left, top, width):
    """The colours, from the weight fixed first to the last one."""
    return [f'<text class="dim" x="{left}" y="{top + 26}">order in which '
            "decimation fixes weights</text>",
            *[f'<rect x="{left + b * width / BINS:.1f}" y="{top + 40}" '
              f'height="10" width="{width / BINS + 0.5:.1f}" '
              f'fill="{colour(b)}"/>' for b in range(BINS)],
            f'<text class="dim" x="{left}" y="{top + 68}">first</text>',
            f'<text class="dim" x="{left + width}" y="{top + 68}" '
            'text-anchor="end">last</text>']


def words(layout):
    left, top, _, height = layout.curves
    return [f'<text class="title" x="{left}" y="{top - 18}">Hidden states over '
            "the sweeps of SBPI</text>",
            f'<text class="title" x="{layout.bars[0]}" '
            f'y="{layout.bars[1] - 14}">The states now</text>',
            *[f'<text class="dim" x="8" y="{top + part * height:.0f}">w = {w}'
              "</text>" for w, part in ((1, 0.26), (0, 0.76))],
            f'<text class="dim" x="{left}" y="{layout.errors[1] - 8}">violated '
            "patterns</text>"]


def picture(layout, hidden, errors, place, patterns):
    lines, most = curves(layout, hidden, place)
    width, height = layout.size
    left, top, wide, high = layout.bars
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} '
        f'{height}" width="{width}" height="{height}" role="img">',
        f"<title>SBPI solves a problem with {len(place)} weights and {patterns}"
        f" patterns in {len(errors) - 1} sweeps</title><style>{STYLE}</style>",
        f'<rect class="back" width="{width}" height="{height}"/>',
        *words(layout), *order_key(left, top + high, wide), *lines,
        *bars(layout, hidden, place, most), *violated(layout, errors),
        *counter(layout, errors, patterns), "</svg>", ""])


def write(program, folder):
    with tempfile.TemporaryDirectory() as scratch:
        hidden, errors, place = run(program, pathlib.Path(scratch))
    for name, layout in LAYOUTS.items():
        (folder / name).write_text(picture(layout, hidden, errors, place,
                                           round(0.2 * len(place))))


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]))

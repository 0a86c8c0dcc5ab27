// Answers questions with the module of the explorer, in node instead of a page.
//   node ask.mjs FOLDER NAME < questions > answers
// Questions: a list of lists [function, arguments]; answers: a list. "run" is
// a solver to its end.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const [folder, name, ui] = process.argv.slice(2).map((path, k) => k === 1 ? path : resolve(path));
const { engine } = await import(pathToFileURL(`${ui}/engine.js`));
const factory = createRequire(import.meta.url)(`${folder}/${name}.js`);
const functions = await engine(factory, readFileSync(`${folder}/${name}.wasm`), () => {});

functions.run = ({ name: solver, seed }) => {
  functions.solver({ name: solver, seed });
  for (;;) {
    const { outcome, step, errors, weights } = functions.steps({ count: 1 }).at(-1);
    if (outcome !== "running")
      return { solved: outcome === "solved", steps: step, errors, weights: weights.join("") };
  }
};

const plain = (key, value) => ArrayBuffer.isView(value) ? Array.from(value)
  : typeof value === "number" && !Number.isFinite(value) ? null : value;
const questions = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(questions.map(([f, args]) => functions[f](args)), plain));

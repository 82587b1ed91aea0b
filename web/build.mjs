// Makes dist/page.html, the template of the page, and dist/paper.js, which draws
// its charts as files. Both carry the licences of the packages in them.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, transform } from 'esbuild';
import ts from 'typescript';

const TARGETS = ['es2021', 'chrome90', 'firefox113', 'safari16.4'];

// `packages`: gets the names of those that are in it.
async function bundled(entry, packages, target = TARGETS) {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target,
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
  });
  for (const input of Object.keys(result.metafile.inputs)) {
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
    if (name) packages.add(name);
  }
  const text = result.outputFiles[0].text.trimEnd();
  return text;
}

// What their licences want to be in all copies, each text once.
function licences(packages) {
  const names = new Map();
  for (const name of [...packages].sort()) {
    const folder = join('node_modules', name);
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (!file) throw new Error(`${name} has no licence`);
    const text = readFileSync(join(folder, file), 'utf8').trim();
    names.set(text, [...(names.get(text) ?? []), name]);
  }
  const all = [...names].map(([text, each]) => `${each.join(', ')}:\n\n${text}\n`).join('\n');
  if (/--|\*\//.test(all)) throw new Error('a licence would end its comment');
  return all;
}

function element(text) {
  if (/<\/(script|style)/i.test(text)) throw new Error('a script or a style would end its own element');
  return text;
}

// As the language was in 2011, which small engines know.
async function inES5(script) {
  const options = { target: ts.ScriptTarget.ES5, module: ts.ModuleKind.None, downlevelIteration: true, ignoreDeprecations: '6.0' };
  const { outputText } = ts.transpileModule(script, { compilerOptions: options });
  return (await transform(outputText, { minify: true, target: 'es5', charset: 'utf8' })).code;
}

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const inPage = new Set();
const script = element(await bundled('src/main.ts', inPage));
const style = element(await bundled('src/style.css', inPage));
// Nothing else may run or load in the page: its policy names both by their
// hashes.
const policy =
  `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; ` +
  `img-src data:; base-uri 'none'; form-action 'none'`;
const values = { policy, style, script, licences: licences(inPage) };
const page = readFileSync('src/page.html', 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name) => values[name]);
mkdirSync('dist', { recursive: true });
writeFileSync('dist/page.html', page);
const inPaper = new Set();
const paper = await inES5(await bundled('src/paper.ts', inPaper, ['es2018']));
writeFileSync('dist/paper.js', `/*\n${licences(inPaper)}*/\n${paper}`);

// Makes dist/page.html, the template of the page, and dist/paper.js, which draws
// its charts as files.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build, transform } from 'esbuild';
import ts from 'typescript';

const TARGETS = ['es2021', 'chrome90', 'firefox113', 'safari16.4'];

async function bundled(entry, target = TARGETS) {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target,
    charset: 'utf8',
    legalComments: 'none',
  });
  const text = result.outputFiles[0].text.trimEnd();
  return text;
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

const script = element(await bundled('src/main.ts'));
const style = element(await bundled('src/style.css'));
// Nothing else may run or load in the page: its policy names both by their
// hashes.
const policy =
  `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; ` +
  `img-src data:; base-uri 'none'; form-action 'none'`;
const values = { policy, style, script };
const page = readFileSync('src/page.html', 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name) => values[name]);
mkdirSync('dist', { recursive: true });
writeFileSync('dist/page.html', page);
writeFileSync('dist/paper.js', await inES5(await bundled('src/paper.ts', ['es2018'])));

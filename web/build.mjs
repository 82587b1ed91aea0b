// Makes dist/page.html: the template of the page, with script and style inside.
// Nothing else may run or load in it: its content security policy names both by
// their hashes.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

async function bundled(entry) {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: ['es2021', 'chrome90', 'firefox113', 'safari16.4'],
    charset: 'utf8',
    legalComments: 'none',
  });
  const text = result.outputFiles[0].text.trimEnd();
  if (/<\/(script|style)/i.test(text)) throw new Error(`${entry} would end its own element`);
  return text;
}

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const script = await bundled('src/main.ts');
const style = await bundled('src/style.css');
const policy =
  `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; ` +
  `img-src data:; base-uri 'none'; form-action 'none'`;
const values = { policy, style, script };
const page = readFileSync('src/page.html', 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name) => values[name]);
mkdirSync('dist', { recursive: true });
writeFileSync('dist/page.html', page);

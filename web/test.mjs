// Runs the tests in test/: bundled first, because Node.js reads no TypeScript.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { build } from 'esbuild';

const tests = readdirSync('test').filter((name) => name.endsWith('.test.ts'));
await build({
  entryPoints: tests.map((name) => `test/${name}`),
  bundle: true,
  outdir: 'out',
  outExtension: { '.js': '.mjs' },
  platform: 'node',
  format: 'esm',
  sourcemap: 'inline',
  logLevel: 'warning',
});
const files = tests.map((name) => `out/${name.replace(/ts$/, 'mjs')}`);
process.exit(spawnSync(process.execPath, ['--enable-source-maps', '--test', ...files], { stdio: 'inherit' }).status ?? 1);

// Takes the pictures of docs/images: gallery.mjs POPRT CHROMIUM SOURCE FOLDER
//   SOURCE  the project, for its run files
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openBrowser, openPage } from './browser.mjs';
import { measured } from './runs.mjs';

const [poprt, chromium, source, folder] = process.argv.slice(2).map((each) => resolve(each));
const golden = join(source, 'tests/golden');
// Pages show the names of their files: short ones.
const here = mkdtempSync(join(tmpdir(), 'poprt-gallery-'));
cpSync(join(golden, 'run_file/rows.json'), join(here, 'hybrid-4x4.poprt.json'));
cpSync(join(golden, 'runs/bt-io'), join(here, 'bt-io'), { recursive: true });
writeFileSync(join(here, 'counted-4x4.poprt.json'), JSON.stringify(measured(readFileSync(join(golden, 'run_file/rows.json'), 'utf8'))));
function page(name, ...words) {
  execFileSync(poprt, [...words, '-o', `${name}.html`], { cwd: here });
  return join(here, `${name}.html`);
}
const report = page('report', 'report', 'hybrid-4x4.poprt.json');
const counted = page('counted', 'report', 'counted-4x4.poprt.json');
const scaling = page('scaling', 'scale', 'bt-io');
const assessment = page('assessment', 'scale', 'bt-io', '--assessment');

const browser = await openBrowser(chromium);

async function picture(name, path, options, prepare = async () => undefined) {
  const { tab } = await openPage(browser, path, options);
  const from = await prepare(tab);
  const clip = from ?? { x: 0, y: 0, width: options.width, height: options.height };
  await tab.screenshot({ path: join(folder, `${name}.png`), clip, captureBeyondViewport: true });
  await tab.close();
}

// The part of the page that begins with this section.
const section = (title, options) => (tab) =>
  tab.evaluate(
    (wanted, width, height) => {
      const found = [...document.querySelectorAll('section')].find((each) => each.querySelector('h2')?.textContent === wanted);
      return { x: 0, y: found.getBoundingClientRect().top + document.documentElement.scrollTop - 16, width, height };
    },
    title,
    options.width,
    options.height,
  );

const wide = { width: 1180, height: 1240 };
await picture('report', report, wide, async (tab) => {
  await tab.hover('#run tr[data-key="serialisation_efficiency"] td');
});
const dark = { width: 1180, height: 1080, dark: true };
await picture('losses-dark', report, dark, section('Where the core time went', dark));
await picture('narrow', report, { width: 390, height: 900 });
await picture('scaling', scaling, { width: 1180, height: 1160 });
const curves = { width: 1180, height: 760 };
await picture('curves', scaling, curves, section('Scaling', curves));
const sources = { width: 1180, height: 1040 };
await picture('counters', counted, sources, section('Parallel regions', sources));
const part = { width: 1180, height: 1080 };
await picture('assessment', assessment, part, section('Scalability', part));
await browser.close();
rmSync(here, { recursive: true });

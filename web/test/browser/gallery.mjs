// Takes the pictures of docs/images: gallery.mjs CHROMIUM FOLDER REPORT SCALING
import { join } from 'node:path';
import { openBrowser, openPage } from './browser.mjs';

const [chromium, folder, report, scaling] = process.argv.slice(2);
const browser = await openBrowser(chromium);

async function picture(name, page, options, prepare = async () => undefined) {
  const { tab } = await openPage(browser, page, options);
  const from = await prepare(tab);
  const clip = from ?? { x: 0, y: 0, width: options.width, height: options.height };
  await tab.screenshot({ path: join(folder, `${name}.png`), clip });
  await tab.close();
}

// The part of the page that begins with this section.
const section = (tab, title, options) =>
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
const dark = { width: 1180, height: 900, dark: true };
await picture('losses-dark', report, dark, (tab) => section(tab, 'Where the core time went', dark));
const narrow = { width: 390, height: 900 };
await picture('narrow', report, narrow);
const scale = { width: 1180, height: 1160 };
await picture('scaling', scaling, scale);
const curves = { width: 1180, height: 760 };
await picture('curves', scaling, curves, (tab) => section(tab, 'Scaling', curves));
await browser.close();

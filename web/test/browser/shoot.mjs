// Takes pictures of pages, to look at: shoot.mjs CHROMIUM FOLDER PAGE...
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openBrowser, openPage } from './browser.mjs';

const [chromium, folder, ...pages] = process.argv.slice(2);
const KINDS = {
  wide: { width: 1280 },
  narrow: { width: 390 },
  dark: { width: 1280, dark: true },
  print: { width: 900, print: true },
};

mkdirSync(folder, { recursive: true });
const browser = await openBrowser(chromium);
for (const page of pages) {
  for (const [kind, options] of Object.entries(KINDS)) {
    const { tab } = await openPage(browser, page, options);
    await tab.screenshot({ path: join(folder, `${basename(page, '.html')}-${kind}.png`), fullPage: true });
    await tab.close();
  }
}
await browser.close();

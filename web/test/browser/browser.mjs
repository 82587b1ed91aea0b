// Opens pages from the disk in Chromium, and hears all that they ask for.
import { pathToFileURL } from 'node:url';
import puppeteer from 'puppeteer-core';

export function openBrowser(executablePath) {
  return puppeteer.launch({
    executablePath,
    headless: true,
    // Without a sandbox of its own: tests run in containers, also as root.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
  });
}

// Who takes longer hangs.
export async function newTab(browser) {
  const tab = await browser.newPage();
  tab.setDefaultTimeout(600000);
  return tab;
}

// The page once it is complete; `requests` and `errors` go on growing.
export async function openPage(browser, path, { width = 1280, height = 900, dark = false, print = false } = {}) {
  const tab = await newTab(browser);
  const requests = [];
  const errors = [];
  tab.on('request', (request) => requests.push(request.url()));
  tab.on('pageerror', (error) => errors.push(String(error)));
  tab.on('console', (message) => {
    if (['error', 'warn', 'warning'].includes(message.type())) errors.push(message.text());
  });
  await tab.setViewport({ width, height });
  await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  if (print) await tab.emulateMediaType('print');
  const url = pathToFileURL(path).href;
  await tab.goto(url);
  await tab.waitForFunction('document.documentElement.dataset.ready === "true"');
  // A chart is drawn once the browser says how much room it has.
  await tab.waitForFunction(
    () => [...document.querySelectorAll('.drawing')].every((each) => each.clientWidth < 40 || each.childElementCount > 0),
  );
  return { tab, requests, errors, url };
}

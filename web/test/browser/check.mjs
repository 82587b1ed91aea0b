// Opens pages in Chromium as a reader does: from the disk, with mouse and keys.
//
// usage: check.mjs POPRT CHROMIUM SOURCE FOLDER
//   SOURCE  the project, for its run files
//   FOLDER  for the pages and their pictures
// Exit code 77 if there is no such browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { newTab, openBrowser, openPage } from './browser.mjs';
import { complete, hostile, inWindows, large, many, measured, version } from './runs.mjs';

const [poprt, chromium, source, folder] = process.argv.slice(2);
if (!existsSync(chromium)) process.exit(77);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const golden = join(source, 'tests/golden');
const say = (...words) => execFileSync(poprt, words, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });

function page(name, command, ...files) {
  const path = join(folder, `${name}.html`);
  say(command, ...files, '-o', path);
  return path;
}

const schema = JSON.parse(say('schema'));
const write = (path, run) => writeFileSync(path, JSON.stringify(complete(run, schema)));

const browser = await openBrowser(chromium);
let failures = 0;
async function check(name, test) {
  try {
    await test();
    console.log(`ok   ${name}`);
  } catch (error) {
    failures += 1;
    console.log(`FAIL ${name}\n${error.stack}`);
  }
}

// Whatever is done in the page, nothing is asked of a network and nothing
// fails; what a screen reader needs is there.
async function withPage(path, options, use) {
  const { tab, requests, errors, url } = await openPage(browser, path, options);
  await use(tab);
  assert.deepEqual(errors, []);
  assert.deepEqual(
    requests.filter((request) => request !== url && !request.startsWith('data:') && !request.startsWith('blob:')),
    [],
  );
  if (!tab.isClosed()) await tab.close();
}

async function accessible(tab) {
  // The page's policy lets no script in but its own: axe comes in by the
  // debugger, as the test itself does.
  await tab.evaluate(axe);
  const found = await tab.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return violations
      .filter((each) => ['serious', 'critical'].includes(each.impact))
      .map((each) => `${each.id}: ${each.nodes.map((node) => `${node.html.slice(0, 200)} ${node.failureSummary}`).slice(0, 3).join('\n')}`);
  });
  assert.deepEqual(found, []);
}

const texts = (tab, selector) => tab.$$eval(selector, (all) => all.map((each) => each.textContent.trim()));
const shown = (tab, selector) => tab.$$eval(selector, (all) => all.filter((each) => !each.hidden).map((each) => each.dataset.key));
const press = async (tab, selector, text) => {
  const handle = await tab.evaluateHandle((where, what) => [...document.querySelectorAll(where)].find((each) => each.textContent === what), selector, text);
  await handle.click();
};

const one = page('one', 'report', join(golden, 'run_file/rows.json'));
const grid = '#run .scroll:first-child > table.heat';

await check('a page carries the licences of the packages in it', async () => {
  const text = readFileSync(page('licences', 'report', join(golden, 'runs/grid/grid-16x4.poprt.json')), 'utf8');
  const [, comment] = /<!--\s*Parts of this page:([^]*?)-->/.exec(text);
  for (const name of ['d3-scale', 'd3-interpolate']) assert.match(comment, new RegExp(`\\b${name}\\b`));
  assert.match(comment, /Copyright/);
});

await check('numbers of the table are those of the run file', async () => {
  const run = JSON.parse(say('report', join(golden, 'run_file/rows.json'), '-f', 'json'));
  const labels = Object.fromEntries(
    say('explain').split('\n').flatMap((line) => {
      const found = /^ +(.+?) {2,}(\w+)$/.exec(line);
      return found ? [[found[2], found[1]]] : [];
    }),
  );
  assert.ok(labels.load_balance);
  await withPage(one, {}, async (tab) => {
    for (const [model, name] of [['pop', 'POP'], ['critical_path', 'Hybrid, critical path'], ['talp', 'TALP']]) {
      await press(tab, '[aria-label="Model"] button', name);
      const names = (await texts(tab, `${grid} thead th`)).slice(1);
      let compared = 0;
      for (const row of await tab.$$(`${grid} tbody tr`)) {
        const key = await row.evaluate((each) => each.dataset.key);
        const cells = await row.$$eval('td .number', (all) => all.map((each) => each.textContent));
        run.regions.forEach((region, i) => {
          const value = region.metrics[model][key];
          if (value === undefined || names[i] !== region.name.replace(/\?/g, names[i]?.[0] ?? '?')) return;
          const wanted = value === null ? '-' : (100 * value).toFixed(1);
          assert.equal(cells[i], wanted, `${model}.${key} of ${region.name}`);
          compared += 1;
        });
      }
      assert.ok(compared > 10, `${model}: ${compared} numbers compared`);
    }
  });
});

await check('rows fold and unfold by mouse and by keys', async () => {
  await withPage(one, {}, async (tab) => {
    const all = await shown(tab, `${grid} tbody tr`);
    const row = `${grid} tr[data-key="openmp_parallel_efficiency"]`;
    await tab.click(`${row} th`);
    const folded = await shown(tab, `${grid} tbody tr`);
    assert.ok(all.includes('openmp_load_balance') && !folded.includes('openmp_load_balance'));
    assert.equal(await tab.$eval(row, (each) => each.ariaExpanded), 'false');
    await tab.keyboard.press('ArrowRight');
    assert.deepEqual(await shown(tab, `${grid} tbody tr`), all);
    await tab.keyboard.press('ArrowDown');
    assert.equal(await tab.evaluate(() => document.activeElement.parentElement.dataset.key), 'openmp_load_balance');
    await tab.keyboard.press('ArrowLeft'); // to the row above in the hierarchy
    await tab.keyboard.press('Enter');
    assert.deepEqual(await shown(tab, `${grid} tbody tr`), folded);
    await press(tab, '#run button', 'Fold all');
    assert.ok((await shown(tab, `${grid} tbody tr`)).length < folded.length);
    await press(tab, '#run button', 'Unfold all');
    assert.deepEqual(await shown(tab, `${grid} tbody tr`), all);
  });
});

await check('an explanation comes by mouse and by keys, and goes with Escape', async () => {
  const said = say('explain', 'critical_path.mpi_load_balance', join(golden, 'run_file/rows.json')).replace(/\s+/g, ' ');
  await withPage(one, {}, async (tab) => {
    const cell = `${grid} tr[data-key="mpi_load_balance"] td`;
    await tab.hover(cell);
    const tip = () => tab.$eval('.tip', (each) => (each.hidden ? '' : each.textContent.replace(/\s+/g, ' ')));
    const formula = await tab.$eval('.tip .tip-formula', (each) => each.textContent);
    assert.ok((await tip()).startsWith('MPI Load Balance'));
    // The lines of poprt explain: formula, numbers, result.
    for (const line of formula.split('\n')) assert.ok(said.includes(line), `"${line}" is not in "${said}"`);
    await tab.mouse.move(1, 1);
    await tab.focus(`${grid} tbody th`);
    for (let i = 0; i < 2; i++) await tab.keyboard.press('ArrowDown');
    await tab.keyboard.press('ArrowRight');
    assert.ok((await tip()).length > 40);
    const describes = await tab.evaluate(() => document.getElementById(document.activeElement.getAttribute('aria-describedby'))?.className);
    assert.equal(describes, 'tip');
    await tab.keyboard.press('Escape');
    assert.equal(await tip(), '');
  });
});

await check('what was not useful is the rest of the core time', async () => {
  await withPage(page('not-useful', 'report', join(golden, 'run_file/rows.json')), {}, async (tab) => {
    const tiles = Object.fromEntries(await tab.$$eval('.tile', (all) => all.map((each) => [each.querySelector('dt').textContent, each.querySelector('dd').textContent])));
    const useful = Number.parseFloat(tiles['Parallel Efficiency']);
    const [, rest] = /core-s([\d.]+) % of/.exec(tiles['Core time not useful']) ?? [];
    assert.ok(Math.abs(useful + Number(rest) - 100) < 0.11, JSON.stringify(tiles));
  });
});

await check('losses instead of efficiencies', async () => {
  const run = say('report', join(golden, 'run_file/rows.json'), '--view', 'loss');
  await withPage(one, {}, async (tab) => {
    await press(tab, '#run button', 'Loss');
    const cells = await texts(tab, `${grid} tr[data-key="parallel_efficiency"] td .number`);
    const lines = run.split('\n').filter((each) => each.includes('Parallel Efficiency'));
    assert.ok(lines.some((each) => each.includes(cells[0])), `${cells[0]} is not in "${lines.join()}"`);
  });
});

await check('what was lost ends at the Parallel Efficiency', async () => {
  await withPage(one, {}, async (tab) => {
    const efficiency = (await texts(tab, `${grid} tr[data-key="parallel_efficiency"] td .number`))[0];
    const left = await tab.$$eval('figure details table tbody tr:last-child', (rows) =>
      rows.map((row) => [...row.cells].map((cell) => cell.textContent)).find(([name]) => name === 'Parallel Efficiency')?.[1],
    );
    assert.equal(left, `${efficiency} %`);
  });
});

await check('parallel regions are those of the text', async () => {
  const file = join(golden, 'run_file/hybrid.json');
  const text = say('report', file).replace(/ +/g, ' ');
  await withPage(page('parallel', 'report', file), {}, async (tab) => {
    const rows = await tab.$$eval('[aria-label="Parallel regions by cost"] tbody tr', (all) =>
      all.map((row) => [...row.cells].map((cell) => cell.textContent)),
    );
    assert.equal(rows.length, 3);
    // The text has what they lost in a table of its own.
    for (const [place, ...numbers] of rows) {
      for (const part of [numbers.slice(0, 6), numbers.slice(6)]) {
        const row = [place, ...part].join(' ');
        assert.ok(text.includes(row), `"${row}" is not in the text`);
      }
    }
  });
});

// The numbers behind the charts of a section: what stands in the table of each.
// Charts are drawn once their room is known.
const charted = (tab, title) =>
  tab.evaluate(
    async (wanted) => {
      for (let i = 0; i < 2; i++) await new Promise((resolve) => globalThis.requestAnimationFrame(resolve));
      return (
      [...document.querySelectorAll('section')]
        .filter((each) => each.querySelector('h2')?.textContent === wanted)
        .flatMap((each) => [...each.querySelectorAll('figure')])
        .map((each) => [...each.querySelectorAll('.numbers tr')].map((row) => [...row.cells].map((cell) => cell.textContent)))
      );
    },
    title,
  );

await check('what was measured besides times has sections, with the numbers of the text', async () => {
  const file = join(folder, 'measured.json');
  write(file, measured(readFileSync(join(golden, 'run_file/rows.json'), 'utf8')));
  const text = say('report', file, '--region', '*', '--model', 'computation,io', '-f', 'markdown').replace(/[*|\\]/g, '').replace(/ +/g, ' ');
  const lines = text.split('\n').map((line) => line.trim());
  const line = (label) => lines.find((each) => each.startsWith(`${label} `)) ?? '';
  await withPage(page('measured', 'report', file), {}, async (tab) => {
    const numbers = (label, unit) => line(label).slice(label.length).trim().split(' ').map((each) => (each === '-' ? each : each + unit));
    const counters = await charted(tab, 'Counters');
    for (const [label, chart, unit] of [['IPC', 0, ''], ['Frequency, GHz', 1, ' GHz'], ['OPC', 2, ''], ['Vectorisation Efficiency, %', 3, ' %']]) {
      const cells = counters[chart].slice(1).map((row) => row[1]);
      assert.equal(cells.length, 6);
      assert.deepEqual(cells, numbers(label, unit), label);
    }
    const [shares, systems] = await charted(tab, 'File I/O');
    assert.deepEqual(shares.slice(1).map((row) => row[1]), numbers('MPI I/O, % of core time', ' %'));
    assert.deepEqual(shares.slice(1).map((row) => row[2]), numbers('POSIX I/O, % of core time', ' %'));
    for (const [mount, time] of systems.slice(1)) assert.ok(line(mount).includes(` ${time} `), `${mount} ${time}`);
    const [energy, memory] = await charted(tab, 'Hosts');
    const said = line('- Energy:');
    for (const [host, joules] of energy.slice(1)) assert.ok(said.includes(`${host} ${joules},`), `"${host} ${joules}" is not in "${said}"`);
    assert.deepEqual(memory.slice(1).map((row) => row[1]), ['7.000 GB', '8.000 GB']);
    const [binding] = await charted(tab, 'Binding');
    assert.deepEqual(binding[1], ['node1, socket 0, NUMA 0', '0', 'r0']);
    assert.deepEqual(binding.filter(([part, core]) => part.startsWith('node2') && ['0', '4'].includes(core)).map((row) => row[2]), ['r2-3', '-']);
    const [sources] = await charted(tab, 'Parallel regions');
    const lost = lines.slice(lines.findIndex((each) => each.startsWith('What they lost')));
    for (const [place, ...parts] of sources.slice(1)) {
      const found = lost.find((each) => each.startsWith(place)) ?? '';
      assert.ok(found.includes(parts.slice(0, -1).map((part) => part.replace(' %', '')).join(' ')), `${place} ${parts} is not "${found}"`);
    }
    await accessible(tab);
  });
});

await check('core time of each region by what it was spent on', async () => {
  const run = JSON.parse(say('report', join(golden, 'run_file/rows.json'), '-f', 'json'));
  await withPage(one, {}, async (tab) => {
    const [whole, regions] = await charted(tab, 'Where the core time went');
    // Regions have a column for what the whole run has nothing of.
    const shares = Object.fromEntries(regions[0].map((part, i) => [part, regions[1][i]]));
    whole[0].slice(1).forEach((part, i) => assert.equal(shares[part], whole[1][i + 1], part));
    run.regions.forEach(({ name, metrics }, i) => {
      const useful = metrics.pop.parallel_efficiency;
      if (useful !== null) assert.equal(regions[i + 1][1], `${(100 * useful).toFixed(1)} %`, name);
    });
    await press(tab, '[aria-label="Bars of regions"] button', 'Core-seconds');
    const [, times] = await charted(tab, 'Where the core time went');
    assert.match(times[1].at(-1), /core-s$/);
    assert.deepEqual(times.slice(1).map((row) => row[1]), regions.slice(1).map((row) => row[1]));
  });
});

await check('what the page shows, report --full shows as text', async () => {
  const file = join(folder, 'measured.json');
  const text = say('report', file, '--full', '-f', 'markdown').replace(/[*|\\#]/g, '').replace(/ +/g, ' ');
  const lines = text.split('\n').map((line) => line.trim());
  await withPage(page('full', 'report', file), {}, async (tab) => {
    const [, regions] = await charted(tab, 'Where the core time went');
    const [head, ...rows] = regions;
    assert.equal(rows.length, 6);
    head.slice(1, -1).forEach((part, i) => {
      const shares = rows.map((row) => row[i + 1].replace(' %', ''));
      assert.ok(lines.includes(`${part} ${shares.join(' ')}`), `${part} ${shares.join(' ')}`);
    });
    const facts = await tab.$$eval('section', (all) =>
      all
        .filter((each) => ['Data quality', 'Provenance'].includes(each.querySelector('h2')?.textContent))
        .flatMap((each) => [...each.querySelectorAll('dl.facts')])
        .flatMap((each) => [...each.querySelectorAll('dt')].map((name) => `${name.textContent}: ${name.nextElementSibling.textContent}`)),
    );
    assert.ok(facts.length > 12, facts.join('\n'));
    for (const fact of facts.filter((each) => !each.startsWith('run file'))) assert.ok(lines.includes(`- ${fact.replace(/[*|\\#]/g, '').replace(/ +/g, ' ')}`), fact);
    for (const list of ['Hosts', 'Regions by core time lost', 'Parallel regions by cost']) {
      const shown = await tab.$$eval(`[role=region][aria-label="${list}"] tbody tr`, (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent).join(' ')));
      assert.ok(shown.length > 1, list);
      // The page has the sources of losses in the same rows.
      for (const row of shown) assert.ok(lines.some((line) => line.split(' ').length > 2 && row.startsWith(line)), `${list}: ${row}`);
    }
  });
});

await check('a program without OpenMP has no hybrid model', async () => {
  const path = page('mpi', 'scale', join(golden, 'runs/bt-io'));
  await withPage(path, {}, async (tab) => {
    const names = await texts(tab, '[aria-label="Model"] button');
    assert.ok(names.includes('MPI, critical path') && !names.some((name) => name.includes('Hybrid')), names.join());
    // Of several runs the largest is shown.
    const chosen = await tab.$eval('.chooser select', (each) => each.selectedOptions[0].textContent);
    const sizes = (await texts(tab, '.chooser option')).map((name) => Number.parseInt(name, 10));
    assert.equal(Number.parseInt(chosen, 10), Math.max(...sizes));
  });
});

await check('names are text, never markup', async () => {
  const file = join(folder, 'hostile.json');
  write(file, hostile());
  const path = page('hostile', 'report', file);
  await withPage(path, {}, async (tab) => {
    assert.equal(await tab.evaluate(() => globalThis.hacked), undefined);
    assert.equal(await tab.$$eval('#page script, #page img, #page iframe', (all) => all.length), 0);
    const heads = await texts(tab, `${grid} thead th`);
    assert.ok(heads.includes('<script>hacked=1</script>'), heads.join());
    await accessible(tab);
  });
  assert.equal(say('export', path, '--to', 'json', '-o', '-'), say('report', file, '-f', 'json'));
});

await check('a page of several runs has their scaling', async () => {
  const path = page('scaling', 'scale', join(golden, 'runs/weak'));
  await withPage(path, {}, async (tab) => {
    const text = say('scale', join(golden, 'runs/weak'), '-f', 'markdown').replace(/&emsp;|[|\\]/g, '').replace(/ +/g, ' ');
    for (const row of await tab.$$('main > section table.heat tbody tr')) {
      const [label, ...cells] = await row.$$eval('th .label, td .number', (all) => all.map((each) => each.textContent));
      const line = `${label} ${cells.join(' ')}`;
      assert.ok(text.replace(/ [!x+](?=\s)/g, '').includes(line), `"${line}" is not in the text`);
    }
    assert.deepEqual(await texts(tab, '.pair figure > .drawing text[font-weight="600"]'), ['Speedup (weak scaling)', 'Efficiencies, %', 'Computation scaling, %']);
    await accessible(tab);
  });
});

await check('without the kind of scaling there is a sentence instead of a speedup, and no point without cores', async () => {
  const scaled = async (name, change, use) => {
    const files = [4, 9, 16].map((ranks) => {
      const run = JSON.parse(readFileSync(join(golden, `runs/bt-io/bt-io-${ranks}x1.poprt.json`), 'utf8'));
      change(run.run, ranks);
      const file = join(folder, `${name}-${ranks}.json`);
      writeFileSync(file, JSON.stringify(run));
      return file;
    });
    await withPage(page(name, 'scale', ...files), {}, use);
  };
  const figures = (tab) => texts(tab, '.pair figure > .drawing text[font-weight="600"]');
  await scaled('unknown', (run, ranks) => run.command.push(`in.${ranks}`), async (tab) => {
    assert.deepEqual(await figures(tab), ['Efficiencies, %']);
    assert.ok((await texts(tab, 'main p')).some((each) => each.includes('--scaling strong or weak')));
    assert.deepEqual((await texts(tab, '.verdict .tile dt')).slice(0, 2), ['Parallel Efficiency of 16x1', 'Run time']);
    await accessible(tab);
  });
  await scaled('unseen', (run, ranks) => (run.unseen_openmp = ranks === 9), async (tab) => {
    assert.equal((await figures(tab))[0], 'Speedup');
    assert.equal((await tab.$$('.pair figure:first-of-type .drawing g.part')).length, 2);
    await accessible(tab);
  });
});

await check('versions are compared side by side', async () => {
  const files = ['cg', 'mg'].flatMap((solver) =>
    [0, 1, 2].map((i) => {
      const file = join(folder, `${solver}-${i}.json`);
      write(file, version(solver, i));
      return file;
    }),
  );
  const path = page('versions', 'scale', ...files);
  await withPage(path, {}, async (tab) => {
    assert.deepEqual((await texts(tab, 'main > section table.heat thead th')).slice(1, 3), ['8x4a', '8x4b']);
    const diff = say('diff', files.slice(0, 3).join(), files.slice(3).join(), '-f', 'markdown').replace(/[|\\]/g, '').replace(/ +/g, ' ');
    const rows = await tab.$$eval('[role=treegrid][aria-label^="Global: Hybrid"]', (all) =>
      [...(all.at(-1)?.querySelectorAll('tr[data-key="parallel_efficiency"] .number') ?? [])].map((each) => each.textContent),
    );
    assert.ok(rows.length > 2 && diff.replace(/ [!x+](?=\s)/g, '').includes(`Parallel Efficiency ${rows.join(' ')}`), `${rows.join(' ')} is not in ${diff}`);
    await accessible(tab);
  });
});

const downloads = join(folder, 'downloads');
mkdirSync(downloads);
const session = await browser.target().createCDPSession();
await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: downloads, eventsEnabled: true });

// What the browser writes to the disk when this is done.
async function downloaded(name, act) {
  const states = [];
  const hear = ({ state }) => states.push(state);
  session.on('Browser.downloadProgress', hear);
  await act();
  await until(() => states.some((state) => state !== 'inProgress'));
  session.off('Browser.downloadProgress', hear);
  assert.equal(states.at(-1), 'completed');
  assert.ok(existsSync(join(downloads, name)), `no ${name}`);
}

async function until(isSo) {
  for (let i = 0; i < 12000; i++) {
    if (isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`still not: ${isSo}`);
}

await check('an assessment has the parts of the text, and keeps the words of its reader', async () => {
  // Its commands name the runs: a word that is wider than a narrow window.
  const runs = join(folder, 'runs'.repeat(20));
  cpSync(join(golden, 'runs/weak'), runs, { recursive: true });
  const options = [runs, '--assessment', '--region', '*'];
  const text = say('scale', ...options, '-f', 'markdown');
  const path = page('assessment', 'scale', ...options);
  const saved = join(downloads, 'assessment.html');
  const words = 'For a </script><b>client</b> & "us".';
  const heads = text.split('\n').filter((line) => line.startsWith('## ')).map((line) => line.slice(3));
  assert.equal(heads.length, 10);
  await withPage(path, {}, async (tab) => {
    assert.deepEqual(await texts(tab, 'section h2'), heads);
    assert.deepEqual(await texts(tab, 'nav a'), heads);
    const wanted = [...text.matchAll(/\*\*To write:\*\* (.*)/g)].map((match) => `To write: ${match[1].replace(/\\/g, '')}.`);
    assert.deepEqual(await texts(tab, '.to-write label'), wanted);
    const plain = text.replace(/&emsp;|[|\\]/g, '').replace(/ +/g, ' ');
    let rows = 0;
    for (const row of await tab.$$('section table.heat tbody tr')) {
      const [label, ...cells] = await row.$$eval('th .label, td .number', (all) => all.map((each) => each.textContent));
      const line = `${label} ${cells.join(' ')}`;
      assert.ok(plain.replace(/ [!x+](?=\s)/g, '').includes(line), `"${line}" is not in the text`);
      rows += 1;
    }
    assert.ok(rows > 60, `${rows} rows`);
    for (const sentence of await texts(tab, '.part-of-assessment > p')) {
      assert.ok(plain.includes(sentence.replace(/\u00a0/g, ' ').slice(0, 60)), `"${sentence}" is not in the text`);
    }
    await accessible(tab);
    await tab.type('.to-write textarea', words);
    const asked = [];
    tab.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    const leave = () => tab.close({ runBeforeUnload: true });
    await leave();
    await until(() => asked.length > 0);
    assert.deepEqual(asked, ['beforeunload']);
    await downloaded('assessment.html', () => press(tab, 'button', 'Save with your words'));
    // What is saved is not lost.
    await leave();
    await until(() => tab.isClosed());
    assert.equal(asked.length, 1);
  });
  await withPage(saved, {}, async (tab) => {
    assert.deepEqual(await texts(tab, 'section h2'), heads);
    assert.equal(await tab.$eval('.to-write textarea', (each) => each.value), words);
    assert.ok(await tab.$eval('.to-write', (each) => each.classList.contains('written')));
  });
  const out = join(folder, 'of-assessment');
  say('export', saved, '--to', 'json', '-o', out);
  assert.equal(readdirSync(out).length, 7);
});

await check('options say what is shown first', async () => {
  const file = join(golden, 'run_file/rows.json');
  const chosen = page('chosen', 'report', file, '--view', 'loss', '--region', 'CalcForce', '--model', 'pop');
  const lines = say('report', file, '--view', 'loss', '--region', 'CalcForce', '--model', 'pop').split('\n');
  await withPage(chosen, {}, async (tab) => {
    assert.deepEqual((await texts(tab, `${grid} thead th`)).slice(1), ['CalcForce']);
    assert.ok((await texts(tab, '[aria-label="Model"] [aria-pressed=true], [aria-label="Numbers"] [aria-pressed=true]')).join() === 'POP,Loss');
    for (const row of await tab.$$(`${grid} tbody tr:not([data-key="run_time_ns"])`)) {
      const [label, number] = await row.$$eval('th .label, td .number', (all) => all.map((each) => each.textContent));
      assert.match(number, /^-?\d+\.\d$/);
      assert.ok(lines.some((line) => line.trim().startsWith(label) && line.includes(` ${number}`)), `${label} ${number}`);
    }
    const selects = await tab.$$eval('section:has(figure) select', (all) => all.map((each) => each.selectedOptions[0].textContent));
    assert.ok(selects.includes('CalcForce'), selects.join());
    await press(tab, 'button', 'All regions');
    assert.ok((await texts(tab, `${grid} thead th`)).length > 3);
  });
  // A model without efficiencies is not what the verdict is about.
  await withPage(page('first-computation', 'report', join(folder, 'measured.json'), '--model', 'computation'), {}, async (tab) => {
    assert.ok((await texts(tab, '.tile dt')).includes('Parallel Efficiency'));
    assert.equal((await texts(tab, '[aria-label="Model"] [aria-pressed=true]')).join(), 'Computation, in useful time');
  });
  const spread = page('spread', 'scale', join(golden, 'runs/weak'), '--view', 'spread', '--region', 'solve');
  const table = say('scale', join(golden, 'runs/weak'), '--view', 'spread', '--region', 'solve', '-f', 'markdown').replace(/&emsp;|[|\\]/g, '').replace(/ +/g, ' ');
  await withPage(spread, {}, async (tab) => {
    const rows = await tab.$$eval('main > section table.heat tbody tr', (all) => all.map((row) => [...row.querySelectorAll('th .label, td .number')].map((each) => each.textContent).join(' ')));
    assert.ok(rows.length > 10);
    for (const row of rows) assert.ok(table.includes(row), `"${row}" is not in the text`);
    await press(tab, '[aria-label="Repeated runs"] button', 'Median');
    assert.equal(await tab.$eval('main > section .bar select', (each) => each.selectedOptions[0].textContent), 'solve');
  });
  assert.throws(() => page('no-rows', 'report', join(golden, 'run_file/hybrid.json'), '-p'), /no rows of processes/);
  await withPage(page('processes', 'report', join(golden, 'run_file/rows.json'), '-p'), {}, async (tab) => {
    const top = await tab.$eval('#processes', (each) => each.getBoundingClientRect().top);
    assert.ok(Math.abs(top) < 400, `${top}`);
  });
});

await check('the bar of contents goes to every section of the run that is shown', async () => {
  await withPage(page('contents', 'scale', join(golden, 'runs/weak')), {}, async (tab) => {
    const heads = await texts(tab, 'main h2');
    assert.deepEqual((await texts(tab, '.toc a')).slice(1), heads);
    await press(tab, '.toc a', 'Data quality');
    const top = await tab.evaluate(() => [...document.querySelectorAll('h2')].find((each) => each.textContent === 'Data quality').getBoundingClientRect().top);
    // Below the bar, or as far as the page goes.
    const bar = await tab.$eval('.toc', (each) => each.getBoundingClientRect().bottom);
    assert.ok(top >= bar && top < 900, `${top}, ${bar}`);
    await tab.select('.chooser select', '0');
    await tab.waitForFunction(() => document.querySelectorAll('.toc a').length - 1 === document.querySelectorAll('main h2').length);
    assert.equal(await tab.$$eval('.toc a', (all) => all.filter((each) => !document.querySelector(each.getAttribute('href'))).length), 0);
  });
});

await check('light, findings, next step and main numbers come first, then efficiencies, then why', async () => {
  const file = join(golden, 'run_file/rows.json');
  await withPage(one, {}, async (tab) => {
    assert.deepEqual(await tab.$eval('.verdict', (each) => [...each.children].map((child) => child.className.split(' ')[0])), ['light', 'findings', 'tiles', 'overview']);
    const rows = await tab.$$eval('.overview tbody tr', (all) => all.map((row) => row.textContent));
    assert.ok(rows.length > 2 && !(await texts(tab, 'h3')).some((each) => each.startsWith('In short')), rows.join());
    assert.deepEqual((await texts(tab, '#run h2')).slice(0, 2), ['Efficiencies', 'Why']);
    // What the bars show of the loss is below them.
    const [, loss] = /^ Loss +((?:.|\n {7})+)/m.exec(say('report', file));
    const sections = await tab.$$eval('section', (all) => all.map((each) => each.textContent));
    assert.ok(sections.some((each) => each.startsWith('Where the core time went') && each.includes(loss.replace(/\s+/g, ' ').trim())), loss);
    // Next opens what poprt explain says, without a terminal.
    const [, metric] = /Try next +poprt explain (\S+)/.exec(say('report', file));
    const said = say('explain', metric, file).replace(/\s+/g, ' ');
    await tab.click('.next summary');
    const shown = await tab.$eval('.next .explanation', (each) => (each.checkVisibility() ? each.querySelector('.tip-formula').textContent : ''));
    assert.ok(shown.length > 10);
    for (const line of shown.split('\n')) assert.ok(said.includes(line), `"${line}" is not in "${said}"`);
    await accessible(tab);
  });
});

await check('what was not measured is a line with its option, and no empty frame', async () => {
  const file = join(folder, 'bare.json');
  write(file, many(1, 1, 1));
  await withPage(page('bare', 'report', file), {}, async (tab) => {
    const lines = await texts(tab, '.missing');
    for (const word of ['pop_region_start', 'one rank', '--windows', '--counters', '--rows process', '--io posix']) {
      assert.equal(lines.filter((line) => line.includes(word)).length, 1, `${word}: ${lines.join('\n')}`);
    }
    assert.ok(!(await texts(tab, 'h2')).includes('Why'));
    const empty = await tab.$$eval('section', (all) => all.filter((each) => each.querySelectorAll('table, svg, p:not(.lead), li, dd').length === 0).map((each) => each.textContent));
    assert.deepEqual(empty, []);
  });
  await withPage(one, {}, async (tab) => {
    const lines = await texts(tab, '.missing');
    for (const word of ['--path regions', '--calls on']) assert.equal(lines.filter((line) => line.includes(word)).length, 1, word);
    for (const word of ['pop_region_start', 'one rank', '--rows process']) assert.ok(!lines.some((line) => line.includes(word)), word);
  });
});

await check('no section is printed empty', async () => {
  for (const path of [one, join(folder, 'bare.html'), join(folder, 'measured.html')]) {
    await withPage(path, { print: true }, async (tab) => {
      const sections = await tab.$$eval('section:has(> h2)', (all) =>
        all
          .filter((each) => each.checkVisibility())
          .map((each) => [each.querySelector('h2').textContent, [...each.children].filter((child) => !child.matches('h2, .lead') && child.checkVisibility()).length]),
      );
      assert.ok(sections.length > 3);
      assert.deepEqual(sections.filter(([, parts]) => parts === 0), []);
    });
  }
});

await check('without rows of processes their binding is not known', async () => {
  const run = measured(readFileSync(join(golden, 'run_file/rows.json'), 'utf8'));
  const file = join(folder, 'unbound.json');
  run.processes = null;
  for (const each of run.regions) each.rows = null;
  write(file, run);
  const section = async (tab) => (await tab.$$eval('section', (all) => all.find((each) => each.querySelector('h2')?.textContent === 'Binding').textContent));
  await withPage(page('unbound', 'report', file), {}, async (tab) => assert.match(await section(tab), /Binding not known.*--rows process/));
  await withPage(join(folder, 'measured.html'), {}, async (tab) => assert.doesNotMatch(await section(tab), /not known/));
});

await check('a red run: grades are grey, no loss is named', async () => {
  const run = JSON.parse(readFileSync(join(golden, 'run_file/rows.json'), 'utf8'));
  const { threads } = run.run;
  run.run.resources = { ...run.run.resources, waited_for_core_sum_ns: Math.round(0.5 * threads * run.regions[0].accumulators.all_ns) };
  const file = join(folder, 'red.json');
  write(file, run);
  const isGrey = (colour) => {
    const [r, g, b] = colour.match(/\d+/g).map(Number);
    return Math.max(r, g, b) - Math.min(r, g, b) < 24;
  };
  const colours = (tab, where) => tab.$$eval(`${where} td.value`, (all) => all.map((each) => globalThis.getComputedStyle(each).backgroundColor).filter((each) => each !== 'rgba(0, 0, 0, 0)'));
  await withPage(page('red', 'report', file), {}, async (tab) => {
    assert.ok((await tab.$('.light.red')) && !(await tab.$('.next')));
    const all = await colours(tab, grid);
    assert.ok(all.length > 50 && all.every(isGrey), all.join());
    assert.ok(!(await texts(tab, 'h2')).includes('What was lost'));
    assert.match((await texts(tab, '.key'))[0], /^not judged/);
    const lists = await tab.$$eval('section', (all) => all.filter((each) => ['Regions', 'Parallel regions'].includes(each.querySelector('h2')?.textContent)).map((each) => each.textContent));
    assert.ok(lists.length > 0);
    for (const list of lists) assert.ok(!/lost|useful in them/.test(list), list);
    await tab.hover(`${grid} tr[data-key="mpi_load_balance"] td`);
    const tip = await tab.$eval('.tip', (each) => each.textContent);
    assert.ok(tip.length > 40 && !/If low|This run|lost\./.test(tip), tip);
    await accessible(tab);
  });
  // Beside another run: only its column.
  const gridRun = join(golden, 'runs/grid/grid-1x4.poprt.json');
  await withPage(page('red-study', 'scale', '--any-program', gridRun, file), {}, async (tab) => {
    const table = 'main > section table.heat';
    const [one, other] = await Promise.all([1, 2].map((i) => tab.$$eval(`${table} tr[data-key="parallel_efficiency"] td:nth-child(${i + 1})`, ([each]) => globalThis.getComputedStyle(each).backgroundColor)));
    assert.ok(!isGrey(one) && isGrey(other), `${one} ${other}`);
    assert.match(await tab.$eval('.verdict > .light.red:first-child', (each) => each.textContent), /^Light red: not to be judged are runs of /);
    assert.ok((await tab.$$eval('.pair svg', (all) => all[0].textContent)).includes('cannot be judged'));
  });
});

await check('windows are drawn, and lists have all their rows', async () => {
  const file = join(folder, 'windows.json');
  write(file, inWindows([0.9, 0.9, 0.5, 0.4, 0.9], 40));
  const { list } = JSON.parse(say('report', file, '-f', 'json')).windows;
  await withPage(page('windows', 'report', file), {}, async (tab) => {
    const [[head, ...rows]] = await charted(tab, 'Over time');
    assert.deepEqual(head, ['', '1', '2', '3', '4', '5']);
    const [efficiency] = rows.filter(([label]) => label === 'Parallel Efficiency');
    assert.deepEqual(efficiency.slice(1), list.map((window) => `${(100 * window.metrics.pop.parallel_efficiency).toFixed(1)} %`));
    // Digits are what a terminal has instead.
    assert.ok(!(await texts(tab, '[aria-label^="Over time"] th')).includes('windows'));
    const calls = '.listing:has([aria-label="MPI calls by time"])';
    assert.equal((await texts(tab, `${calls} .status`))[0], '1–15 of 40 rows');
    assert.equal((await texts(tab, `${calls} .on-paper`))[0], '1–15 of 40 rows');
    await tab.click(`${calls} [aria-label="Next page"]`);
    assert.equal((await texts(tab, `${calls} tbody th`))[0], 'Send halo.c:15 (swap)');
    await accessible(tab);
  });
});

await check('heads of regions differ, and are whole when pointed at', async () => {
  const run = many(40);
  run.regions.slice(1).forEach((each, i) => (each.name = `void solver::detail::kernel<double, ${i}, Layout::ColumnMajor>(Matrix<double, Layout::ColumnMajor>&)`));
  const file = join(folder, 'templates.json');
  write(file, run);
  await withPage(page('templates', 'report', file), {}, async (tab) => {
    const heads = await tab.$$eval(`${grid} thead th`, (all) => all.slice(1).map((each) => [each.textContent, each.title, each.clientHeight]));
    assert.equal(new Set(heads.map(([text]) => text)).size, heads.length);
    for (const [text, title, height] of heads.slice(1, -1)) {
      assert.ok(title.startsWith('void solver') && text.includes(/double, (\d+)/.exec(title)[1]), `${text}: ${title}`);
      assert.ok(height < 90, `${text} is ${height} high`);
    }
  });
});

await check('the key of colours is that of what is shown', async () => {
  await withPage(one, {}, async (tab) => {
    const key = async () => (await texts(tab, '.key'))[0];
    assert.match(await key(), /good, 80 % and more.*x poor, below 60 %/);
    await press(tab, '#run button', 'Loss');
    assert.match(await key(), /good, 20 % and less.*x poor, above 40 %/);
  });
});

await check('many regions: sorted, searched and in pages', async () => {
  const file = join(folder, 'many.json');
  write(file, many(300));
  const path = page('many', 'report', file);
  await withPage(path, {}, async (tab) => {
    const rows = () => texts(tab, '[aria-label="Regions by core time lost"] tbody th');
    const head = async (name) => press(tab, '[aria-label="Regions by core time lost"] thead button', name);
    const first = await rows();
    assert.equal(first.length, 15);
    await head('lost');
    await head('lost');
    assert.notDeepEqual(await rows(), first);
    await tab.type('section:has([aria-label="Regions by core time lost"]) input[type=search]', 'kernel 123');
    assert.deepEqual(await rows(), ['kernel 123']);
    const columns = async () => (await texts(tab, `${grid} thead th`)).slice(1);
    const before = await columns();
    await tab.click('button[aria-label="More regions"]');
    assert.ok((await columns()).every((name) => !before.includes(name)));
    await tab.type('section:has(table.heat) input[type=search]', 'kernel 145');
    assert.deepEqual(await columns(), ['kernel 145']);
  });
});

await check('10,000 processes in 10 regions are few elements, whose time to open is printed', async () => {
  const file = join(folder, 'large.json');
  write(file, large(10000, 10));
  const path = page('large', 'report', file);
  await withPage(path, {}, async (tab) => {
    const took = await tab.evaluate(() => performance.getEntriesByName('ready')[0].startTime);
    console.log(`     ${(took / 1000).toFixed(2)} s, ${(statSync(path).size / 1e6).toFixed(1)} MB`);
    const count = await tab.$$eval('*', (all) => all.length);
    assert.ok(count < 6000, `${count} elements`);
    const list = '[aria-label="Processes of Global"]';
    assert.ok((await texts(tab, `${list} tbody tr`)).length <= 15);
    await tab.type(`section:has(${list}) input[type=search]`, 'node0042');
    assert.ok((await texts(tab, `${list} tbody td:nth-child(2)`)).every((host) => host === 'node0042'));
    await press(tab, 'button', 'By useful time');
  });
});

await check('8 runs of 20 regions take at most 1 MB', async () => {
  const files = [1, 2, 4, 8, 16, 32, 64, 128].map((ranks) => {
    const file = join(folder, `size-${ranks}.json`);
    write(file, many(20, ranks));
    return file;
  });
  const { size } = statSync(page('size', 'scale', ...files));
  console.log(`     ${size} bytes`);
  assert.ok(size <= 1e6, `${size} bytes`);
});

await check('charts are drawn for the paper, and for the screen again', async () => {
  await withPage(one, {}, async (tab) => {
    const widths = () => tab.$$eval('#run .drawing svg', (all) => all.map((each) => each.viewBox.baseVal.width));
    const before = await widths();
    assert.ok(before.length > 2 && Math.min(...before) > 800, before.join());
    await tab.evaluate(async () => {
      globalThis.dispatchEvent(new Event('beforeprint'));
      for (let i = 0; i < 2; i++) await new Promise((resolve) => globalThis.requestAnimationFrame(resolve));
    });
    assert.equal(Math.max(...(await widths())), 700);
    await tab.evaluate(() => globalThis.dispatchEvent(new Event('afterprint')));
    assert.deepEqual(await widths(), before);
  });
});

// As by a script that archives pages: the browser never says how much room there is.
await check('a page that was never shown is printed whole', async () => {
  const tab = await newTab(browser);
  await tab.evaluateOnNewDocument(() => {
    globalThis.ResizeObserver = class {
      observe() {}
    };
  });
  await tab.goto(`file://${one}`);
  await tab.waitForFunction('document.documentElement.dataset.ready === "true"');
  const drawn = () => tab.$$eval('#run .drawing svg, #run [role=treegrid]', (all) => all.length);
  assert.equal(await drawn(), 0);
  await tab.evaluate(() => globalThis.dispatchEvent(new Event('beforeprint')));
  const grids = await tab.$$eval('#run [role=treegrid]', (all) =>
    all.map((grid) => [grid.ariaLabel, [...grid.querySelectorAll('tr[aria-level="1"]')].map((row) => row.dataset.key)]),
  );
  // Rows that split one loss in two ways are in two tables.
  assert.deepEqual(grids, [
    ['Hybrid, critical path, % of run time', ['run_time_ns', 'parallel_efficiency']],
    ['The same loss, over all threads', ['load_balance', 'communication_efficiency']],
  ]);
  assert.equal(await drawn(), 2 + (await tab.$$eval('#run .drawing', (all) => all.length)));
  await tab.close();
});

await check('no serious finding of axe, wide and narrow, light and dark', async () => {
  const path = page('rows', 'report', join(golden, 'run_file/rows.json'));
  for (const options of [{}, { dark: true }, { width: 390 }]) {
    for (const each of [one, path, join(folder, 'measured.html'), join(folder, 'assessment.html')]) {
      await withPage(each, options, async (tab) => {
        await accessible(tab);
        const wide = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(wide, 0, 'the page is wider than the window');
      });
    }
  }
});

await browser.close();
process.exit(failures ? 1 : 0);

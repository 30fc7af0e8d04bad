// Tests what the scripts add to the pages.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { base, guizhiTang, launch, open } from './browser.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

// column is what stands in a column of a table.
const column = (page, table, n) => page.locator(`${table} tbody tr`).evaluateAll((rows, i) => rows.map((row) => row.cells[i].textContent.trim()), n);

test('a table is sorted by the column whose head is pressed, and back', async () => {
  const page = await open(browser);
  await page.goto(`${base}/species/b1c7e646-c70e-5886-adc2-461d477308f7`); // its formulas fit on the page
  const table = '#formulas table.stack';
  const before = await column(page, table, 2);
  const head = page.locator(`${table} thead th`, { hasText: 'Year' });
  await head.locator('button').click();
  assert.equal(await head.getAttribute('aria-sort'), 'ascending');
  await head.locator('button').press('Enter');
  assert.equal(await head.getAttribute('aria-sort'), 'descending');
  const after = await column(page, table, 2);
  assert.deepEqual(after.map(Number), before.map(Number).sort((a, b) => b - a));
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('a heat map is sorted by a herb, below the formula itself', async () => {
  const page = await open(browser);
  await page.goto(base + guizhiTang);
  const row = page.locator('#like .heat tbody tr');
  await page.locator('#like .heat thead th').nth(2).locator('button').click();
  assert.equal(await row.first().getAttribute('class'), 'self');
  const shades = await row.evaluateAll((rows) => rows.slice(1).map((r) => r.cells[2].className.slice(-1)));
  const order = '0xu12345';
  assert.deepEqual(shades, [...shades].sort((a, b) => order.indexOf(b) - order.indexOf(a)));
  await page.context().close();
});

test('a drawing is made larger, moved and made small again', async () => {
  const page = await open(browser);
  await page.goto(base + guizhiTang);
  const view = async () => (await page.locator('.net svg').getAttribute('viewBox')).split(' ').map(Number);
  const whole = await view();
  await page.locator('.net button', { hasText: '+' }).focus();
  await page.keyboard.press('Enter');
  const near = await view();
  assert.ok(near[2] < whole[2] && near[0] > 0);
  await page.keyboard.press('ArrowRight');
  assert.ok((await view())[0] > near[0]);
  await page.locator('.net svg').scrollIntoViewIfNeeded();
  const box = await page.locator('.net svg').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 40, box.y + box.height / 2);
  await page.mouse.up();
  assert.ok((await view())[0] < near[0] + near[2] / 8);
  await page.locator('.net button', { hasText: '−' }).click();
  assert.deepEqual(await view(), whole);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('without scripts there are no buttons that do nothing', async () => {
  const page = await open(browser, { javaScriptEnabled: false });
  await page.goto(base + guizhiTang);
  assert.equal(await page.locator('main button').count(), 0);
  assert.equal(await page.locator('.net svg').isVisible(), true);
  await page.context().close();
});

test('a list that is stopped keeps its rows, which can be saved', async () => {
  // A proxy between browser and server delays a list after its first row.
  const { hostname, host, port, protocol } = new URL(base);
  const { request: ask } = await import(`node:${protocol.slice(0, -1)}`);
  const between = createServer((request, response) => {
    const { 'accept-encoding': _, ...headers } = request.headers;
    const on = ask({ hostname, port, path: request.url, method: request.method, headers: { ...headers, host }, rejectUnauthorized: false }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      if (!/^\/match(\?|$)/.test(request.url) || request.method !== 'POST') return answer.pipe(response);
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      answer.on('end', () => response.write(text.slice(0, text.indexOf('</li>') + '</li>'.length)));
    });
    request.pipe(on);
  });
  await new Promise((ready) => between.listen(0, '127.0.0.1', ready));
  const context = await browser.newContext({ locale: 'en', acceptDownloads: true });
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${between.address().port}/match`);
  await page.locator('#names').fill('Panax ginseng\nEphedra sinica');
  await page.locator('form .btn').first().click({ noWaitAfter: true });
  await page.locator('.mt li').waitFor();
  assert.equal(await page.locator('.results .btn').count(), 0);
  await page.locator('#stop button').click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('.results .btn').first().click()]);
  const table = await readFile(await download.path(), 'utf8');
  assert.match(table, /Panax ginseng/);
  assert.doesNotMatch(table, /Ephedra/);
  await context.close();
  between.closeAllConnections();
  between.close();
});

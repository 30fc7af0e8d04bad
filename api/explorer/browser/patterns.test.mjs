// The page of patterns: its numbers link to their formulas, and no label of its picture covers another.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { base, follow, guizhiTang, launch, open } from './browser.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

// overlaps lists the labels of the visible network that cover another label or circle.
const overlaps = (page) => page.evaluate(() => {
  const svg = [...document.querySelectorAll('.pairnet svg')].find((s) => s.getClientRects().length > 0);
  const shapes = [...svg.querySelectorAll('a text, a circle')].map((e) => [e.textContent || 'circle', e.tagName === 'text' ? e.getBBox() : { x: e.cx.baseVal.value - e.r.baseVal.value, y: e.cy.baseVal.value - e.r.baseVal.value, width: 2 * e.r.baseVal.value, height: 2 * e.r.baseVal.value }, e.parentNode]);
  const found = [];
  // The box of a text has space above and below its letters.
  const above = 5;
  for (const [i, [a, p, of]] of shapes.entries()) {
    for (const [b, q, other] of shapes.slice(0, i)) {
      if (of !== other && p.x < q.x + q.width && q.x < p.x + p.width && p.y + above < q.y + q.height && q.y + above < p.y + p.height) found.push(`${a} and ${b}`);
    }
  }
  return { found, count: svg.querySelectorAll('a circle').length };
});

for (const width of [320, 768, 1280]) {
  for (const path of ['/patterns', '/patterns?drugs=60&least=3', `/patterns?dynasty=${encodeURIComponent('宋')}`]) {
    test(`no label covers another, ${path} at ${width}`, async () => {
      for (const locale of ['en', 'zh-CN']) {
        const page = await open(browser, { locale, viewport: { width, height: 800 } });
        await page.goto(base + path);
        const { found, count } = await overlaps(page);
        assert.deepEqual(found, []);
        assert.ok(count > 5 && count <= 60, `${count} drugs`);
        assert.deepEqual(page.faults, []);
        await page.context().close();
      }
    });
  }
}

test('each number leads to as many formulas', async () => {
  const page = await open(browser);
  for (const path of ['/patterns', `/patterns?dynasty=${encodeURIComponent('宋')}&herbs=${encodeURIComponent('当归')}`]) {
    await page.goto(base + path);
    const links = await page.locator('#drugs td a, #pairs td a').evaluateAll((all) => all.map((a) => [a.getAttribute('href'), a.textContent]));
    assert.ok(links.length > 20);
    const wrong = [];
    for (const [href, count] of links.filter((_, i) => i < 10 || i % 9 === 0)) {
      const text = await (await page.request.get(base + href, { headers: { accept: 'text/html', 'accept-language': 'en' } })).text();
      if (!new RegExp(`[ ,]${count} formulas?\\b`).test(text)) wrong.push(`${count}: ${decodeURIComponent(href)}`);
    }
    assert.deepEqual(wrong, []);
  }
  await page.context().close();
});

test('a question is asked by the form and made narrower by links, without scripts', async () => {
  const page = await open(browser, { javaScriptEnabled: false });
  await page.goto(base);
  await follow(page, page.locator('.top nav a', { hasText: 'Patterns' }));
  await page.getByLabel('With drugs', { exact: true }).first().fill('当归');
  await follow(page, page.getByRole('button', { name: 'Show the patterns' }));
  await follow(page, page.locator('.facet a', { hasText: 'Song' }).first());
  assert.match(await page.locator('#population').innerText(), /11 formulas/);
  await follow(page, page.getByRole('link', { name: 'each composition once' }));
  assert.match(await page.locator('#population strong').innerText(), /each of the 11 compositions once/);
  assert.match(await page.locator('#methods .cite').innerText(), /Each distinct composition was counted once \(N = 11\)/);
  await follow(page, page.locator('a.chip').first());
  assert.match(await page.locator('#population').innerText(), /formulas/);
  await page.context().close();
});

test('the form gives back what was typed, and a drug that is offered below a field can be taken', async () => {
  const page = await open(browser, { javaScriptEnabled: false });
  await page.goto(`${base}/patterns`);
  const herbs = page.getByLabel('With drugs', { exact: true }).first();
  const years = page.getByLabel('From year', { exact: true }).first();
  await herbs.fill('人叁');
  await years.fill('960-1279');
  await follow(page, page.getByRole('button', { name: 'Show the patterns' }));
  assert.equal(await herbs.inputValue(), '人叁');
  assert.equal(await years.inputValue(), '960-1279');
  assert.equal(await herbs.getAttribute('aria-invalid'), 'true');
  await follow(page, page.locator('.said a', { hasText: '人参' }).first());
  assert.match(await page.locator('#population h2').innerText(), /from 960, to 1279, with 人参/);
  assert.match(await page.locator('#drugs tbody tr').first().innerText(), /chosen by it/);
  await follow(page, page.getByRole('link', { name: 'most special to these formulas' }));
  assert.ok(await page.locator('#drugs tbody tr').count() > 5);
  await page.context().close();
});

test('the file of drugs has all of them, the page the most frequent', async () => {
  const page = await open(browser);
  await page.goto(`${base}/patterns`);
  const listed = await page.locator('table.drugs tbody tr').count();
  const rarer = /\d+/.exec(await page.locator('#drugs details .note').textContent());
  const table = await (await page.request.get(base + await page.locator('#methods a', { hasText: 'Drugs' }).getAttribute('href'))).text();
  assert.ok(listed > 25);
  assert.equal(table.trim().split('\r\n').length - 1, listed + Number(rarer[0]));
  await page.context().close();
});

test('a formula shows what descends from it', async () => {
  const page = await open(browser);
  await page.goto(base + guizhiTang);
  const rows = await page.locator('#descent tbody tr').count();
  assert.ok(rows > 3);
  assert.ok(await page.locator('#descent figure circle').count() > 3);
  await follow(page, page.locator('#descent table.stack a').first());
  assert.equal(await page.locator('#descent .nd.here').count(), 1);
  await page.context().close();
});

// Everything must work by keyboard, and everything must work without scripts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { base, follow, ginseng, launch, open, pages } from './browser.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

// reached presses Tab until the focus leaves the page. It returns the elements that had the focus.
async function reached(page) {
  const seen = new Set();
  const hidden = [];
  for (let i = 0; i < 1500; i++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      window.places ??= [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')];
      return { place: window.places.indexOf(element), shown: getComputedStyle(element).outlineStyle !== 'none' && !(element.closest('thead')?.clientWidth < 2), text: element.outerHTML.slice(0, 120) };
    });
    if (!at || seen.has(at.place)) break;
    seen.add(at.place);
    if (!at.shown) hidden.push(at.text);
  }
  return { seen, hidden };
}

test('Tab reaches everything that can be pressed, and shows where it is', async () => {
  const page = await open(browser);
  const all = await pages(browser);
  for (const [name, width] of [['start', 1280], ['species', 1280], ['species', 390], ['herb', 1280], ['formula', 1280], ['compare', 1280], ['search-formulas', 1280], ['match', 1280], ['operation', 1280]]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(base + all[name]);
    const { seen, hidden } = await reached(page);
    const missed = await page.evaluate((places) => window.places.filter((element, i) => !places.includes(i) && element.checkVisibility() && element.type !== 'hidden' &&
      !(element.type === 'radio' && !element.checked)).map((element) => element.outerHTML.slice(0, 120)), [...seen]);
    assert.deepEqual(missed, [], `${name}: not reached`);
    assert.deepEqual(hidden, [], `${name}: the focus does not show`);
  }
  await page.context().close();
});

test('the first Tab skips to the content', async () => {
  const page = await open(browser);
  await page.goto(base + ginseng);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.hash === '#main');
  await page.context().close();
});

test('suggestions are chosen with arrows', async () => {
  const page = await open(browser);
  await page.goto(base);
  await page.locator('#q').fill('rensh'); // at once: an answer to a part of it would come between
  await page.locator('#suggestions li').first().waitFor();
  assert.match(await page.locator('#suggestions li .kind').first().innerText(), /^(species|herb|formula)$/);
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.locator('#suggestions li[aria-selected="true"]').count(), 1);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/search\?/);
  assert.match(decodeURIComponent(page.url()), /q=\p{Script=Han}+/u);
  await page.context().close();
});

test('a suggestion leads to the records of its kind', async () => {
  const page = await open(browser);
  for (const [label, kind] of [['formula', 'formulas'], ['herb', 'herbs'], ['species', 'species']]) {
    for (const choose of [
      (line) => line.click(),
      async (line) => {
        for (let n = await line.evaluate((l) => [...l.parentElement.children].indexOf(l)); n >= 0; n--) await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
      },
    ]) {
      await page.goto(base);
      await page.locator('#q').fill('guizhi');
      const line = page.locator('#suggestions li', { has: page.locator('.kind', { hasText: label }) }).last();
      const text = await line.locator('span').first().innerText();
      await Promise.all([page.waitForURL(/\/search\?/), choose(line)]);
      const { searchParams } = new URL(page.url());
      assert.deepEqual([searchParams.get('q'), searchParams.get('kind')], [text, kind]);
      assert.match(await page.locator('.hits').innerText(), new RegExp(text.split('').join('\\s*(?:\\p{Script=Latin}*\\s*)?'), 'u'));
    }
  }
  await page.locator('#q').pressSequentially('x'); // another text is searched for among all kinds
  await follow(page, page.locator('form[role=search] button'));
  assert.equal(new URL(page.url()).searchParams.has('kind'), false);
  await page.context().close();
});

test('without scripts, a newcomer still searches, unfolds, compares and matches', async () => {
  const page = await open(browser, { javaScriptEnabled: false });
  await page.goto(base);
  await page.locator('#q').fill('桂枝汤');
  await follow(page, page.locator('form[role=search] button'));
  await follow(page, page.locator('.tabs a', { hasText: 'Formulas' }));
  for (const open of [false, true]) { // the group of the name itself is open at first
    await page.locator('details.grp summary').first().click();
    assert.equal(await page.locator('details.grp').first().evaluate((group) => group.open), open);
  }
  await follow(page, page.locator('details.grp ol a').first());
  assert.match(await page.title(), /桂枝汤/);
  await follow(page, page.locator('.toc a', { hasText: 'Compare' }));
  assert.ok(await page.locator('.cmp tbody tr').count() > 3);
  await page.goto(`${base}/match`);
  await page.locator('#names').fill('Panax ginseng\nSalvia miltiorhiza Bge.\n金银花');
  await follow(page, page.locator('main form button').first());
  assert.equal(await page.locator('.mt > li').count(), 3);
  assert.equal(await page.locator('#stop').isVisible(), false, 'a button that needs scripts shows');
  await page.context().close();
});

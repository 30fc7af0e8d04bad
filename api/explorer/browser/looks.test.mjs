// Each page, in both languages, light and dark: no finding of axe, nothing that
// scrolls sideways, and a picture of it.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { base, launch, open, pages } from './browser.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const shots = process.env.SHOTS;
let browser;
let all;
before(async () => {
  browser = await launch();
  all = await pages(browser);
  if (shots) mkdirSync(shots, { recursive: true });
});
after(() => browser.close());

const languages = { en: 'en', zh: 'zh-CN' };

// findings are what axe has to say of a page.
async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
  return violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(' | ')}`);
}

for (const [code, locale] of Object.entries(languages)) {
  for (const colorScheme of ['light', 'dark']) {
    test(`axe has no finding, ${code}, ${colorScheme}`, async () => {
      // axe is put into the page, which the page's policy would refuse.
      const page = await open(browser, { locale, colorScheme, bypassCSP: true });
      const wrong = [];
      for (const [name, path] of Object.entries(all)) {
        await page.goto(base + path);
        wrong.push(...(await findings(page)).map((f) => `${name}: ${f}`));
      }
      await page.context().close();
      assert.deepEqual(wrong, []);
    });
  }

  test(`nothing scrolls sideways, ${code}`, async () => {
    const page = await open(browser, { locale });
    const wrong = [];
    for (const width of [320, 360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const [name, path] of Object.entries(all)) {
        await page.goto(base + path);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        if (over > 0) wrong.push(`${name} at ${width}: ${over} px`);
        if (shots && width !== 320) await page.screenshot({ path: join(shots, `${name}-${width}-${code}.png`), fullPage: true });
      }
    }
    assert.deepEqual(page.faults, []);
    await page.context().close();
    assert.deepEqual(wrong, []);
  });

  test(`a page in print leaves out what is pressed, ${code}`, async () => {
    const page = await open(browser, { locale });
    await page.emulateMedia({ media: 'print' });
    for (const path of [all.formula, all.species, all.herb]) {
      await page.goto(base + path);
      assert.equal(await page.locator('.top form').isVisible(), false, path);
      assert.equal(await page.locator('h1').isVisible(), true, path);
    }
    await page.context().close();
  });
}

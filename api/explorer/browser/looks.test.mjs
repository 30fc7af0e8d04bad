// No page may scroll sideways, in either language. The test can save a screenshot of each page.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { base, languages, launch, open, pages } from './browser.mjs';

const shots = process.env.SHOTS;
let browser;
let all;
before(async () => {
  browser = await launch();
  all = await pages(browser);
  if (shots) mkdirSync(shots, { recursive: true });
});
after(() => browser.close());

for (const [code, locale] of Object.entries(languages)) {
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
    for (const path of [all.formula, all.species, all.herb, all.patterns]) {
      await page.goto(base + path);
      assert.equal(await page.locator('.top form').isVisible(), false, path);
      assert.equal(await page.locator('h1').isVisible(), true, path);
    }
    await page.context().close();
  });
}

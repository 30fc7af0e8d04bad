// axe must find no error on any page, in both languages, light and dark.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { base, languages, launch, open, pages } from './browser.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let browser;
let all;
before(async () => {
  browser = await launch();
  all = await pages(browser);
});
after(() => browser.close());

// findings returns the errors that axe finds on a page.
async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
  return violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(' | ')}`);
}

for (const [code, locale] of Object.entries(languages)) {
  for (const colorScheme of ['light', 'dark']) {
    test(`axe has no finding, ${code}, ${colorScheme}`, async () => {
      // The test injects axe into the page, which the page's policy would not allow.
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
}

// axe must find no error on any page, in English on a desk and in Chinese on a phone, light and dark.
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

// findings returns all errors that axe finds on a page in light colours, and in dark colours only
// the errors of contrast. No other error depends on colours.
async function findings(page) {
  await page.evaluate(axe);
  const found = [];
  for (const [colorScheme, runOnly] of [
    ['light', ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']],
    ['dark', { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }],
  ]) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate((only) => window.axe.run(document, { runOnly: only, resultTypes: ['violations'] }), runOnly);
    found.push(...violations.map((v) => `${colorScheme}, ${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(' | ')}`));
  }
  return found;
}

for (const [code, locale] of Object.entries(languages)) {
  test(`axe has no finding, ${code}`, async () => {
    // The test injects axe into the page, which the page's policy would not allow.
    const page = await open(browser, { locale, bypassCSP: true, viewport: { width: code === 'zh' ? 390 : 1280, height: 900 } });
    const wrong = [];
    for (const [name, path] of Object.entries(all)) {
      await page.goto(base + path);
      wrong.push(...(await findings(page)).map((f) => `${name}: ${f}`));
    }
    await page.context().close();
    assert.deepEqual(wrong, []);
  });
}

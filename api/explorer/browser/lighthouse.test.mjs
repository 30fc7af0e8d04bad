// Lighthouse must give five pages at least 95 of 100 in each category except performance, whose score
// depends on what else the machine does.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as launcher from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { base, chromiumPath, flags, measured } from './browser.mjs';

let chrome;
before(async () => {
  chrome = await launcher.launch({ chromePath: chromiumPath, chromeFlags: ['--headless=new', ...flags] });
});
after(() => chrome.kill());

const least = 0.95;
const onlyCategories = ['accessibility', 'best-practices', 'seo'];

// low returns the categories in which a page has too low a score, with the reasons.
async function low(path) {
  const { lhr } = await lighthouse(base + path, { port: chrome.port, output: 'json', logLevel: 'error', locale: 'en', onlyCategories });
  assert.equal(Object.keys(lhr.categories).length, onlyCategories.length);
  return Object.values(lhr.categories).filter((c) => c.score < least).map((c) => `${c.title} ${c.score}: ` +
    c.auditRefs.map((ref) => lhr.audits[ref.id]).filter((a) => a.score !== null && a.score < 0.9).map((a) => a.id).join(', '));
}

for (const path of measured) {
  test(`Lighthouse, ${path}`, async () => {
    assert.deepEqual(await low(path), []);
  });
}

// No page may scroll sideways, in either language. The test can save a screenshot of each page.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

// sideways lists the pages that are wider than the window, and calls seen for each page. Scripts look
// at the width only when a page is loaded (narrow in bencao.js), so it loads the pages once for the
// widths of phones and once for the others.
async function sideways(page, widths, seen = () => {}) {
  const wrong = [];
  const phones = widths.filter((width) => width < 704);
  for (const group of [phones, widths.filter((width) => !phones.includes(width))]) {
    const look = async (name) => {
      for (const width of group) {
        await page.setViewportSize({ width, height: 800 });
        const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        if (over > 0) wrong.push(`${name} at ${width}: ${over} px`);
        await seen(name, width);
      }
    };
    if (group.length === 0) continue;
    await page.setViewportSize({ width: group[0], height: 800 });
    for (const [name, path] of Object.entries(all)) {
      await page.goto(base + path);
      await look(name);
    }
    await page.goto(`${base}/match`);
    await page.locator('#names').fill('Panax ginseng C.A.Mey.\nSalvia miltiorhiza Bge.\nren2shen1\n金银花\n石膏\nAcanthopanaxgracilistylusvarpubescens');
    await page.locator('main form button').first().click();
    await page.locator('#sum').waitFor();
    await look('results');
  }
  return wrong;
}

// usedFonts lists the fonts in which a browser shows a text of a page.
async function usedFonts(page, selector) {
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send('DOM.getDocument');
  await session.send('CSS.enable');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  return fonts.map((font) => font.familyName);
}

// Letters of DejaVu are wider than those of most fonts.
test('nothing scrolls sideways in DejaVu', async (t) => {
  if (!spawnSync('fc-list', ['DejaVu Sans'], { encoding: 'utf8' }).stdout?.trim()) {
    assert.ok(!process.env.CI, 'there is no DejaVu; install fonts-dejavu-core');
    return t.skip('NOT TESTED: there is no DejaVu; install fonts-dejavu-core');
  }
  const dir = mkdtempSync(join(tmpdir(), 'bencao-fonts-'));
  const file = join(dir, 'fonts.conf');
  writeFileSync(file, '<fontconfig><include>/etc/fonts/fonts.conf</include><selectfont><acceptfont><glob>*/DejaVu*</glob><glob>*CJK*</glob></acceptfont><rejectfont><glob>*.*</glob></rejectfont></selectfont></fontconfig>');
  const wide = await launch({ env: { ...process.env, FONTCONFIG_FILE: file } });
  try {
    for (const [code, locale] of Object.entries(languages)) {
      const page = await open(wide, { locale });
      await page.goto(base);
      assert.ok((await usedFonts(page, '.foot p')).includes('DejaVu Sans'));
      assert.deepEqual(await sideways(page, [320]), [], code);
      await page.context().close();
    }
  } finally {
    await wide.close();
    rmSync(dir, { recursive: true });
  }
});

for (const [code, locale] of Object.entries(languages)) {
  test(`nothing scrolls sideways, ${code}`, async () => {
    const page = await open(browser, { locale });
    const wrong = await sideways(page, [320, 360, 768, 1280], async (name, width) => {
      if (shots && width !== 320) await page.screenshot({ path: join(shots, `${name}-${width}-${code}.png`), fullPage: true });
    });
    assert.deepEqual(page.faults, []);
    await page.context().close();
    assert.deepEqual(wrong, []);
  });

  test(`a page in print leaves out what is pressed, ${code}`, async () => {
    const page = await open(browser, { locale });
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 673, height: 950 }); // A4 between its margins
    for (const path of [all.formula, all.species, all.herb, all.patterns]) {
      await page.goto(base + path);
      assert.equal(await page.locator('.top form').isVisible(), false, path);
      assert.equal(await page.locator('h1').isVisible(), true, path);
      // Chromium does not repeat the head of a table on the next page if it has a button.
      assert.equal(await page.locator('thead button').evaluateAll((all) => all.filter((button) => getComputedStyle(button).display !== 'contents').length), 0, path);
      assert.deepEqual(await page.locator('.stack :is(th, td)').evaluateAll((all) => all.filter((cell) => cell.offsetParent && cell.clientWidth < 80 && cell.textContent.trim().length > 20).map((cell) => cell.textContent)), [], `${path} has cells of three letters`);
    }
    await page.context().close();
  });

  test(`no link of the menu stands alone, ${code}`, async () => {
    const page = await open(browser, { locale });
    for (const width of [320, 360, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${base}/about`);
      const lines = await page.locator('.top nav a').evaluateAll((all) => all.map((link) => all.filter((other) => other.offsetTop === link.offsetTop).length));
      assert.ok(Math.min(...lines) > 1, `at ${width}: ${lines}`);
    }
    await page.context().close();
  });
}

// Typical tasks of a new user, done only with what the pages offer.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { base, follow, ginseng, guizhiTang, launch, open } from './browser.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

// task starts on the start page and must end without a fault.
function task(name, does, options) {
  test(name, async () => {
    const page = await open(browser, options);
    await page.goto(base);
    await does(page);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

const search = async (page, text) => {
  await page.locator('#q').fill(text);
  await follow(page, page.locator('form[role=search] button'));
};

// saved returns the text of the file that a click saves.
async function saved(page, what) {
  const [file] = await Promise.all([page.waitForEvent('download'), what.click()]);
  return readFileSync(await file.path(), 'utf8');
}

task('人参, its formulas, their likeness, a paper and its citation: five clicks', async (page) => {
  await follow(page, page.locator('.ex a', { hasText: '人参' }));
  await follow(page, page.locator('.hits a').first());
  assert.match(await page.title(), /Panax ginseng/);
  await follow(page, page.locator('#formulas table.stack tbody a').first());
  assert.ok(await page.locator('#like .heat tbody tr').count() > 1);
  await follow(page, page.locator('#ing a', { hasText: 'Panax ginseng' }));
  await follow(page, page.locator('#papers li a').first());
  assert.match(await page.locator('#cite .cite').innerText(), /https:\/\/doi\.org\/10\./);
  assert.match(await saved(page, page.locator('#cite a', { hasText: 'BibTeX' })), /^@article\{/);
});

task('where 人参 grows, and what else grows there', async (page) => {
  await page.goto(base + ginseng);
  assert.equal(await page.locator('#where svg.world image').evaluate((land) => fetch(land.href.baseVal).then((r) => r.status)), 200);
  const marks = await page.locator('#where svg.world .wn').count();
  assert.ok(marks > 0);
  assert.equal(await page.locator('#where [data-l=Native] a').count(), marks);
  await follow(page, page.locator('#where tbody a', { hasText: 'Russian Far East' }).first());
  assert.match(await page.locator('.hits').innerText(), /Panax ginseng/);
});

task('from the drug 桂枝 to the species', async (page) => {
  await search(page, '桂枝');
  await follow(page, page.locator('.tabs a', { hasText: 'Herbs' }));
  await follow(page, page.locator('.hits a').first());
  await follow(page, page.locator('#species tbody a').first());
  assert.match(await page.title(), /肉桂 Cinnamomum cassia/);
});

task('from a formula to its nearest, and back to what they share', async (page) => {
  await search(page, 'guizhitang');
  await follow(page, page.locator('.tabs a', { hasText: 'Formulas' }));
  await follow(page, page.locator('.hits details[open] ol a').first());
  const name = await page.locator('h1').innerText();
  await follow(page, page.locator('#like .heat tbody a').first());
  assert.notEqual(await page.locator('h1').innerText(), name);
});

task('a herb of a formula, and what it goes with', async (page) => {
  await page.goto(base + guizhiTang);
  await follow(page, page.locator('#ing tbody a').first());
  assert.ok(await page.locator('#with tbody tr').count() > 5);
});

task('a list of 500 names into a CSV', async (page) => {
  await follow(page, page.locator('nav a', { hasText: 'Match names' }));
  const names = ['Panax ginseng C.A.Mey.', 'Salvia miltiorhiza Bge.', '桂枝', 'ren2shen1', '=cmd()'];
  await page.locator('#names').fill(Array.from({ length: 500 }, (_, i) => names[i % names.length]).join('\n'));
  await page.locator('main form button').first().click();
  await page.locator('#sum').waitFor();
  assert.equal(await page.locator('.mt > li').count(), 500);
  await page.locator('#show-look').check();
  assert.equal(await page.locator('.mt > .take:visible').count(), 0, 'rows that nobody asked for show');
  assert.ok(await page.locator('.mt > .look:visible').count() >= 100);
  const pinyin = page.locator('.mt > .look', { hasText: 'ren2shen1' });
  await pinyin.first().locator('summary').click();
  await pinyin.first().locator('input').first().check();
  const table = await saved(page, page.locator('button', { hasText: 'CSV' }).first());
  const lines = table.trim().split('\r\n');
  assert.equal(lines.length, 501);
  assert.match(lines[1], /Panax ginseng,C\.A\.Mey\.,Panax/);
  assert.match(lines[4], /ren2shen1,look,.*Panax ginseng/);
  assert.match(lines[5], /'=cmd\(\)/);
  assert.match(lines[9], /ren2shen1,look,,/, 'what was not decided has no answer');
});

task('a table that is uploaded, answered as a table', async (page) => {
  await page.goto(`${base}/match`);
  await page.locator('#file').setInputFiles({ name: 'plants.csv', mimeType: 'text/csv', buffer: Buffer.from('id,scientificName\n1,Panax ginseng\n2,Glycyrrhiza uralensis\n') });
  assert.match(await saved(page, page.locator('main form button', { hasText: 'CSV' })), /Glycyrrhiza uralensis/);
});

task('a misspelt name is understood, and what was done is said', async (page) => {
  await search(page, 'Panax gingseng');
  assert.match(await page.locator('.notice').innerText(), /No name contains “Panax gingseng”/);
  await follow(page, page.locator('.hits a').first());
  assert.match(await page.title(), /Panax ginseng/);
});

task('formulas of one name side by side', async (page) => {
  await page.goto(base + guizhiTang);
  await follow(page, page.locator('#same h2 a'));
  assert.ok(await page.locator('.cmp thead th').count() > 2);
  assert.ok(await page.locator('.cmp .c').count() > 6);
});

task('two formulas of one name, chosen within three clicks', async (page) => {
  await search(page, '桂枝汤');
  await follow(page, page.locator('.hits details[open] ol a', { hasText: 'compare' }).nth(1));
  await follow(page, page.locator('#which a').first());
  assert.equal(await page.locator('.cmp thead th').count(), 3);
});

task('a list by dynasty, as CSV', async (page) => {
  await search(page, '汤');
  await follow(page, page.locator('.tabs a', { hasText: 'Formulas' }));
  await follow(page, page.locator('.facet a', { hasText: 'Eastern Han' }));
  const table = await saved(page, page.locator('.bar a', { hasText: 'CSV' }));
  const rows = table.trim().split('\r\n').slice(1);
  assert.ok(rows.length > 5 && rows.every((row) => row.includes('东汉')));
});

task('the same page in the other language, and on in it', async (page) => {
  await follow(page, page.locator('.tongue'));
  assert.equal(await page.locator('html').getAttribute('lang'), 'zh-Hans');
  await follow(page, page.locator('.ex a').first());
  await follow(page, page.locator('.hits a').first());
  assert.equal(await page.locator('html').getAttribute('lang'), 'zh-Hans');
  assert.match(await page.locator('#cite h2').innerText(), /怎样引用/);
});

task('how to ask the same of the API', async (page) => {
  await follow(page, page.locator('nav a', { hasText: 'API' }));
  await follow(page, page.locator('main a', { hasText: 'Search species' }));
  assert.match(await page.locator('pre').first().innerText(), /^curl .*\/api\/v1\/species\?q=/);
});

task('an address that is wrong has a way on', async (page) => {
  await page.goto(`${base}/species/nobody`);
  await follow(page, page.locator('main a', { hasText: 'Start' }));
  assert.equal(new URL(page.url()).pathname, '/');
});

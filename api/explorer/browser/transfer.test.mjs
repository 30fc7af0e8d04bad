// Pages and their files must arrive compressed, over HTTP/2 if there is TLS, and with the headers by
// which browsers keep them. Proxies could spoil each of these.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { base, launch, measured, open } from './browser.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

for (const path of measured) {
  test(`a browser gets little, and keeps it, ${path}`, async () => {
    const page = await open(browser);
    const answers = [];
    // The icon is too small to be compressed, and a browser requests it only after it has loaded the page.
    const isIcon = (url) => url.endsWith('.svg');
    page.on('response', (answer) => {
      if (!isIcon(answer.url())) answers.push(answer);
    });
    const document = await page.goto(base + path);
    assert.match(document.headers().etag, /^W\/"/);
    const files = answers.filter((answer) => answer !== document);
    assert.ok(files.some((file) => file.url().endsWith('.css')) && files.some((file) => file.url().endsWith('.js')), `${files.map((file) => file.url())}`);
    for (const answer of answers) {
      assert.match(answer.headers()['content-encoding'] ?? 'none', /^(gzip|zstd)$/, answer.url());
      assert.equal(answer.headers()['cache-control'], answer === document ? 'private, no-cache' : 'public, max-age=31536000, immutable', answer.url());
    }
    // The browser lists a resource only after it has processed the whole of it.
    await page.waitForFunction((urls) => urls.every((url) => performance.getEntriesByName(url).length > 0), answers.map((answer) => answer.url()));
    const protocols = await page.evaluate(() => ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type)).map((entry) => entry.nextHopProtocol));
    assert.deepEqual([...new Set(protocols)], [base.startsWith('https:') ? 'h2' : 'http/1.1']);
    assert.deepEqual(page.faults, []);
    const again = await page.request.get(base + path, { headers: { 'if-none-match': document.headers().etag } });
    assert.equal(again.status(), 304);
    await page.context().close();
  });
}

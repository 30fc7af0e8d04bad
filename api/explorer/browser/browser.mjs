// What the tests share: the browser, its pages, and what no page may do.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

export const chromiumPath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path && existsSync(path));
export const base = process.env.BASE;

// Records of the sample.
export const ginseng = '/species/af3292fc-12d3-59b2-83b2-9deda4bc842a';
export const guizhiTang = '/formulas/7c0dea0f-00af-56ad-9a48-171a85941d9e';
export const guizhi = '/herbs/2ec8d702-d96b-5ed0-b26d-728450423535';
// The Latin name of 甘草, Glycyrrhizae Radix et Rhizoma, is wider than a narrow window.
export const gancao = '/herbs/6c259b2c-f365-59f7-a694-c86e85eb9beb';

// measured are the pages that Lighthouse examines, and whose transfer is tested behind proxies too.
export const measured = ['/', '/search?q=renshen', ginseng, guizhiTang, guizhi];

// languages maps each language of the pages to the locale of a browser that requests it.
export const languages = { en: 'en', zh: 'zh-CN' };

// flags of the browser. The sandbox does not work for root, and no authority signed the certificates
// of the proxies.
export const flags = ['--no-sandbox', '--disable-dev-shm-usage', '--ignore-certificate-errors'];

// launch starts a browser.
export const launch = (options = {}) => chromium.launch({ executablePath: chromiumPath, args: flags, ...options });

// patience is how many milliseconds a test waits for something that a page must do, even on a busy
// machine.
const patience = 300_000;

// open opens a page that records every fault: an error in a script, content that
// the policy refuses, a request to another site.
export async function open(browser, options = {}) {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 900 }, acceptDownloads: true, ignoreHTTPSErrors: true, ...options });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) page.faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('data:')) page.faults.push(`asks ${request.url()}`);
  });
  return page;
}

// follow clicks a link or a button that loads a document, and waits until it is parsed. A link to a
// place on the same page fails in the end.
export const follow = (page, what) => Promise.all([page.waitForEvent('domcontentloaded'), what.click()]);

// pages are an example of each page, by name. The paper is the first that a
// search finds.
export async function pages(browser) {
  const page = await open(browser);
  await page.goto(`${base}/search?kind=papers`);
  const paper = await page.locator('.hit--paper a').first().getAttribute('href');
  await page.goto(base + guizhiTang);
  const compare = await page.locator('.toc .use a').first().getAttribute('href');
  await page.context().close();
  return {
    start: '/', species: ginseng, herb: guizhi, 'herb-long-name': gancao, formula: guizhiTang, 'formula-doses': `${guizhiTang}?by=dose`, paper, compare,
    'search-species': '/search?q=renshen', 'search-herbs': '/search?kind=herbs', 'search-formulas': '/search?q=guizhitang&kind=formulas',
    'search-papers': '/search?kind=papers', 'search-forgiven': '/search?q=Panax+gingseng', 'search-nothing': '/search?q=qqqqqq', 'compare-empty': '/compare',
    patterns: '/patterns', 'patterns-compared': `/patterns?dynasty=${encodeURIComponent('唐')}&vs-dynasty=${encodeURIComponent('宋')}&drugs=60&distinct=composition`, 'patterns-nothing': '/patterns?fromYear=1999', 'patterns-wrong': `/patterns?indication=${encodeURIComponent('肺痨')}&herbs=${encodeURIComponent('人叁')}&fromYear=x&q=x`,
    match: '/match', prescriptions: '/prescriptions', stats: '/stats', docs: '/docs', operation: '/docs/species.search', about: '/about', problem: '/problems/too-many-requests', missing: '/nowhere',
  };
}

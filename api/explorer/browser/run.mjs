// Starts the program on its sample and tests its pages in Chromium. `make browser`
// runs it. Screenshots go to the folder that SHOTS names.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath } from './browser.mjs';

// lacking ends the run with a message if a tool is missing. In CI that is a failure.
function lacking(what) {
  console.log(`SKIPPED, NOT PASSED: the pages were not tried in a browser: ${what}`);
  process.exit(process.env.CI ? 1 : 0);
}

if (!chromiumPath) lacking('there is no Chromium; install chromium and fonts-noto-cjk, or set CHROMIUM');
const fonts = spawnSync('fc-list', [':lang=zh'], { encoding: 'utf8' });
if (!fonts.stdout?.trim()) lacking('there is no font for Chinese; install fonts-noto-cjk');

let tests;
const data = mkdtempSync(join(tmpdir(), 'bencao-browser-'));
const server = spawn(process.argv[2], ['demo', '--data', data, '--listen', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'ignore'] });

// Stopping the run also stops the server.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    tests?.kill();
    server.kill();
    rmSync(data, { recursive: true, force: true });
    process.exit(1);
  });
}

// The program prints its address first.
const base = await new Promise((found, failed) => {
  let said = '';
  server.stdout.on('data', (text) => {
    said += text;
    const address = /http:\/\/[\d.:]+/.exec(said);
    if (address) found(address[0]);
  });
  server.on('exit', (code) => failed(new Error(`the program ended with ${code}: ${said}`)));
});
server.removeAllListeners('exit');

// tried runs test files, several at a time, and returns the exit code.
const tried = (files, atATime) => new Promise((done) => {
  const paths = files.map((name) => join(import.meta.dirname, name));
  tests = spawn(process.execPath, ['--test', `--test-concurrency=${atATime}`, '--test-reporter=spec', ...paths], { stdio: 'inherit', env: { ...process.env, BASE: base } });
  tests.on('exit', (code) => done(code ?? 1));
});

// Lighthouse measures the speed of pages, so no other test may run at the same time.
const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.mjs'));
const measures = (name) => name.startsWith('lighthouse');
const failed = [await tried(files.filter((name) => !measures(name)), 2), await tried(files.filter(measures), 1)];
server.on('exit', () => {
  rmSync(data, { recursive: true, force: true });
  process.exit(Math.max(...failed));
});
server.kill();

// Starts the program on its sample and tests its pages in Chromium: run.mjs PROGRAM DEPLOY [PROXY…].
// With proxies, it also tests behind each of them, with its file in the folder DEPLOY, what a proxy
// could spoil. `make browser` and `make browser-proxies` run it. Screenshots go to the folder that SHOTS names.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chromiumPath } from './browser.mjs';
import { freePort, startProxy } from './proxies.mjs';

const [program, deploy, ...proxies] = process.argv.slice(2);

// lacking ends the run with a message if a tool is missing. In CI that is a failure.
function lacking(what) {
  console.log(`SKIPPED, NOT PASSED: the pages were not tried in a browser: ${what}`);
  process.exit(process.env.CI ? 1 : 0);
}

if (!chromiumPath) lacking('there is no Chromium; install chromium and fonts-noto-cjk, or set CHROMIUM');
const fonts = spawnSync('fc-list', [':lang=zh'], { encoding: 'utf8' });
if (!fonts.stdout?.trim()) lacking('there is no font for Chinese; install fonts-noto-cjk');
for (const name of proxies) {
  if (spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${name}`]).status !== 0) lacking(`there is no ${name}`);
}

const data = mkdtempSync(join(tmpdir(), 'bencao-browser-'));
const children = new Set();

// end stops the programs that run and removes the data.
function end(code) {
  for (const child of children) child.kill();
  rmSync(data, { recursive: true, force: true });
  process.exit(code);
}

// Stopping the run also stops the servers.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(1));

// run registers a program that must not end before the tests.
function run(name, child) {
  children.add(child);
  let said = '';
  child.stderr?.on('data', (text) => {
    said = (said + text).slice(-4000);
  });
  child.on('error', (error) => console.log(`${name}: ${error}`));
  child.on('exit', (code) => {
    if (!children.delete(child)) return;
    console.log(`${name} ended with ${code}: ${said}`);
    end(1);
  });
  return child;
}

// tried runs test files, several at a time, and returns the exit code. The output appears at the end
// if the site has a name, because the tests of other sites run at the same time.
async function tried({ name, base }, files, atATime) {
  const paths = files.map((file) => join(import.meta.dirname, file));
  const tests = spawn(process.execPath, ['--test', `--test-concurrency=${atATime}`, '--test-reporter=spec', ...paths], { stdio: ['ignore', name ? 'pipe' : 'inherit', 'inherit'], env: { ...process.env, BASE: base } });
  children.add(tests);
  let said = '';
  tests.stdout?.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  const [code] = await once(tests, 'close');
  children.delete(tests);
  if (name) console.log(`\n== ${name}\n${said}`);
  return code ?? 1;
}

// answers reports whether a server with TLS answers.
const answers = (base) => new Promise((found) => {
  request(base, { rejectUnauthorized: false }, (answer) => found(answer.resume().statusCode === 200)).on('error', () => found(false)).end();
});

// The demo makes the data and the keys. It prints its address first.
const demo = run('the demo', spawn(program, ['demo', '--data', data, '--listen', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'pipe'] }));
const base = await new Promise((found) => {
  let said = '';
  demo.stdout.on('data', (text) => {
    said += text;
    const address = /http:\/\/[\d.:]+/.exec(said);
    if (address) found(address[0]);
  });
});

// behind starts a proxy in front of a server with the data of the demo.
async function behind(name) {
  const [port, server, admin] = [await freePort(), await freePort(), await freePort()];
  const base = `https://localhost:${port}`;
  run('the server', spawn(program, ['serve', '--explorer', '--data', data, '--access', join(data, 'access.toml'), '--usage', 'off', '--listen', `127.0.0.1:${server}`, '--admin', `127.0.0.1:${admin}`, '--trusted-proxy', '127.0.0.1/32', '--site-url', base], { stdio: ['ignore', 'ignore', 'pipe'] }));
  run(name, await startProxy(name, { deploy, dir: join(data, name), port, backend: `127.0.0.1:${server}`, admin }));
  while (!await answers(base)) await setTimeout(50);
  return { base, name: `behind ${name}` };
}

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.mjs'));
const codes = [await tried({ base }, files, 2)];
// A proxy can change headers, compression, caching, forms, uploads and downloads. It does not change
// how pages look, nor what their scripts do.
const spoilt = ['transfer.test.mjs', 'tasks.test.mjs'];
const sites = [];
for (const name of proxies) sites.push(await behind(name));
codes.push(...await Promise.all(sites.map((site) => tried(site, spoilt, 1))));
end(Math.max(...codes));

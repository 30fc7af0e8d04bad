// Starts real proxies with the files of deploy/, which operators copy, and with TLS.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

// freePort returns a port on which no program listens. It is below 32768, because Linux by default
// gives higher ports to outgoing connections.
export const freePort = () => new Promise((found, failed) => {
  const port = 10_000 + Math.floor(22_768 * Math.random());
  const server = createServer().listen(port, '127.0.0.1', () => server.close(() => found(port)));
  server.on('error', (error) => error.code === 'EADDRINUSE' ? found(freePort()) : failed(error));
});

// changed replaces texts. Each of them must occur.
function changed(text, changes) {
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`there is no ${from} in the file of the proxy`);
    text = text.replaceAll(from, to);
  }
  return text;
}

// proxies has the file of each proxy, the changes of it for a proxy at s.port in front of s.backend
// that writes to the folder s.dir, and the arguments of the program.
const proxies = {
  nginx: {
    file: 'nginx/bencao.conf',
    config: (text, s) => `daemon off;\npid ${s.dir}/pid;\nerror_log stderr;\n${process.getuid() === 0 ? 'user root;\n' : ''}events {}\nhttp {\naccess_log off;\ngzip on;\n` +
      ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${s.dir}/${name};\n`).join('') +
      changed(text, { 'listen 80;': `listen 127.0.0.1:${s.port} ssl http2;\nssl_certificate ${s.dir}/cert.pem;\nssl_certificate_key ${s.dir}/key.pem;`, 'plants.example': 'localhost', '127.0.0.1:8080': s.backend, '/var/lib/nginx': s.dir }) + '}\n',
    args: (config, s) => ['-c', config, '-p', s.dir, '-e', 'stderr'],
  },
  caddy: {
    file: 'caddy/Caddyfile',
    config: (text, s) => '{\n\tadmin off\n\tauto_https disable_redirects\n}\n' +
      changed(text, { 'plants.example {': `https://localhost:${s.port} {\n\tbind 127.0.0.1\n\ttls ${s.dir}/cert.pem ${s.dir}/key.pem`, '127.0.0.1:8080': s.backend }),
    args: (config) => ['run', '--adapter', 'caddyfile', '--config', config],
  },
  haproxy: {
    file: 'haproxy/bencao.cfg',
    config: (text, s) => changed(text, { 'bind :80': `bind 127.0.0.1:${s.insecure}`, 'bind :443': `bind 127.0.0.1:${s.port}`, '/etc/haproxy/certs/': `${s.dir}/both.pem`, '127.0.0.1:8080': s.backend, 'port 9090': `port ${s.admin}`, 'inter 2s': 'inter 1h downinter 100ms' }),
    args: (config) => ['-db', '-f', config],
  },
};

// startProxy starts a proxy with its file in the folder deploy, in front of a server on this machine.
// It listens at https://localhost:port.
export async function startProxy(name, { deploy, dir, port, backend, admin }) {
  mkdirSync(dir, { recursive: true });
  const request = spawnSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', `${dir}/key.pem`, '-out', `${dir}/cert.pem`]);
  if (request.status !== 0) throw new Error(`openssl makes no certificate: ${request.stderr}`);
  writeFileSync(`${dir}/both.pem`, readFileSync(`${dir}/cert.pem`, 'utf8') + readFileSync(`${dir}/key.pem`, 'utf8'), { mode: 0o600 });
  const { file, config, args } = proxies[name];
  const s = { dir, port, backend, admin, insecure: await freePort() };
  const path = join(dir, 'config');
  writeFileSync(path, config(readFileSync(join(deploy, file), 'utf8'), s));
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin`, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir };
  return spawn(name, args(path, s), { stdio: ['ignore', 'ignore', 'pipe'], env });
}

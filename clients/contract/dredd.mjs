// Requests every answer that the document describes, except 500, by Dredd.
import Dredd from "dredd";
import { document, server } from "./server.mjs";

const config = { endpoint: server, path: ["openapi.json"], hookfiles: ["dredd-hooks.cjs"], loglevel: "error", color: false };
const found = await new Promise((done, failed) => {
  new Dredd(config).run((error, stats) => (error ? failed(error) : done(stats)));
});
const operations = Object.keys(document.paths).length;
console.log(`Dredd: ${found.passes} answers as described, ${found.failures} not, ${found.errors} errors, ${found.skipped} left out`);
const whole = found.skipped === operations && found.passes >= 12 * operations;
process.exit(whole && found.failures + found.errors === 0 ? 0 : 1);

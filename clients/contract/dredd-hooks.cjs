// Changes the requests of Dredd so that each answer that the document describes
// occurs. Without these hooks Dredd sends the example request for every answer.
const hooks = require("hooks");
const { BENCAO_SERVER: server, BENCAO_API_KEY: all, AWAY_KEY: away, SLOW_KEY: slow } = process.env;

/** The id of a record that does not exist. */
const nobody = "00000000-0000-4000-8000-000000000000";

/** The id of a paper of the sample. The paper of the example is not in the sample. */
const paper = fetch(`${server}/api/v1/papers?pageSize=1`, { headers: { "X-Api-Key": all } })
  .then((answer) => answer.json())
  .then((page) => encodeURIComponent(page.items[0].id));

/** The version of the sample. The server knows no other. */
const version = fetch(`${server}/api/v1/version`, { headers: { "X-Api-Key": all } })
  .then((answer) => answer.json())
  .then((one) => one.dataVersion);

const ways = {
  200: () => {},
  304: async (asked) => {
    const answer = await fetch(server + asked.path, { headers: asked.headers });
    await answer.arrayBuffer();
    asked.headers["If-None-Match"] = answer.headers.get("etag");
  },
  400: (asked) => (asked.path += `${asked.path.includes("?") ? "&" : "?"}unheard=of`),
  401: (asked) => delete asked.headers["X-Api-Key"],
  403: (asked) => (asked.headers["X-Api-Key"] = away),
  404: (asked) => (asked.path = asked.path.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, nobody).replace(/\b(id|since)=[^&]*/, `$1=${nobody}`)),
  405: (asked) => (asked.method = "POST"),
  406: (asked) => (asked.headers.Accept = "image/png"),
  410: (asked) => (asked.headers["X-Data-Version"] = "20200101T000000Z-000000"),
  417: (asked) => (asked.headers.Expect = "the unexpected"),
  429: async (asked) => {
    asked.headers["X-Api-Key"] = slow;
    for (let status; status !== 429; ) {
      const answer = await fetch(server + asked.path, { headers: asked.headers });
      await answer.arrayBuffer();
      ({ status } = answer);
    }
  },
  431: (asked) => (asked.headers["X-Pad"] = "x".repeat(17 * 1024)),
  503: (asked) => {
    const soon = new Date(Date.now() + 60_000).toISOString().replace(/[-:]|\.\d+/g, "");
    asked.headers["X-Data-Version"] = `${soon}-ffffff`;
  },
};

hooks.beforeEach(async (transaction, done) => {
  const expected = transaction.expected;
  const way = ways[expected.statusCode];
  if (!way) { // an error of the server, which no request can cause
    transaction.skip = true;
    return done();
  }
  delete expected.headers["Content-Disposition"]; // only answers to format= have it
  const form = expected.statusCode === "200" ? expected.headers["Content-Type"] : "application/json";
  // The header Accept selects the format. The parameter format would override it.
  const asked = {
    method: "GET",
    path: transaction.fullPath.replace(/([?&])format=[^&]*&?/, "$1").replace(/[?&]$/, ""),
    headers: { ...transaction.request.headers, Accept: form, "X-Api-Key": all },
  };
  try {
    if (asked.path.startsWith("/api/v1/papers/detail?")) asked.path = asked.path.replace(/\bid=[^&]*/, `id=${await paper}`);
    if (asked.path.startsWith("/api/v1/changes?")) asked.path = asked.path.replace(/\bsince=[^&]*/, `since=${await version}`);
    await way(asked);
  } catch (error) {
    transaction.fail = `${error}`;
  }
  transaction.fullPath = asked.path;
  transaction.request.method = asked.method;
  transaction.request.headers = asked.headers;
  done();
});

// Dredd compares media types with their parameters, such as charset. The document
// does not give these parameters.
hooks.beforeEachValidation((transaction, done) => {
  const sent = transaction.real.headers;
  const expected = transaction.expected.headers["Content-Type"];
  if (expected && !expected.includes(";")) sent["content-type"] = sent["content-type"]?.split(";")[0];
  done();
});

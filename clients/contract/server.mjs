// The address, the keys and the OpenAPI document of the server that ../with-server started.
export const server = process.env.BENCAO_SERVER;
export const keys = { all: process.env.BENCAO_API_KEY, open: process.env.OPEN_KEY };

export const document = await (await fetch(`${server}/openapi/v1.json`)).json();

export default {
  input: `${process.env.BENCAO_SERVER}/openapi/v1.json`,
  output: { path: "sdk", module: { extension: ".js" } },
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
};

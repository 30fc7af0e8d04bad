#!/bin/sh
# Lints an OpenAPI document and type-checks a TypeScript client of it against
# recorded answers. Needs node 20.19 or later and npm.
#
#	check.sh DIR
#
# TestClient writes openapi.json and recorded.ts into DIR. npm installs its packages
# there. See README.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$here/redocly.yaml" "$here/tsconfig.json" "$here/check.ts" .
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
npm ci --ignore-scripts --loglevel=error
npm run --silent lint
npm run --silent generate
npm run --silent check

// Prints land.svg, from world-atlas, topojson-client and d3-geo: see README.md.
import { readFileSync } from "node:fs";
import { feature } from "topojson-client";
import { geoEqualEarth, geoPath } from "d3-geo";

const atlas = JSON.parse(readFileSync("node_modules/world-atlas/land-110m.json"));
const projection = geoEqualEarth().rotate([-11, 0]).fitWidth(2000, { type: "Sphere" });
const outline = (shape) => {
  const rings = [];
  const step = (x, y) => {
    const [a, b] = [Math.round(x), Math.round(y)], ring = rings.at(-1);
    if (!ring.length || ring.at(-1)[0] !== a || ring.at(-1)[1] !== b) ring.push([a, b]);
  };
  const steps = { moveTo(x, y) { rings.push([]); step(x, y); }, lineTo: step, closePath() {} };
  geoPath(projection, steps)(shape);
  return rings.filter((ring) => ring.length > 2).map(([[x, y], ...rest]) =>
    `M${x} ${y}l${rest.map(([a, b]) => { const d = `${a - x} ${b - y}`; [x, y] = [a, b]; return d; }).join(" ").replaceAll(" -", "-")}z`).join("");
};
console.log(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2000 974" fill="#7b877d"><path fill-opacity=".1" d="${outline({ type: "Sphere" })}"/><path fill-opacity=".35" d="${outline(feature(atlas, atlas.objects.land))}"/></svg>`);

/**
 * Measures how much of what nobody uses a draft of tighten takes away: `node bench/tighten.ts`. 1,000,000 requests of 200 tokens over 50
 * policies; every recorded request must stay allowed, and 95 % of the planted rights must be refused.
 */
import { parseArgs } from "node:util";
import { measureTightening } from "../test/support/tightening.ts";
import { plantRights } from "../test/support/planted-rights.ts";
import { seeded } from "../test/support/seeded.ts";

const { values } = parseArgs({
  options: {
    policies: { type: "string", default: "50" },
    tokens: { type: "string", default: "200" },
    requests: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
  },
});

const size = {
  policies: Number(values.policies),
  tokens: Number(values.tokens),
  requests: Number(values.requests),
};
const planted = plantRights(seeded(Number(values.seed)), size);
const start = performance.now();
// The drafts are for tests.
const { drafts: _drafts, ...result } = measureTightening(planted);
const seconds = (performance.now() - start) / 1000;
console.log({ ...size, rows: planted.rows.length, ...result, seconds: Number(seconds.toFixed(2)) });

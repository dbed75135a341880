/** The command line of `npm run bench`. */
import { parseArgs } from "node:util";
import type { Generator } from "./other-generators.ts";

/** Options of a benchmark run. */
export interface BenchOptions {
  readonly engines: readonly ("sqlite" | "postgres")[];
  /** Part of a scenario's name; everything when empty. */
  readonly only: string;
  readonly seconds: number;
  readonly json: string | undefined;
  /** A result to hold this one against. */
  readonly compare: string | undefined;
  /** The part of its share of the bare server that a row may lose against that. */
  readonly tolerance: number;
  /** A few rows of both kinds, for a look at every change. */
  readonly short: boolean;
  readonly million: boolean;
  /** How many tags `million` fills in; fewer make a quick trial. */
  readonly tags: number;
  /** How many tokens the scenarios of access control fill in; undefined for the others. */
  readonly tokens: number | undefined;
  /** The scenarios of binding rules and logins instead. */
  readonly login: boolean;
  readonly generator: Generator;
  /** A directory for CPU profiles of the server, one of each of its threads. */
  readonly profile: string | undefined;
}

/** The help text. */
export const usage = `npm run bench -- [options]
  --engine sqlite|postgres|both   default: both
  --only TEXT                     scenarios whose name holds the text
  --seconds N                     how long each is measured, default 5
  --json FILE                     write the results there too
  --compare FILE                  fail when a row has lost of its share of bare against the result in FILE
  --tolerance N                   so much of it may be lost, default 0.1
  --short                         a few rows, as CI measures them
  --million                       the scenarios of 1,000,000 tags instead of the everyday ones (minutes to fill)
  --tags N                        how many --million fills in, default 1000000
  --tokens N                      the scenarios of access control, with so many tokens
  --login                         the scenarios of binding rules and logins
  --generator own|wrk|autocannon  who repeats constant requests, default own
  --profile DIR                   write CPU profiles of the server there (with --only: of one scenario)
`;

/** Reads the options; throws on one that is unknown. */
export function readOptions(args: readonly string[]): BenchOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      engine: { type: "string", default: "both" },
      only: { type: "string", default: "" },
      seconds: { type: "string", default: "5" },
      json: { type: "string" },
      compare: { type: "string" },
      tolerance: { type: "string", default: "0.1" },
      short: { type: "boolean", default: false },
      million: { type: "boolean", default: false },
      tags: { type: "string", default: "1000000" },
      tokens: { type: "string" },
      login: { type: "boolean", default: false },
      generator: { type: "string", default: "own" },
      profile: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const { engine, only, json, million, login, generator, profile } = values;
  const seconds = Number(values.seconds);
  if (!(seconds > 0)) throw new Error("--seconds must be a positive number");
  if (engine !== "sqlite" && engine !== "postgres" && engine !== "both") throw new Error(`unknown engine: ${engine}`);
  const tolerance = Number(values.tolerance);
  if (!(tolerance > 0 && tolerance < 1)) throw new Error("--tolerance must be between 0 and 1");
  const tags = Number(values.tags);
  if (!Number.isInteger(tags) || tags < 1000) throw new Error("--tags must be a number from 1000 on");
  const tokens = values.tokens === undefined ? undefined : Number(values.tokens);
  if (tokens !== undefined && !(Number.isInteger(tokens) && tokens >= 100)) {
    throw new Error("--tokens must be a number from 100 on");
  }
  if (generator !== "own" && generator !== "wrk" && generator !== "autocannon") {
    throw new Error(`unknown generator: ${generator}`);
  }
  return {
    engines: engine === "both" ? ["sqlite", "postgres"] : [engine],
    only,
    seconds,
    json,
    compare: values.compare,
    tolerance,
    short: values.short,
    million,
    tags,
    tokens,
    login,
    generator,
    profile,
  };
}

/** Each operation of the server's document is reached by a command, which really works. */
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { OPERATIONS } from "@tessera-server/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENTRIES } from "../../src/cli/client/index.ts";
import { widthOf } from "../../src/cli/client/output/values.ts";
import type { Verb } from "../../src/cli/client/spec.ts";
import { type Around, command, notingFetch } from "../support/cli.ts";
import { forEachEngine, temporaryDirectory } from "../support/engines.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { AWAITED, FILES, STORY } from "./story.ts";

/** An editor that changes what every object has, without a hand. */
const EDITOR = String.raw`sed -i -E -e "s/^(description|Description): .*/\1: edited/" -e "s/^email: .*/email: c@example.com/" -e "s/^enabled: .*/enabled: true/"`;

function writeFiles(): Record<string, string> {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = publicKey.export({ type: "spki", format: "pem" }).trim().replaceAll(/^/gm, "      ");
  const directory = temporaryDirectory();
  return Object.fromEntries(
    Object.entries(FILES).map(([name, text]) => {
      const path = join(directory, name);
      writeFileSync(path, text.replace("$key", key));
      return [name, path];
    }),
  );
}

/** Somebody is signed in to the console. */
async function signIn({ url, token }: RunningServer): Promise<void> {
  const { status } = await fetch(`${url}/ui/session`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-tessera-console": "1", origin: url },
    body: JSON.stringify({ SecretID: token }),
  });
  expect(status).toBe(200);
}

/** Words that a terminal of 40 columns does not show for the same command, and lines beyond its width. */
async function faultsWhenNarrow(words: readonly string[], around: Around, wide: string): Promise<object[]> {
  const narrow = await command([...words, "--no-color"], { ...around, isTerminal: true, columns: 40 });
  const said = narrow.stdout + narrow.stderr;
  const isList = /^[A-Z][A-Z ]+$/m.test(wide.split("\n", 1)[0] ?? "");
  // A list must show each column, cut with a mark, or report that it has no room; an object must show each word.
  const wanted = isList ? (wide.split("\n", 1)[0] ?? "").split(/ {2,}/) : wide.split(/\s+/);
  const cut = narrow.stdout.split(/ {2,}|\n/).flatMap((cell) => (cell.endsWith("…") ? [cell.slice(0, -1)] : []));
  const isShown = (word: string) =>
    said.toUpperCase().includes(word.toUpperCase()) || cut.some((start) => word.startsWith(start));
  const lost = wanted.filter((word) => !isShown(word));
  const long = narrow.stdout.split("\n").filter((line) => widthOf(line) > 40 && line.trim().includes(" "));
  const isAsWide = narrow.code === 0 && lost.length + long.length === 0;
  return isAsWide ? [] : [{ words, lost, long, ...narrow }];
}

/** Awaited commands whose operation this version has. */
function awaited() {
  return Object.entries(AWAITED).flatMap(([operation, line]) => (Object.hasOwn(OPERATIONS, operation) ? [line] : []));
}

async function verbs(): Promise<[words: string, verb: Verb][]> {
  const found: [string, Verb][] = [];
  for (const { name, load } of ENTRIES) {
    const loaded = await load();
    if ("verb" in loaded) found.push([name, loaded.verb]);
    else for (const verb of loaded.noun.verbs) found.push([`${name} ${verb.name}`, verb]);
  }
  return found;
}

forEachEngine((_engine, makeUrl) => {
  describe("a story of all commands", () => {
    let server: RunningServer;
    const asked = new Set<string>();
    const used = new Set<string>();

    beforeAll(async () => {
      server = await startServer({ database: await makeUrl() });
    });
    afterAll(async () => server.stop());

    it("every line does what it says", async () => {
      const kept = writeFiles();
      await signIn(server);
      const wrong: object[] = [];
      const env = {
        HOME: temporaryDirectory(),
        PATH: "/usr/bin:/bin",
        EDITOR,
        TESSERA_ADDR: server.url,
        TESSERA_TOKEN: server.token,
        TESSERA_ORGANIZATION: "acme",
      };
      const fetch = notingFetch(asked);
      for (const [line, keep, code = 0] of [...STORY, ...awaited()]) {
        const words = line
          .split(" ")
          .map((word) => word.replaceAll(/\$(\w+)/g, (_, name: string) => kept[name] ?? `no ${name}`));
        const ended = await command(words, { env, fetch });
        // All that went wrong at once: one line's failure is often another's cause.
        if (ended.code !== code) wrong.push({ line, wanted: code, ...ended });
        used.add(words.slice(0, 2).join(" "));
        if (/ (?:list|get|bindings|report|uses|tags|workspaces)\b/.test(line) && code === 0 && keep === undefined)
          wrong.push(...(await faultsWhenNarrow(words, { env, fetch }, ended.stdout)));
        if (keep !== undefined && ended.code === 0) {
          const [name = "", member] = keep.split("=");
          kept[name] =
            member === undefined
              ? ended.stdout.trim()
              : String((JSON.parse(ended.stdout) as Record<string, unknown>)[member]);
        }
      }
      expect(wrong).toEqual([]);
    });

    it("each operation of the document was asked, but for streams and the decision point, which have tests of their own", async () => {
      const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
        paths: Record<string, Record<string, { operationId?: string }>>;
      };
      const operations = Object.values(document.paths).flatMap((methods) =>
        Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
      );
      const streams = ["streamEvents", "streamOrganizationEvents"];
      // For gateways and services; commands ask the same of the engine by `can`, `explain` and `access`.
      const ofServices = [
        "readDecisionPointMetadata",
        "evaluateAccessInBatch",
        "searchSubjects",
        "searchResources",
        "searchActions",
      ];
      const untried = [...streams, ...ofServices];
      expect(operations.filter((id) => !asked.has(id) && !untried.includes(id))).toEqual([]);
      const declared = new Set((await verbs()).flatMap(([, { operations: ids }]) => ids));
      expect(operations.filter((id) => !declared.has(id) && !ofServices.includes(id))).toEqual([]);
      // And none names what there is not.
      expect([...declared].filter((id) => !Object.hasOwn(OPERATIONS, id) && !Object.hasOwn(AWAITED, id))).toEqual([]);
    });

    it("each command of the table was used", async () => {
      // Commands that need more than a server have tests of their own.
      const others =
        /^(?:context|event|dev|debug|completion|apply|plan|export|drift|import|audit verify|policy test|why|access who)\b/;
      const missing = (await verbs()).filter(
        ([words]) =>
          !others.test(words) &&
          ![...used].some(
            (each) =>
              each === words || each.startsWith(`${words} `) || (!words.includes(" ") && each.split(" ")[0] === words),
          ),
      );
      expect(missing.map(([words]) => words)).toEqual([]);
    });
  });
});

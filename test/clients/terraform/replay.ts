/**
 * Replays what clients send, from files that say what comes back. They are written by hand from what the clients are known to
 * send: a list of phases, as somebody would see them (create, plan, update, import, destroy), each with its requests.
 */
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "vitest";
import type { Answer, Api } from "../../support/api.ts";

/** One request and what has to come back. A `{name}` in it stands for what an answer before was kept as. */
interface Exchange {
  /** Method and path, such as `GET /api/v2/ping`. */
  request: string;
  body?: unknown;
  status: number;
  /** Members that the answer has, among others; lists are whole. */
  answer?: object;
  /** Headers that the answer has. */
  headers?: Record<string, string>;
  /** Text that the answer must contain, for clients that look for words. */
  says?: string;
  /** Values to keep, each by the path of members where it is. */
  keep?: Record<string, string>;
}

interface Phase {
  phase: string;
  /** A plan that stays empty: nothing is written, and who reads again what the phase before read gets the same bytes. */
  isPlan?: true;
  exchanges: Exchange[];
}

export interface Recording {
  name: string;
  /** Description, which is the name of its test. */
  title: string;
  /** Sent with each request. */
  headers: Record<string, string>;
  phases: Phase[];
}

/** All recordings of this folder. */
export function readRecordings(): Recording[] {
  const folder = join(import.meta.dirname, "exchanges");
  return globSync("*.json", { cwd: folder })
    .sort()
    .map((file) => {
      const recording = JSON.parse(readFileSync(join(folder, file), "utf8")) as Omit<Recording, "name">;
      return { name: basename(file, ".json"), ...recording };
    });
}

/**
 * Sends all of a recording, and expects what it says.
 *
 * @param values what is kept from the beginning, such as names of its own
 * @returns what its phases are called, once each has come out as it says
 */
export async function replay(
  send: Api["send"],
  token: string,
  { headers, phases }: Recording,
  values: Record<string, string>,
): Promise<string[]> {
  const kept = { ...values };
  let before = new Map<string, string>();
  for (const { phase, isPlan, exchanges } of phases) {
    const answers = new Map<string, string>();
    for (const exchange of exchanges) {
      const filled = fill(exchange, kept);
      const [method = "", url = ""] = filled.request.split(" ");
      const where = `${phase}: ${filled.request}`;
      if (isPlan) expect(method, `${where}: a plan writes nothing`).toBe("GET");
      const answer = await send({
        method,
        url,
        headers: {
          authorization: `Bearer ${token}`,
          accept: MEDIA_TYPE,
          ...(method === "GET" ? {} : { "content-type": MEDIA_TYPE }),
          ...headers,
        },
        // A body ends in a line break, as Go's encoder writes it.
        ...(filled.body === undefined ? {} : { payload: `${JSON.stringify(filled.body)}\n` }),
      });
      check(where, filled, answer);
      for (const [name, path] of Object.entries(filled.keep ?? {})) kept[name] = valueAt(where, answer.body, path);
      if (method !== "GET") continue;
      if (isPlan && before.has(filled.request)) expect(answer.text, where).toBe(before.get(filled.request));
      answers.set(filled.request, answer.text);
    }
    before = answers;
  }
  return phases.map(({ phase }) => phase);
}

const MEDIA_TYPE = "application/vnd.api+json";

function check(where: string, { status, answer, headers, says }: Exchange, sent: Answer): void {
  expect(sent.status, `${where}: ${sent.text}`).toBe(status);
  if (answer !== undefined) expect(sent.body, where).toMatchObject(answer);
  if (headers !== undefined) expect(sent.headers, where).toMatchObject(headers);
  if (says !== undefined) expect(sent.text, where).toContain(says);
}

/** The same with what was kept in the place of names in braces. */
function fill(exchange: Exchange, kept: Record<string, string>): Exchange {
  const text = JSON.stringify(exchange).replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = kept[name];
    if (value === undefined) throw new Error(`${exchange.request}: nothing was kept as ${name}`);
    return JSON.stringify(value).slice(1, -1);
  });
  return JSON.parse(text) as Exchange;
}

function valueAt(where: string, body: unknown, path: string): string {
  let value = body;
  for (const member of path.split(".")) value = (value as Record<string, unknown> | undefined)?.[member];
  expect(value, `${where}: ${path}`).toBeTypeOf("string");
  return String(value);
}

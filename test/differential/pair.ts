/** Two whole applications, one on each engine, that are asked the same. */
import { beforeAll } from "vitest";
import type { Answer } from "../support/api.ts";
import { makeDatabaseUrl } from "../support/engines.ts";
import { type Document, readOperations } from "../support/openapi-document.ts";
import { MANAGEMENT, useV1, type V1 } from "../support/v1.ts";
import { BY_ID, PARTS_BY_ID } from "./exceptions.ts";
import { Names } from "./names.ts";

export interface Asked {
  method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  /** From the root, with its query; ids are those of SQLite's side, also in the body. */
  url: string;
  body?: object | string | undefined;
  token?: string;
}

export interface Pair {
  sides: readonly [left: V1, right: V1];
  names: Names;
  /** Each (operation, status) that both have answered. */
  asked: Set<string>;
  document: Document;
  /** Asks both. @returns SQLite's answer, and how the other differs; undefined when it does not */
  ask(asked: Asked): Promise<{ answer: Answer; difference: string | undefined }>;
}

/** Headers of one answer or one process, or that hold a digest of a body with ids. */
const OWN_HEADERS: readonly string[] = ["x-request-id", "date", "etag", "content-length"];

/** Opens both before the tests of this file and closes them after. */
export function usePair(): Pair {
  const sides = [useV1(() => makeDatabaseUrl("sqlite")), useV1(() => makeDatabaseUrl("postgres"))] as const;
  const names = new Names();
  const asked = new Set<string>();
  let routes: [route: RegExp, method: string, operation: string][] = [];
  const pair = { sides, names, asked } as unknown as Pair;

  beforeAll(async () => {
    pair.document = (await sides[0].send({ method: "GET", url: "/openapi.json" })).body as Document;
    // A path without parameters is found before one with them.
    routes = readOperations(pair.document)
      .toSorted((one, other) => one.path.split("{").length - other.path.split("{").length)
      .map(({ path, method, operation }) => [
        new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
        method,
        operation.operationId ?? "",
      ]);
  });

  pair.ask = async (request) => {
    const { url, body } = request;
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const left = await send(sides[0], request, url, text);
    const right = await send(sides[1], request, names.forRight(url), text === undefined ? text : names.forRight(text));
    const path = url.split("?")[0] ?? "";
    const operation = routes.find(([route, method]) => method === request.method.toLowerCase() && route.test(path));
    if (operation !== undefined && left.status === right.status) asked.add(`${operation[2]} ${left.status}`);
    const inOrder = left.status === 200 ? orderOf(url) : unchanged;
    const [ours, theirs] = names.common(inOrder(told(left)), inOrder(told(right)));
    const what = `${request.method} ${url} ${text ?? ""} as ${request.token ?? "management"}`;
    return { answer: left, difference: ours === theirs ? undefined : `${what}\n  ${ours}\n  ${theirs}` };
  };
  return pair;
}

function send(side: V1, { method, token = MANAGEMENT }: Asked, url: string, payload: string | undefined) {
  const isJsonApi = url.startsWith("/api/");
  const type = url.includes("/tag-imports") ? "application/x-ndjson" : "application/vnd.api+json";
  const headers = {
    ...(token === "" ? {} : isJsonApi ? { authorization: `Bearer ${token}` } : { "x-service-token": token }),
    ...(isJsonApi && method !== "GET" ? { "content-type": type } : {}),
  };
  return side.send({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
}

function told({ status, headers, text }: Answer): string {
  const kept = Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name));
  return `${status} ${JSON.stringify(Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1))))} ${text}`;
}

/** How the text of an answer is brought into an order that both engines have in common. */
function orderOf(url: string): (text: string) => string {
  if (PARTS_BY_ID.test(url)) return (text) => text.replaceAll(/(?<="ID":")[0-9a-f-]{36}/g, "<id>");
  return BY_ID.test(url) ? byIndex : unchanged;
}

function unchanged(text: string): string {
  return text;
}

/** The text of a list, in the order in which its objects were made, in place of that of ids. */
function byIndex(text: string): string {
  const start = text.indexOf("} [") + 2;
  const items = JSON.parse(text.slice(start)) as { CreateIndex: number }[];
  return text.slice(0, start) + JSON.stringify(items.toSorted((one, other) => one.CreateIndex - other.CreateIndex));
}

import { setImmediate } from "node:timers/promises";
/** The answer to a client does not depend on the thread that accepted its connection. */
import type { Socket } from "node:net";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { RunningServer } from "../../../test/support/server.ts";
import { connectRaw, mainThreadOf, readToEnd, startThreads } from "../../../test/support/threads.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let server: RunningServer;
let main: string;
beforeAll(async () => {
  server = await startThreads(2, { args: ["--access-log", "--metrics-open"] });
  main = await mainThreadOf(server);
});
afterAll(() => server.kill());

interface Asked {
  /** The request's line, without the version. */
  line: string;
  version?: string;
  headers?: readonly string[];
  body?: string;
  /** Left out for a connection that the server ends by itself. */
  keepsOpen?: boolean;
  /** Sends it in its own way. */
  send?: (socket: Socket, head: string) => Promise<void>;
}

function headOf({ line, version = "1.1", headers = [], body = "", keepsOpen = false }: Asked, token: string): string {
  const { host } = new URL(server.url);
  const length =
    /^(?:content-length|transfer-encoding):/im.test(headers.join("\n")) || body === ""
      ? []
      : [`Content-Length: ${Buffer.byteLength(body)}`];
  const auth = token === "" ? [] : [`Authorization: Bearer ${token}`];
  const host1 = headers.some((header) => header.startsWith("Host:")) ? [] : [`Host: ${host}`];
  const all = [...host1, ...auth, ...(keepsOpen ? [] : ["Connection: close"]), ...length, ...headers];
  return `${line} HTTP/${version}\r\n${all.map((header) => `${header}\r\n`).join("")}\r\n`;
}

/** The whole answer of one of the two threads, but for what is of the moment. */
async function answerOf(isMain: boolean, asked: Asked, token: string): Promise<string> {
  const find = headOf({ line: "GET /v1/acl/token/self", keepsOpen: true }, server.token);
  const socket = await connectRaw(server.url, (thread) => (thread === main) === isMain, find);
  const text = readToEnd(socket);
  const head = headOf(asked, token);
  if (asked.send === undefined) socket.write(head + (asked.body ?? ""));
  else await asked.send(socket, head);
  return (await text)
    .replaceAll(/^x-request-id: [^\r]*/gim, "x-request-id: ID")
    .replaceAll(/^date: [^\r]*/gim, "date: DATE")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UUID")
    .replaceAll(/"(?:Create|Modify)?(?:Index|Time)":\s*[^,}]+/g, '"INDEX"')
    .replaceAll(/"(?:id|external-id)":"[^"]+"|\b(?:org|prj|ws|tag)-[A-Za-z0-9]+/g, "AN ID")
    .replaceAll(/"Hash":"[^"]+"|\d{4}-\d\d-\d\dT[\d:.]+Z?/g, "TIME")
    .replaceAll(/^(?:x-service-index|x-consul-index): [^\r]*/gim, "index: INDEX");
}

const JSON_API = "Content-Type: application/vnd.api+json";
const chunked = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const name = (): string => `p-${Math.random().toString(36).slice(2)}`;
const long = "x".repeat(1024 * 1024 + 1);

const CASES: readonly [name: string, asked: Asked, token?: "none" | "unknown"][] = [
  ["a policy that cannot be", { line: "PUT /v1/acl/policy", body: '{"Name":"not a name!"}' }],
  ["a body that is no JSON", { line: "PUT /v1/acl/policy", body: '{"Name":' }],
  ["a body of another type", { line: "POST /api/v2/organizations", headers: ["Content-Type: text/plain"], body: "{}" }],
  [
    "an organization that lacks a name",
    {
      line: "POST /api/v2/organizations",
      headers: [JSON_API],
      body: '{"data":{"type":"organizations","attributes":{}}}',
    },
  ],
  ["an empty body", { line: "POST /api/v2/organizations", headers: [JSON_API, "Content-Length: 0"] }],
  ["no body", { line: "PUT /v1/acl/policy" }],
  ["a write without a token", { line: "PUT /v1/acl/policy", body: '{"Name":"x"}' }, "none"],
  ["a write with a token that nobody has", { line: "PUT /v1/acl/policy", body: '{"Name":"x"}' }, "unknown"],
  ["the same under /api/v2", { line: "POST /api/v2/organizations", headers: [JSON_API], body: "{}" }, "unknown"],
  [
    "a login with a method that is not there",
    { line: "PUT /v1/acl/login", body: '{"AuthMethod":"none","BearerToken":"x"}' },
    "none",
  ],
  ["a bootstrap that was", { line: "PUT /v1/acl/bootstrap" }, "none"],
  ["a body that is announced too long", { line: "PUT /v1/acl/policy", headers: [`Content-Length: ${long.length}`] }],
  ["the same under /api/v2, with the body", { line: "POST /api/v2/organizations", headers: [JSON_API], body: long }],
  [
    "a body in chunks",
    {
      line: "PUT /v1/acl/policy",
      headers: ["Transfer-Encoding: chunked"],
      body: `${chunked('{"Name":')}${chunked('"no name!"}')}0\r\n\r\n`,
    },
  ],
  [
    "a body that is said to be something else",
    { line: "PUT /v1/acl/policy", headers: ["Content-Type: a/b"], body: "{}" },
  ],
  [
    "chunks that are said to be something else",
    {
      line: "PUT /v1/acl/policy",
      headers: ["Content-Type: a/b", "Transfer-Encoding: chunked"],
      body: `${chunked("{}")}0\r\n\r\n`,
    },
  ],
  [
    "such chunks under /api/v2",
    {
      line: "POST /api/v2/organizations",
      headers: ["Content-Type: a/b", "Transfer-Encoding: chunked"],
      body: `${chunked("{}")}0\r\n\r\n`,
    },
  ],
  [
    "chunks of which there is none, without a type",
    { line: "DELETE /api/v2/organizations/none", headers: ["Transfer-Encoding: chunked"], body: "0\r\n\r\n" },
  ],
  [
    "a body in chunks that is too long",
    { line: "PUT /v1/acl/policy", headers: ["Transfer-Encoding: chunked"], body: chunked(long) },
  ],
  [
    "a body that waits to be asked for",
    { line: "PUT /v1/acl/policy", headers: ["Expect: 100-continue"], body: '{"Name":"not a name!"}' },
  ],
  ["what else is expected", { line: "PUT /v1/acl/policy", headers: ["Expect: a wonder"], body: "{}" }],
  ["HTTP/1.0", { line: "PUT /v1/acl/policy", version: "1.0", body: '{"Name":"not a name!"}' }],
  ["HTTP/1.0 without a host", { line: "GET /healthz", version: "1.0", headers: ["Host: "] }],
  ["a host that is another's", { line: "PUT /v1/acl/policy", headers: ["Host: evil.example"], body: "{}" }],
  ["a page of another origin", { line: "PUT /v1/acl/policy", headers: ["Origin: https://evil.example"], body: "{}" }],
  ["HEAD of what is public", { line: "HEAD /healthz" }],
  ["HEAD of a list", { line: "HEAD /v1/acl/policies" }],
  ["HEAD of the numbers", { line: "HEAD /readyz" }],
  ["GET of what is public", { line: "GET /readyz" }],
  ["GET of a target with a host", { line: `GET http://HOST/healthz` }],
  ["the leader", { line: "GET /v1/status/leader" }, "none"],
  ["a discovery", { line: "GET /.well-known/terraform.json" }, "none"],
  ["what this API is", { line: "GET /openapi.json" }, "none"],
  ["OPTIONS", { line: "OPTIONS /v1/acl/policies" }],
  ["OPTIONS of all", { line: "OPTIONS *" }],
  ["a method that the path has not", { line: "PATCH /v1/acl/policies", body: "{}" }],
  ["a path that is none", { line: "PUT /v1/none", body: "{}" }],
  ["a path that is none, under /api/v2", { line: "POST /api/v2/none", headers: [JSON_API], body: "{" }],
  ["a malformed URL", { line: "PUT /v1/acl/policy/%zz", body: "{}" }],
  ["a request that is none", { line: "PUT /v1/acl/policy nothing" }],
  ["CONNECT", { line: "CONNECT example.com:443" }],
  ["a deletion of what is not there", { line: "DELETE /v1/acl/policy/6f1f6c8e-0000-4000-8000-000000000000" }],
  ["a question", { line: "POST /v1/internal/acl/authorize", body: '[{"Resource":"acl","Access":"read"}]' }],
  ["a question that is none", { line: "POST /v1/internal/acl/authorize", body: '{"Resource":"acl"}' }],
];

it.each(CASES)("%s is answered alike by either thread, byte for byte", async (_, asked, who) => {
  const token = who === "none" ? "" : who === "unknown" ? "6f1f6c8e-0000-4000-8000-00000000000f" : server.token;
  const line = asked.line.replace("HOST", new URL(server.url).host);
  const answers = [await answerOf(true, { ...asked, line }, token), await answerOf(false, { ...asked, line }, token)];
  expect(answers[0]).toMatch(/^HTTP\/1\.1 \d{3} /);
  // Not more of it in a report: some are long.
  const [first = "", second = ""] = answers.map((answer) => answer.slice(0, 4000));
  expect(second).toBe(first);
  expect(answers[1] === answers[0]).toBe(true);
});

it("what is made is told alike, whichever thread has it made", async () => {
  for (const line of ["PUT /v1/acl/policy", "PUT /v1/acl/token"]) {
    const text = JSON.stringify({ Description: "made" });
    const [first, second] = [true, false].map((isMain) => {
      const body = line.endsWith("policy") ? `{"Name":"made-${isMain}"}` : text;
      return answerOf(isMain, { line, body }, server.token);
    });
    const told = (answer = "") => answer.replaceAll(/made-\w+/g, "NAME").replaceAll(/content-length: \d+/gi, "LENGTH");
    expect(told(await second)).toBe(told(await first));
    expect(await first).toContain("HTTP/1.1 200");
  }
});

it("a body that comes slowly is taken whole, and one that breaks off is not taken", async () => {
  const [slow, broken] = [name(), name()];
  const bodyOf = (policy: string) => `{"Name":"${policy}"}`;
  const answer = await answerOf(
    false,
    {
      line: "PUT /v1/acl/policy",
      headers: [`Content-Length: ${bodyOf(slow).length}`],
      async send(socket, head) {
        for (const part of [head, ...bodyOf(slow).split("")]) {
          await new Promise((resolve) => socket.write(part, resolve));
          await setImmediate();
        }
      },
    },
    server.token,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  await answerOf(
    false,
    {
      line: "PUT /v1/acl/policy",
      headers: [`Content-Length: ${bodyOf(broken).length}`],
      async send(socket, head) {
        await new Promise((resolve) => socket.write(head + bodyOf(broken).slice(0, -1), resolve));
        // Answered behind what has come there.
        await fetch(`${server.url}/healthz`);
        socket.destroy();
      },
    },
    server.token,
  );
  // A client that disconnects before the answer leaves one line in the log, as on one thread.
  await expect
    .poll(() => server.stdout, { timeout: 20_000 })
    .toMatch(/"route":"\/v1\/acl\/policy","status":499.*"aborted":true/);
  const list = await (
    await fetch(`${server.url}/v1/acl/policies`, { headers: { "x-consul-token": server.token } })
  ).text();
  expect([list.includes(slow), list.includes(broken)]).toEqual([true, false]);
});

it("requests that are sent ahead are answered in their order, by whichever thread makes them", async () => {
  const asked = [name(), name()];
  const requests = [
    headOf({ line: "PUT /v1/acl/policy", body: `{"Name":"${asked[0]}"}`, keepsOpen: true }, server.token) +
      `{"Name":"${asked[0]}"}`,
    headOf({ line: "GET /v1/acl/policies", keepsOpen: true }, server.token),
    headOf({ line: "PUT /v1/acl/policy", body: `{"Name":"${asked[1]}"}`, keepsOpen: true }, server.token) +
      `{"Name":"${asked[1]}"}`,
  ];
  const last: Asked = { line: "GET /v1/acl/policies" };
  const send = async (socket: Socket, head: string): Promise<void> => void socket.write(requests.join("") + head);
  const text = await answerOf(false, { ...last, send }, server.token);
  const answers = text.split("HTTP/1.1 ").slice(1);
  expect(answers.map((answer) => answer.slice(0, 3))).toEqual(["200", "200", "200", "200"]);
  expect(answers[1]).toContain(asked[0]);
  expect(answers[1]).not.toContain(asked[1]);
  expect(answers[3]).toContain(asked[1]);
});

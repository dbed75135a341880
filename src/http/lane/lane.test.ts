/** The lane on real connections: what it answers is what Node answers, byte for byte, however the bytes arrive. */
import type { Socket } from "node:net";
import { once } from "node:events";
import { beforeAll, expect, test } from "vitest";
import { answerOn, openSocket } from "../../../test/attacks/raw-client.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { MANAGEMENT, NOBODY, RESERVED, useV1 } from "../../../test/support/v1.ts";

const EVALUATION = { resource: { type: "key", id: "app/a" }, action: { name: "read" } };
const ofOwn = (id: string) => ({ ...EVALUATION, subject: { type: "token", id } });

interface Asked {
  method?: "GET" | "POST";
  path: string;
  secret?: string;
  body?: string;
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { accessLog: false } });
  let url: string;
  let reader: string;
  let all: Asked[];

  beforeAll(async () => {
    url = await v1.listen();
    const id = await v1.policy('service_prefix "web" { policy = "write" }');
    const role = await v1.role({ Policies: [{ ID: id }] });
    reader = await v1.tokenWith('acl = "read" key_prefix "app/" { policy = "read" }');
    const bare = await v1.tokenWith("");
    const paths = [
      "/acl/token/self",
      `/acl/policy/${id}`,
      `/acl/policy/${NOBODY}`,
      "/acl/policies",
      `/acl/role/${role}`,
      "/acl/roles",
      "/acl/binding-rules",
      "/acl/auth-methods",
      "/namespace/default",
      "/namespaces",
      "/partitions",
      "/acl/policy/name/none",
      "/acl/none",
      "/acl/token/",
    ];
    const secrets = [MANAGEMENT, reader, bare, undefined, NOBODY, `${RESERVED}02`];
    const questions = [
      "[]",
      "null",
      "{}",
      "[1]",
      "",
      JSON.stringify([
        { Resource: "key", Access: "read", Segment: "app/a" },
        { Resource: "acl", Access: "write" },
      ]),
      JSON.stringify([{ Resource: "nothing", Access: "read" }]),
    ];
    all = secrets.flatMap((secret): Asked[] => [
      ...paths.map((path) => ({ path: `/v1${path}`, ...(secret !== undefined && { secret }) })),
      ...questions.map((body) => ({
        method: "POST" as const,
        path: "/v1/internal/acl/authorize",
        body,
        ...(secret !== undefined && { secret }),
      })),
    ]);
  });

  const bytesOf = ({ method = "GET", path, secret, body }: Asked, more = ""): string =>
    `${method} ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${secret === undefined ? "" : `Authorization: Bearer ${secret}\r\n`}${body === undefined ? "" : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`}${more}\r\n${body ?? ""}`;

  /** Answers on one connection, in turn; what differs between any two is left out. */
  async function talk(socket: Socket, parts: readonly (string | readonly string[])[]): Promise<string[]> {
    const answers: string[] = [];
    for (const part of parts) {
      for (const bytes of typeof part === "string" ? [part] : part) {
        socket.write(bytes, "latin1");
        if (typeof part !== "string") await new Promise((resolve) => setImmediate(resolve));
      }
      answers.push(await answerOn(socket));
    }
    return answers;
  }

  /** Node answers on a connection from the first request on that is not narrow. */
  const byNode = async (parts: readonly string[]): Promise<string[]> => {
    const socket = await openSocket(url);
    const [, ...answers] = await talk(socket, [
      bytesOf({ path: "/v1/acl/token/self", secret: MANAGEMENT }, "X-Other: 1\r\n"),
      ...parts,
    ]);
    socket.destroy();
    return answers;
  };

  const answered = async (): Promise<number> => {
    const { text } = await v1.send({
      method: "GET",
      url: "/metrics",
      headers: { authorization: `Bearer ${MANAGEMENT}` },
    });
    return Number(/^tessera_lane_answers_total (\d+)$/m.exec(text)?.[1]);
  };

  test("the answers are Node's, byte for byte", async () => {
    const before = await answered();
    for (const asked of all) {
      const bytes = bytesOf(asked);
      const socket = await openSocket(url);
      // Each twice: the second is from what is known.
      const answers = await talk(socket, [bytes, bytes]);
      socket.destroy();
      const [expected = ""] = await byNode([bytes]);
      expect(answers, bytes).toEqual([expected, expected]);
    }
    expect(await answered()).toBeGreaterThan(before + 20);
  });

  test.each(["evil.example", "127.0.0.1.", "localhost.evil.example", "a@localhost", "localhost,evil.example", "%6c"])(
    "the host %s is refused as by Node",
    async (host) => {
      const known = bytesOf({ path: "/v1/acl/token/self", secret: MANAGEMENT });
      const bytes = known.replace(/Host: \S+/, `Host: ${host}`);
      const socket = await openSocket(url);
      const answers = await talk(socket, [known, bytes]);
      socket.destroy();
      expect(answers[1]).toMatch(/^HTTP\/1\.1 4/);
      expect(answers.slice(1)).toEqual(await byNode([bytes]));
    },
  );

  test("a request that is not narrow is answered between narrow ones, which stay in the lane", async () => {
    const socket = await openSocket(url);
    const narrow = bytesOf({ path: "/v1/acl/token/self", secret: reader });
    const other = bytesOf({ path: "/v1/acl/token/self?pretty", secret: reader });
    const before = await answered();
    const answers = await talk(socket, [narrow, narrow, other, narrow]);
    socket.destroy();
    expect(answers.map((text) => text.slice(0, 15))).toEqual(Array(4).fill("HTTP/1.1 200 OK"));
    expect(answers[3]).toBe(answers[0]);
    expect(await answered()).toBe(before + 3);
  });

  test.each(["GET", "POST"] as const)(
    "the bytes of a %s may come one by one, or in two parts anywhere",
    async (method) => {
      const asked =
        method === "GET" ? { path: "/v1/acl/token/self" } : { method, path: "/v1/internal/acl/authorize", body: "[]" };
      const bytes = bytesOf({ ...asked, secret: reader });
      const [expected] = await byNode([bytes]);
      for (let at = 1; at < bytes.length; at++) {
        const socket = await openSocket(url);
        expect(await talk(socket, [[bytes.slice(0, at), bytes.slice(at)], bytes]), String(at)).toEqual([
          expected,
          expected,
        ]);
        socket.destroy();
      }
      const socket = await openSocket(url);
      expect(await talk(socket, [bytes.split("")])).toEqual([expected]);
      socket.destroy();
    },
  );

  test("what is sent ahead is answered in its order, also to who reads nothing meanwhile", async () => {
    const socket = await openSocket(url);
    socket.pause();
    const paths = Array.from({ length: 300 }, (_, number) => `/v1/acl/policy/name/none-${number}`);
    for (const path of paths)
      socket.write(bytesOf({ path, secret: MANAGEMENT }) + bytesOf({ path: "/v1/acl/token/self", secret: MANAGEMENT }));
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
    socket.resume();
    await expect.poll(() => text.split("HTTP/1.1 ").length - 1, { timeout: 20_000 }).toBe(600);
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(paths.flatMap(() => ["404", "200"]));
    socket.destroy();
  });

  test("who closes its half is answered, and then the connection ends", async () => {
    const socket = await openSocket(url);
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
    socket.end(bytesOf({ path: "/v1/acl/token/self", secret: reader }));
    await once(socket, "close");
    expect(text).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  test("rights that are taken away are refused from the next request on", async () => {
    const { accessor, secret } = await v1.token({});
    const socket = await openSocket(url);
    const bytes = bytesOf({ path: "/v1/acl/token/self", secret });
    const [first = ""] = await talk(socket, [bytes]);
    expect(first).toMatch(/^HTTP\/1\.1 200 OK/);
    expect((await v1.delete(`/acl/token/${accessor}`)).status).toBe(200);
    const [second = ""] = await talk(socket, [bytes]);
    socket.destroy();
    expect(second).toMatch(/^HTTP\/1\.1 403 /);
  });

  test("uses count once for each answer, by either way", async () => {
    const used = async (): Promise<number> => {
      await v1.flushUses();
      const { text } = await v1.get("/acl/use");
      return [...text.matchAll(/"Own":(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const { accessor, secret } = await v1.token({
      Policies: [{ ID: await v1.policy('key "counted" { policy = "read" }') }],
    });
    const key = { resource: { type: "key", id: "counted" }, action: { name: "read" } };
    const subject = { type: "token", id: accessor };
    const questions: [path: string, body: unknown][] = [
      ["/v1/internal/acl/authorize", [{ Resource: "key", Access: "read", Segment: "counted" }]],
      ["/access/v1/evaluation", { ...key, subject }],
      ["/access/v1/evaluations", { ...key, subject, evaluations: [{}] }],
    ];
    for (const [path, body] of questions) {
      const bytes = bytesOf({ method: "POST", path, secret, body: JSON.stringify(body) });
      // The mappings of the partition become known.
      await byNode([bytes]);
      const [before, answeredBefore] = [await used(), await answered()];
      const socket = await openSocket(url);
      await talk(socket, [bytes, bytes, bytes]);
      socket.destroy();
      expect(await answered()).toBe(answeredBefore + 3);
      await byNode([bytes, bytes]);
      expect(await used(), path).toBe(before + 5);
    }
  });

  test.each<[what: string, body: (own: string) => unknown, type: string]>([
    ["another subject", () => ({ ...EVALUATION, subject: { type: "token", id: NOBODY } }), "application/json"],
    [
      "more questions than one turn has",
      (own) => ({ ...ofOwn(own), evaluations: Array.from({ length: 65 }, () => ({})) }),
      "application/json",
    ],
    ["another media type", ofOwn, "text/plain"],
    ["a member twice", (own) => `{"subject":{},${JSON.stringify(ofOwn(own)).slice(1)}`, "application/json"],
  ])("an evaluation with %s is Node's to answer", async (_what, bodyOf, type) => {
    const { accessor, secret } = await v1.token({});
    const path = "/access/v1/evaluations";
    const sent = (made: unknown, as = "application/json") =>
      bytesOf({ method: "POST", path, secret, body: typeof made === "string" ? made : JSON.stringify(made) }).replace(
        "application/json",
        as,
      );
    await byNode([sent(ofOwn(accessor))]);
    const before = await answered();
    const bytes = sent(bodyOf(accessor), type);
    const socket = await openSocket(url);
    const answers = await talk(socket, [sent(ofOwn(accessor)), bytes]);
    socket.destroy();
    expect(await answered()).toBe(before + 1);
    const [expected] = await byNode([bytes]);
    const noId = (text = "") => text.replace(/x-tessera-request-id: \S+/, "").replace(/x-request-id: \S+/, "");
    expect(noId(answers[1])).toBe(noId(expected));
  });
});

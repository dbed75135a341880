/** Tests of the check that runs on every answer of every test (see `file-setup.ts`): it must reject wrong answers. */
import { spawnSync } from "node:child_process";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Document } from "./openapi-document.ts";
import { openShell, SHELL_HEADERS, type TestShell } from "./shell.ts";
import { createAnswerCheck, type SentAnswer } from "./answers/check.ts";
import { nodeArguments, takeAnswerFaults } from "./answers/install.ts";

const JSON_API = "application/vnd.api+json";

let shell: TestShell;
beforeAll(async () => {
  shell = await openShell();
  const { status } = await made();
  expect(status).toBe(201);
});
afterAll(async () => shell.close());

async function made() {
  const attributes = { name: "acme", email: "acme@example.com" };
  const answer = await shell.app.inject({
    method: "POST",
    url: "/api/v2/organizations",
    headers: SHELL_HEADERS,
    payload: { data: { type: "organizations", attributes } },
  });
  return { status: answer.statusCode };
}

async function documented(): Promise<Document> {
  return (await shell.app.inject({ url: "/openapi.json" })).json();
}

describe("the check of answers", () => {
  it("finds what an answer has too little, too much or otherwise, and a status that is not documented", async () => {
    const check = createAnswerCheck(await documented());
    const sent = await shell.app.inject({ url: "/api/v2/organizations/acme", headers: SHELL_HEADERS });
    const right: SentAnswer = {
      operationId: "readOrganization",
      method: "GET",
      url: "/api/v2/organizations/acme",
      status: 200,
      type: JSON_API,
      body: Buffer.from(sent.payload),
    };
    const text = (change: (attributes: Record<string, unknown>) => void): Buffer => {
      const document = sent.json<{ data: { attributes: Record<string, unknown> } }>();
      change(document.data.attributes);
      return Buffer.from(JSON.stringify(document));
    };
    expect(check(right)).toBeUndefined();
    expect(check({ ...right, body: text((each) => delete each["name"]) })).toContain(
      "must have required property 'name'",
    );
    expect(check({ ...right, body: text((each) => (each["color"] = "red")) })).toContain(
      '"additionalProperty":"color"',
    );
    expect(check({ ...right, body: text((each) => (each["created-at"] = "yesterday")) })).toContain("date-time");
    expect(check({ ...right, body: Buffer.from("{") })).toContain("no JSON");
    expect(check({ ...right, body: Buffer.alloc(0) })).toContain("no JSON");
    expect(check({ ...right, type: "application/json" })).toContain("application/json where the document has");
    expect(check({ ...right, type: undefined })).toContain("undefined where the document has");
    expect(check({ ...right, status: 202 })).toContain("no such status of readOrganization");
    expect(check({ ...right, status: 405 })).toContain("no such status of readOrganization");
    expect(check({ ...right, operationId: undefined })).toContain("no such status of what has no route");
    expect(check({ ...right, status: 204, operationId: "deleteOrganization" })).toContain("a body where there is none");
  });

  it("lets pass what is not in the document, and what is told of HEAD", async () => {
    const check = createAnswerCheck(await documented());
    const of = { method: "GET", url: "/api/v2/made-up", status: 299, type: "text/x", body: Buffer.from("x") };
    expect(check({ ...of, operationId: "readMadeUp" })).toBeUndefined();
    const head = { operationId: "readOrganization", method: "GET", url: "/api/v2/organizations/acme", status: 200 };
    expect(check({ ...head, type: JSON_API, body: undefined })).toBeUndefined();
  });
});

describe("this process and the servers that it starts", () => {
  it("tells of the answers that differ: whole, packed, and of a server that a test started", async () => {
    expect(nodeArguments()[0]).toBe("--import");
    const wrong = await openShell({
      extraRoutes: [
        (app, _options, done) => {
          // Named as one that the document has: what it answers is held against that.
          const schema = { operationId: "readOrganization" };
          app.get("/wrong", { schema }, () => ({ data: { id: "x" } }));
          app.get("/packed", { schema }, (_request, reply) =>
            reply.header("content-encoding", "gzip").send(gzipSync(JSON.stringify({ data: { id: "y" } }))),
          );
          done();
        },
      ],
    });
    for (const path of ["wrong", "packed"]) {
      await wrong.app.inject({ url: `/api/v2/${path}`, headers: SHELL_HEADERS });
      expect(takeAnswerFaults()).toEqual([expect.stringContaining(`GET /api/v2/${path} 200: /data must have`)]);
    }
    await wrong.close();
    expect(takeAnswerFaults()).toEqual([]);
  });

  it("has a server that a test starts report what differs", () => {
    const server = `
      const app = (await import("fastify")).default();
      app.get("/v1/wrong", { schema: { operationId: "readOwnToken" } }, () => ({ AccessorID: "x" }));
      await app.inject("/v1/wrong");
    `;
    const node = spawnSync(process.execPath, [...nodeArguments(), "--input-type=module", "-e", server], {
      encoding: "utf8",
    });
    expect(node).toMatchObject({ status: 0, stderr: "" });
    const type = "application/json; charset=utf-8 where the document has application/json";
    expect(takeAnswerFaults()).toEqual([`GET /v1/wrong 200: ${type}`]);
  });
});

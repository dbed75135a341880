import { Readable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { openShell, SHELL_HEADERS, type TestShell } from "../../test/support/shell.ts";
import type { Database } from "../storage/database.ts";
import type { ApiRoutes } from "./jsonapi/jsonapi.ts";

type Done = (error?: Error) => void;

const routes: ApiRoutes = (app, _options, done) => {
  app.get("/read", async () => ({ data: [] }));
  app.post("/write", async () => ({ data: {} }));
  app.get("/stream", (_request, reply) => {
    reply.type("text/plain");
    return reply.send(Readable.from(["one ", "two ", "three"]));
  });
  done();
};

let shell: TestShell;
afterEach(async () => shell.close());

/** The shell on storage whose sync the test controls. */
async function openGated(whenDurable: (done: Done) => void): Promise<void> {
  shell = await openShell({ extraRoutes: [routes], wrap: (db): Database => ({ ...db, whenDurable }) });
}

const read = async (url: string) => shell.app.inject({ url, headers: SHELL_HEADERS });

describe("no answer leaves before what it may have seen is durable", () => {
  it.each([
    ["GET", "/api/v2/read", 200],
    ["POST", "/api/v2/write", 200],
    ["GET", "/api/v2/unknown", 404],
    ["POST", "/api/v2/read", 405],
    ["GET", "/healthz", 200],
  ] as const)("%s %s", async (method, url, status) => {
    const waiting: Done[] = [];
    await openGated((done) => void waiting.push(done));
    let answered = false;
    const answer = shell.app.inject({ method, url, headers: SHELL_HEADERS }).then((response) => {
      answered = true;
      return response;
    });
    await expect.poll(() => waiting.length).toBe(1);
    // One that was asked later, and may leave, is answered before it.
    const later = shell.app.inject({ method, url, headers: SHELL_HEADERS });
    await expect.poll(() => waiting.length).toBe(2);
    waiting.pop()?.();
    await later;
    expect(answered).toBe(false);
    waiting.pop()?.();
    expect((await answer).statusCode).toBe(status);
  });

  it("holds each chunk of a stream", async () => {
    const waiting: Done[] = [];
    await openGated((done) => void waiting.push(done));
    let ended = false;
    const answer = read("/api/v2/stream").finally(() => (ended = true));
    for (let chunk = 0; chunk < 3; chunk++) {
      await expect.poll(() => waiting.length).toBe(1);
      expect(ended).toBe(false);
      waiting.shift()?.();
    }
    expect((await answer).body).toBe("one two three");
  });

  it("answers 503 when storage failed", async () => {
    await openGated((done) => done(new Error("sync failed")));
    const answer = await read("/api/v2/read");
    expect(answer.statusCode).toBe(503);
    expect(answer.json().errors[0]).toMatchObject({ status: "503", title: "service unavailable" });
    expect(answer.headers["content-type"]).toBe("application/vnd.api+json");
    expect(answer.body).not.toContain("sync failed");
    expect((await read("/healthz")).statusCode).toBe(503);
  });

  it("breaks a stream off when storage fails in the middle of it", async () => {
    let chunks = 0;
    await openGated((done) => done((chunks += 1) > 1 ? new Error("sync failed") : undefined));
    await expect(read("/api/v2/stream")).rejects.toThrow(/destroyed|aborted/);
  });
});

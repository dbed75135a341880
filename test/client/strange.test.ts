/** Tests of the client with answers that no server of ours gives: without an end, of another form, in a circle. */
import { createClient, type Client, type ClientOptions } from "@tessera-server/client";
import { describe, expect, it } from "vitest";
import { createNodeFetch } from "../../src/cli/client/node-fetch.ts";
import { answering, endless, json } from "../support/answering.ts";

const MIB = 1024 * 1024;

async function clientOf(
  listener: Parameters<typeof answering>[0],
  options: Partial<ClientOptions> = {},
): Promise<Client> {
  const { TESSERA_ADDR: address } = await answering(listener);
  return createClient({ address, token: "t", retries: 0, ...options });
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail("nothing was thrown"),
    (error: unknown) => error,
  );
}

describe.each([
  ["the platform's fetch", undefined],
  ["the command's", createNodeFetch()],
])("by %s, an answer", (_name, fetch) => {
  it("that has no end is read up to the bound, and its connection is ended", async () => {
    let sent = 0;
    const client = await clientOf(
      endless(200, (bytes) => (sent += bytes)),
      { fetch, mostBytes: MIB },
    );
    for (const ask of [() => client.roles.list().all(), () => client.server.readReplication()]) {
      expect(await failure(ask())).toMatchObject({
        kind: "protocol",
        message: expect.stringContaining("longer than 1024 KiB"),
      });
    }
    const lines = client.lines("exportTags", { path: { organization_name: "acme" } });
    expect((await lines.next()).value).toMatch(/^\["x+",$/);
    await lines.return?.(undefined);
    // Buffers on the way hold data in addition to the bound.
    expect(sent).toBeLessThan(3 * 64 * MIB);
  });

  it("that refuses without an end keeps its status, and none of it but that it is too long", async () => {
    const client = await clientOf(endless(403), { fetch });
    expect(await failure(client.roles.list().all())).toMatchObject({
      status: 403,
      detail: "the response is longer than 64 KiB",
    });
  });

  it("without a line's end is given up where lines are read", async () => {
    const client = await clientOf(endless(200, undefined, "x".repeat(64 * 1024)), { fetch, mostBytes: MIB });
    for (const next of [
      () => client.lines("exportTags", { path: { organization_name: "acme" } }).next(),
      () => client.stream("streamEvents").next(),
    ]) {
      expect(await failure(next())).toMatchObject({
        kind: "protocol",
        message: expect.stringContaining("longer than"),
      });
    }
  });
});

describe("a list", () => {
  it("that an answer does not hold is no empty list", async () => {
    for (const body of [{}, null, 5, "text", true, { data: {} }, { data: null }]) {
      const client = await clientOf(json(body));
      for (const list of [client.roles.list(), client.organizations.list()]) {
        expect(await failure(list.all()), JSON.stringify(body)).toMatchObject({
          kind: "protocol",
          message: expect.stringContaining("the response does not contain a list; is it a Tessera server?"),
        });
      }
    }
  });

  it("holds objects and nothing else", async () => {
    for (const body of [[null], [5], ["text"], { data: [{}, null] }]) {
      const client = await clientOf(json(body));
      expect(await failure(client.roles.list().all()), JSON.stringify(body)).toMatchObject({ kind: "protocol" });
    }
  });

  it("whose pages lead in a circle ends with an error, however long the circle is", async () => {
    for (const length of [1, 2, 7]) {
      let asked = 0;
      const circle: Parameters<typeof answering>[0] = ({ url = "" }, response) => {
        asked++;
        const next = String(asked % length);
        response.setHeader("content-type", "application/json");
        response.setHeader("x-service-next", next);
        const link = `/api/v2/organizations?page%5Bnumber%5D=${next}`;
        response.end(JSON.stringify(url.startsWith("/v1") ? [{}] : { data: [{}], links: { next: link } }));
      };
      const client = await clientOf(circle);
      for (const list of [client.roles.list(), client.organizations.list()]) {
        asked = 0;
        expect(await failure(list.all())).toMatchObject({ message: expect.stringContaining("already read") });
        expect(asked).toBeLessThan(5 * length + 5);
      }
    }
  });

  it("whose next page has no address is refused", async () => {
    const client = await clientOf(json({ data: [], links: { next: "http://[" } }));
    expect(await failure(client.organizations.list().all())).toMatchObject({ kind: "protocol" });
  });
});

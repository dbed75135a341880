import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AGENT_READER, openV1Shell, type V1Shell } from "../../test/support/v1-shell.ts";
import { statusRoutes } from "./routes.ts";
import type { Node } from "./service.ts";

const node: Node = { name: "host-1", datacenter: "dc1", edition: "enterprise", version: "9.9.9" };
const reader = { "x-consul-token": AGENT_READER };

let shell: V1Shell;
let address: string;
beforeAll(async () => {
  shell = await openV1Shell({ routes: [statusRoutes(node)] });
  await shell.app.listen({ port: 0, host: "127.0.0.1" });
  address = `127.0.0.1:${(shell.app.server.address() as AddressInfo).port}`;
});
afterAll(async () => shell.close());

describe("what clients ask at their start", () => {
  it("the leader and the peers are this server, without a token", async () => {
    expect((await shell.get("/v1/status/leader", { "x-consul-token": "wrong" })).text).toBe(JSON.stringify(address));
    expect((await shell.get("/v1/status/peers")).text).toBe(JSON.stringify([address]));
    expect((await shell.get("/v1/status/leader")).headers["content-type"]).toBe("application/json");
    expect((await shell.get("/v1/status/leader?dc=x")).text).toBe("No path to datacenter");
  });

  it("nothing is replicated, without a token", async () => {
    expect((await shell.get("/v1/acl/replication")).text).toBe(
      '{"Enabled":false,"Running":false,"SourceDatacenter":"","ReplicationType":"","ReplicatedIndex":0,' +
        '"ReplicatedRoleIndex":0,"ReplicatedTokenIndex":0,"LastSuccess":"0001-01-01T00:00:00Z",' +
        '"LastError":"0001-01-01T00:00:00Z","LastErrorMessage":""}',
    );
  });

  it("the server says what it is to those who may read the agent", async () => {
    const { status, text, headers } = await shell.get("/v1/agent/self", reader);
    expect([status, headers["x-tessera-version"]]).toEqual([200, "9.9.9"]);
    const self = JSON.parse(text) as Record<string, object>;
    expect(self["Config"]).toEqual({
      Datacenter: "dc1",
      PrimaryDatacenter: "dc1",
      NodeName: "host-1",
      Server: true,
      Version: "1.21.0+ent",
      TesseraVersion: "9.9.9",
    });
    expect(self["Member"]).toMatchObject({ Name: "host-1", Addr: "127.0.0.1" });
    for (const value of Object.values(self)) expect(Object.prototype.toString.call(value)).toBe("[object Object]");
  });

  it("the community edition has a version without +ent", async () => {
    const community = await openV1Shell({
      routes: [statusRoutes({ ...node, edition: "community" })],
      edition: "community",
    });
    const { text } = await community.get("/v1/agent/self", reader);
    await community.close();
    expect(JSON.parse(text)).toMatchObject({ Config: { Version: "1.21.0" } });
  });

  it("others are refused by name", async () => {
    const { status, text } = await shell.get("/v1/agent/self");
    expect([status, text]).toEqual([
      403,
      "Permission denied: anonymous token lacks permission 'agent:read' on \"host-1\". " +
        "The anonymous token is used implicitly when a request does not specify a token.",
    ]);
  });
});

import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { NOBODY, useV1 } from "../../test/support/v1.ts";
import { AGENT_READER, openV1Shell, type V1Shell } from "../../test/support/v1-shell.ts";
import { scopeRenderer } from "../rights/scope.ts";
import { statusRoutes } from "./routes.ts";
import type { Node } from "./service.ts";

const node: Node = { name: "host-1", datacenter: "dc1", edition: "enterprise", version: "9.9.9" };
const reader = { "x-consul-token": AGENT_READER };

let shell: V1Shell;
let address: string;
beforeAll(async () => {
  shell = await openV1Shell({ routes: [statusRoutes(node, scopeRenderer("enterprise"))] });
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
    const { status, text } = await shell.get("/v1/agent/self", reader);
    expect(status).toBe(200);
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
      routes: [statusRoutes({ ...node, edition: "community" }, scopeRenderer("community"))],
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

  it("its version, as clients know it and as it is", async () => {
    const { status, text } = await shell.get("/v1/agent/version", reader);
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { SHA: "", BuildDate: "0001-01-01T00:00:00Z", HumanVersion: "1.21.0+ent", FIPS: "", TesseraVersion: "9.9.9" },
    ]);
    expect((await shell.get("/v1/agent/version")).status).toBe(403);
  });

  it("the datacenters, without a token", async () => {
    expect((await shell.get("/v1/catalog/datacenters", { "x-consul-token": "wrong" })).text).toBe('["dc1"]');
  });
});

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  it("members and the health of a node are this server, to those who may read its node, and else nothing", async () => {
    const name = hostname();
    const sees = await v1.tokenWith(`node "${name}" { policy = "read" }`);
    const blind = await v1.tokenWith(`node_prefix "" { policy = "read" } node "${name}" { policy = "deny" }`);
    const { body: members } = await v1.get("/agent/members?segment=_all", sees);
    expect(members).toMatchObject([{ Name: name, Status: 1, Tags: { dc: "dc1", build: "1.21.0+ent" } }]);
    for (const asked of [name, name.toUpperCase()]) {
      const { body: checks, headers } = await v1.get(`/health/node/${asked}`, sees);
      expect(checks).toMatchObject([{ Node: name, CheckID: "serfHealth", Status: "passing", Partition: "default" }]);
      expect(headers).toMatchObject({ "x-consul-index": "1", "x-consul-knownleader": "true" });
    }
    for (const path of ["/health/node/another", `/health/node/${name}?partition=other`]) {
      expect([path, (await v1.get(path, sees)).text]).toEqual([path, "[]"]);
    }
    for (const path of ["/agent/members", `/health/node/${name}`]) {
      for (const token of [blind, ""]) expect([path, (await v1.get(path, token)).text]).toEqual([path, "[]"]);
      expect((await v1.get(path, NOBODY)).status).toBe(403);
    }
    expect((await v1.get("/health/node/", sees)).text).toBe("Missing node name");
  });

  it("who waits for news of a node waits to the end of its time", async () => {
    const began = performance.now();
    const { body } = await v1.get(`/health/node/${hostname()}?index=1&wait=150ms`);
    expect(body).toMatchObject([{ Status: "passing" }]);
    expect(performance.now() - began).toBeGreaterThanOrEqual(149);
  });
});

import { readFileSync } from "node:fs";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createClient } from "@tessera-server/client";
import { afterAll, expect, test } from "vitest";
import { linesOf, SECRETS, serverOf, tracesOf } from "../../../test/support/declared.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { openServer, type Server } from "../server.ts";
import { takeFromConsul } from "./consul.ts";
import { takeFromHcp } from "./hcp.ts";
import type { Taken } from "./source.ts";
import { transfer } from "./transfer.ts";

const servers: HttpServer[] = [];
afterAll(() => servers.forEach((server) => server.close()));

type Recorded = Readonly<Record<string, unknown>>;

/** Serves recorded answers, by method and path; what was not recorded is what the product says of an unknown path. */
async function replay(file: string, unknown: { status: number; body: string; type: string }): Promise<Server> {
  const answers = JSON.parse(readFileSync(join(import.meta.dirname, "recorded", file), "utf8")) as Recorded;
  const http = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const key = `${request.method ?? ""} ${decodeURIComponent(pathname)}`;
    const answer = answers[key];
    const type = pathname.startsWith("/api/v2") ? "application/vnd.api+json" : "application/json";
    response.writeHead(answer === undefined ? unknown.status : 200, {
      "content-type": answer === undefined ? unknown.type : type,
    });
    response.end(answer === undefined ? unknown.body : JSON.stringify(answer));
  });
  servers.push(http);
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  const { port } = http.address() as AddressInfo;
  return openServer(createClient({ address: `http://127.0.0.1:${port}`, token: "source", retries: 0 }));
}

const CONSUL_UNKNOWN = {
  status: 404,
  type: "text/plain",
  body: "Invalid URL path: not a recognized HTTP API endpoint\n",
};
const HCP_UNKNOWN = {
  status: 404,
  type: "application/vnd.api+json",
  body: '{"errors":[{"status":"404","title":"not found"}]}',
};

async function moved(target: Server, taken: Taken) {
  const options = { secrets: { ...SECRETS, taken: taken.secrets }, partition: "default" };
  const { told, left } = await transfer.plan(target, taken, options);
  const applied = await transfer.apply(target, told.plan, options);
  return { plan: told.plan, left: [...taken.left, ...left], applied };
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const other = useV1(makeUrl);

  test("Consul's community edition, as recorded: all but what is named comes along, tokens with IDs and secrets; a second run writes nothing", async () => {
    const target = await serverOf(v1);
    const source = await replay("consul-community.json", CONSUL_UNKNOWN);
    const { applied, left } = await moved(target, await takeFromConsul(source));
    expect([applied.failure, applied.refused, applied.left]).toEqual([undefined, [], []]);
    expect(left).toEqual([
      "tokens created by logins; log in again: 5790b712-08ff-4c92-85df-006937ca5567",
      "auth methods of the type ldap, which Tessera does not support: default/default/corp",
      expect.stringContaining("binding rules of auth methods that are not imported: default/default/corp/"),
    ]);
    const token = await v1.get("/acl/token/self", "8ff82181-310d-41f3-ac40-3733f168539d");
    expect(token.body).toMatchObject({
      AccessorID: "4790b712-08ff-4c92-85df-006937ca5567",
      Roles: [{ Name: "web-team" }],
    });
    const before = await tracesOf(v1);
    const again = await moved(target, await takeFromConsul(source));
    expect(linesOf(again.plan)).toEqual([]);
    expect(await tracesOf(v1)).toEqual(before);
  });

  test("incident 77: policies that decide otherwise here than there are named, each with what", async () => {
    const target = await serverOf(v1);
    const taken = await takeFromConsul(await replay("consul-community.json", CONSUL_UNKNOWN));
    const rules = 'organization "acme" { policy = "read" }\nnamespace "team" { acl = "read" }\nacl = "Write"';
    const objects = taken.objects.map((each) =>
      each.name === "web" && each.kind.name === "policy" ? { ...each, content: { ...each.content, rules } } : each,
    );
    const told = async (from: Taken["from"] & string) => {
      const options = { secrets: { ...SECRETS, taken: taken.secrets }, partition: "default" };
      const { looked } = (await transfer.plan(target, { ...taken, objects, from }, options)).told;
      return looked.warnings.flatMap(
        ({ message }) => /the decision differs from its origin: (.*)/.exec(message)?.[1] ?? [],
      );
    };
    expect(taken.from).toBe("consul-community");
    expect(await told("consul-community")).toEqual([
      'organization "acme": nothing becomes read',
      'acl in namespace "team": nothing becomes read',
    ]);
    expect(await told("tessera")).toEqual(["acl: write becomes nothing"]);
    expect((await takeFromConsul(await serverOf(other))).from).toBe("tessera");
  });

  test("incident 77: a policy that says deny in another case is left behind with what needs it, and named", async () => {
    const target = await serverOf(v1);
    const taken = await takeFromConsul(await replay("consul-community.json", CONSUL_UNKNOWN));
    const objects = taken.objects.map((each) =>
      each.name === "web" && each.kind.name === "policy"
        ? { ...each, content: { ...each.content, rules: 'operator = "Deny"' } }
        : each,
    );
    const options = { secrets: { ...SECRETS, taken: taken.secrets }, partition: "default" };
    const { told, left } = await transfer.plan(target, { ...taken, objects }, options);
    expect(left).toContainEqual(
      expect.stringMatching(/policy default\/default\/web, line 1, column 12: "Deny" may not deny in Consul/),
    );
    expect(told.plan.changes.map(({ object }) => object.key)).not.toContain("policy default/default/web");
  });

  test("what this server would refuse of it is named, and so is what needs it", async () => {
    const target = await serverOf(v1);
    const source = await replay("consul-refused.json", CONSUL_UNKNOWN);
    const { applied, left } = await moved(target, await takeFromConsul(source));
    expect([applied.failure, applied.refused]).toEqual([undefined, []]);
    expect(left.join("\n")).toMatch(/policy default\/default\/broken/);
    expect(left.join("\n")).toMatch(/role default\/default\/needs-broken requires policy default\/default\/broken/);
    expect((await v1.get("/acl/policy/name/sound")).status).toBe(200);
    expect((await v1.get("/acl/role/name/needs-broken")).status).toBe(404);
  });

  test("HCP Terraform, as recorded: organizations with projects, workspaces, tags and bindings; a second run writes nothing", async () => {
    const target = await serverOf(v1);
    const source = await replay("hcp.json", HCP_UNKNOWN);
    const take = () => takeFromHcp(source, { organizations: [], email: "ops@example.com" });
    const { applied, left } = await moved(target, await take());
    expect([applied.failure, applied.refused, applied.left]).toEqual([undefined, [], []]);
    expect(left.join("\n")).toContain("reserved tag keys; reserve them with the API: hashi-demo/env");
    const { body } = await v1.api("GET", "/organizations/hashi-demo/workspaces/prod-network");
    expect(body.data.attributes["tag-names"].toSorted()).toEqual(["live", "net"]);
    const bound = await v1.api("GET", `/workspaces/${body.data.id}/tag-bindings`);
    expect(bound.body.data[0].attributes).toMatchObject({ key: "env", value: "prod" });
    const before = await tracesOf(v1);
    expect(linesOf((await moved(target, await take())).plan)).toEqual([]);
    expect(await tracesOf(v1)).toEqual(before);
  });

  test("a second server of this product: namespaces, partitions and secrets come along, and a second run writes nothing", async () => {
    await other.put("/partition/unit");
    await other.put("/namespace/team", { Description: "a team" });
    await other.put("/acl/policy?ns=team", { Name: "web", Rules: 'key "a" { policy = "read" }' });
    await other.put("/acl/role?ns=team", { Name: "web", Policies: [{ Name: "web" }] });
    const key = createSigningKey("import");
    await other.put("/acl/auth-method?ns=team", {
      Name: "ci",
      Type: "jwt",
      Config: { JWTValidationPubKeys: [key.publicKey], ClaimMappings: { sub: "sub" } },
    });
    await other.put("/acl/binding-rule?ns=team", {
      AuthMethod: "ci",
      BindType: "role",
      BindName: "web",
      Selector: "value.sub==x",
    });
    const made = await other.put("/acl/token?ns=team", { Description: "moved", Roles: [{ Name: "web" }] });
    const [source, target] = [await serverOf(other), await serverOf(v1)];
    const { applied } = await moved(target, await takeFromConsul(source));
    expect(applied.failure).toBe(undefined);
    // The two were started with one and the same management token.
    expect(applied.refused).toEqual([expect.stringContaining("already in use")]);
    expect((await v1.get("/acl/token/self?ns=team", String(made.body.SecretID))).body).toMatchObject({
      AccessorID: made.body.AccessorID,
    });
    const before = await tracesOf(v1);
    expect((await moved(target, await takeFromConsul(source))).applied.done).toEqual([]);
    expect(await tracesOf(v1)).toEqual(before);
  });

  test("one that is cut off in the middle is gone on with, and no plan shows a secret", async () => {
    const source = await replay("consul-community.json", CONSUL_UNKNOWN);
    const taken = await takeFromConsul(source);
    expect(JSON.stringify(taken.objects)).not.toContain("8ff82181-310d-41f3-ac40-3733f168539d");
    const ended = new AbortController();
    const target = await serverOf(other, { signal: ended.signal });
    const options = { secrets: { ...SECRETS, taken: taken.secrets }, partition: "default" };
    const { told } = await transfer.plan(target, taken, options);
    const cut = await transfer.apply(target, told.plan, {
      ...options,
      onDone: (_change, done) => done === 2 && ended.abort(new Error("interrupted")),
    });
    expect(String(cut.failure?.error)).toContain("interrupted");
    const rest = await moved(await serverOf(other), taken);
    expect(rest.plan.changes).toHaveLength(cut.left.length);
    expect(rest.applied.left).toEqual([]);
  });
});

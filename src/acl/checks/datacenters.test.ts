import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";

interface Shown {
  Code: string;
  Message: string;
  Member: string;
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  test("tells what is for other datacenters alone: of policies, and of identities of roles and tokens", async () => {
    const told = (answer: { headers: Record<string, unknown>; text: string }) => {
      const header = answer.headers["x-service-warnings"];
      const found = typeof header === "string" ? (JSON.parse(header) as Shown[]) : [];
      return found.map(({ Code, Member, Message }) => [Code, Member, Message.includes('"oslo-7"')]);
    };
    const [own, foreign] = [["dc1", "oslo-7"], ["oslo-7"]];
    const policy = (Datacenters: string[]) =>
      v1.put("/acl/policy", { Name: v1.unique("placed"), Rules: 'acl = "read"', Datacenters });
    expect(told(await policy(foreign))).toEqual([["foreign-datacenter", "Datacenters", true]]);
    expect(told(await policy(own))).toEqual([]);
    const given = (Datacenters: string[]) => ({
      ServiceIdentities: [{ ServiceName: "web", Datacenters }],
      TemplatedPolicies: [{ TemplateName: "builtin/dns", Datacenters }],
      NodeIdentities: [{ NodeName: "n", Datacenter: Datacenters[0] }],
    });
    const named = (kind: string) => (kind === "role" ? { Name: v1.unique("placed") } : {});
    for (const kind of ["role", "token"] as const) {
      const made = await v1.put(`/acl/${kind}`, { ...named(kind), ...given(foreign) });
      expect(told(made), made.text).toEqual([
        ["foreign-datacenter", "ServiceIdentities", true],
        ["foreign-datacenter", "NodeIdentities", true],
        ["foreign-datacenter", "TemplatedPolicies", true],
      ]);
      expect(told(await v1.put(`/acl/${kind}`, { ...named(kind), ...given(own) }))).toEqual([]);
    }
  });
});

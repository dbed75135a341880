import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";

interface Findings {
  Errors: object[];
  Warnings: { Code: string; Message: string }[];
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const check = async (noun: string, body: object, query: string) =>
    (await v1.post(`/acl/${noun}/check${query}`, body)).body as Findings;

  test("incident 77: says of a policy from elsewhere what decides otherwise here", async () => {
    const messages = async (Rules: string, from: string) => {
      const { Errors, Warnings } = await check("policy", { Name: v1.unique("origin"), Rules }, `?from=${from}`);
      expect(Errors).toEqual([]);
      return Warnings.filter(({ Code }) => Code === "other-meaning").map(({ Message }) =>
        Message.split(": ").slice(1).join(": "),
      );
    };
    const ours = 'organization "acme" { policy = "write" }\nacl = "read"';
    expect(await messages(ours, "consul")).toEqual(['organization "acme": nothing becomes write']);
    const block = 'namespace "team" { acl = "write" }';
    expect(await messages(block, "consul")).toEqual([]);
    expect(await messages(block, "consul-community")).toEqual(['acl in namespace "team": nothing becomes write']);
    expect(await messages('acl = "Write"', "tessera")).toEqual(["acl: write becomes nothing"]);
    expect(await messages('acl = "Write"', "consul")).toEqual([]);
    const unknown = await v1.post("/acl/policy/check?from=elsewhere", { Rules: "" });
    expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining("consul-community")]);
  });
});

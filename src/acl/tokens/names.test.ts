import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { makeNamespace, secretIn } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { MOST_NAMED_TOKENS } from "./names.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const namesOf = async (accessors: readonly string[], token?: string) => {
    const { status, body, text } = await v1.get(`/acl/token-names?accessor=${accessors.join(",")}`, token);
    expect(status, text).toBe(200);
    return body as { AccessorID: string; Description: string; Namespace?: string }[];
  };

  describe("names of tokens", () => {
    test("are those of all namespaces in the order of the request, each once, without what is gone", async () => {
      await makeNamespace(v1, { namespace: "team-1" });
      const first = await v1.token({ Description: "CI of the web team" });
      const second = (await v1.put("/acl/token?ns=team-1", { Description: "deployer" })).body as { AccessorID: string };
      const gone = await v1.token({});
      await v1.delete(`/acl/token/${gone.accessor}`);
      const asked = [
        second.AccessorID,
        randomUUID(),
        gone.accessor,
        first.accessor.toUpperCase(),
        second.AccessorID,
        "",
      ];
      expect(await namesOf(asked)).toEqual([
        { AccessorID: second.AccessorID, Description: "deployer", Namespace: "team-1", Partition: "default" },
        { AccessorID: first.accessor, Description: "CI of the web team", Namespace: "default", Partition: "default" },
      ]);
      expect(await namesOf([])).toEqual([]);
    });

    test("are shown of one's own token, and of others only with acl:read in their namespace", async () => {
      await makeNamespace(v1, { namespace: "mine" });
      const other = await v1.token({ Description: "of the default namespace" });
      const { body } = await v1.put("/acl/token?ns=mine", { Description: "of mine" });
      const mine = body as { AccessorID: string; SecretID: string };
      const both = [other.accessor, mine.AccessorID];
      const seen = async (token: string) => (await namesOf(both, token)).map(({ Description }) => Description);
      expect(await seen(mine.SecretID)).toEqual(["of mine"]);
      expect(await seen(await secretIn(v1, { namespace: "mine" }, 'acl = "read"'))).toEqual(["of mine"]);
      expect(await seen(await v1.tokenWith('acl = "read"'))).toEqual(["of the default namespace"]);
      expect(await seen(await v1.tokenWith(""))).toEqual([]);
      expect(await seen("")).toEqual([]);
    });

    test("are not shown of an expired token", async () => {
      const { accessor } = await v1.token({ Description: "short", ExpirationTTL: "1h" });
      expect(await namesOf([accessor])).toHaveLength(1);
      v1.setNow(Date.now() + 2 * 3_600_000);
      expect(await namesOf([accessor])).toEqual([]);
      v1.setNow(undefined);
    });

    test("are given for a bounded number of AccessorIDs, and for nothing else", async () => {
      const many = Array.from({ length: MOST_NAMED_TOKENS + 1 }, () => randomUUID());
      expect(await namesOf(many.slice(1))).toEqual([]);
      expect((await v1.get(`/acl/token-names?accessor=${many.join(",")}`)).status).toBe(400);
      expect((await v1.get("/acl/token-names?accessor=deployer")).status).toBe(400);
    });
  });
});

import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";

interface Change {
  ID: string;
  Resource: string;
  Segment?: string;
  Prefix?: true;
  From: string;
  To: string;
  Roles: number;
  Tokens: number;
}
interface Entry {
  Kind: string;
  ID: string;
  GainCount: number;
  LossCount: number;
  Changes: number[];
}
interface Effect {
  ReasonRequested: boolean;
  Changes: Change[];
  Entries: Entry[];
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { impactReason: 4 } });

  /** A policy of a role that tokens have, and of tokens that have another rule for one of its names. */
  async function company() {
    const policy = await v1.policy('key_prefix "shop/" { policy = "read" }\nkey "shop/open" { policy = "deny" }');
    const Name = v1.unique("role");
    const role = await v1.role({ Name, Policies: [{ ID: policy }] });
    const more = await v1.policy('key "shop/open" { policy = "write" }');
    const tokens: string[] = [];
    for (const own of [[], [], [{ ID: more }]])
      tokens.push((await v1.token({ Roles: [{ ID: role }], Policies: own })).accessor);
    return { policy, role, tokens };
  }
  const preview = async (body: object, query = "") => {
    const answer = await v1.post(`/acl/effect?page-size=2${query}`, body);
    expect(answer.status, answer.text).toBe(200);
    return { effect: answer.body as Effect, next: answer.headers["x-service-next"] as string | undefined };
  };
  const readAll = async (body: object, query = "") => {
    const entries: Entry[] = [];
    for (let after: string | undefined = ""; after !== undefined;) {
      const page: Awaited<ReturnType<typeof preview>> = await preview(body, `${query}${after && `&after=${after}`}`);
      entries.push(...page.effect.Entries);
      after = page.next;
    }
    return entries;
  };

  describe("the changes of an impact", () => {
    test("name how the access to each name changes and count the subjects, each on its pages alone", async () => {
      const { policy, role, tokens } = await company();
      const Rules = 'key_prefix "shop/" { policy = "write" }\nkey "shop/open" { policy = "read" }';
      const body = { Policies: [{ ID: policy, Rules }] };
      const { effect } = await preview(body);
      const shown = effect.Changes.map(({ ID: _id, ...change }) => change);
      expect(shown).toMatchObject([
        { Resource: "key", Segment: "shop/", Prefix: true, From: "read", To: "write", Roles: 1, Tokens: 3 },
        // The third token was denied by the role, and then writes by its other policy.
        { Resource: "key", Segment: "shop/open", From: "deny", To: "read", Roles: 1, Tokens: 2 },
        { Resource: "key", Segment: "shop/open", From: "deny", To: "write", Roles: 0, Tokens: 1 },
      ]);
      const [whole, ...rest] = effect.Changes.map(({ ID }) => ID);
      const subjects = async (change = "") => (await readAll(body, `&change=${change}`)).map(({ ID }) => ID);
      expect(await subjects(whole)).toEqual([role, ...tokens.toSorted()]);
      const parts = (await Promise.all(rest.map(subjects))).flat();
      expect(parts.toSorted()).toEqual([role, ...tokens].toSorted());
      expect(await subjects("0123456789abcdef")).toEqual([]);
      for (const entry of await readAll(body)) {
        const own = entry.Changes.map((position) => effect.Changes[position]?.Segment);
        expect(new Set(own)).toEqual(new Set(["shop/", "shop/open"]));
      }
      expect((await v1.post("/acl/effect?change=x", body)).status).toBe(400);
    });

    test("request a reason above the number of subjects that the server is set to", async () => {
      const { policy, role } = await company();
      const body = { DeletedPolicies: [{ ID: policy }] };
      expect((await preview(body)).effect.ReasonRequested).toBe(false);
      await v1.token({ Roles: [{ ID: role }] });
      expect((await preview(body)).effect.ReasonRequested).toBe(true);
      expect((await preview(body, "&change=0123456789abcdef")).effect.ReasonRequested).toBe(true);
      expect((await preview({ Policies: [] })).effect).toMatchObject({ ReasonRequested: false, Changes: [] });
    });
  });
});

/** Incident 68: what is left of a write whose client went, at whatever pause, is all of it or nothing. */
import { beforeAll, expect, test } from "vitest";
import { forEachEngine } from "../support/engines.ts";
import { bearer, makeMethod, makeRule } from "../support/login.ts";
import { KEY } from "../support/scopes.ts";
import { statementsOf } from "../support/statements.ts";
import { MANAGEMENT, useV1 } from "../support/v1.ts";
import { dropAt, spendTurns } from "./drops.ts";

const Rules = Array.from({ length: 60 }, (_, n) => `key "k${n}" { policy = "read" }`).join("\n");
const HEADERS = { "x-service-token": MANAGEMENT };

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(() => makeMethod(v1, KEY, { Name: "jwt" }));

  /** Drops a write at each look in turn, until it is answered. @param at makes the request and reads what is left of it */
  async function everywhere(
    write: (at: number) => { method: "PUT" | "PATCH" | "POST"; url: string; payload: object; headers?: object },
    left: (at: number) => Promise<"whole" | "absent">,
  ): Promise<Set<string>> {
    spendTurns();
    const seen = new Set<string>();
    for (let at = 0; ; at++) {
      const { payload, headers = {}, ...request } = write(at);
      const { answer, outcome, later } = await dropAt(v1, at, {
        ...request,
        headers: { ...HEADERS, ...headers },
        payload: JSON.stringify(payload),
      });
      if (answer !== undefined) {
        expect([answer.status, await left(at)]).toEqual([200, "whole"]);
        return seen;
      }
      const found = await left(at);
      // After the last look it is answered to nobody; before, what has not begun ends.
      expect([at, found]).toEqual([at, outcome === "done" ? "whole" : "absent"]);
      if (later.length > 0) seen.add(found);
    }
  }

  const ofStatus = (status: number) => {
    expect([200, 404]).toContain(status);
    return status === 200 ? ("whole" as const) : ("absent" as const);
  };

  test("a policy that is made has all of its rules, or is not there", async () => {
    const seen = await everywhere(
      (at) => ({ method: "PUT", url: "/v1/acl/policy", payload: { Name: `made-${at}`, Rules } }),
      async (at) => {
        const { status, body } = await v1.get(`/acl/policy/name/made-${at}`);
        if (status === 200) expect(body.Rules).toBe(Rules);
        return ofStatus(status);
      },
    );
    expect(seen).toContain("absent");
  });

  test("a policy that is changed is another in all that the request says, or in nothing", async () => {
    const id = await v1.policy("", "before");
    const seen = await everywhere(
      (at) => ({
        method: "PATCH",
        url: `/v1/acl/policy/${id}`,
        payload: { Name: `after-${at}`, Description: `${at}`, Rules: `${Rules}\nkey "at" { policy = "read" } # ${at}` },
      }),
      async (at) => {
        const { body } = await v1.get(`/acl/policy/${id}`);
        const isOther = [body.Name === `after-${at}`, body.Description === `${at}`, body.Rules.endsWith(`# ${at}`)];
        expect(new Set(isOther).size).toBe(1);
        return isOther[0] === true ? "whole" : "absent";
      },
    );
    expect(seen).toContain("absent");
  });

  test("a token that is made has its links, or is not there", async () => {
    const policy = await v1.policy(Rules, "linked");
    const accessor = (at: number) => `aaaaaaaa-1111-4222-8333-${String(at).padStart(12, "0")}`;
    const seen = await everywhere(
      (at) => ({
        method: "PUT",
        url: "/v1/acl/token",
        payload: { AccessorID: accessor(at), Policies: [{ ID: policy }], Description: "made" },
      }),
      async (at) => {
        const { status, body } = await v1.get(`/acl/token/${accessor(at)}`);
        if (status === 200) expect([body.Policies.length, body.Description]).toEqual([1, "made"]);
        return ofStatus(status);
      },
    );
    expect(seen).toContain("absent");
  });

  test("a login makes one token with what its rules give, or none", async () => {
    for (let n = 0; n < 20; n++)
      await makeRule(v1, { AuthMethod: "jwt", BindName: `s${n}`, Selector: `value.name == "n${n % 2}"` });
    const tokens = async () =>
      ((await v1.get("/acl/tokens?authmethod=jwt")).body as { ServiceIdentities: object[] }[]).map(
        ({ ServiceIdentities }) => ServiceIdentities.length,
      );
    let before = 0;
    const seen = await everywhere(
      () => ({
        method: "POST",
        url: "/v1/acl/login",
        headers: { "x-service-token": "" },
        payload: { AuthMethod: "jwt", BearerToken: bearer(KEY, { name: "n1" }) },
      }),
      async () => {
        const now = await tokens();
        expect(now.every((identities) => identities === 10)).toBe(true);
        const made = now.length - before;
        before = now.length;
        expect([0, 1]).toContain(made);
        return made === 1 ? "whole" : "absent";
      },
    );
    expect(seen).toContain("absent");
  });

  test("a creation that is sent again under its key is made once, wherever its client went before", async () => {
    const content = { AuthMethod: "jwt", BindType: "service", Description: "once" };
    const rules = async (at: number) =>
      ((await v1.get("/acl/binding-rules")).body as { BindName: string; ID: string }[]).filter(
        ({ BindName }) => BindName === `once-${at}`,
      );
    const again = (at: number) => ({
      method: "PUT" as const,
      url: "/v1/acl/binding-rule",
      headers: { ...HEADERS, "idempotency-key": `once-${at}` },
      payload: { ...content, BindName: `once-${at}` },
    });
    await everywhere(again, async (at) => {
      const before = await rules(at);
      const { status, body } = await v1.send({ ...again(at), payload: JSON.stringify(again(at).payload) });
      const after = await rules(at);
      expect([status, after.map(({ ID }) => ID)]).toEqual([200, [body.ID]]);
      expect(before.length).toBeLessThanOrEqual(1);
      if (before.length === 1) expect(before).toEqual(after);
      return before.length === 1 ? "whole" : "absent";
    });
  });

  test("a long list of what is declared is read no further", async () => {
    const Objects = Array.from({ length: 60 }, (_, n) => `${n} ${"x".repeat(400)}`);
    for (let n = 0; n < 60; n++)
      expect((await v1.put("/acl/declaration", { Name: `d${n}`, Objects })).status).toBe(200);
    spendTurns();
    const request = { method: "GET" as const, url: "/v1/acl/declarations", headers: HEADERS };
    const dropped = await statementsOf(v1.db, async () => {
      expect((await dropAt(v1, 0, request)).answer).toBeUndefined();
    });
    const whole = await statementsOf(v1.db, async () => {
      expect((await v1.send(request)).text.length).toBeGreaterThan(1_000_000);
    });
    expect(dropped).toBeLessThan(whole - 1);
  });
});

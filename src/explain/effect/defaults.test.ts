/** Tests gains and losses by a change of the defaults of namespaces. */
import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { makeIn, makeNamespace } from "../../../test/support/scopes.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

interface Effect {
  Entries: { ID: string; Gains: { Segment?: string }[]; Losses: { Segment?: string }[] }[];
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const preview = async (body: object, token = MANAGEMENT) => {
    const answer = await v1.post("/acl/effect", body, token);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as Effect;
  };

  test("tells what all tokens of a namespace gain and lose when its defaults are others", async () => {
    const namespace = v1.unique("given").toLowerCase();
    await makeNamespace(v1, { namespace });
    const made = (text: string) => v1.policy(text);
    const [old, next] = [
      await made('session "old" { policy = "read" }'),
      await made('session "next" { policy = "read" }'),
    ];
    const role = await v1.role({
      Name: v1.unique("given"),
      Policies: [{ ID: await made('session "role" { policy = "read" }') }],
    });
    await v1.put(`/namespace/${namespace}`, {
      ACLs: { PolicyDefaults: [{ ID: old }], RoleDefaults: [{ ID: role }] },
    });
    const { AccessorID } = (await makeIn(v1, { namespace }, "token", {})) as { AccessorID: string };
    const told = async (...Namespaces: object[]) => {
      const effect = await preview({ Namespaces });
      return effect.Entries.map(({ ID, Gains, Losses }) => [
        ID,
        Gains.map(({ Segment }) => Segment),
        Losses.map(({ Segment }) => Segment),
      ]);
    };
    const [gains, losses] = [["next"], ["old"]];
    const ACLs = { PolicyDefaults: [{ ID: next }] };
    expect(await told({ Name: namespace.toUpperCase(), ACLs })).toEqual([[AccessorID, gains, losses]]);
    expect(await told({ Name: namespace, ACLs: { RoleDefaults: [] } })).toEqual([[AccessorID, [], ["role"]]]);
    const none = { PolicyDefaults: [], RoleDefaults: [] };
    expect(await told({ Name: namespace, ACLs: none })).toEqual([[AccessorID, [], ["old", "role"]]]);
    expect(await told({ Name: namespace }, { Name: "nowhere", ACLs })).toEqual([]);
    // A policy that is thought of counts with it.
    const both = { Policies: [{ Name: "thought", Rules: 'session "old" { policy = "read" }' }] };
    const kept = { Name: namespace, ACLs: { PolicyDefaults: [{ Name: "thought" }] } };
    expect((await preview({ ...both, Namespaces: [kept] })).Entries).toEqual([]);
    expect((await v1.post(`/acl/effect?ns=${namespace}`, { Namespaces: [kept] })).status).toBe(400);
    expect((await v1.post("/acl/effect", { Namespaces: [{ Name: "a" }, { Name: "A" }] })).status).toBe(400);
    // The answer reveals nothing about objects that the caller may not see, not even their size.
    const many = Array.from({ length: 300 }, (_, at) => `key "k${at}" { policy = "read" }`).join("\n");
    await v1.put(`/namespace/${namespace}`, { ACLs: { PolicyDefaults: [{ ID: await made(many) }] } });
    const body = { Namespaces: [{ Name: namespace, ACLs: none }] };
    expect(await preview(body)).toMatchObject({ Complete: false });
    const unseeing = await v1.tokenWith('acl = "read"');
    expect(await preview(body, unseeing)).toMatchObject({ Complete: true, Tokens: { Gain: 0, Lose: 0 } });
  });

  test("names in a policy of another namespace are told only to callers that may read it", async () => {
    const namespace = v1.unique("below").toLowerCase();
    await makeNamespace(v1, { namespace });
    const hidden = v1.unique("hidden").toLowerCase();
    const given = await v1.policy(`service "${hidden}" { policy = "write" }`);
    await v1.put(`/namespace/${namespace}`, { ACLs: { PolicyDefaults: [{ ID: given }] } });
    // An identity may read services of all namespaces, so that a default of another one lies below it.
    const ServiceIdentities = [{ ServiceName: "web" }];
    const { AccessorID } = (await makeIn(v1, { namespace }, "token", { ServiceIdentities })) as { AccessorID: string };
    const asker = await makeIn(v1, { namespace }, "policy", { Name: v1.unique("asker"), Rules: 'acl = "read"' });
    const body = { Tokens: [{ AccessorID, ServiceIdentities: [] }] };
    const ask = (token: string) => v1.post(`/acl/effect?ns=${namespace}`, body, token);
    const all = await ask(MANAGEMENT);
    expect([all.status, all.text.includes(hidden)], all.text).toEqual([200, true]);
    expect(all.headers["x-consul-results-filtered-by-acls"]).toBe(undefined);
    const secret = (await makeIn(v1, { namespace }, "token", { Policies: [{ ID: asker["ID"] }] }))["SecretID"];
    const some = await ask(String(secret));
    expect([some.status, some.text.includes(hidden)], some.text).toEqual([200, false]);
    expect(some.body).toMatchObject({ Complete: true, Tokens: { Gain: 0, Lose: 1 } });
    expect(some.headers["x-consul-results-filtered-by-acls"]).toBe("true");
  });
});

/** Events of auth methods, binding rules and logins. */
import { beforeAll, expect, test } from "vitest";
import { finishDeletion } from "../../test/support/deletion.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { useStreams, type Stream } from "../../test/support/event-stream.ts";
import { idOf, KINDS, LISTS, loginIn, makeIn, makeMethodIn, makeNamespace, METHOD } from "../../test/support/scopes.ts";
import { useV1 } from "../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  let url: string;
  const open = useStreams(() => url);
  beforeAll(async () => {
    url = await v1.listen();
  });

  test("tells of auth methods by their names in lower case, of binding rules, logins and logouts by IDs", async () => {
    const stream = await open();
    await makeMethodIn(v1, {}, { Name: "Told", Description: "canary-of-method" });
    const rule = idOf(await makeIn(v1, {}, "binding-rule", { AuthMethod: "told", Selector: "value.team == canary" }));
    const { AccessorID, SecretID } = await loginIn(v1, {}, { team: "canary" }, "Told");
    await v1.patch("/acl/auth-method/TOLD", { Description: "canary" });
    await v1.patch(`/acl/binding-rule/${rule}`, { Description: "canary" });
    await v1.post("/acl/logout", "", SecretID);
    await v1.delete(`/acl/binding-rule/${rule}`);
    const told = () => stream.events.map(({ event, data }) => [event, data?.["Key"]]);
    const wanted = [
      ["auth-methods", "told"],
      ["binding-rules", rule],
      ["tokens", AccessorID],
      ["auth-methods", "told"],
      ["binding-rules", rule],
      ["tokens", AccessorID],
      ["binding-rules", rule],
    ];
    await expect.poll(told).toEqual(wanted);
    const text = JSON.stringify(stream.events);
    for (const hidden of ["canary", SecretID, "BEGIN PUBLIC KEY"]) expect(text).not.toContain(hidden);
  });

  test("tells of an auth method that is deleted, by an empty key of many rules and tokens, and then of each that goes", async () => {
    await makeNamespace(v1, { namespace: "led-to" });
    await makeMethodIn(v1, {}, { NamespaceRules: [{ BindNamespace: "led-to" }] });
    const rule = idOf(await makeIn(v1, {}, "binding-rule", {}));
    const [here, there, any] = [await open(), await open("?ns=led-to"), await open("?ns=*")];
    const { AccessorID } = await loginIn(v1, {});
    await v1.delete(`/acl/auth-method/${METHOD}`);
    const told = (stream: Stream) => stream.events.map(({ event, data }) => [event, data?.["Key"]]);
    const gone = [
      ["auth-methods", METHOD],
      ["binding-rules", ""],
      ["tokens", ""],
    ];
    await expect.poll(() => told(here)).toEqual(gone);
    const goneThere = [
      ["tokens", AccessorID],
      ["tokens", ""],
    ];
    await expect.poll(() => told(there)).toEqual(goneThere);
    await finishDeletion(v1.db);
    await expect.poll(() => told(here)).toEqual([...gone, ["binding-rules", rule]]);
    await expect.poll(() => told(there)).toEqual([...goneThere, ["tokens", AccessorID]]);
    const all = [["tokens", AccessorID], ...gone, ["tokens", ""], ["tokens", AccessorID], ["binding-rules", rule]];
    await expect.poll(() => told(any)).toEqual(all);
    await v1.delete("/namespace/led-to");
    await finishDeletion(v1.db);
  });

  test("tells nothing of a namespace's methods, rules and logins to who may not read it, whatever is asked for", async () => {
    const namespace = v1.unique("hidden");
    await makeNamespace(v1, { namespace });
    const token = await v1.tokenWith('acl = "read"');
    const [own, any] = [await open("", { token }), await open("?ns=*", { token })];
    const { response } = await open(`?ns=${namespace}&topics=auth-methods,binding-rules`, { token });
    expect(response.status).toBe(403);
    await makeMethodIn(v1, { namespace });
    await makeIn(v1, { namespace }, "binding-rule", {});
    await loginIn(v1, { namespace });
    await v1.delete(`/acl/auth-method/${METHOD}?ns=${namespace}`);
    await finishDeletion(v1.db);
    const last = await v1.role();
    for (const stream of [own, any]) await expect.poll(() => stream.keys()).toEqual([last]);
  });

  test("tells one topic of each kind of object, called as its list is", async () => {
    const names = Object.values(LISTS).toSorted();
    await makeMethodIn(v1, {});
    for (const kind of KINDS) {
      const stream = await open(`?topics=${LISTS[kind]}`);
      for (const each of KINDS) await makeIn(v1, {}, each, { Name: v1.unique("topic") });
      await expect.poll(() => stream.events.map(({ event }) => event)).toEqual([LISTS[kind]]);
    }
    const { response } = await open("?topics=nothing");
    const text = await response.text();
    for (const name of names) expect(text).toContain(name);
  });
});

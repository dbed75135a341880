/** A namespace is deleted while many write into it. */
import { expect, test } from "vitest";
import type { Answer } from "../../../test/support/api.ts";
import { countsIn, finishDeletion, NO_ROWS } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { bearer, login, UNLIMITED_LOGINS } from "../../../test/support/login.ts";
import {
  at,
  contentOf,
  idOf,
  KEY,
  makeIn,
  makeMethodIn,
  makeNamespace,
  makePartition,
  METHOD,
  type Kind,
  type Place,
} from "../../../test/support/scopes.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

const CLIENTS = 32;
/** Writes that are answered before the deletion begins. */
const WARM_UP = 200;

interface Write {
  status: number;
  text: string;
  /** Whether it was sent when the deletion had been answered. */
  isLate: boolean;
}

forEachEngine((_engine, makeUrl) => {
  // All clients log in from one address, and many are refused.
  const v1 = useV1(makeUrl, { config: UNLIMITED_LOGINS });

  /** One client: makes, changes and deletes objects of all kinds until its namespace is gone, or its token. */
  async function write(place: Place, number: number, token: string, state: { writes: Write[]; isMarked: boolean }) {
    const made: { path: string; secret?: string }[] = [];
    const note = async (send: () => Promise<Answer>): Promise<Answer> => {
      const { isMarked } = state;
      const answer = await send();
      state.writes.push({ status: answer.status, text: answer.text, isLate: isMarked });
      return answer;
    };
    const keep = (kind: Kind, { status, body }: Answer): string | undefined => {
      if (status !== 200) return undefined;
      const path = `/acl/${kind}/${idOf(body)}`;
      made.push({ path, ...(body.SecretID === undefined ? {} : { secret: String(body.SecretID) }) });
      return at(path, place);
    };
    const make = async (kind: Kind, content: object): Promise<string | undefined> =>
      keep(kind, await note(() => v1.put(at(`/acl/${kind}`, place), contentOf(kind, { ...content }), token)));
    const { namespace: Namespace, partition: Partition } = place;
    for (let round = 0; ; round++) {
      const Name = `c${number}-${round}`;
      const policy = await make("policy", { Name, Rules: 'acl = "write"' });
      const role = await make("role", { Name, Policies: [{ Name }] });
      const accessor = await make("token", { Policies: [{ Name }], Roles: [{ Name }] });
      if (accessor !== undefined) {
        await note(() => v1.patch(accessor, { Description: "changed" }, token));
        await note(() => v1.put(accessor.replace("?", "/clone?"), {}, token));
      }
      const method = round % 4 === 0 ? await make("auth-method", { Name }) : undefined;
      const rule = await make("binding-rule", method === undefined ? {} : { AuthMethod: Name });
      keep("token", await note(() => login(v1, METHOD, bearer(KEY), { Namespace, Partition })));
      if (rule !== undefined) await note(() => v1.patch(rule, { Description: "changed" }, token));
      if (method !== undefined) await note(() => v1.delete(method, token));
      if (policy !== undefined) await note(() => v1.patch(policy, { Description: "changed" }, token));
      if (role !== undefined && round % 2 === 0) await note(() => v1.delete(role, token));
      const { status } = await note(() => v1.put(at("/acl/token", place), { Description: "last" }, token));
      if (status === 400 || status === 403) return made;
    }
  }

  test.each<[what: string, partition: string, unit: "namespace" | "partition"]>([
    ["a namespace", "default", "namespace"],
    ["a namespace of another partition", "unit-1", "namespace"],
    ["a partition", "unit-2", "partition"],
  ])(
    "%s that 32 clients write into goes without a rest, and nothing that was answered is alive",
    async (_what, partition, unit) => {
      const namespace = v1.unique("busy");
      const place = { namespace, partition };
      if (partition !== "default") await makePartition(v1, partition);
      await makeNamespace(v1, place);
      await makeMethodIn(v1, place);
      await makeIn(v1, place, "binding-rule", {});
      const management = { Policies: [{ Name: "namespace-management" }] };
      const tenant = String((await makeIn(v1, place, "token", management)).SecretID);
      const state = { writes: [] as Write[], isMarked: false };
      const clients = Array.from({ length: CLIENTS }, (_, number) =>
        write(place, number, number % 2 === 0 ? MANAGEMENT : tenant, state),
      );
      await expect.poll(() => state.writes.length, { interval: 2 }).toBeGreaterThan(WARM_UP);
      const path = unit === "namespace" ? `/namespace/${namespace}?partition=${partition}` : `/partition/${partition}`;
      expect((await v1.delete(path)).status).toBe(200);
      state.isMarked = true;
      await finishDeletion(v1.db);
      const made = (await Promise.all(clients)).flat();

      expect((await v1.get(path)).status).toBe(404);
      expect(await countsIn(v1.db, { namespace, partition })).toEqual(NO_ROWS);
      expect(made.length).toBeGreaterThan(CLIENTS);
      for (const { path: gone, secret } of made) {
        expect([gone, (await v1.get(at(gone, place))).status]).toEqual([gone, 404]);
        if (secret !== undefined) expect((await v1.get("/acl/token/self", secret)).text).toBe("ACL not found");
      }
      const name = unit === "namespace" ? `Namespace "${namespace}"` : `Partition "${partition}"`;
      const allowed = new Set([
        "200",
        `409 ${name} is marked for deletion`,
        `400 ${name} does not exist`,
        // To whoever deletes in a partition that is deleted: its namespaces go before it does.
        `400 Namespace "${namespace}" does not exist`,
        "403 ACL not found",
        // To whoever logs in: as of now, and when the method is gone with the others.
        `403 ${name} is marked for deletion`,
        `403 ACL not found: auth method "${METHOD}" not found`,
      ]);
      const outcomes = new Set(state.writes.map(({ status, text }) => (status === 200 ? "200" : `${status} ${text}`)));
      // The rules of a method are removed before the method.
      const isUnbound = (outcome: string) => outcome.startsWith("403 Permission denied: the identity was verified,");
      // Objects that exist may still be deleted, by the first caller.
      const isGone = (outcome: string) => /^404 Cannot find [a-z ]+ to delete$/.test(outcome);
      const isOdd = (outcome: string) => !allowed.has(outcome) && !isUnbound(outcome) && !isGone(outcome);
      expect([...outcomes].filter(isOdd)).toEqual([]);
      const late = state.writes.filter(({ isLate }) => isLate);
      expect(late.length).toBeGreaterThan(0);
      // Only objects that exist may still be deleted: the answer is "true".
      expect(late.filter(({ status, text }) => status === 200 && text !== "true")).toEqual([]);
    },
  );
});

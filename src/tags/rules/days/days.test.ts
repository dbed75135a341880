import { expect, it, onTestFinished } from "vitest";
import { useApi, type Api } from "../../../../test/support/api.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { startRemoval } from "../../../storage/operator/removal.ts";
import { COVERAGE_OF_DAY, MOST_KEYS } from "./count.ts";
import { dayOf } from "./day.ts";
import { startCoverageDays } from "./keep.ts";
import { KEPT_DAYS, oldCoverage } from "./retention.ts";

const NOON = Date.UTC(2026, 5, 20, 12);
const DAY_MS = 24 * 60 * 60 * 1000;

async function put(api: Api, organization: string, keys: string[]): Promise<void> {
  const rules = [
    { name: "required", ...(keys.length > 0 ? { "required-keys": keys } : { "naming-pattern": "[a-z]+" }) },
  ];
  const data = { type: "tag-policies", attributes: { enforce: "advise", rules } };
  const { status, text } = await api.put(`/organizations/${organization}/tag-policy`, { data });
  expect(status, text).toBe(200);
}

/** As `key on day: missing of workspaces`. */
async function days(api: Api, organization: string, query = ""): Promise<string[]> {
  const { status, body, text } = await api.get(`/organizations/${organization}/tag-policy/days${query}`);
  expect(status, text).toBe(200);
  return (body.data as { attributes: Record<"key" | "day" | "missing" | "workspaces", string> }[]).map(
    ({ attributes: { key, day, missing, workspaces } }) => `${key} on ${day}: ${missing} of ${workspaces}`,
  );
}

async function idOf(api: Api, organization: string): Promise<string> {
  const found = api.db.sql.selectFrom("organizations").select("id").where("name", "=", organization);
  return (await found.executeTakeFirstOrThrow()).id;
}

/** Two nodes that keep days by one clock. */
function startTwo(api: Api) {
  const clock = { at: NOON, isOff: false, looks: 0 };
  const errors: unknown[] = [];
  const isInDoubt = () => {
    clock.looks += 1;
    return clock.isOff;
  };
  const given = { now: () => clock.at, isInDoubt };
  const nodes = [1, 2].map(() => startCoverageDays(api.db, given, (error) => errors.push(error), 25));
  onTestFinished(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    expect(errors).toEqual([]);
  });
  return clock;
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  it("each required key is counted once a day, by a clock that is trusted", async () => {
    const [org, other] = [await api.organization(), await api.organization()];
    await api.workspace(org, "tagged", ["owner"]);
    const bare = await api.workspace(org, "bare");
    await api.workspace(other, "bare");
    await put(api, org, ["owner", "cost"]);
    const clock = startTwo(api);
    const first = ["cost on 2026-06-20: 2 of 2", "owner on 2026-06-20: 1 of 2"];
    await expect.poll(() => days(api, org)).toEqual(first);
    const link = { data: [{ type: "tags", attributes: { name: "owner" } }] };
    expect((await api.post(`/workspaces/${bare}/relationships/tags`, link)).status).toBe(204);
    // Another organization is counted later that day: the first one was passed over.
    await put(api, other, ["owner"]);
    await expect.poll(() => days(api, other)).toEqual(["owner on 2026-06-20: 1 of 1"]);
    expect(await days(api, org)).toEqual(first);
    clock.isOff = true;
    clock.at += DAY_MS;
    const third = await api.organization();
    await put(api, third, ["owner"]);
    const looks = clock.looks + 4;
    await expect.poll(() => clock.looks).toBeGreaterThan(looks);
    clock.at += DAY_MS;
    clock.isOff = false;
    await expect.poll(() => days(api, third)).toEqual(["owner on 2026-06-22: 0 of 0"]);
    const second = ["owner on 2026-06-20: 1 of 2", "owner on 2026-06-22: 0 of 2"];
    await expect.poll(() => days(api, org, "?filter[key]=owner")).toEqual(second);
    const { body } = await api.get(`/organizations/${org}/tag-policy/days?filter[key]=owner&page[size]=1`);
    expect(body.meta).toMatchObject({ "is-complete": true, pagination: { "total-count": 2 } });
    expect(body.data).toEqual([
      {
        id: "2026-06-20/owner",
        type: "tag-policy-days",
        attributes: {
          key: "owner",
          day: "2026-06-20",
          workspaces: 2,
          missing: 1,
          "without-value": 1,
          "value-count": 0,
        },
      },
    ]);
  });

  it("a policy without required keys, and no policy, have no days", async () => {
    const [without, named, last] = [await api.organization(), await api.organization(), await api.organization()];
    await put(api, named, []);
    await put(api, last, ["owner"]);
    startTwo(api);
    await expect.poll(() => days(api, last)).toHaveLength(1);
    expect([await days(api, without), await days(api, named)]).toEqual([[], []]);
  });

  it("a day keeps the keys that most workspaces lack, at most as many as the limit", async () => {
    const org = await api.organization();
    await api.workspace(org, "one", ["k000"]);
    const requiredKeys = Array.from({ length: MOST_KEYS + 2 }, (_, at) => `k${String(at).padStart(3, "0")}`);
    const walk = { organization: await idOf(api, org), visibility: undefined };
    const kept = await api.db.apart(COVERAGE_OF_DAY, { ...walk, rules: [{ name: "required", requiredKeys }] });
    expect(kept.map(({ key }) => key)).toEqual(requiredKeys.slice(1, MOST_KEYS + 1));
  });

  it("days show nothing to a caller who may not see each workspace, and need organization read", async () => {
    const org = await api.organization();
    await api.workspace(org, "secret");
    await put(api, org, ["owner"]);
    startTwo(api);
    await expect.poll(() => days(api, org)).toHaveLength(1);
    const reader = { kind: "organization", segment: org, policy: "read" } as const;
    const all = api.tokenWith(reader);
    const some = api.tokenWith(reader, { kind: "workspace", segment: `${org}/secret`, policy: "deny" });
    const other = api.tokenWith({ kind: "workspace_prefix", segment: `${org}/s`, policy: "read" });
    const ask = async (name: string, token: string) => api.get(`/organizations/${name}/tag-policy/days`, token);
    expect((await ask(org, all)).body.data).toHaveLength(1);
    const { body } = await ask(org, some);
    expect([body.data, body.meta]).toMatchObject([[], { "is-complete": false, pagination: { "total-count": 0 } }]);
    expect([(await ask(org, other)).status, (await ask("missing", other)).status]).toEqual([404, 404]);
    await api.expectSameStatements(
      async () => ask(org, other),
      async () => ask("missing", other),
    );
  });

  it("days end after their time, and with their organization", async () => {
    const [org, gone] = [await api.organization(), await api.organization()];
    const today = dayOf(NOON);
    const [organization_id, goneId] = [await idOf(api, org), await idOf(api, gone)];
    const row = { key: "owner", workspaces: 1, missing: 0, without_value: 0, value_count: 0 };
    const rows = [today, today - KEPT_DAYS + 1, today - KEPT_DAYS, today - KEPT_DAYS - 5].map((day) => ({
      ...row,
      day,
    }));
    await api.db.inTransaction({ kind: "root" }, async (tx) => {
      tx.unrecorded("rows of a test");
      for (const each of rows) tx.write(tx.sql.insertInto("tag_coverage_days").values({ ...each, organization_id }));
      for (const key of ["a", "b"]) {
        tx.write(tx.sql.insertInto("tag_coverage_days").values({ ...row, key, day: today, organization_id: goneId }));
      }
    });
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const left = async (id: string) => {
      const found = api.db.sql.selectFrom("tag_coverage_days").select("day").where("organization_id", "=", id);
      return (await found.orderBy("day").execute()).map(({ day }) => day - today);
    };
    const removal = startRemoval(
      api.db,
      oldCoverage(api.db, () => NOON),
      onError,
    );
    await expect.poll(() => left(organization_id)).toEqual([1 - KEPT_DAYS, 0]);
    await removal.stop();
    expect(await left(goneId)).toEqual([0, 0]);
    expect((await api.delete(`/organizations/${gone}`)).status).toBe(204);
    await expect.poll(() => left(goneId)).toEqual([]);
    expect([errors, await left(organization_id)]).toEqual([[], [1 - KEPT_DAYS, 0]]);
  });
});

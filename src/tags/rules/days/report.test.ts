import { expect, it, onTestFinished } from "vitest";
import { useApi, type Api } from "../../../../test/support/api.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { startTarget, type Target } from "../../../../test/support/webhook-target.ts";
import { createTargets } from "../../../outbound/targets.ts";
import { startDeliveries } from "../../changes/hooks/worker.ts";
import { changeFor } from "../../changes/sight.ts";
import { dayOf, dayText, mondayOf } from "./day.ts";
import { startCoverageDays } from "./keep.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A Wednesday. */
const WEDNESDAY = Date.UTC(2026, 5, 17, 12);

async function hook(api: Api, organization: string, attributes: object): Promise<Target> {
  const target = await startTarget();
  const data = { type: "tag-webhooks", attributes: { name: "hook", url: target.url, ...attributes } };
  const { status, text } = await api.post(`/organizations/${organization}/tag-webhooks`, { data });
  expect(status, text).toBe(201);
  return target;
}

async function requireKeys(api: Api, organization: string, ...keys: string[]): Promise<string> {
  const attributes = { enforce: "advise", rules: [{ name: "required", "required-keys": keys }] };
  const { status, text, body } = await api.put(`/organizations/${organization}/tag-policy`, {
    data: { type: "tag-policies", attributes },
  });
  expect(status, text).toBe(200);
  return body.data.id;
}

async function addTag(api: Api, workspace: string, name: string): Promise<void> {
  const data = [{ type: "tags", attributes: { name } }];
  expect((await api.post(`/workspaces/${workspace}/relationships/tags`, { data })).status).toBe(204);
}

function reportsOf(target: Target): Record<string, unknown>[] {
  const told = target.taken.flatMap(({ events }) => events.map(({ attributes }) => attributes));
  return told.filter(({ action }) => action === "reported");
}

/** Days that were reported, and per key what was missing then and a week before. */
function weeksOf(target: Target): unknown[] {
  return reportsOf(target).map(({ details }) => {
    const { day, keys } = details as { day: string; keys: Record<string, unknown>[] };
    return [day, ...keys.map((each) => [each["key"], each["missing"], each["missing-before"]])];
  });
}

/** Two nodes that count days by one clock and deliver to webhooks; all of a day is counted when `passDays` returns. */
function startTwo(api: Api) {
  const clock = { at: WEDNESDAY };
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const given = { now: () => clock.at, isInDoubt: () => false };
  const nodes = [1, 2].map(() => startCoverageDays(api.db, given, onError, 25));
  const askFor = createTargets({ outboundAllow: ["127.0.0.1"] });
  nodes.push(startDeliveries({ db: api.db, now: Date.now, askFor }, onError));
  onTestFinished(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    expect(errors).toEqual([]);
  });
  const isCounted = async (organization: string) => {
    const days = await api.get(`/organizations/${organization}/tag-policy/days?page[size]=100`);
    return days.body.data.some(
      (each: { attributes: { day: string } }) => each.attributes.day === dayText(dayOf(clock.at)),
    );
  };
  return async (organization: string, days: number) => {
    clock.at += days * DAY_MS;
    await expect.poll(() => isCounted(organization)).toBe(true);
  };
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  it("a week has one report, with its first day that is counted, for webhooks that name it", async () => {
    const org = await api.organization();
    const one = await api.workspace(org, "one");
    await api.workspace(org, "two", ["cost"]);
    const policy = await requireKeys(api, org, "owner", "cost");
    const [asked, all, other] = [
      await hook(api, org, { actions: ["reported", "deleted"] }),
      await hook(api, org, {}),
      await hook(api, org, { kinds: ["workspace"], actions: ["reported"] }),
    ];
    const pass = startTwo(api);
    const first = ["2026-06-17", ["owner", 2, null], ["cost", 1, null]];
    await expect.poll(() => weeksOf(asked)).toEqual([first]);
    expect(reportsOf(asked)[0]).toEqual({
      kind: "tag-policy",
      action: "reported",
      "object-id": policy,
      name: "",
      details: {
        day: "2026-06-17",
        keys: [
          { key: "owner", workspaces: 2, missing: 2, "without-value": 0, "value-count": 0, "missing-before": null },
          { key: "cost", workspaces: 2, missing: 1, "without-value": 1, "value-count": 0, "missing-before": null },
        ],
      },
      at: new Date(WEDNESDAY).toISOString(),
      "accessor-id": "",
      "request-id": "",
      "job-id": null,
    });
    // Friday and Sunday of that week.
    await pass(org, 2);
    await addTag(api, one, "owner");
    await pass(org, 2);
    // No server ran on Monday: the week is reported on Tuesday, and compared with the report before.
    await pass(org, 2);
    const second = ["2026-06-23", ["cost", 1, 1], ["owner", 1, 2]];
    await expect.poll(() => weeksOf(asked)).toEqual([first, second]);
    await pass(org, 1);
    // Monday, after the rest of the week.
    await pass(org, 5);
    const third = ["2026-06-29", ["cost", 1, 1], ["owner", 1, 1]];
    await expect.poll(() => weeksOf(asked)).toEqual([first, second, third]);
    // The last event of all ends what each webhook has to be told.
    const gone = await api.workspace(org, "gone");
    expect((await api.delete(`/workspaces/${gone}`)).status).toBe(204);
    await expect.poll(() => [asked, all].map((target) => target.names().includes("gone"))).toEqual([true, true]);
    expect([weeksOf(asked), reportsOf(all), other.asked]).toEqual([[first, second, third], [], []]);
  });

  it("an organization whose webhooks do not ask for reports, or are disabled, has none on record", async () => {
    const [without, off, last] = [await api.organization(), await api.organization(), await api.organization()];
    for (const org of [without, off, last]) await requireKeys(api, org, "owner");
    await hook(api, without, {});
    await hook(api, off, { actions: ["reported"], enabled: false });
    await hook(api, last, { actions: ["reported"] });
    const pass = startTwo(api);
    for (const org of [without, off, last]) await pass(org, 0);
    const found = api.db.sql.selectFrom("changes").innerJoin("organizations", "organizations.id", "organization_id");
    const reported = await found.select("name_key").where("action", "=", "reported").execute();
    expect(reported.map((each) => each.name_key)).toContain(last.toLowerCase());
    for (const org of [without, off]) expect(reported.map((each) => each.name_key)).not.toContain(org.toLowerCase());
  });

  it("a stream shows a report only to a caller who may read each workspace", async () => {
    const org = await api.organization();
    const reader = { kind: "organization", segment: org, policy: "read" } as const;
    const tokens = [
      api.tokenWith(reader),
      api.tokenWith(reader, { kind: "workspace", segment: `${org}/secret`, policy: "deny" }),
    ];
    const report = {
      organizationId: "",
      position: 1,
      at: "",
      accessorId: "",
      requestId: "",
      jobId: "",
      kind: "tag-policy",
      objectId: "",
      name: "",
      action: "reported",
      details: "{}",
    };
    const actors = await Promise.all(tokens.map((token) => api.actorOf(token)));
    const seen = actors.map((actor) => actor !== undefined && changeFor(actor, org, report) !== undefined);
    expect(seen).toEqual([true, false]);
  });
});

it.each([
  [Date.UTC(1970, 0, 1), "1969-12-29"],
  [Date.UTC(1970, 0, 5), "1970-01-05"],
  [Date.UTC(2026, 5, 21, 23, 59), "2026-06-15"],
  [Date.UTC(2026, 5, 22), "2026-06-22"],
])("the week of a day begins on Monday (%d)", (now, monday) => {
  expect(dayText(mondayOf(dayOf(now)))).toBe(monday);
});

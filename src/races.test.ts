/** Two clients at once under `/api/v2`: each write rests on what the one before has left, and bounds hold for all together. */
import { describe, expect, test } from "vitest";
import { ids, useApi, type Answer } from "../test/support/api.ts";
import { forEachEngine } from "../test/support/engines.ts";
import { filesOf, lineOf } from "../test/support/imports.ts";
import { ask, read } from "../test/support/jobs.ts";
import { inOneTurn } from "../test/support/one-turn.ts";
import { newId } from "./ids.ts";
import { findOrganization } from "./organizations/store.ts";
import { MAX_KEYS } from "./tags/rules/reserved-keys/service.ts";
import { insertReservedKey } from "./tags/rules/reserved-keys/store.ts";
import { MAX_IMPORTS } from "./tags/jobs/imports/places.ts";

const ROUNDS = 5;
/** For all that has a name. */
const ATTRIBUTES = { name: "one", url: "https://hooks.example" };

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  const documentOf = (type: string, attributes: object, relationships: object = {}) => ({
    data: { type, attributes, relationships },
  });
  const counted = (answers: readonly Answer[], wanted: number) =>
    answers.filter(({ status }) => status === wanted).length;
  const times = <T>(count: number, of: (at: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, at) => of(at)));

  async function made(type: string, path: string, attributes: object): Promise<string> {
    const answer = await api.post(path, documentOf(type, attributes));
    expect(answer.status, answer.text).toBe(201);
    return String(answer.body.data.id);
  }

  describe.each([
    { type: "organizations", one: { email: "other@example.com" }, other: { "cost-estimation-enabled": true } },
    { type: "projects", one: { name: "Renamed" }, other: { description: "described" } },
    { type: "workspaces", one: { "working-directory": "there" }, other: { description: "described" } },
    { type: "reserved-tag-keys", one: { key: "renamed" }, other: { "disable-overrides": true } },
    { type: "tag-webhooks", one: { name: "renamed" }, other: { enabled: false } },
  ])("of $type", ({ type, one, other }) => {
    /** @returns its path, and how it is read */
    async function make(): Promise<{ path: string; shown: () => Promise<object> }> {
      const org = await api.organization();
      const [list, own] = [`/organizations/${org}/${type}`, `/organizations/${org}`];
      const attributes = type === "reserved-tag-keys" ? { key: "one" } : ATTRIBUTES;
      const path = type === "organizations" ? own : `/${type}/${await made(type, list, attributes)}`;
      // A reserved key is shown in its list alone.
      const isListed = type === "reserved-tag-keys";
      const shown = async () => [(await api.get(isListed ? list : path)).body.data].flat()[0].attributes;
      return { path, shown };
    }

    test("no change is lost when two clients change different members at once", async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { path, shown } = await make();
        const answers = await Promise.all([one, other].map((each) => api.patch(path, documentOf(type, each))));
        expect(answers.map(({ status }) => status)).toEqual([200, 200]);
        expect(await shown()).toMatchObject({ ...one, ...other });
      }
    });
  });

  /** One right behind the other, in what becomes one transaction of an organization. */
  async function oneBehindTheOther<T>(org: string, first: () => Promise<T>, then: () => Promise<T>): Promise<T[]> {
    const counter = { kind: "organization", id: (await findOrganization(api.db, org))?.id ?? "" } as const;
    const afterIt = async () => {
      await expect.poll(() => api.db.stats().writeQueue, { interval: 1 }).toBeGreaterThan(0);
      return then();
    };
    return inOneTurn(api.db, counter, [first, afterIt]);
  }

  test.each(["first", "second"])(
    "a project that goes %s goes, or keeps the workspace that is made in it",
    async (turn) => {
      for (let round = 0; round < ROUNDS; round++) {
        const org = await api.organization();
        const id = await made("projects", `/organizations/${org}/projects`, { name: "One" });
        const project = { data: { type: "projects", id } };
        const make = () =>
          api.post(`/organizations/${org}/workspaces`, documentOf("workspaces", { name: "one" }, { project }));
        const remove = () => api.delete(`/projects/${id}`);
        const asks = turn === "first" ? ([remove, make] as const) : ([make, remove] as const);
        const answers = await oneBehindTheOther(org, ...asks);
        expect(answers.map(({ status }) => status)).toEqual(turn === "first" ? [204, 404] : [201, 409]);
      }
    },
  );

  test("a workspace that two clients move to a project at once is counted once", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const org = await api.organization();
      const workspace = await api.workspace(org, "one");
      const id = await made("projects", `/organizations/${org}/projects`, { name: "One" });
      const path = `/projects/${id}/relationships/workspaces`;
      const answers = await times(2, () => api.post(path, ids("workspaces", [workspace])));
      expect(answers.map(({ status }) => status)).toEqual([204, 204]);
      expect((await api.get(`/projects/${id}`)).body.data.attributes["workspace-count"]).toBe(1);
    }
  });

  test("a job that one client gives up is not paused by another", async () => {
    const org = await api.organization();
    await api.workspace(org, "one");
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = (await ask(api, org, { action: "add", tags: [{ name: "new" }] })).body.data;
      await Promise.all(["cancel", "pause"].map((act) => api.post(`/tag-jobs/${id}/actions/${act}`)));
      expect(await read(api, id)).toMatchObject({ status: "cancelled" });
    }
  });

  test("a tag that several clients create at once is given to all of them", async () => {
    const org = await api.organization();
    const body = { data: [{ type: "tags", attributes: { name: "shared" } }] };
    const create = () => api.post(`/organizations/${org}/tags`, body);
    const answers = [...(await oneBehindTheOther(org, create, create)), ...(await times(10, create))];
    expect(new Set(answers.map(({ status, text }) => [status, text].join(" "))).size).toBe(1);
    expect(answers[0]?.status).toBeLessThan(300);
  });

  describe("an organization has, however many clients ask at once, at most", () => {
    test("20 unfinished jobs, of one token 15", async () => {
      const org = await api.organization();
      await api.workspace(org, "one");
      const asks = (token?: string) =>
        times(20, () => ask(api, org, { action: "add", tags: [{ name: "new" }] }, token));
      const own = await asks();
      expect([counted(own, 201), counted(own, 422)]).toEqual([15, 5]);
      const others = await asks(api.tokenWith({ kind: "organization", segment: org, policy: "write" }));
      expect([counted(others, 201), counted(others, 422)]).toEqual([5, 15]);
    });

    test("6 of 8 files that are received or taken over, where one caller sends them all", async () => {
      const org = await api.organization();
      await api.workspace(org, "one");
      const file = lineOf({ kind: "workspace", name: "one", tags: ["a"] });
      const answers = await times(MAX_IMPORTS.all + 4, () => filesOf(api).asked(org, file));
      expect([counted(answers, 201), counted(answers, 422)]).toEqual([MAX_IMPORTS.all - 2, 6]);
    });

    test("1,000 reserved keys", async () => {
      const org = await api.organization();
      const path = `/organizations/${org}/reserved-tag-keys`;
      const { id: organizationId } = (await findOrganization(api.db, org)) ?? { id: "" };
      await api.db.inTransaction({ kind: "organization", id: organizationId }, async (tx) => {
        tx.unrecorded("a test");
        const dates = { createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" };
        for (let at = 0; at < MAX_KEYS - 2; at++) {
          insertReservedKey(tx, { id: newId("rtk"), organizationId, key: `k${at}`, disableOverrides: 0, ...dates });
        }
        return Promise.resolve();
      });
      const answers = await times(6, (at) => api.post(path, documentOf("reserved-tag-keys", { key: `more-${at}` })));
      expect([counted(answers, 201), counted(answers, 422)]).toEqual([2, 4]);
    });
  });
});

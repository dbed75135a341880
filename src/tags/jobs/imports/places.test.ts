/** Incident 69: of the files that an organization imports at a time, one caller leaves places to others. */
import { expect, onTestFinished, test } from "vitest";
import { ROOT, useApi } from "../../../../test/support/api.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { filesOf, lineOf } from "../../../../test/support/imports.ts";
import type { Rule } from "../../../../test/support/rights.ts";
import { somebody } from "../../../../test/support/callers.ts";
import { workFor } from "../../../callers.ts";
import { beginReceiving, MAX_RECEIVED_OF_TOKEN } from "./places.ts";
import { defineQuery } from "../../../storage/reads/query.ts";

const LARGE = /^At most \d files .*this caller or its namespace already uses a large share/;

const forgotten = defineQuery((db, p: { organization: string }) =>
  db.updateTable("tag_imports").set({ accessor_id: "", scope: "" }).where("organization_id", "=", p.organization),
);

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);
  const files = filesOf(api);
  const file = lineOf({ kind: "workspace", name: "own", tags: ["a"] });

  async function organization() {
    const org = await api.organization();
    await api.workspace(org, "own");
    const writer: Rule[] = [
      { kind: "organization", segment: org, policy: "write" },
      { kind: "workspace_prefix", segment: `${org}/`, policy: "write" },
    ];
    const other: Rule[] = [{ kind: "workspace", segment: `${org}/own`, policy: "write" }];
    const tokenOf = (namespace: string, isWriter = false) => api.tokenIn(namespace, ...(isWriter ? writer : other));
    /** Sends files one after the other. @returns the answers' statuses, and what the last one was refused for */
    async function send(count: number, token: string) {
      const statuses: number[] = [];
      let detail = "";
      for (let at = 0; at < count; at++) {
        const { status, body } = await files.asked(org, file, { token });
        statuses.push(status);
        detail = status === 422 ? String(body.errors[0].detail) : "";
      }
      return { statuses, detail };
    }
    return { org, tokenOf, send };
  }

  test("incident 69: one who may write the organization has six of eight, and the last two are of others", async () => {
    const { org, tokenOf, send } = await organization();
    const greedy = await send(7, ROOT);
    expect(greedy.statuses).toEqual([201, 201, 201, 201, 201, 201, 422]);
    expect(greedy.detail).toMatch(LARGE);
    expect((await send(2, tokenOf("team", true))).statuses).toEqual([201, 422]);
    expect((await send(1, tokenOf("ops"))).statuses).toEqual([201]);
    const full = await send(1, tokenOf("late", true));
    expect([full.statuses, full.detail]).toEqual([
      [422],
      "At most 8 files can be imported into an organization at a time; retry later",
    ]);
    // Previews take places as well.
    await expect(files.previewed(org, file, { token: tokenOf("late", true) })).rejects.toThrow("At most 8 files");
    expect(await files.left(org)).toEqual([8, 8]);
    // The places come back with the end of the jobs.
    await files.doJobs();
    await files.removeFiles();
    expect((await send(1, ROOT)).statuses).toEqual([201]);
  });

  test("incident 69: tokens of one namespace leave a place to those of others, and tokens that may write the organization as well", async () => {
    const { tokenOf, send } = await organization();
    for (let n = 0; n < 6; n++) expect((await send(1, tokenOf("crowd", true))).statuses).toEqual([201]);
    const crowded = await send(1, tokenOf("crowd", true));
    expect([crowded.statuses, crowded.detail]).toEqual([[422], expect.stringMatching(LARGE)]);
    expect((await send(1, tokenOf("quiet", true))).statuses).toEqual([201]);
  });

  test("files of callers without write permission on the organization are four of eight, and one of them has three", async () => {
    const { tokenOf, send } = await organization();
    const refused = await send(4, tokenOf("team"));
    expect(refused.statuses).toEqual([201, 201, 201, 422]);
    expect((await send(1, tokenOf("ops"))).statuses).toEqual([201]);
    const full = await send(1, tokenOf("late"));
    expect([full.statuses, full.detail]).toEqual([
      [422],
      "At most 4 files of callers without write permission on the organization can be imported into an organization at a time; retry later",
    ]);
    expect((await send(3, ROOT)).statuses).toEqual([201, 201, 422]);
    expect((await send(1, tokenOf("more", true))).statuses).toEqual([201]);
  });

  test("files that a version before received are nobody's, and take places as others do", async () => {
    const { org, send } = await organization();
    expect((await send(6, ROOT)).statuses).toEqual([201, 201, 201, 201, 201, 201]);
    await forgetOwners(org);
    expect((await send(3, ROOT)).statuses).toEqual([201, 422, 422]);
  });

  async function forgetOwners(org: string): Promise<void> {
    const row = await api.db.sql.selectFrom("organizations").select("id").where("name", "=", org).executeTakeFirst();
    await api.db.inTransaction({ kind: "organization", id: row?.id ?? "" }, async (tx) => {
      tx.unrecorded("a test");
      tx.write(forgotten, { organization: row?.id ?? "" });
      return Promise.resolve();
    });
  }
});

test("incident 68: of the files that a process receives, of all organizations, one token sends so many", () => {
  const begin = (name: string, group = "default/default") => workFor(somebody(name, group), beginReceiving);
  const ends = Array.from({ length: MAX_RECEIVED_OF_TOKEN }, () => begin("greedy"));
  onTestFinished(() => {
    for (const end of ends) end();
  });
  expect(() => begin("greedy")).toThrow("Too many files of one token are being received");
  // Others of the namespace take what is open to all.
  for (const name of ["a", "b"]) for (let at = 0; at < MAX_RECEIVED_OF_TOKEN; at++) ends.push(begin(name));
  expect(() => begin("c")).toThrow(/in total are being received.*uses a large share/);
  ends.push(begin("other", "default/quiet"));
  ends.pop()?.();
  ends.push(begin("other", "default/quiet"));
});

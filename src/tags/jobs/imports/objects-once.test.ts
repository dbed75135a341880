/** Objects that an import handles: each that the file names, once, and no other. */
import { expect, it } from "vitest";
import { useApi } from "../../../../test/support/api.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { filesOf, lineOf } from "../../../../test/support/imports.ts";
import { carried, doJobs, expectCounted, recordsOf } from "../../../../test/support/jobs.ts";

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);
  const { exported, asked, jobOf } = filesOf(api);
  const names = Array.from({ length: 25 }, (_, at) => `w${String(at).padStart(2, "0")}`);

  async function organization(tags: string[]) {
    const org = await api.organization();
    for (const name of names) await api.workspace(org, name, tags);
    return org;
  }

  it("another process goes on where the one before has left the job, and does each object once", async () => {
    const org = await organization(["old"]);
    const project = lineOf({ kind: "project", name: "Default Project", bindings: [] });
    const policy = lineOf({ kind: "tag-policy", name: "policy", enforce: "refuse", rules: [] });
    const workspaces = names.map((name) => lineOf({ kind: "workspace", name, tags: ["new", name], bindings: [] }));
    const answer = await asked(org, [project, ...workspaces, policy].join(""), { mode: "replace" });
    const places: string[] = [];
    for (let at = 0; at < 40; at++) {
      const { place, finishedAt } = await jobOf(answer);
      if (finishedAt !== "") break;
      places.push(place);
      // Each time by an engine of its own, which knows nothing of the one before.
      await doJobs(api, { slices: 2 });
    }
    expect(new Set(places).size).toBeGreaterThan(5);
    expect(await jobOf(answer)).toMatchObject({ status: "done", done: 27, total: 27, changed: 26, refused: {} });
    const changed = (await recordsOf(api, answer.body.data.id)).filter(({ kind }) => kind === "workspace");
    expect(changed.map(({ name }) => name)).toEqual(names);
    const lines = (await exported(org)).split(/(?<=\n)/);
    expect(lines.filter((line) => !line.includes('"kind":"tag",'))).toEqual([project, ...workspaces, policy]);
    await expectCounted(api);
  });

  it("replacing takes nothing from workspaces and projects of the same names elsewhere, nor from others", async () => {
    const all = [await organization(["old"]), await organization(["old"]), await organization(["old"])];
    for (const org of all) {
      const before = new Map(await Promise.all(all.map(async (each) => [each, await exported(each)] as const)));
      const file = lineOf({ kind: "project", name: "Default Project" }) + lineOf({ kind: "workspace", name: "W03" });
      await asked(org, file, { mode: "replace" });
      await doJobs(api);
      const { w03, ...others } = await carried(api, org);
      expect([w03, Object.keys(others).length]).toEqual([undefined, 24]);
      expect(Object.values(others)).toEqual(Array.from({ length: 24 }, () => ["old"]));
      for (const other of all) if (other !== org) expect(await exported(other)).toBe(before.get(other));
    }
    await expectCounted(api);
  });
});

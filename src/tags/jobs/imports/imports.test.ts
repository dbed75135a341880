import { expect, it } from "vitest";
import { tagNames, useApi } from "../../../../test/support/api.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { filesOf, lineOf } from "../../../../test/support/imports.ts";

const binding = (key: string, value = "") => ({ type: "tag-bindings", attributes: { key, value } });

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);
  const { exported, imported, previewed, asked, left, doJobs, removeFiles } = filesOf(api);

  /** An organization with something of each kind. @param isBare without any tags */
  async function organization(isBare = false) {
    const org = await api.organization();
    const web = await api.workspace(org, "Web", isBare ? [] : ["b", "a", "env"]);
    const db = await api.workspace(org, "db_1", isBare ? [] : ["a"]);
    await api.workspace(org, "bare");
    const [{ id: project }] = (await api.get(`/organizations/${org}/projects`)).body.data;
    if (isBare) return { org, web, db, project };
    await api.post(`/organizations/${org}/tags`, tagNames("pinned", "a"));
    const keys = { data: [binding("env", "=1+1"), binding("-k", "@x"), binding("Key.K", "")] };
    await api.post(`/workspaces/${web}/relationships/tag-bindings`, keys);
    await api.post(`/projects/${project}/relationships/tag-bindings`, { data: [binding("Team", "core+1")] });
    const attributes = { key: "env", "disable-overrides": true };
    await api.post(`/organizations/${org}/reserved-tag-keys`, { data: { type: "reserved-tag-keys", attributes } });
    return { org, web, db, project };
  }

  it.each(["jsonl", "csv"] as const)(
    "an export as %s changes nothing where it comes from, and comes out of an empty organization again",
    async (format) => {
      const { org } = await organization();
      const text = await exported(org, format);
      for (const mode of ["merge", "replace"]) {
        expect(await previewed(org, text, { mode, format })).toMatchObject({
          create: 0,
          change: 0,
          remove: 0,
          refused: {},
          changes: [],
        });
        expect(await imported(org, text, { mode, format })).toMatchObject({ status: "done", changed: 0, refused: {} });
      }
      expect(await exported(org, format)).toBe(text);
      const { org: other } = await organization(true);
      const job = await imported(other, text, { format });
      expect(job).toMatchObject({ status: "done", refused: {} });
      expect(await exported(other, format)).toBe(text);
      expect(job.done).toBe(job.total);
    },
  );

  it("previews what a job then does, and the job leaves what it has seen", async () => {
    const { org } = await organization();
    const file = [
      { kind: "tag", name: "pinned" },
      { kind: "tag", name: "b", pinned: true },
      { kind: "tag", name: "new" },
      { kind: "reserved-tag-key", name: "env", "disable-overrides": false },
      { kind: "reserved-tag-key", name: "Cost" },
      { kind: "project", name: "default project", bindings: [{ key: "Team", value: "edge" }, { key: "x" }] },
      { kind: "workspace", name: "WEB", tags: ["a", "c"], bindings: [{ key: "env", value: "prod" }, { key: "b" }] },
      { kind: "workspace", name: "none", tags: ["a"] },
    ]
      .map(lineOf)
      .join("");
    const preview = await previewed(org, file);
    expect(preview).toMatchObject({ records: 8, create: 5, change: 4, remove: 0, unchanged: 2 });
    expect(preview.refused).toEqual({ missing: { count: 1, lines: [8] } });
    expect(preview.changes).toEqual([
      { line: 2, kind: "tag", name: "b", action: "change", key: "pinned", from: "false", to: "true" },
      { line: 3, kind: "tag", name: "new", action: "create", tag: "new" },
      {
        line: 4,
        kind: "reserved-tag-key",
        name: "env",
        action: "change",
        key: "disable-overrides",
        from: "true",
        to: "false",
      },
      { line: 5, kind: "reserved-tag-key", name: "Cost", action: "create", key: "disable-overrides", to: "false" },
      { line: 6, kind: "project", name: "default project", action: "change", key: "Team", from: "core+1", to: "edge" },
      { line: 6, kind: "project", name: "default project", action: "create", key: "x", to: "" },
      { line: 7, kind: "workspace", name: "WEB", action: "create", tag: "c" },
      { line: 7, kind: "workspace", name: "WEB", action: "change", key: "env", from: "=1+1", to: "prod" },
      { line: 7, kind: "workspace", name: "WEB", action: "create", key: "b", to: "" },
    ]);
    expect(await left(org)).toEqual([0, 0]);
    const job = await imported(org, file);
    expect(job).toMatchObject({ status: "done", done: 8, total: 8, changed: 6, refused: { missing: 1 } });
    expect(job.errors).toEqual(['Line 8: the workspace "none" was not found, or is not visible']);
    expect(await previewed(org, file)).toMatchObject({ create: 0, change: 0, remove: 0, unchanged: 11 });
  });

  it("is taken back as other jobs are, where nobody has changed it since", async () => {
    const { org, web } = await organization();
    const before = await exported(org);
    const file = [
      { kind: "tag", name: "b", pinned: true },
      { kind: "tag", name: "new" },
      { kind: "reserved-tag-key", name: "env", "disable-overrides": false },
      { kind: "reserved-tag-key", name: "Cost" },
      { kind: "project", name: "Default Project", bindings: [{ key: "x" }] },
      { kind: "workspace", name: "Web", tags: ["c"], bindings: [{ key: "env", value: "prod" }] },
      { kind: "workspace", name: "bare", tags: ["mine", "a"] },
    ];
    const { id } = await imported(org, file.map(lineOf).join(""), { mode: "replace" });
    expect((await api.post(`/tag-jobs/${id}/actions/undo`)).status).toBe(201);
    await doJobs();
    expect(await exported(org)).toBe(before);
    const again = await imported(org, file.map(lineOf).join(""));
    await api.post(`/workspaces/${web}/relationships/tag-bindings`, { data: [binding("env", "mine")] });
    await api.post(`/tag-jobs/${again.id}/actions/undo`);
    await doJobs();
    const { body } = await api.get(`/organizations/${org}/tag-jobs`);
    expect(body.data[0].attributes).toMatchObject({ action: "undo", status: "done", refused: { "changed-since": 1 } });
    const bindings = (await api.get(`/workspaces/${web}/tag-bindings`)).body.data;
    expect(bindings).toContainEqual(
      expect.objectContaining({ attributes: expect.objectContaining({ value: "mine" }) }),
    );
  });

  it("does of what it says only what its caller may do, and tells nothing of what may not be seen", async () => {
    const { org, web } = await organization();
    const some = api.tokenWith(
      { kind: "workspace", segment: `${org}/web`, policy: "write" },
      { kind: "workspace", segment: `${org}/bare`, policy: "read" },
    );
    const file = [
      { kind: "tag", name: "pinned" },
      { kind: "tag", name: "b", pinned: false },
      { kind: "reserved-tag-key", name: "env", "disable-overrides": true },
      { kind: "project", name: "Default Project" },
      { kind: "project", name: "None" },
      { kind: "workspace", name: "web", tags: ["added"] },
      { kind: "workspace", name: "bare", tags: ["added"] },
      { kind: "workspace", name: "db_1", tags: ["added"] },
      { kind: "workspace", name: "none", tags: ["added"] },
    ];
    const text = file.map(lineOf).join("");
    const before = await exported(org);
    expect(await previewed(org, text, { token: some })).toMatchObject({
      create: 1,
      unchanged: 1,
      refused: { "not-allowed": { count: 5, lines: [1, 3, 4, 5, 7] }, missing: { count: 2, lines: [8, 9] } },
    });
    const job = await imported(org, text, { token: some });
    expect(job).toMatchObject({ status: "done", changed: 1, refused: { "not-allowed": 5, missing: 2 } });
    expect((await api.get(`/workspaces/${web}`)).body.data.attributes["tag-names"]).toContain("added");
    await imported(org, lineOf({ kind: "workspace", name: "Web", tags: ["a", "b", "env"] }));
    expect((await exported(org)).split("\n").filter((line: string) => !line.includes('"added"'))).toEqual(
      before.split("\n").filter((line: string) => !line.includes('"Web"')),
    );
    const none = api.tokenWith({ kind: "organization", segment: "other", policy: "write" });
    const refused = await asked(org, text, { token: none });
    expect(refused.status).toBe(404);
    expect(refused.text).toBe((await asked("none", text, { token: none })).text);
    expect(await left("none")).toEqual([0, 0]);
  });

  it("one caller has six files of an organization at a time, and they go with their jobs, or with it", async () => {
    const org = await api.organization();
    const file = lineOf({ kind: "tag", name: "a" });
    const jobs = [];
    for (let count = 0; count < 6; count++) jobs.push((await asked(org, file)).body.data.id);
    expect((await asked(org, file)).status).toBe(422);
    expect(await left(org)).toEqual([6, 6]);
    await api.post(`/tag-jobs/${jobs[0]}/actions/cancel`);
    expect((await asked(org, file)).status).toBe(201);
    await api.post(`/tag-jobs/${jobs[1]}/actions/pause`);
    await doJobs();
    await removeFiles();
    expect(await left(org)).toEqual([1, 1]);
    expect((await api.delete(`/organizations/${org}`)).status).toBe(204);
    await removeFiles();
    const rows = await api.db.sql.selectFrom("tag_import_records").select("name").execute();
    expect(rows).toEqual([]);
  });

  it("merging takes nothing away, and replacing only from what the file names", async () => {
    const { org, web } = await organization();
    const file = lineOf({ kind: "workspace", name: "Web", tags: ["b", "d"], bindings: [{ key: "-k", value: "@x" }] });
    expect(await previewed(org, file)).toMatchObject({ create: 1, change: 0, remove: 0, unchanged: 2 });
    const replacing = await previewed(org, file, { mode: "replace" });
    expect(replacing).toMatchObject({ create: 1, change: 0, remove: 4, unchanged: 2 });
    const before = (await exported(org)).split("\n").filter((line: string) => !line.includes('"Web"'));
    await imported(org, file, { mode: "replace" });
    expect((await api.get(`/workspaces/${web}`)).body.data.attributes["tag-names"]).toEqual(["b", "d"]);
    const bindings = (await api.get(`/workspaces/${web}/tag-bindings`)).body.data;
    expect(bindings.map(({ attributes }: { attributes: { key: string } }) => attributes.key)).toEqual(["-k"]);
    const gone = ['"name":"env","pinned"', '"Key.K"'];
    const after = (await exported(org))
      .split("\n")
      .filter((line: string) => !line.includes('"Web"') && !line.includes('"d"'));
    expect(after).toEqual(before.filter((line: string) => !gone.some((text) => line.includes(text))));
    await imported(org, lineOf({ kind: "workspace", name: "Web" }), { mode: "replace" });
    expect((await api.get(`/workspaces/${web}`)).body.data.attributes["tag-names"]).toEqual([]);
  });

  it("counts are right when one slice bears, uses and drops the same tags", async () => {
    const org = await api.organization();
    const names = Array.from({ length: 60 }, (_, i) => `w${i}`);
    for (const name of names) await api.workspace(org, name);
    const file = (tags: (i: number) => string[], bindings: (i: number) => object[]) =>
      names.map((name, i) => lineOf({ kind: "workspace", name, tags: tags(i), bindings: bindings(i) })).join("");
    await imported(
      org,
      file(
        (i) => ["all", `third-${i % 3}`],
        () => [{ key: "all", value: "x" }],
      ),
    );
    const count = async () => {
      const { data } = (await api.get(`/organizations/${org}/tags?page[size]=100`)).body;
      return data.map(({ attributes }: { attributes: Record<string, unknown> }) => [
        attributes["name"],
        attributes["instance-count"],
      ]);
    };
    expect(await count()).toEqual([
      ["all", 60],
      ["third-0", 20],
      ["third-1", 20],
      ["third-2", 20],
    ]);
    await imported(
      org,
      file(
        (i) => [`third-${(i + 1) % 3}`],
        (i) => (i === 0 ? [{ key: "all", value: "y" }] : []),
      ),
      { mode: "replace" },
    );
    expect(await count()).toEqual([
      ["all", 1],
      ["third-0", 20],
      ["third-1", 20],
      ["third-2", 20],
    ]);
    await imported(
      org,
      file(
        () => [],
        () => [],
      ),
      { mode: "replace" },
    );
    expect(await count()).toEqual([]);
  });

  it("refuses a file with bad lines as a whole, and names a hundred of them", async () => {
    const org = await api.organization();
    const good = lineOf({ kind: "tag", name: "a" });
    const answer = await asked(org, `${good}{\n${lineOf({ kind: "team", name: "a" })}${good}`);
    expect(answer.status).toBe(422);
    expect(
      answer.body.errors.map(({ status, detail }: { status: string; detail: string }) => [status, detail]),
    ).toEqual([
      ["422", "Line 2: The line is not JSON"],
      ["422", "Line 3: Unknown kind. Use tag, workspace, project, reserved-tag-key or tag-policy"],
      ["422", "Line 4: Duplicate object (first defined in line 1). Use one record per object"],
    ]);
    const many = await asked(org, `${good}${"{\n".repeat(250)}`);
    expect(many.body.errors).toHaveLength(101);
    expect(many.body.errors[100].detail).toBe("And 150 more lines");
    const apart = ["workspace,w,a,,", "workspace,v,,,", "workspace,W,b,,"].join("\n");
    const csv = await asked(org, `kind,name,tag,key,value\n${apart}`, { format: "csv" });
    expect(csv.body.errors).toMatchObject([{ detail: expect.stringMatching(/^Line 4: .*line 2/) }]);
    expect(await left(org)).toEqual([0, 0]);
    expect((await api.get(`/organizations/${org}/tags`)).body.data).toEqual([]);
  });

  it("takes two media types, two modes and no more", async () => {
    const org = await api.organization();
    expect((await asked(org, "", { mode: "swap" })).status).toBe(400);
    const other = await api.post(`/organizations/${org}/tag-imports`, {});
    expect(other.status).toBe(415);
    expect(other.body.errors[0].detail).toBe("content-type must be application/x-ndjson or text/csv");
    expect(await imported(org, "")).toMatchObject({ status: "done", total: 0 });
  });
});

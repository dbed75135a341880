/** Rules for tags in files: they come out of an organization and into another one, and are taken back. */
import { expect, it } from "vitest";
import { tagNames, useApi } from "../../../../test/support/api.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { filesOf, lineOf } from "../../../../test/support/imports.ts";
import { read, recordsOf } from "../../../../test/support/jobs.ts";

const RULES = [
  { name: "owners", "required-keys": ["owner"] },
  { name: "stages", project: "- Special 1", key: "env", "allowed-values": ["dev", "-", "=1+1"] },
  { name: "costs", key: "cost", "value-pattern": "-?[0-9]+" },
  { name: "names", "naming-pattern": "=?[a-z]+|-[a-z]*" },
];
const [owners, stages, costs, names] = RULES;

const policyLine = (rules: readonly unknown[], enforce = "advise") =>
  lineOf({ kind: "tag-policy", name: "policy", enforce, rules });

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);
  const { exported, imported, previewed, asked, left, doJobs } = filesOf(api);
  const path = (org: string) => `/organizations/${org}/tag-policy`;

  async function organization() {
    const org = await api.organization();
    const attributes = { name: "- Special 1" };
    const { body } = await api.post(`/organizations/${org}/projects`, { data: { type: "projects", attributes } });
    await api.workspace(org, "web");
    return { org, project: String(body.data.id) };
  }

  function put(org: string, attributes: object) {
    return api.send({
      method: "PUT",
      url: `/api/v2${path(org)}`,
      headers: { authorization: "Bearer root-token", "content-type": "application/vnd.api+json" },
      payload: JSON.stringify({ data: { type: "tag-policies", attributes } }),
    });
  }

  /** With rules of all kinds, which its workspace breaks. */
  async function ruled(enforce = "refuse") {
    const { org, project } = await organization();
    await api.post(`/organizations/${org}/tags`, tagNames("pinned-1"));
    const rules = RULES.map((rule) => (rule === stages ? { ...rule, project } : rule));
    expect((await put(org, { enforce, rules })).status).toBe(200);
    return { org, project };
  }

  async function undo(id: string) {
    const { body } = await api.post(`/tag-jobs/${id}/actions/undo`);
    await doJobs();
    return read(api, String(body.data.id));
  }

  const policy = async (org: string) => (await api.get(path(org))).body.data?.attributes;
  const rulesOf = (text: string) => text.split("\n").filter((line) => line.includes('"tag-policy"'));

  it.each(["jsonl", "csv"] as const)(
    "rules change nothing where they come from, and come out of another organization as %s",
    async (format) => {
      const { org } = await ruled();
      const text = await exported(org, format);
      const last = text.trimEnd().split("\n").at(-1);
      expect(last).toContain("tag-policy");
      if (format === "jsonl") expect(`${last}\n`).toBe(policyLine(RULES, "refuse"));
      for (const mode of ["merge", "replace"]) {
        const preview = await previewed(org, text, { mode, format });
        expect(preview).toMatchObject({ create: 0, change: 0, remove: 0, refused: {}, changes: [] });
        expect(await imported(org, text, { mode, format })).toMatchObject({ status: "done", changed: 0, refused: {} });
      }
      const { org: other, project } = await organization();
      expect((await exported(other, format)).includes("tag-policy")).toBe(false);
      expect(await imported(other, text, { format })).toMatchObject({ status: "done", refused: {} });
      expect(await exported(other, format)).toBe(text);
      expect((await policy(other)).rules[1].project).toBe(project);
    },
  );

  it("rules that come with workspaces which break them refuse none of them", async () => {
    const { org } = await organization();
    const file = lineOf({ kind: "workspace", name: "web", tags: ["x-1"] }) + policyLine([names], "refuse");
    expect(await imported(org, file)).toMatchObject({ changed: 2, refused: {} });
    const { org: other } = await organization();
    expect(await imported(other, await exported(org))).toMatchObject({ refused: {} });
    expect(await exported(other)).toBe(await exported(org));
  });

  it("merging puts rules of the same name in their place, and replacing makes them exactly those of the file", async () => {
    const { org, project } = await ruled();
    const changed = { name: "costs", "required-keys": ["cost"] };
    const added = { name: "added", project: "- special 1", "naming-pattern": "a" };
    const file = policyLine([added, changed, owners], "advise");
    const shown = { ...added, project: "- Special 1" };
    const merging = await previewed(org, file);
    expect(merging).toMatchObject({ records: 1, create: 1, change: 2, remove: 0, unchanged: 1, refused: {} });
    const at = { line: 1, kind: "tag-policy", name: "policy" };
    const [enforced, changing, adding] = [
      { ...at, action: "change", key: "enforce", from: "refuse", to: "advise" },
      { ...at, action: "change", key: "rules/costs", from: JSON.stringify(costs), to: JSON.stringify(changed) },
      { ...at, action: "create", key: "rules/added", to: JSON.stringify(shown) },
    ];
    expect(merging.changes).toEqual([enforced, changing, adding]);
    const replacing = await previewed(org, file, { mode: "replace" });
    expect(replacing).toMatchObject({ create: 1, change: 2, remove: 2, unchanged: 1 });
    expect(replacing.changes).toEqual([
      enforced,
      adding,
      changing,
      { ...at, action: "remove", key: "rules/stages", from: JSON.stringify(stages) },
      { ...at, action: "remove", key: "rules/names", from: JSON.stringify(names) },
    ]);
    expect(await policy(org)).toMatchObject({ enforce: "refuse" });
    const stored = { ...added, project };
    expect(await imported(org, file)).toMatchObject({ changed: 1 });
    expect(await policy(org)).toMatchObject({
      enforce: "advise",
      rules: [owners, { ...stages, project }, changed, names, stored],
    });
    expect(await imported(org, file)).toMatchObject({ changed: 0 });
    const job = await imported(org, file, { mode: "replace" });
    expect(await policy(org)).toMatchObject({ enforce: "advise", rules: [stored, changed, owners] });
    const [record, ...others] = await recordsOf(api, job.id);
    expect(others).toEqual([]);
    expect(record).toMatchObject({ kind: "tag-policy", action: "updated", details: { to: { enforce: "advise" } } });
    // Another order alone is a change too, where they are replaced.
    const turned = policyLine([owners, changed, added]);
    expect(await previewed(org, turned)).toMatchObject({ change: 0, unchanged: 4 });
    expect(await previewed(org, turned, { mode: "replace" })).toMatchObject({ change: 1, unchanged: 4 });
    await imported(org, turned, { mode: "replace" });
    expect((await policy(org)).rules).toEqual([owners, changed, stored]);
  });

  it("rules are taken back with their job, unless they were changed since", async () => {
    const { org } = await organization();
    const before = await exported(org);
    const made = await imported(org, policyLine([owners, stages], "refuse"));
    expect((await recordsOf(api, made.id)).map(({ action }) => action)).toEqual(["created"]);
    const after = await exported(org);
    const undone = await undo(made.id);
    expect(undone).toMatchObject({ status: "done", changed: 1, refused: {} });
    expect(await exported(org)).toBe(before);
    // And that again.
    await undo(undone.id);
    expect(await exported(org)).toBe(after);
    const changing = await imported(org, policyLine([names]), { mode: "replace" });
    expect(await undo(changing.id)).toMatchObject({ changed: 1, refused: {} });
    expect(await exported(org)).toBe(after);
    const again = await imported(org, policyLine([names]));
    await put(org, { enforce: "advise", rules: [names] });
    expect(await undo(again.id)).toMatchObject({ changed: 0, refused: { "changed-since": 1 } });
    expect(await policy(org)).toMatchObject({ rules: [names] });
    await api.delete(path(org));
    expect(await undo(again.id)).toMatchObject({ changed: 0, refused: { "changed-since": 1 } });
    expect((await api.get(path(org))).status).toBe(404);
  });

  it("rules of a project that is gone stay as they are stored, and are in no file", async () => {
    const { org, project } = await ruled("advise");
    const stored = (await policy(org)).rules;
    const job = await imported(org, policyLine([costs], "refuse"), { mode: "replace" });
    expect((await api.delete(`/projects/${project}`)).status).toBe(204);
    expect(await undo(job.id)).toMatchObject({ changed: 1, refused: {} });
    expect((await policy(org)).rules).toEqual(stored);
    const text = await exported(org);
    expect(rulesOf(text)).toEqual([policyLine([owners, costs, names]).trimEnd()]);
    expect(await imported(org, text)).toMatchObject({ changed: 0, refused: {} });
    expect(await previewed(org, text, { mode: "replace" })).toMatchObject({ remove: 1, create: 0, change: 0 });
  });

  it("rules for an unknown project, too many of them, and those of who may not write are refused", async () => {
    const { org } = await ruled();
    const stored = await policy(org);
    const unknown = policyLine([owners, { ...stages, project: "None" }]);
    expect(await previewed(org, unknown)).toMatchObject({ create: 0, refused: { missing: { count: 1, lines: [1] } } });
    const job = await imported(org, unknown);
    expect(job).toMatchObject({ status: "done", changed: 0, refused: { missing: 1 } });
    expect(job.errors).toEqual(['Line 1: the tag-policy "policy" names a project that is missing']);
    const many = policyLine(Array.from({ length: 47 }, (_, at) => ({ name: `r${at}`, "required-keys": ["a"] })));
    expect(await imported(org, many)).toMatchObject({ changed: 0, refused: { full: 1 } });
    const large = policyLine([2, 3].map((at) => ({ name: `r${at}`, "naming-pattern": `(a|b){40}${at}` })));
    expect(await imported(org, large)).toMatchObject({ changed: 0, refused: { full: 1 } });
    expect(await previewed(org, many, { mode: "replace" })).toMatchObject({ create: 47, refused: {} });
    const reader = api.tokenWith(
      { kind: "organization", segment: org, policy: "read" },
      { kind: "workspace", segment: `${org}/own`, policy: "write" },
    );
    const refused = await imported(org, policyLine([]), { mode: "replace", token: reader });
    expect(refused).toMatchObject({ changed: 0, refused: { "not-allowed": 1 } });
    expect(await policy(org)).toEqual(stored);
    expect(rulesOf(await exported(org, "jsonl", reader))).toHaveLength(1);
  });

  it("a file with bad rules is refused as a whole, with the line", async () => {
    const { org } = await organization();
    const answer = await asked(org, lineOf({ kind: "tag", name: "a" }) + policyLine([{ name: "a" }]));
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toMatchObject([{ detail: expect.stringMatching(/^Line 2: Rule "a": A rule requires/) }]);
    const apart = ["tag-policy,policy,a,naming-pattern,a", "tag,a,,,", "tag-policy,policy,b,naming-pattern,b"];
    const csv = await asked(org, ["kind,name,tag,key,value", ...apart].join("\n"), { format: "csv" });
    expect(csv.body.errors).toMatchObject([{ detail: expect.stringMatching(/^Line 4: .*line 2/) }]);
    expect(await left(org)).toEqual([0, 0]);
    expect((await api.get(path(org))).status).toBe(404);
  });
});

/** Files that do not say all of what they name. */
import { expect, test } from "vitest";
import { useApi } from "../../../../test/support/api.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { filesOf, lineOf, type Format } from "../../../../test/support/imports.ts";

const binding = (key: string, value: string) => ({ type: "tag-bindings", attributes: { key, value } });

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);
  const { exported, imported, previewed } = filesOf(api);

  async function organization() {
    const org = await api.organization();
    const web = await api.workspace(org, "web");
    const [{ id: project }] = (await api.get(`/organizations/${org}/projects`)).body.data;
    await api.post(`/workspaces/${web}/relationships/tag-bindings`, { data: [binding("repo", "core")] });
    await api.post(`/projects/${project}/relationships/tag-bindings`, { data: [binding("team", "edge")] });
    const attributes = { key: "env", "disable-overrides": true };
    await api.post(`/organizations/${org}/reserved-tag-keys`, { data: { type: "reserved-tag-keys", attributes } });
    const rules = { enforce: "refuse", rules: [{ name: "owners", "naming-pattern": ".*" }] };
    await api.put(`/organizations/${org}/tag-policy`, { data: { type: "tag-policies", attributes: rules } });
    return org;
  }

  const recordsOf = async (org: string): Promise<Record<string, unknown>[]> =>
    (await exported(org, "jsonl"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const LINES = [
    { kind: "reserved-tag-key", name: "env" },
    { kind: "project", name: "Default Project", bindings: [{ key: "team" }] },
    { kind: "workspace", name: "web", bindings: [{ key: "repo" }, { key: "team" }] },
    { kind: "tag-policy", name: "policy", rules: [{ name: "owners", "naming-pattern": ".*" }] },
  ];
  const FILES: [Format, string][] = [
    ["jsonl", LINES.map(lineOf).join("")],
    [
      "csv",
      "kind,name,key\nreserved-tag-key,env,\nproject,Default Project,team\nworkspace,web,repo\nworkspace,web,team\n",
    ],
  ];

  test.each(FILES)(
    "incident 73: a merge of %s leaves what the file does not say, stored or inherited",
    async (format, file) => {
      const org = await organization();
      const before = await recordsOf(org);
      expect(await previewed(org, file, { format })).toMatchObject({ create: 0, change: 0, remove: 0, refused: {} });
      expect(await imported(org, file, { format })).toMatchObject({ status: "done", changed: 0, refused: {} });
      expect(await recordsOf(org)).toEqual(before);
    },
  );

  test("incident 73: where the file is the whole, or the key is new, what it does not say is empty", async () => {
    const org = await organization();
    const fresh = lineOf({ kind: "workspace", name: "web", bindings: [{ key: "fresh" }, { key: "repo", value: "" }] });
    expect(await imported(org, fresh)).toMatchObject({ status: "done", changed: 1 });
    const bindingsOf = async () => (await recordsOf(org)).find(({ kind }) => kind === "workspace")?.["bindings"];
    expect(await bindingsOf()).toEqual([
      { key: "fresh", value: "" },
      { key: "repo", value: "" },
    ]);
    const whole = LINES.map(lineOf).join("");
    expect(await imported(org, whole, { mode: "replace" })).toMatchObject({ status: "done", refused: {} });
    expect(await bindingsOf()).toEqual([
      { key: "repo", value: "" },
      { key: "team", value: "" },
    ]);
    expect(await recordsOf(org)).toEqual(
      expect.arrayContaining([
        { kind: "reserved-tag-key", name: "env", "disable-overrides": false },
        { kind: "project", name: "Default Project", bindings: [{ key: "team", value: "" }] },
        expect.objectContaining({ kind: "tag-policy", enforce: "advise" }),
      ]),
    );
  });
});

import { beforeAll, describe, expect, test } from "vitest";
import type { Rule } from "../../test/support/rights.ts";
import { useApi, type Answer } from "../../test/support/api.ts";
import { forEachEngine } from "../../test/support/engines.ts";

/** One operation on an organization, or on a project of it. */
interface Operation {
  name: string;
  needs: "read" | "write";
  /** Against an organization and a project, of which one may be missing. */
  run: (organization: string, project: string, token: string) => Promise<Answer>;
}

/** Returns a response without the parts that differ between any two responses. */
function told({ status, text, headers }: Answer) {
  const { "x-request-id": _id, date: _date, ...rest } = headers;
  return { status, text, headers: rest };
}

const MISSING_PROJECT = "prj-unknownunknown00";

/** Returns the status of an allowed request. */
function statusOf(name: string): number {
  // It speaks of the name.
  if (name === "create a project whose name is taken") return 422;
  if (name.startsWith("create")) return 201;
  return name.startsWith("delete") ? 204 : 200;
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);
  let spare = 0;
  const organizationBody = (attributes: object) => ({ data: { type: "organizations", attributes } });
  const projectBody = (attributes: object) => ({ data: { type: "projects", attributes } });
  const send = (method: "PUT", path: string, data: object, token: string) =>
    api.send({
      method,
      url: `/api/v2${path}`,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/vnd.api+json" },
      payload: JSON.stringify(data),
    });

  const operations: Operation[] = [
    { name: "read", needs: "read", run: (org, _p, token) => api.get(`/organizations/${org}`, token) },
    {
      name: "read with its default project",
      needs: "read",
      run: (org, _p, token) => api.get(`/organizations/${org}?include=default_project`, token),
    },
    {
      name: "entitlements",
      needs: "read",
      run: (org, _p, token) => api.get(`/organizations/${org}/entitlement-set`, token),
    },
    { name: "list projects", needs: "read", run: (org, _p, token) => api.get(`/organizations/${org}/projects`, token) },
    {
      name: "search projects",
      needs: "read",
      run: (org, _p, token) => api.get(`/organizations/${org}/projects?q=a`, token),
    },
    { name: "read a project", needs: "read", run: (_o, project, token) => api.get(`/projects/${project}`, token) },
    {
      name: "update",
      needs: "write",
      run: (org, _p, token) => api.patch(`/organizations/${org}`, organizationBody({ "session-timeout": 9 }), token),
    },
    {
      name: "update by PUT",
      needs: "write",
      run: (org, _p, token) => send("PUT", `/organizations/${org}`, organizationBody({}), token),
    },
    {
      name: "create a project",
      needs: "write",
      run: (org, _p, token) =>
        api.post(`/organizations/${org}/projects`, projectBody({ name: `Spare ${spare++}` }), token),
    },
    {
      name: "create a project whose name is taken",
      needs: "write",
      run: (org, _p, token) =>
        api.post(`/organizations/${org}/projects`, projectBody({ name: "Default Project" }), token),
    },
    {
      name: "update a project",
      needs: "write",
      run: (_o, project, token) =>
        api.patch(`/projects/${project}`, projectBody({ description: `d${spare++}` }), token),
    },
    {
      name: "delete a project",
      needs: "write",
      run: (_o, project, token) => api.delete(`/projects/${project}`, undefined, token),
    },
    { name: "delete", needs: "write", run: (org, _p, token) => api.delete(`/organizations/${org}`, undefined, token) },
  ];

  /** A new organization whose name has upper case in it, with a project. */
  async function make(): Promise<[organization: string, project: string]> {
    const name = `Rights-${spare++}`;
    await api.post("/organizations", organizationBody({ name, email: "a@example.test" }));
    const project = await api.post(`/organizations/${name}/projects`, projectBody({ name: "Victim" }));
    expect(project).toMatchObject({ status: 201 });
    return [name, project.body.data.id];
  }

  const rule = (kind: Rule["kind"], segment: string, policy: Rule["policy"]): Rule => ({ kind, segment, policy });

  /** Rules that give too little, by what is needed; the name comes in another case than it was given. */
  const tooLittle: Record<Operation["needs"], [string, (name: string) => Rule[]][]> = {
    read: [
      ["no rules", () => []],
      [
        "deny over a prefix that allows",
        (name) => [rule("organization_prefix", "", "write"), rule("organization", name, "deny")],
      ],
      ["only workspaces of it", (name) => [rule("workspace_prefix", `${name}/`, "write")]],
      ["another organization", (name) => [rule("organization", `${name}x`, "write")]],
    ],
    write: [],
  };
  tooLittle.write = [
    ...tooLittle.read,
    ["only read", (name) => [rule("organization", name, "read")]],
    [
      "read over a prefix that writes",
      (name) => [rule("organization_prefix", "", "write"), rule("organization", name, "read")],
    ],
  ];

  describe.each(operations)("$name", ({ name, needs, run }) => {
    test.each(["organization", "organization_prefix"] as const)(
      `works with ${needs} by a rule of kind %s`,
      async (kind) => {
        const [organization, project] = await make();
        const token = api.tokenWith(rule(kind, organization.toUpperCase(), needs));
        const answer = await run(organization.toLowerCase(), project, token);
        expect(answer.status).toBe(statusOf(name));
      },
    );

    test.each(tooLittle[needs])("with %s looks exactly like absence", async (_name, rules) => {
      const [organization, project] = await make();
      const before = [await api.get(`/organizations/${organization}`), await api.get(`/projects/${project}`)];
      const token = api.tokenWith(...rules(organization.toUpperCase()));
      const forbidden = () => run(organization, project, token);
      const missing = () => run("nobody-has-this-name", MISSING_PROJECT, token);
      const answer = await forbidden();
      expect(answer.status).toBe(404);
      expect(told(answer)).toEqual(told(await missing()));
      await api.expectSameStatements(forbidden, missing);
      const after = [await api.get(`/organizations/${organization}`), await api.get(`/projects/${project}`)];
      expect(after.map((each) => each.text)).toEqual(before.map((each) => each.text));
    });
  });

  describe("create", () => {
    const create = (name: string, token: string) =>
      api.post("/organizations", organizationBody({ name, email: "a@example.test" }), token);
    let taken = "";
    beforeAll(async () => {
      [taken] = await make();
    });

    test("needs write on the new name, in any case", async () => {
      const token = api.tokenWith(rule("organization_prefix", "TEAM-", "write"));
      expect((await create("team-Blue", token)).status).toBe(201);
      expect((await create("Team-blue", token)).status).toBe(422);
    });

    test("without it a taken name looks like a free one", async () => {
      const token = api.tokenWith(rule("organization", taken, "read"), rule("organization_prefix", "rights", "read"));
      const refused = await create(taken, token);
      expect(refused.status).toBe(404);
      expect(told(await create("rights-free", token))).toEqual(told(refused));
      await api.expectSameStatements(
        () => create(taken, token),
        () => create("rights-free", token),
      );
      expect((await api.get("/organizations/rights-free")).status).toBe(404);
    });
  });

  describe("rename", () => {
    const rename = (from: string, to: string, token: string) =>
      api.patch(`/organizations/${from}`, organizationBody({ name: to }), token);

    test("needs write on the old and on the new name", async () => {
      const [name] = await make();
      const [other] = await make();
      const to = `renamed-${name}`;
      const onlyOld = api.tokenWith(rule("organization", name, "write"), rule("organization_prefix", "", "read"));
      const onlyNew = api.tokenWith(rule("organization", to, "write"), rule("organization_prefix", "", "read"));
      const both = api.tokenWith(rule("organization", name, "write"), rule("organization_prefix", "RENAMED-", "write"));
      const missing = await rename("nobody-has-this-name", to, both);
      expect(missing.status).toBe(404);
      for (const refused of [
        await rename(name, to, onlyOld),
        await rename(name, to, onlyNew),
        // Also to a name that is taken: a refusal does not tell.
        await rename(name, other, onlyOld),
      ]) {
        expect(told(refused)).toEqual(told(missing));
      }
      await api.expectSameStatements(
        () => rename(name, to, onlyOld),
        () => rename(name, other, onlyOld),
      );
      expect((await api.get(`/organizations/${name}`)).status).toBe(200);
      expect((await rename(name, to, both)).status).toBe(200);
    });
  });

  test("permissions follow the rights, workspaces by rules of their own", async () => {
    const [name] = await make();
    const permissions = async (...rules: Rule[]) =>
      (await api.get(`/organizations/${name}`, api.tokenWith(...rules))).body.data.attributes.permissions;
    const read = await permissions(rule("organization", name, "read"));
    const granted = Object.keys(read).filter((each) => read[each]);
    expect(new Set(granted)).toEqual(new Set(["can-traverse"]));
    const write = await permissions(rule("organization", name, "write"));
    const served = [
      "can-create-project",
      "can-create-workspace",
      "can-destroy",
      "can-manage-tags",
      "can-traverse",
      "can-update",
    ];
    expect(
      Object.keys(write)
        .filter((each) => write[each])
        .toSorted(),
    ).toEqual(served);
    const workspaces = [rule("organization", name, "read"), rule("workspace_prefix", `${name}/`, "write")];
    expect(await permissions(...workspaces)).toMatchObject({ "can-create-workspace": true, "can-update": false });
    const without = [rule("organization", name, "write"), rule("workspace_prefix", `${name}/`, "read")];
    expect(await permissions(...without)).toMatchObject({ "can-create-workspace": false, "can-update": true });
  });

  test.each([
    "root",
    "ROOT",
    "%72oot",
    "default",
    "__proto__",
    "constructor",
    "a%2Fb",
    "%20",
    "%C3%9Cnicode",
    "a%00b",
    "x".repeat(5000),
  ])("incident 10: a reserved or odd name in a path is just unknown: %s", async (name) => {
    for (const path of [`/organizations/${name}`, `/organizations/${name}/projects`, `/projects/${name}`]) {
      expect((await api.get(path)).status).toBe(404);
      expect((await api.delete(path)).status).toBeOneOf([404, 405]);
    }
  });

  test("without a token everything is 401, before existence and rights", async () => {
    const [organization, project] = await make();
    for (const path of ["", `/${organization}`, "/nobody-has-this-name", `/${organization}/projects`]) {
      const answer = await api.send({ method: "GET", url: `/api/v2/organizations${path}` });
      expect(answer).toMatchObject({ status: 401, body: { errors: [{ title: "unauthorized" }] } });
    }
    expect((await api.send({ method: "GET", url: `/api/v2/projects/${project}` })).status).toBe(401);
  });
});

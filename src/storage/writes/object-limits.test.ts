import { describe, expect, test } from "vitest";
import { makeNamespace } from "../../../test/support/scopes.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { MANAGEMENT, useV1, type V1 } from "../../../test/support/v1.ts";

/** Numbers of objects: as `object_counts` contains them, and as a count of the rows gives them. */
async function countsOf(v1: V1): Promise<{ kept: Record<string, number>; counted: Record<string, number> }> {
  const { sql } = v1.db;
  const rows = await sql.selectFrom("object_counts").selectAll().execute();
  const counted: Record<string, number> = {};
  for (const table of ["tokens", "policies", "roles", "auth_methods", "binding_rules"] as const) {
    for (const { partition, namespace } of await sql.selectFrom(table).select(["partition", "namespace"]).execute()) {
      const name = `${partition}/${namespace}/${table}`;
      counted[name] = (counted[name] ?? 0) + 1;
    }
  }
  for (const { partition } of await sql.selectFrom("namespaces").select("partition").execute())
    counted[`${partition}/namespaces`] = (counted[`${partition}/namespaces`] ?? 0) + 1;
  return { kept: Object.fromEntries(rows.map(({ name, value }) => [name, value])), counted };
}

async function makeOrganization(v1: V1): Promise<string> {
  const attributes = { name: v1.unique("org"), email: "o@example.com" };
  expect((await v1.api("POST", "/organizations", { data: { type: "organizations", attributes } })).status).toBe(201);
  return attributes.name;
}

forEachEngine((_engine, makeUrl) => {
  describe("a namespace holds so many objects of a kind and no more", () => {
    const v1 = useV1(makeUrl, {
      config: {
        maxTokensPerNamespace: 4,
        maxPoliciesPerNamespace: 6,
        maxRolesPerNamespace: 3,
        maxNamespaces: 4,
        maxOrganizations: 2,
        maxPartitions: 3,
      },
    });

    test.each([
      ["tokens", "/acl/token", "PUT", (at: number) => ({ Description: `t${at}` }), 4, "max-tokens-per-namespace"],
      ["roles", "/acl/role", "PUT", (at: number) => ({ Name: `r${at}` }), 3, "max-roles-per-namespace"],
    ] as const)("%s, however many are made at once", async (noun, path, _method, bodyOf, most, option) => {
      const namespace = v1.unique("team");
      await makeNamespace(v1, { namespace });
      const made = await Promise.all(
        Array.from({ length: 12 }, (_, at) => v1.put(`${path}?ns=${namespace}`, bodyOf(at))),
      );
      expect(made.filter(({ status }) => status === 200)).toHaveLength(most);
      const refused = made.filter(({ status }) => status !== 200);
      for (const { status, text } of refused)
        expect([status, text]).toEqual([403, `Limit reached: at most ${most} ${noun} per namespace (--${option})`]);
      // Existing objects can be changed, and their deletion frees room.
      const [first] = made.filter(({ status }) => status === 200);
      const id = first?.body.AccessorID ?? first?.body.ID;
      expect((await v1.put(`${path}/${id}?ns=${namespace}`, { ...bodyOf(0), Description: "d" })).status).toBe(200);
      expect((await v1.put(`${path}?ns=${namespace}`, bodyOf(90))).status).toBe(403);
      expect((await v1.delete(`${path}/${id}?ns=${namespace}`)).status).toBe(200);
      expect((await v1.put(`${path}?ns=${namespace}`, bodyOf(91))).status).toBe(200);
      expect((await v1.put(`${path}?ns=${namespace}`, bodyOf(92))).status).toBe(403);
      expect((await v1.delete(`/namespace/${namespace}`)).status).toBe(200);
      await v1.past({ kind: "partition", name: "default" }, async (tx) => {
        tx.write(tx.sql.deleteFrom("namespaces").where("name", "=", namespace));
        tx.adds({ kind: "namespaces", place: "default" }, -1);
      });
    });

    test("a partition holds so many namespaces, those that are being deleted among them", async () => {
      const { kept } = await countsOf(v1);
      const room = 4 - (kept["default/namespaces"] ?? 0);
      const made = await Promise.all(
        Array.from({ length: 8 }, () => v1.put("/namespace", { Name: v1.unique("space") })),
      );
      expect(made.filter(({ status }) => status === 200)).toHaveLength(room);
      expect(made.find(({ status }) => status !== 200)).toMatchObject({
        status: 403,
        text: "Limit reached: at most 4 namespaces per partition (--max-namespaces)",
      });
    });

    test("a database holds so many partitions and organizations, however many are made at once, and one goes for another", async () => {
      const attributesOf = (name: string) => ({
        data: { type: "organizations", attributes: { name, email: "o@example.com" } },
      });
      const organizations = await Promise.all(
        Array.from({ length: 5 }, async () => v1.api("POST", "/organizations", attributesOf(v1.unique("org")))),
      );
      expect(organizations.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 422, 422, 422]);
      const refused = organizations.find(({ status }) => status === 422);
      expect(refused?.text).toContain("Limit reached: at most 2 organizations per database (--max-organizations)");
      const [made] = organizations.filter(({ status }) => status === 201);
      expect((await v1.api("DELETE", `/organizations/${made?.body.data.attributes.name}`)).status).toBe(204);
      expect((await v1.api("POST", "/organizations", attributesOf(v1.unique("org")))).status).toBe(201);
      expect((await v1.api("POST", "/organizations", attributesOf(v1.unique("org")))).status).toBe(422);

      const partitions = await Promise.all(
        Array.from({ length: 5 }, async () => v1.put("/partition", { Name: v1.unique("part") })),
      );
      expect(partitions.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 403, 403, 403]);
      expect(partitions.find(({ status }) => status === 403)?.text).toBe(
        "Limit reached: at most 3 partitions per database (--max-partitions)",
      );
    });

    test("who may write nothing there learns nothing of it", async () => {
      const nobody = await v1.tokenWith(`key "x" { policy = "read" }`);
      const refused = await v1.put("/acl/role", { Name: "x" }, nobody);
      expect([refused.status, refused.text.includes("Permission denied")]).toEqual([403, true]);
    });

    test("what is kept is what a count finds, whatever was made, refused and deleted", async () => {
      const { kept, counted } = await countsOf(v1);
      expect(kept).toEqual(counted);
      expect(Object.keys(kept)).toContain("default/default/policies");
    });
  });

  describe("an organization holds so many", () => {
    const v1 = useV1(makeUrl, {
      config: { maxWorkspacesPerOrganization: 3, maxTagsPerOrganization: 5, maxProjectsPerOrganization: 2 },
    });

    test("workspaces, however many are made at once", async () => {
      const name = await makeOrganization(v1);
      const make = (workspace: string) =>
        v1.api("POST", `/organizations/${name}/workspaces`, {
          data: { type: "workspaces", attributes: { name: workspace } },
        });
      const made = await Promise.all(Array.from({ length: 8 }, (_, at) => make(`w${at}`)));
      expect(made.filter(({ status }) => status === 201)).toHaveLength(3);
      expect(made.find(({ status }) => status !== 201)?.body.errors).toEqual([
        {
          status: "422",
          title: "unprocessable entity",
          detail: "Limit reached: at most 3 workspaces per organization (--max-workspaces-per-organization)",
        },
      ]);
      const first = made.find(({ status }) => status === 201);
      expect((await v1.api("DELETE", `/workspaces/${first?.body.data.id}`)).status).toBe(204);
      expect((await make("again")).status).toBe(201);
    });

    test("tags, in bulk all or none, and also those that a workspace brings", async () => {
      const name = await makeOrganization(v1);
      const add = (...tags: string[]) =>
        v1.api("POST", `/organizations/${name}/tags`, {
          data: tags.map((tag) => ({ type: "tags", attributes: { name: tag } })),
        });
      expect((await add("a", "b", "c")).status).toBe(201);
      const over = await add("d", "e", "f");
      expect([over.status, over.body.errors[0].detail]).toEqual([
        422,
        "Limit reached: at most 5 tags per organization (--max-tags-per-organization)",
      ]);
      expect((await add("a", "b", "d", "e")).status).toBe(201);
      const workspace = await v1.api("POST", `/organizations/${name}/workspaces`, {
        data: { type: "workspaces", attributes: { name: "w" } },
      });
      const attach = (tag: string) =>
        v1.api("POST", `/workspaces/${workspace.body.data.id}/relationships/tags`, {
          data: [{ type: "tags", attributes: { name: tag } }],
        });
      expect((await attach("f")).status).toBe(422);
      expect((await attach("a")).status).toBe(204);
    });

    test("projects, the default one among them", async () => {
      const name = await makeOrganization(v1);
      const make = (project: string) =>
        v1.api("POST", `/organizations/${name}/projects`, {
          data: { type: "projects", attributes: { name: project } },
        });
      expect((await make("one")).status).toBe(201);
      expect((await make("two")).body.errors[0].detail).toBe(
        "Limit reached: at most 2 projects per organization (--max-projects-per-organization)",
      );
    });
  });

  describe("with room for ten more, fifty at once", () => {
    const MOST = 40;
    const v1 = useV1(makeUrl, { config: { maxTokensPerNamespace: MOST, maxTagsPerOrganization: MOST } });

    test("make exactly ten tokens", async () => {
      const namespace = v1.unique("team");
      await makeNamespace(v1, { namespace });
      const put = () => v1.put(`/acl/token?ns=${namespace}`, {});
      for (let made = 0; made < MOST - 10; made++) expect((await put()).status).toBe(200);
      const statuses = (await Promise.all(Array.from({ length: 50 }, put))).map(({ status }) => status);
      expect([
        statuses.filter((status) => status === 200).length,
        statuses.filter((status) => status === 403).length,
      ]).toEqual([10, 40]);
      const { kept, counted } = await countsOf(v1);
      expect([kept[`default/${namespace}/tokens`], counted[`default/${namespace}/tokens`]]).toEqual([MOST, MOST]);
    });

    test("make exactly ten tags", async () => {
      const path = `/organizations/${await makeOrganization(v1)}/tags`;
      const data = (names: string[]) => ({ data: names.map((name) => ({ type: "tags", attributes: { name } })) });
      const first = Array.from({ length: MOST - 10 }, (_, at) => `first-${at}`);
      expect((await v1.api("POST", path, data(first))).status).toBe(201);
      const all = Array.from({ length: 50 }, (_, at) => v1.api("POST", path, data([`more-${at}`])));
      const statuses = (await Promise.all(all)).map(({ status }) => status);
      expect([
        statuses.filter((status) => status === 201).length,
        statuses.filter((status) => status === 422).length,
      ]).toEqual([10, 40]);
      const listed = await v1.api("GET", `${path}?page%5Bsize%5D=100`);
      expect(listed.body.data).toHaveLength(MOST);
    });
  });

  describe("without limits", () => {
    const v1 = useV1(makeUrl);

    test("counts are kept all the same, for whoever sets a limit later", async () => {
      await Promise.all(Array.from({ length: 5 }, () => v1.token()));
      const { kept, counted } = await countsOf(v1);
      expect(kept).toEqual(counted);
      expect((await v1.get("/acl/tokens", MANAGEMENT)).body).toHaveLength(kept["default/default/tokens"] ?? 0);
    });
  });
});

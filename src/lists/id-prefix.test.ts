import { expect, it } from "vitest";
import { tagNames, useApi } from "../../test/support/api.ts";
import { forEachEngine } from "../../test/support/engines.ts";

interface Found {
  status: number;
  ids: string[];
  total: number | undefined;
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  async function find(path: string, query: string, token?: string): Promise<Found> {
    const { status, body } = await api.get(`${path}?${query}`, token);
    const ids = status === 200 ? (body.data as { id: string }[]).map(({ id }) => id) : [];
    return { status, ids: ids.toSorted(), total: body?.meta?.pagination["total-count"] };
  }

  /** An organization with tags, workspaces and projects. */
  async function fill(): Promise<string> {
    const org = await api.organization();
    await api.post(`/organizations/${org}/tags`, tagNames("one", "two", "three"));
    for (const name of ["one", "two", "three"]) {
      await api.workspace(org, name, ["two"]);
      await api.post(`/organizations/${org}/projects`, { data: { type: "projects", attributes: { name } } });
    }
    return org;
  }

  it.each([
    ["tags", "tag", "q=two"],
    ["workspaces", "ws", "search[name]=two"],
    ["projects", "prj", "q=two"],
  ])(
    "finds %s of the organization by the first characters of the ID, by case, and counts them",
    async (kind, prefix, other) => {
      const path = `/organizations/${await fill()}/${kind}`;
      const elsewhere = `/organizations/${await fill()}/${kind}`;
      const all = (await find(path, "page[size]=100")).ids;
      const start = prefix.length + 1;
      for (const id of all) {
        for (const part of [id, id.slice(0, start + 4), id.slice(0, start + 9)]) {
          const wanted = all.filter((each) => each.startsWith(part));
          expect([part, await find(path, `filter[id-prefix]=${part}`)]).toEqual([
            part,
            { status: 200, ids: wanted, total: wanted.length },
          ]);
          expect((await find(elsewhere, `filter[id-prefix]=${part}`)).ids).toEqual([]);
        }
        const inOtherCase = (letter: string) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase());
        const swapped = id.slice(start).replaceAll(/[A-Za-z]/g, inOtherCase);
        expect((await find(path, `filter[id-prefix]=${prefix}-${swapped}`)).ids).toEqual([]);
      }
      const [two] = (await find(path, other)).ids;
      for (const id of all)
        expect((await find(path, `${other}&sort=-name&filter[id-prefix]=${id.slice(0, start + 8)}`)).ids).toEqual(
          id === two ? [id] : [],
        );
      for (const bad of [
        "",
        "abcd",
        "abcdefgh",
        `${prefix}-`,
        `${prefix}-abc`,
        `${prefix}-ab_d`,
        `${prefix}-${"a".repeat(17)}`,
        "org-abcd",
      ])
        expect([bad, (await find(path, `filter[id-prefix]=${bad}`)).status]).toEqual([bad, 400]);
    },
  );

  it("finds by the first characters of an ID only workspaces that the caller may read", async () => {
    const org = await fill();
    const path = `/organizations/${org}/workspaces`;
    const token = api.tokenWith({ kind: "workspace", segment: `${org}/one`, policy: "read" });
    const [one = ""] = (await find(path, "search[name]=one")).ids;
    const [two = ""] = (await find(path, "search[name]=two&search[tags]=two")).ids;
    expect(await find(path, `filter[id-prefix]=${one.slice(0, 8)}`, token)).toEqual({
      status: 200,
      ids: [one],
      total: 1,
    });
    expect(await find(path, `filter[id-prefix]=${two.slice(0, 8)}`, token)).toEqual({ status: 200, ids: [], total: 0 });
    // A hidden workspace is as one that there is not: whole IDs, which a client may have from elsewhere.
    const missing = `ws-${"0".repeat(16)}`;
    for (const more of ["", "&search[tags]=two", "&sort=-name"]) {
      const ask = (id: string) => api.get(`${path}?filter[id-prefix]=${id}${more}`, token);
      await api.expectSameStatements(
        () => ask(two),
        () => ask(missing),
      );
      const [hidden, none] = [await ask(two), await ask(missing)];
      expect([hidden.status, hidden.text.replaceAll(two, missing)]).toEqual([200, none.text]);
    }
    for (const query of ["tags?filter[id-prefix]=tag-abcd", "projects?filter[id-prefix]=prj-abcd"])
      expect((await api.get(`/organizations/${org}/${query}`, token)).status).toBe(404);
  });
});

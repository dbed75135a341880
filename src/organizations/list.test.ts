import { describe, expect, test } from "vitest";
import { useApi, type Api, type Answer } from "../../test/support/api.ts";
import { forEachEngine } from "../../test/support/engines.ts";

async function create(api: Api, name: string, email = `${name}@example.test`) {
  const answer = await api.post("/organizations", { data: { type: "organizations", attributes: { name, email } } });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body.data;
}

function names(answer: Answer): string[] {
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.data.map((each: { id: string }) => each.id);
}

forEachEngine((_engine, makeUrl) => {
  describe("the list of organizations", () => {
    const api = useApi(makeUrl);

    test("without any is empty", async () => {
      expect((await api.get("/organizations")).body).toEqual({ data: [] });
      const page = await api.get("/organizations?page[number]=1");
      expect(page.body).toMatchObject({ data: [], meta: { pagination: { "total-pages": 1, "total-count": 0 } } });
    });

    test("searches names and emails in any case, wildcards literally", async () => {
      await create(api, "Alpha", "First@Example.test");
      await create(api, "beta_x", "alphabet@example.test");
      await create(api, "betaYx", "third%@example.test");
      expect(names(await api.get("/organizations?q=ALPHA"))).toEqual(["Alpha", "beta_x"]);
      expect(names(await api.get("/organizations?q%5Bname%5D=ALPHA"))).toEqual(["Alpha"]);
      expect(names(await api.get("/organizations?q[email]=FIRST@"))).toEqual(["Alpha"]);
      expect(names(await api.get("/organizations?q[name]=beta&q[email]=third"))).toEqual(["betaYx"]);
      expect(names(await api.get("/organizations?q=_x"))).toEqual(["beta_x"]);
      expect(names(await api.get("/organizations?q=%25"))).toEqual(["betaYx"]);
      expect(names(await api.get("/organizations?q="))).toHaveLength(3);
      expect(names(await api.get("/organizations?q=nothing"))).toEqual([]);
    });

    test("lists what a create answered", async () => {
      const made = await create(api, "echoed");
      expect((await api.get("/organizations?q=echoed")).body).toEqual({ data: [made] });
    });

    test("with a page parameter is paginated", async () => {
      const page = await api.get("/organizations?q=beta&page[size]=1");
      expect(names(page)).toEqual(["beta_x"]);
      expect(page.body.meta.pagination).toEqual({
        "current-page": 1,
        "page-size": 1,
        "prev-page": null,
        "next-page": 2,
        "total-pages": 2,
        "total-count": 2,
      });
      expect(page.body.links.next).toContain("/api/v2/organizations?q=beta&page%5Bnumber%5D=2&page%5Bsize%5D=1");
      expect(names(await api.get("/organizations?q=beta&page[number]=2&page[size]=1"))).toEqual(["betaYx"]);
      const beyond = await api.get("/organizations?page[number]=999");
      expect(beyond.body).toMatchObject({ data: [], meta: { pagination: { "current-page": 999, "total-count": 4 } } });
      for (const odd of ["0", "-1", "abc", "1000000000000", ""]) {
        expect((await api.get(`/organizations?page[number]=${odd}&page[size]=${odd}`)).status).toBe(200);
      }
    });

    test.each(["q=%ZZ", "q=%00", "q=a&q=b"])("a malformed query is 400: %s", async (query) => {
      expect((await api.get(`/organizations?${query}`)).status).toBe(400);
    });

    test("of more than one slice is whole and in order", async () => {
      const made = Array.from({ length: 450 }, (_, index) => `slice-${String(index).padStart(3, "0")}`);
      for (let i = 0; i < made.length; i += 50) {
        await Promise.all(made.slice(i, i + 50).map((name) => create(api, name)));
      }
      const whole = await api.get("/organizations?q[name]=SLICE-");
      expect(names(whole)).toEqual(made);
      expect(whole.body).not.toHaveProperty("meta");
      expect(whole.headers["content-type"]).toBe("application/vnd.api+json");
    });

    test("shows exact names, prefixes and exceptions of the token's rules, whole and paged", async () => {
      const token = api.tokenWith(
        { kind: "organization_prefix", segment: "slice-00", policy: "read" },
        { kind: "organization", segment: "SLICE-003", policy: "deny" },
        { kind: "organization_prefix", segment: "slice-00", policy: "read" },
        { kind: "organization", segment: "Beta_X", policy: "write" },
        { kind: "workspace_prefix", segment: "alpha/", policy: "write" },
      );
      const visible = ["beta_x", ...[0, 1, 2, 4, 5, 6, 7, 8, 9].map((digit) => `slice-00${digit}`)];
      expect(names(await api.get("/organizations", token))).toEqual(visible);
      const page = await api.get("/organizations?page[number]=2&page[size]=3", token);
      expect(names(page)).toEqual(visible.slice(3, 6));
      expect(page.body.meta.pagination).toMatchObject({ "total-count": visible.length, "total-pages": 4 });
      expect(names(await api.get("/organizations?q=alpha", token))).toEqual(["beta_x"]);
      const all = (await api.get("/organizations?q=beta", token)).body.data[0].attributes.permissions;
      expect(all["can-update"]).toBe(true);
      const nobody = api.tokenWith();
      expect((await api.get("/organizations", nobody)).body).toEqual({ data: [] });
    });
  });
});

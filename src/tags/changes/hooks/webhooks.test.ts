import { describe, expect, test } from "vitest";
import { useApi, type Answer } from "../../../../test/support/api.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { MAX_WEBHOOKS } from "./service.ts";

const URL = "https://hooks.example.com/tags";

function body(attributes: object) {
  return { data: { type: "tag-webhooks", attributes } };
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);
  const create = (organization: string, attributes: object, token?: string): Promise<Answer> =>
    api.post(`/organizations/${organization}/tag-webhooks`, body(attributes), token);

  test("a change of nothing but its secret is on record, without the secret", async () => {
    const org = await api.organization();
    const made = await create(org, { name: "one", url: URL });
    const { id } = made.body.data;
    const audit = async () => {
      const answer = await api.get(`/organizations/${org}/audit?filter%5Bobject%5D=${id}`);
      expect(answer.text).not.toContain("canary");
      return answer.body.data.map((each: Answer["body"]) => [each.attributes.changes, each.attributes.detail]);
    };
    for (const token of ["canary-one", "canary-two", null]) await api.patch(`/tag-webhooks/${id}`, body({ token }));
    expect((await audit()).slice(0, 3)).toEqual([
      [{ "has-token": [true, false] }, null],
      [null, { "secrets-given": ["token"] }],
      [{ "has-token": [false, true] }, { "secrets-given": ["token"] }],
    ]);
    await api.patch(`/tag-webhooks/${id}`, body({ token: null }));
    expect((await audit()).length).toBe(4);
  });

  test("records tell one URL from another, and show neither its path nor its query", async () => {
    const org = await api.organization();
    const made = await create(org, { name: "one", url: "https://hooks.example/canary-1?key=canary" });
    const { id } = made.body.data;
    await api.patch(`/tag-webhooks/${id}`, body({ url: "https://hooks.example/canary-2" }));
    await api.patch(`/tag-webhooks/${id}`, body({ url: "https://other.example" }));
    await api.delete(`/tag-webhooks/${id}`);
    const audit = await api.get(`/organizations/${org}/audit?filter%5Bobject%5D=${id}`);
    expect(audit.text).not.toContain("canary");
    const masked = expect.stringMatching(/^https:\/\/hooks\.example\/… sha256:[0-9a-f]{16}$/);
    const [deleted, second, first, created] = audit.body.data.map((each: Answer["body"]) => each.attributes.changes);
    expect(created).toEqual([expect.objectContaining({ url: masked })]);
    expect(first.url).toEqual([masked, masked]);
    expect(first.url[0]).not.toBe(first.url[1]);
    expect(second.url).toEqual([masked, "https://other.example"]);
    expect(deleted[0].url).toBe("https://other.example");
  });

  test("are made, shown, changed and deleted, and never show their secret", async () => {
    const org = await api.organization();
    const made = await create(org, { name: "one", url: URL, token: "canary-secret", kinds: ["tag"] });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body.data;
    expect(made.body.data).toEqual({
      id: expect.stringMatching(/^wh-/),
      type: "tag-webhooks",
      attributes: {
        name: "one",
        url: URL,
        enabled: true,
        "has-token": true,
        kinds: ["tag"],
        actions: [],
        "created-at": expect.any(String),
        "updated-at": expect.any(String),
        delivery: {
          "delivered-at": null,
          status: null,
          failures: 0,
          "failing-since": null,
          "retry-at": null,
          behind: 0,
          "skipped-at": null,
        },
      },
      links: { self: `/api/v2/tag-webhooks/${id}` },
    });
    const second = await create(org, { name: "two", url: URL });
    const list = await api.get(`/organizations/${org}/tag-webhooks?page%5Bsize%5D=1&page%5Bnumber%5D=2`);
    expect(list.body.data).toEqual([second.body.data]);
    expect(list.body.meta.pagination).toMatchObject({ "total-count": 2, "total-pages": 2 });
    const changed = await api.patch(`/tag-webhooks/${id}`, body({ enabled: false, token: null, kinds: null }));
    expect(changed.body.data.attributes).toMatchObject({ name: "one", enabled: false, "has-token": false, kinds: [] });
    const read = await api.get(`/tag-webhooks/${id}`);
    expect(read.body.data).toEqual(changed.body.data);
    for (const answer of [made, list, changed, read]) expect(answer.text).not.toContain("canary");
    await api.patch(`/tag-webhooks/${id}`, body({ token: "canary-secret" }));
    const rows = await api.db.sql.selectFrom("tag_webhooks").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain("canary");
    expect((await api.delete(`/tag-webhooks/${id}`)).status).toBe(204);
    expect((await api.get(`/tag-webhooks/${id}`)).status).toBe(404);
    expect((await api.delete(`/tag-webhooks/${id}`)).status).toBe(404);
  });

  test("what is wrong with one is said, and nothing is stored", async () => {
    const org = await api.organization();
    const wrong: [attributes: object, pointer: string | undefined][] = [
      [{ url: URL }, "/data/attributes/name"],
      [{ name: "", url: URL }, "/data/attributes/name"],
      [{ name: "n" }, "/data/attributes/url"],
      [{ name: "n", url: "ftp://example.com/" }, "/data/attributes/url"],
      [{ name: "n", url: "nothing" }, "/data/attributes/url"],
      [{ name: "n", url: "https://user:pass@example.com/" }, "/data/attributes/url"],
      [{ name: "n", url: `https://example.com/${"x".repeat(2048)}` }, "/data/attributes/url"],
      [{ name: "n", url: URL, kinds: ["run"] }, "/data/attributes/kinds/0"],
      [{ name: "n", url: URL, token: "x".repeat(1025) }, "/data/attributes/token"],
      [{ name: "a\0b", url: URL }, undefined],
    ];
    for (const [attributes, pointer] of wrong) {
      const answer = await create(org, attributes);
      expect([attributes, answer.status]).toEqual([attributes, 422]);
      if (pointer !== undefined) expect(answer.body.errors[0].source).toEqual({ pointer });
    }
    expect((await api.get(`/organizations/${org}/tag-webhooks`)).body.data).toEqual([]);
  });

  test("an organization has 20 of them at the most, also when many are made at once", async () => {
    const org = await api.organization();
    const answers = await Promise.all(
      Array.from({ length: MAX_WEBHOOKS + 5 }, (_, index) => create(org, { name: `n${index}`, url: URL })),
    );
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([...Array<number>(MAX_WEBHOOKS).fill(201), ...Array<number>(5).fill(422)]);
  });

  describe("rights to webhooks", () => {
    test("who may not write the organization is told that there are none", async () => {
      const org = await api.organization();
      const { id } = (await create(org, { name: "n", url: URL })).body.data;
      const reader = api.tokenWith({ kind: "organization", segment: org, policy: "read" });
      const writer = api.tokenWith({ kind: "organization", segment: org, policy: "write" });
      const other = api.tokenWith({ kind: "organization", segment: "other", policy: "write" });
      for (const token of [reader, other]) {
        const answers = [
          await api.get(`/tag-webhooks/${id}`, token),
          await api.patch(`/tag-webhooks/${id}`, body({ name: "x" }), token),
          await api.post(`/tag-webhooks/${id}/actions/verify`, undefined, token),
          await api.delete(`/tag-webhooks/${id}`, undefined, token),
        ];
        const missing = await api.get("/tag-webhooks/wh-none", token);
        for (const answer of answers) expect([answer.status, answer.text]).toEqual([404, missing.text]);
        expect((await create(org, { name: "x", url: URL }, token)).status).toBe(404);
        expect((await api.get(`/organizations/${org}/tag-webhooks`, token)).status).toBe(404);
        await api.expectSameStatements(
          () => api.get(`/tag-webhooks/${id}`, token),
          () => api.get("/tag-webhooks/wh-none", token),
        );
      }
      expect((await create(org, { name: "x", url: URL }, writer)).status).toBe(201);
      expect((await api.patch(`/tag-webhooks/${id}`, body({ name: "x" }), writer)).status).toBe(200);
      expect((await api.delete(`/tag-webhooks/${id}`, undefined, writer)).status).toBe(204);
    });

    test("who may not see each workspace of it sets no target, since that would be told of them", async () => {
      const org = await api.organization();
      const { id } = (await create(org, { name: "n", url: URL })).body.data;
      const token = api.tokenWith(
        { kind: "organization", segment: org, policy: "write" },
        { kind: "workspace", segment: `${org}/hidden`, policy: "deny" },
      );
      expect((await create(org, { name: "x", url: URL }, token)).status).toBe(404);
      expect((await api.patch(`/tag-webhooks/${id}`, body({ url: "https://mine.example/" }), token)).status).toBe(404);
      expect((await api.post(`/tag-webhooks/${id}/actions/verify`, undefined, token)).status).toBe(404);
      expect((await api.get(`/tag-webhooks/${id}`, token)).body.data.attributes.url).toBe(URL);
      expect((await api.delete(`/tag-webhooks/${id}`, undefined, token)).status).toBe(204);
    });
  });
});

/** Free texts of objects are short, and pages are bounded in bytes, whatever was stored before. */
import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { forEachEngine } from "../support/engines.ts";
import { useV1 } from "../support/v1.ts";

const KB = 1024;
const MB = 1024 * KB;
const LONGEST = "x".repeat(8 * KB);
const TOO_LONG = `${"ü".repeat(4 * KB)}x`;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  describe("incident 44: a free text of an object has 8 KiB at most", () => {
    const METHOD = { Name: "texts", Type: "jwt", Config: { JWKSURL: "https://keys.example.com" } };
    const RULE = { AuthMethod: "texts", BindType: "service", BindName: "web" };
    const cases: [string, object, string][] = [
      ["/acl/policy", { Name: "texts" }, "Description"],
      ["/acl/role", { Name: "texts" }, "Description"],
      ["/acl/token", {}, "Description"],
      ["/acl/auth-method", METHOD, "Description"],
      ["/acl/auth-method", METHOD, "DisplayName"],
      ["/acl/binding-rule", RULE, "Description"],
      ["/namespace", { Name: "texts" }, "Description"],
      ["/partition", { Name: "texts" }, "Description"],
    ];
    test.each(cases)("%s %j %s", async (path, content, member) => {
      const refusal = await v1.put(path, { ...content, [member]: TOO_LONG });
      expect([refusal.status, refusal.text]).toEqual([
        400,
        expect.stringContaining(`${member} has 8193 bytes; at most 8192 are allowed`),
      ]);
    });

    test("one of 8 KiB is taken, and a longer one by PATCH is not", async () => {
      const id = await v1.role({ Description: LONGEST });
      expect((await v1.patch(`/acl/role/${id}`, { Description: TOO_LONG })).status).toBe(400);
      expect((await v1.get(`/acl/role/${id}`)).body.Description).toBe(LONGEST);
    });

    const datacenters = Array.from({ length: 8000 }, (_, number) => `dc-${number}`);
    const lists: [string, string, unknown][] = [
      ["role", "ServiceIdentities.Datacenters", [{ ServiceName: "web", Datacenters: datacenters }]],
      ["role", "NodeIdentities", [{ NodeName: "web", Datacenter: "d".repeat(64 * KB) }]],
      ["role", "TemplatedPolicies.Datacenters", [{ TemplateName: "builtin/service", Datacenters: datacenters }]],
      ["policy", "Datacenters", datacenters.slice(0, 300)],
    ];
    test.each(lists)("and a %s no %s that are as long", async (kind, member, list) => {
      const { status, text } = await v1.put(`/acl/${kind}`, { Name: "lists", [member.split(".")[0] ?? ""]: list });
      expect([status, text]).toEqual([
        400,
        expect.stringMatching(`${member} has \\d+ bytes; at most \\d+ are allowed`),
      ]);
    });
  });

  describe("incident 44: a page is bounded in bytes, whatever its entries hold", () => {
    const ROLES = 80;
    const DESCRIPTION = "d".repeat(500 * KB);
    let watch: NodeJS.Timeout | undefined;
    afterEach(() => clearInterval(watch));

    test("of 80 roles of 500 KiB, each one is shown once, and a page holds few", async () => {
      for (let number = 0; number < ROLES; number++) await v1.role({ Name: `long-${1000 + number}` });
      await v1.write((sql) =>
        sql.updateTable("roles").set({ description: DESCRIPTION }).where("name_key", "like", "long-%"),
      );
      const names: string[] = [];
      let longest = 0;
      for (let after = ""; ;) {
        const path = `/acl/roles?page-size=1000&search=long-${after && `&after=${after}`}&hash=${randomUUID()}`;
        const { status, body, text, headers } = await v1.get(path);
        expect(status).toBe(200);
        longest = Math.max(longest, text.length);
        names.push(...(body as { Name: string }[]).map(({ Name }) => Name));
        const next = headers["x-service-next"];
        if (typeof next !== "string") break;
        after = next;
      }
      expect(longest / MB).toBeLessThan(2);
      expect(names).toEqual(Array.from({ length: ROLES }, (_, number) => `long-${1000 + number}`));
      expect(await v1.get("/acl/roles?search=long-").then(({ body }) => (body as unknown[]).length)).toBe(ROLES);
    });

    test("and the memory of one is bounded too", async () => {
      const before = process.memoryUsage();
      let most = 0;
      watch = setInterval(() => {
        const { heapUsed, external } = process.memoryUsage();
        most = Math.max(most, heapUsed + external - before.heapUsed - before.external);
      }, 1);
      await v1.get(`/acl/roles?page-size=1000&search=long-&hash=${randomUUID()}`);
      const { heapUsed, external } = process.memoryUsage();
      most = Math.max(most, heapUsed + external - before.heapUsed - before.external);
      expect(most / MB).toBeLessThan(50);
    });
  });
});

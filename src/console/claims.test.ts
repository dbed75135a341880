/** Requests of the console's page: for whom they count without a session. */
import { expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { useV1 } from "../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test("a page that shows a token as signed in is nobody without its cookie, and not the anonymous token", async () => {
    const self = (await v1.get("/acl/token/self")).body.AccessorID as string;
    const refused = async () => (await v1.get("/audit?outcome=refused")).body as { Actor: { AccessorID?: string } }[];
    const before = (await refused()).length;
    const page = { "x-tessera-console": "1", "x-tessera-as": self };
    const asked = await v1.send({ method: "GET", url: "/v1/acl/policies", headers: page });
    expect([asked.status, asked.text]).toEqual([403, expect.not.stringContaining("anonymous")]);
    const may = {
      method: "POST",
      url: "/v1/internal/acl/authorize",
      body: [{ Resource: "acl", Access: "read" }],
    } as const;
    expect((await v1.send({ ...may, headers: page })).status).toBe(403);
    expect((await v1.send({ ...may, headers: { "x-tessera-console": "1" } })).status).toBe(200);
    expect((await refused()).length).toBe(before);
  });
});

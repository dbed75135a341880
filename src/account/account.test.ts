import { Compile } from "typebox/compile";
import { expect, test } from "vitest";
import { useApi } from "../../test/support/api.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { userDocument } from "./routes.ts";

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  test("a token reads its own account, whatever its rights are", async () => {
    const token = api.tokenWith();
    const answer = await api.get("/account/details", token);
    expect(Compile(userDocument).Check(answer.body)).toBe(true);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          id: `user-${token}`,
          type: "users",
          attributes: {
            username: token,
            email: `${token}@tokens.invalid`,
            "is-service-account": true,
            "two-factor": { enabled: false, verified: false },
            permissions: { "can-create-organizations": false },
          },
        },
      },
    });
  });

  test("can-create-organizations follows the rule for any name", async () => {
    const all = await api.get("/account/details");
    expect(all.body.data.attributes.permissions["can-create-organizations"]).toBe(true);
    const any = api.tokenWith({ kind: "organization_prefix", segment: "", policy: "write" });
    const some = api.tokenWith({ kind: "organization_prefix", segment: "acme-", policy: "write" });
    const can = async (token: string) =>
      (await api.get("/account/details", token)).body.data.attributes.permissions["can-create-organizations"];
    expect([await can(any), await can(some)]).toEqual([true, false]);
  });

  test("without a token, or with an unknown one, it is 401", async () => {
    for (const headers of [{}, { authorization: "Bearer nobody" }]) {
      const answer = await api.send({ method: "GET", url: "/api/v2/account/details", headers });
      expect(answer).toMatchObject({ status: 401, body: { errors: [{ status: "401", title: "unauthorized" }] } });
    }
  });
});

/** Clients that take down what they made do not wait for a namespace to be gone before they delete what lies in it. */
import { expect, it } from "vitest";
import { finishDeletion } from "../support/deletion.ts";
import { forEachEngine } from "../support/engines.ts";
import { createSigningKey } from "../support/key-server.ts";
import { useV1 } from "../support/v1.ts";

const key = createSigningKey("destroy");

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  /** One object of each kind. @returns their paths, with the scope */
  async function fill(query: string): Promise<string[]> {
    const idOf = async (kind: string, content: object) => {
      const { body, text, status } = await v1.put(`/acl/${kind}?${query}`, content);
      expect(status, text).toBe(200);
      return body as Record<string, string>;
    };
    const policy = await idOf("policy", { Name: "p" });
    const role = await idOf("role", { Name: "r", Policies: [{ Name: "p" }] });
    const token = await idOf("token", { Roles: [{ Name: "r" }] });
    await idOf("auth-method", { Name: "jwt", Type: "jwt", Config: { JWTValidationPubKeys: [key.publicKey] } });
    const rule = await idOf("binding-rule", { AuthMethod: "jwt", BindType: "service", BindName: "web" });
    return [
      `policy/${policy["ID"]}`,
      `role/${role["ID"]}`,
      `token/${token["AccessorID"]}`,
      `binding-rule/${rule["ID"]}`,
      "auth-method/jwt",
    ].map((path) => `/acl/${path}?${query}`);
  }

  for (const what of ["namespace", "partition"]) {
    it(`incident 59: everything in a ${what} that is being deleted can be deleted, and nothing made or changed`, async () => {
      const partition = v1.unique("unit");
      await v1.put("/partition", { Name: partition });
      await v1.put(`/namespace?partition=${partition}`, { Name: "team" });
      const query = `ns=team&partition=${partition}`;
      const paths = await fill(query);
      expect(
        (await v1.delete(what === "namespace" ? `/namespace/team?partition=${partition}` : `/partition/${partition}`))
          .status,
      ).toBe(200);
      for (const path of paths) {
        expect((await v1.put(path, { Description: "changed" })).status).not.toBe(200);
        expect([path, (await v1.delete(path)).text]).toEqual([path, "true"]);
        expect([path, (await v1.delete(path)).status]).toEqual([path, 404]);
      }
      expect((await v1.put(`/acl/role?${query}`, { Name: "new" })).status).toBe(409);
      expect((await v1.delete(`/namespace/team?partition=${partition}`)).status).toBe(200);
      await finishDeletion(v1.db);
      expect(
        (await v1.get(`/${what}/${what === "namespace" ? "team" : partition}?partition=${partition}`)).status,
      ).toBe(404);
    });
  }

  it("who may not delete in a namespace may not while it is being deleted either", async () => {
    await v1.put("/namespace", { Name: "walled" });
    const paths = await fill("ns=walled");
    const secret = await v1.tokenWith('namespace "walled" { acl = "read" }');
    await v1.delete("/namespace/walled");
    for (const path of paths) expect([path, (await v1.delete(path, secret)).status]).toEqual([path, 403]);
  });
});

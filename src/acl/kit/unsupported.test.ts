/** Members that Consul's Go client sends since 1.34: a text that this server would lose is refused, an empty one is not. */
import { describe, expect, it } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { makeMethodIn, METHOD } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  describe("members of newer clients of Consul", () => {
    it("a token is written with an empty name, as 1.34 sends it each time, and with no other one", async () => {
      const made = await v1.put("/acl/token", { Description: "ci", Name: "" });
      expect([made.status, made.body]).toEqual([200, expect.not.objectContaining({ Name: expect.anything() })]);
      const path = `/acl/token/${made.body.AccessorID}`;
      const send = [
        (Name: unknown) => v1.put("/acl/token", { Name }),
        (Name: unknown) => v1.put(path, { Description: "ci", Name }),
        (Name: unknown) => v1.patch(path, { Name }),
        (Name: unknown) => v1.put(`${path}/clone`, { Description: "copy", Name }),
      ];
      for (const write of send) {
        expect((await write("")).status).toBe(200);
        expect((await write(null)).status).toBe(200);
        const { status, text } = await write("deploy");
        expect([status, text]).toEqual([400, "Invalid Token: Name is not supported. Use Description"]);
      }
      expect((await v1.get(path)).body.Description).toBe("ci");
    });

    it("an auth method is written without a format of token names, and its check says the same", async () => {
      await makeMethodIn(v1, {});
      const { Config, Type } = (await v1.get(`/acl/auth-method/${METHOD}`)).body;
      const body = (TokenNameFormat: string | null) => ({ Name: METHOD, Type, Config, TokenNameFormat });
      for (const empty of ["", null])
        expect((await v1.put(`/acl/auth-method/${METHOD}`, body(empty))).status).toBe(200);
      const refused = "Invalid Auth Method: TokenNameFormat is not supported";
      const written = await v1.put(`/acl/auth-method/${METHOD}`, body("${value.sub}"));
      expect([written.status, written.text]).toEqual([400, refused]);
      const checked = await v1.post("/acl/auth-method/check", body("${value.sub}"));
      expect([checked.status, checked.text]).toEqual([200, expect.stringContaining(refused)]);
    });
  });
});

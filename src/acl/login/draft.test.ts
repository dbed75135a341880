/** Tests the result of a login with a rule that is not written yet: `POST /v1/acl/login/explain` with `BindingRule`. */
import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { makeMethod, makeRule, UNLIMITED_LOGINS } from "../../../test/support/login.ts";
import { useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: UNLIMITED_LOGINS });
  const explain = (content: object) => v1.post("/acl/login/explain", content);

  beforeAll(async () => {
    await makeMethod(v1, createSigningKey("k1"), { Name: "Web", MaxTokenTTL: "1h" });
    await makeRule(v1, { AuthMethod: "web", BindName: "web" });
  });

  describe("a rule that is not written yet", () => {
    const ask = async (BindingRule: object) => {
      const Identity = { value: { team: "a", name: "web" }, list: { groups: ["ops"] } };
      const { status, body, text } = await explain({ AuthMethod: "web", Identity, BindingRule });
      expect(status, text).toBe(200);
      return body.BindingRule as Record<string, string>;
    };

    test("says whether it matches, why, and which name its template gives", async () => {
      expect(await ask({ Selector: 'value.team == "a"', BindType: "role", BindName: "no-${value.name}" })).toEqual({
        Verdict: "matched",
        Reason: expect.stringMatching(/^grants nothing: .*no-web.*; value\.team == "a" is true/),
        BindType: "role",
        BindName: "no-web",
      });
      expect(await ask({ Selector: 'value.team == "b"' })).toEqual({
        Verdict: "not matched",
        Reason: 'value.team == "b" is false: value.team is "a"',
      });
    });

    test("says from what a computed name was folded, and nothing where it was not", async () => {
      const reason = async (team: string) => {
        const BindingRule = { BindType: "service", BindName: "x-${slug(value.team)}" };
        const { body } = await explain({ AuthMethod: "web", Identity: { value: { team } }, BindingRule });
        return [body.BindingRule.BindName, body.BindingRule.Reason];
      };
      const folded = expect.stringContaining('the name is folded from "Cargo Desk"; ');
      expect(await reason("Cargo Desk")).toEqual(["x-cargo-desk", folded]);
      expect(await reason("cargo-desk")).toEqual(["x-cargo-desk", expect.not.stringContaining("folded")]);
    });

    test("is checked as a write checks it, and its mistake is the reason", async () => {
      expect((await ask({ Selector: "value.team ==" })).Verdict).toBe("failed");
      expect((await ask({ Selector: "claims.tem is empty" })).Reason).toMatch(/Selector|claims/);
      expect((await ask({ BindType: "role", BindName: "${value.nobody}" })).Reason).toMatch(/BindName/);
      expect((await ask({ Selector: 'value.name matches "(?:.*a){5000}c"' })).Verdict).toBe("failed");
    });

    test("gives nothing, and is not there afterwards", async () => {
      const Identity = { value: { team: "a" } };
      const plain = (await explain({ AuthMethod: "web", Identity })).body;
      const asked = (await explain({ AuthMethod: "web", Identity, BindingRule: { BindName: "more" } })).body;
      expect(asked).toEqual({ ...plain, BindingRule: asked.BindingRule });
      expect(plain).not.toHaveProperty("BindingRule");
    });
  });
});

import { beforeAll, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { contentOf, makeMethodIn, METHOD } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";

interface Shown {
  Code: string;
  Message: string;
  Member: string;
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(() => makeMethodIn(v1, {}));

  const check = async (noun: string, body: object) => {
    const answer = await v1.post(`/acl/${noun}/check`, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as { Errors: Shown[]; Warnings: Shown[] };
  };

  test("incident 81: a rule is looked at beside its method as it is to be, stored or not", async () => {
    const { Config, ...others } = contentOf("auth-method", {}) as { Config: object };
    const method = (claim: string) => ({ ...others, Config: { ...Config, ClaimMappings: { [claim]: claim } } });
    const rule = (claim: string, AuthMethod: string) => ({
      AuthMethod,
      BindType: "service",
      BindName: `s-\${value.${claim}}`,
      Selector: `value.${claim} == a or value.other == b`,
    });
    for (const name of ["to-come", METHOD]) {
      const found = await check("binding-rule", { ...rule("tribe", name), Method: method("tribe") });
      expect([found.Errors, found.Warnings.map(({ Code }) => Code)]).toEqual([[], ["unmapped-claim"]]);
      const { Errors } = await check("binding-rule", { ...rule("tribe", name), Method: method("clan") });
      expect(Errors).toEqual([
        expect.objectContaining({ Member: "BindName", Message: expect.stringContaining("value.tribe") }),
      ]);
    }
    const faulty = await check("binding-rule", { ...rule("tribe", METHOD), Method: { Type: "jwt", Config: {} } });
    expect(faulty.Errors.map(({ Member }) => Member)).toEqual(["Method"]);
  });
});

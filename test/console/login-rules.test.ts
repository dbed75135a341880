/** Binding rules in the login workbench: the nearest misses first, the rest by the first difference. */
import { describe, expect, it } from "vitest";
import { ranked, type ExplainedRule } from "../../console/src/screens/login/ranking.ts";
import { faultsOf } from "./looks.ts";
import { inBrowser, useConsole } from "./use-console.ts";

const missed = (ID: string, Met: number, Total: number, Name = "value.repository"): ExplainedRule => ({
  ID,
  Verdict: "not matched",
  Reason: "",
  Conditions: { Total, Met, Unmet: [{ Name, Reason: "", Start: 0, End: 1 }] },
});

describe("the order of binding rules", () => {
  it("is matches, failures, misses by their false conditions, and the rest by what differs", () => {
    const rules: ExplainedRule[] = [
      missed("far", 0, 1),
      missed("near", 1, 3, "value.environment"),
      { ID: "broken", Verdict: "failed", Reason: "" },
      missed("nearer", 2, 3, "value.environment"),
      missed("other", 0, 2, "list.groups"),
      missed("far-too", 0, 2),
      { ID: "right", Verdict: "matched", Reason: "" },
    ];
    const { decisive, nearest, others } = ranked(rules);
    expect(decisive.map(({ ID }) => ID)).toEqual(["right", "broken"]);
    expect(nearest.map(({ ID }) => ID)).toEqual(["nearer", "near"]);
    expect(others.map(({ name, rules: those }) => [name, those.map(({ ID }) => ID)])).toEqual([
      ["value.repository", ["far", "far-too"]],
      ["list.groups", ["other"]],
    ]);
  });
});

const at = useConsole({
  async prepare({ client }) {
    const body = {
      Name: "workflows",
      Type: "jwt",
      Config: {
        JWTValidationPubKeys: [PUBLIC_KEY],
        ClaimMappings: { repository: "repository", environment: "environment" },
      },
    };
    await client.request("createAuthMethod", { body });
    const rule = (Selector: string, Description: string) => ({
      AuthMethod: "workflows",
      BindType: "role",
      BindName: "web-team",
      Selector,
      Description,
    });
    for (let index = 0; index < 12; index++) {
      const text = `value.repository == "example/other-${index}" and value.environment == "prod"`;
      await client.request("createBindingRule", { body: rule(text, `Other ${index}`) });
    }
    const near = 'value.repository == "example/web" and value.environment == "prod"';
    await client.request("createBindingRule", { body: rule(near, "Payments") });
  },
});

const PUBLIC_KEY = `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEVs/o5+uQbTjL3chynL4wXgUg2R9
q9UU8I5mEovUf86QZ7kOBIjJwqnzD1omageEHWwHdBO6B+dFabmdT9POxg==
-----END PUBLIC KEY-----
`;

inBrowser("the login workbench", () => {
  it("shows the nearest miss first with the false condition marked, and folds the others", async () => {
    const { page } = await at.open("access/default/default/login?method=workflows");
    await page.getByText("Claims", { exact: true }).click();
    const identity = { value: { repository: "example/web", environment: "staging" } };
    await page.getByLabel("Claims for selectors").fill(JSON.stringify(identity));
    const rules = page.getByRole("region", { name: "Binding rules" });
    await rules.getByText("1 of 2 conditions met").waitFor();
    expect(await rules.getByRole("link").allTextContents()).toEqual([expect.stringMatching(/^Payments/)]);
    await expect.poll(async () => rules.locator("mark").textContent()).toBe('value.environment == "prod"');
    const others = rules.getByRole("button", { name: "12 others: value.repository differs" });
    await others.focus();
    await page.keyboard.press("Enter");
    await expect.poll(async () => rules.getByRole("link").count()).toBe(13);
    expect(await faultsOf(page, "the rules of a login")).toEqual([]);
  });
});

/** Commands over use that the server has counted itself. */
import { beforeEach, expect, test } from "vitest";
import { command } from "../../test/support/cli.ts";
import { addressOf, writeFiles } from "../../test/support/declared.ts";
import { forEachEngine, temporaryDirectory } from "../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../test/support/v1.ts";

const NOW = Date.UTC(2026, 10, 24, 12);

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeEach(() => v1.setNow(NOW));

  test("a plan shows recorded use that it refuses, and ends with 2 where more is refused than is meant", async () => {
    const Name = v1.unique("gated");
    const policy = await v1.policy('acl = "read"', Name);
    const { secret } = await v1.token({ Policies: [{ ID: policy }] });
    await v1.get("/acl/policies", secret);
    await v1.flushUses();
    const directory = writeFiles({
      "a.yaml": `- { kind: policy, name: ${Name}, rules: 'key "a" { policy = "read" }' }\n`,
    });
    const env = { HOME: temporaryDirectory(), TESSERA_ADDR: await addressOf(v1), TESSERA_TOKEN: MANAGEMENT };
    const shown = await command(["plan", directory, "--max-refused", "1"], { env });
    expect(shown.stdout).toMatch(
      /read acl: in use on 1 of the last 30 days, last on Tuesday 2026-11-24; 1 use since 2026-11-24: would be denied/,
    );
    expect(shown.code).toBe(0);
    const held = await command(["plan", directory, "--max-refused", "0"], { env });
    expect([held.code, held.stderr]).toEqual([
      2,
      expect.stringContaining("the plan denies 1 recorded uses, more than --max-refused 0"),
    ]);
    const draft = `DeletedPolicies=[{"Name":"${Name}"}]`;
    const replayed = await command(["access", "replay", "--set", draft], { env });
    expect(replayed.stdout).toMatch(/1 use since 2026-11-24: would be denied/);
    const json = await command(["access", "replay", "--set", draft, "-o", "json"], { env });
    expect(JSON.parse(json.stdout)).toMatchObject({ refused: 1, first: [{ right: "read acl", change: "refused" }] });
    const same = await command(["access", "replay"], { env });
    expect(same.stdout).toMatch(/^No differences in \d+ recorded uses\.\n$/);
    const wrong = await command(["plan", directory, "--max-unreplayable", "few"], { env });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("invalid --max-unreplayable")]);
  });
});

/** A replay against the real thing: every question is asked before and after the draft is written. */
import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { RULES } from "../../../test/support/rules.ts";
import { makeIn, makeNamespace } from "../../../test/support/scopes.ts";
import { replayRows, useRow, type AskedOfLedger } from "../../../test/support/replays.ts";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { useV1 } from "../../../test/support/v1.ts";
import type { Resource } from "../../rights/rules/rule.ts";
import { placeOf, type ReplayEntry } from "./entry.ts";

const SEGMENTS: readonly (readonly [Resource, readonly string[]])[] = [
  ["workspace", ["acme/prod", "acme/test", "other/prod"]],
  ["organization", ["acme", "other"]],
  ["key", ["a", "a/b", "a/c", "b"]],
  ["service", ["web", "api"]],
  ["intention", ["web", "api"]],
  ["namespace", ["team", "term"]],
  ["operator", [""]],
  ["mesh", [""]],
  ["acl", [""]],
];
const random = randomOfRun();
const some = <T>(list: readonly T[], chance = 0.3): T[] => list.filter(() => random() < chance);
const rules = () => some(RULES, 0.25).join("\n");

function questions(): AskedOfLedger[] {
  return SEGMENTS.flatMap(([Resource, segments]) =>
    segments.flatMap((Segment) =>
      (["read", "list", "write"] as const).flatMap((Access) =>
        Access === "list" && Resource !== "key"
          ? []
          : ["default", "team"].map((Namespace) => ({ Resource, Segment, Access, Namespace })),
      ),
    ),
  );
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const tokens = new Map<string, { secret: string; namespace: string }>();
  const policies: string[] = [];
  const roles: string[] = [];
  const asked = questions();

  beforeAll(async () => {
    await makeNamespace(v1, { namespace: "team" });
    await makeNamespace(v1, { namespace: "term" });
    for (let count = 0; count < 8; count++) policies.push(await v1.policy(rules()));
    const links = () => some(policies, 0.25).map((ID) => ({ ID }));
    for (let count = 0; count < 5; count++)
      roles.push(
        await v1.role({
          Name: v1.unique("role"),
          Policies: links(),
          ServiceIdentities: some([{ ServiceName: "web" }]),
        }),
      );
    for (let count = 0; count < 12; count++) {
      const { accessor, secret } = await v1.token({ Policies: links(), Roles: some(roles).map((ID) => ({ ID })) });
      tokens.set(accessor, { secret, namespace: "default" });
    }
    await v1.put("/namespace/team", {
      ACLs: { PolicyDefaults: links(), RoleDefaults: some(roles).map((ID) => ({ ID })) },
    });
    for (let count = 0; count < 2; count++) {
      const made = (await makeIn(v1, { namespace: "team" }, "token", {})) as { AccessorID: string; SecretID: string };
      tokens.set(made.AccessorID, { secret: made.SecretID, namespace: "team" });
    }
  });

  async function answers(): Promise<Map<string, boolean>> {
    const found = new Map<string, boolean>();
    for (const [accessor, { secret }] of tokens)
      for (let start = 0; start < asked.length; start += 64) {
        const slice = asked.slice(start, start + 64);
        const { body, text } = await v1.post("/acl/authorize", slice, secret);
        expect(body, text).toHaveLength(slice.length);
        for (const [index, { Allow }] of (body as { Allow: boolean }[]).entries())
          found.set(textOf(accessor, slice[index] as AskedOfLedger), Allow);
      }
    return found;
  }

  const textOf = (accessor: string, { Resource, Segment, Access, Namespace }: AskedOfLedger) =>
    [accessor, Resource, Segment, Access, Namespace].join(" ");
  const textOfEntry = ({ subject, question }: ReplayEntry) => {
    const accessor = subject.kind === "token" ? subject.accessorId : "";
    const { resource, segment, access, namespace } = question;
    return [accessor, resource, segment, access, namespace].join(" ");
  };

  describe("a replay", () => {
    test(
      "tells what a draft refuses and what is refused already, as brute force finds it",
      { timeout: 60_000 },
      async () => {
        const rows = [...tokens].flatMap(([accessor, { namespace }]) =>
          asked.map((each) => useRow(accessor, each, namespace)),
        );
        for (let round = 0; round < 4; round++) {
          const [policy = "", gone = ""] = [policies[round], policies[round + 4]];
          const [role = "", token = ""] = [roles[round], [...tokens.keys()][round]];
          const changes = {
            Policies: [{ ID: policy, Rules: rules() }],
            Roles: [{ ID: role, Policies: some(policies).map((ID) => ({ ID })) }],
            Tokens: [{ AccessorID: token, Roles: some(roles).map((ID) => ({ ID })) }],
            DeletedPolicies: [{ ID: gone }],
            Namespaces: [{ Name: "team", ACLs: { PolicyDefaults: some(policies).map((ID) => ({ ID })) } }],
          };
          const before = await answers();
          const found = await replayRows(v1, changes, rows);
          await v1.patch(`/acl/policy/${policy}`, { Rules: changes.Policies[0]?.Rules });
          await v1.patch(`/acl/role/${role}`, { Policies: changes.Roles[0]?.Policies });
          await v1.patch(`/acl/token/${token}`, { Roles: changes.Tokens[0]?.Roles });
          await v1.patch("/namespace/team", changes.Namespaces[0]);
          await v1.delete(`/acl/policy/${gone}`);
          policies[round + 4] = await v1.policy(rules());
          const after = await answers();
          const expected = { refused: [] as string[], "already-refused": [] as string[] };
          for (const [text, could] of before) {
            if (!could) expected["already-refused"].push(text);
            else if (after.get(text) === false) expected.refused.push(text);
          }
          for (const change of ["refused", "already-refused"] as const) {
            const told = found.entries.filter((entry) => entry.change === change);
            expect(told.map(textOfEntry).toSorted()).toEqual(expected[change].toSorted());
            expect(found.counts[change]).toBe(expected[change].length);
          }
          expect(found).toMatchObject({ pairs: rows.length, unreplayable: { subject: 0, name: 0, claims: 0 } });
        }
      },
    );

    test("counts each difference once, however small its pages are", async () => {
      const rows = [...tokens].flatMap(([accessor, { namespace }]) =>
        asked.map((each) => useRow(accessor, each, namespace)),
      );
      const whole = await replayRows(v1, {}, rows);
      const found: ReplayEntry[] = [];
      for (let after = ""; ;) {
        const { entries, counts } = await replayRows(v1, {}, rows, { size: 37, after });
        expect(counts).toEqual(whole.counts);
        found.push(...entries.slice(0, 37));
        if (entries.length <= 37) break;
        after = placeOf(entries[36] as ReplayEntry);
      }
      expect(found).toEqual(whole.entries);
    });
  });
});

import { describe, expect, test } from "vitest";
import { sized } from "../../../test/support/length.ts";
import { compileRound, NAMES, policiesOf, RandomRules, RULED } from "../../../test/support/random-rules.ts";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { atOnce } from "../../turns.ts";
import { actingPlaces } from "./acting-rules.ts";
import { decide } from "./decide.ts";
import { lookupSpelling } from "./layer.ts";
import { MATRIX_RESOURCES } from "../../../packages/model/rule-kinds.ts";
import { accessesOf, matrixOf, rowAbout, type MatrixRow } from "./matrix.ts";
import { NO_FACTS } from "./question.ts";
import { ACCESSES, type Access, type PolicyRules, type Resource } from "./rule.ts";

const ROUNDS = sized(600, 10_000);
const { random, pick, segment: randomSegment, round: randomRound } = new RandomRules(randomOfRun());

/** Returns a table's answer to a question, and the rule. */
function readTable(rows: readonly MatrixRow[], defaultPolicy: "allow" | "deny", asked: Asked) {
  const { resource, segment, access, scope } = asked;
  const row = rowAbout(rows, resource, lookupSpelling(resource, segment), scope);
  const cell = row?.cells[0]?.[accessesOf(resource).indexOf(access)];
  if (cell !== undefined) return { allow: cell.allow, grant: cell.grant?.rule, holders: idsOf(cell.grant?.holders) };
  const needsRule = ["acl", "organization", "workspace"].includes(resource);
  return { allow: defaultPolicy === "allow" && !needsRule, grant: undefined, holders: [] };
}

interface Asked {
  resource: Resource;
  segment: string;
  access: Access;
  scope: { partition: string; namespace: string };
}

const idsOf = (holders: readonly { id: string }[] = []): string[] => holders.map(({ id }) => id);

/** A name of a rule, one below it or one that is near it; or any. */
function nameNear(rows: readonly MatrixRow[], resource: Resource): string {
  const known = rows.filter((row) => row.resource === resource);
  if (known.length === 0 || random() < 0.3) return randomSegment(resource, 4);
  const { segment } = pick(known);
  return pick([segment, `${segment}a`, `${segment}/a`, segment.slice(0, -1), `${segment}b/a`, segment.toUpperCase()]);
}

/** Whether such a thing can have the name: a workspace has its organization in front. */
function isPossible(resource: Resource, name: string): boolean {
  return resource !== "workspace" || name.includes("/");
}

describe(`the table of ${ROUNDS} random sets of rules`, () => {
  test("says of every name on, below and around its rows what the engine decides, and by which rule", () => {
    const asked = { questions: 0, allowed: 0, byRule: 0 };
    for (let number = 0; number < ROUNDS; number++) {
      const round = randomRound();
      const rights = compileRound(round);
      const policies = [...policiesOf(round.direct), ...policiesOf(round.defaults)];
      const rows = atOnce(matrixOf([{ rights, policies }])) ?? [];
      const ruled = policies.length === 0 ? [] : [...round.direct, ...round.defaults].flatMap(({ rules }) => rules);
      for (let question = 0; question < 30; question++) {
        let resource: Resource = ruled.length > 0 && random() < 0.8 ? pick(ruled).resource : pick(RULED);
        if (resource === "service" && random() < 0.4) resource = "intention";
        if (resource === "organization" && random() < 0.4) resource = "workspace";
        const segment = nameNear(rows, resource);
        const access = pick((ACCESSES.get(resource) ?? []).filter((each) => each !== "write-prefix"));
        const scope = { partition: pick([...NAMES.partition, "o"]), namespace: pick([...NAMES.namespace, "t", "zzz"]) };
        if (!isPossible(resource, segment)) continue;
        const { allow, grant } = decide(rights, { resource, segment, access, scope }, NO_FACTS);
        const wanted = { allow, grant: grant?.rule, holders: idsOf(grant?.holders) };
        const got = readTable(rows, round.defaultPolicy, { resource, segment, access, scope });
        if (JSON.stringify(got) !== JSON.stringify(wanted))
          expect({ round, asked: { resource, segment, access, scope }, got }).toMatchObject({ got: wanted });
        asked.questions++;
        asked.allowed += Number(allow);
        asked.byRule += Number(grant !== undefined);
      }
    }
    expect(asked.questions).toBeGreaterThan(20 * ROUNDS);
    // No answer is rare.
    expect(asked.allowed / asked.questions).toBeGreaterThan(0.1);
    expect(asked.allowed / asked.questions).toBeLessThan(0.8);
    expect(asked.byRule / asked.questions).toBeGreaterThan(0.2);
  });

  test("has in each cell what the engine decides there, once in the order of a tree", () => {
    for (let number = 0; number < ROUNDS; number++) {
      const round = randomRound();
      const rights = compileRound(round);
      const rows = atOnce(
        matrixOf([{ rights, policies: [...policiesOf(round.direct), ...policiesOf(round.defaults)] }]),
      );
      const keys = (rows ?? []).map(({ cells: _, ...row }) => JSON.stringify(row));
      expect(new Set(keys).size).toBe(keys.length);
      for (const { cells, resource, prefix, segment, namespace, partition } of rows ?? []) {
        if (prefix || namespace.prefix || partition.prefix || !isPossible(resource, segment)) continue;
        const scope = { namespace: namespace.name, partition: partition.name };
        const wanted = accessesOf(resource).map((access) =>
          decide(rights, { resource, segment, access, scope }, NO_FACTS),
        );
        expect(cells[0]?.map(({ allow, grant }) => [allow, grant])).toEqual(
          wanted.map(({ allow, grant }) => [allow, grant]),
        );
      }
    }
  });

  test("of two subjects differs where one may and the other may not", () => {
    let differing = 0;
    for (let number = 0; number < ROUNDS / 2; number++) {
      const rounds = [randomRound(["key", "service", "acl"]), randomRound(["key", "service", "acl"])] as const;
      const subjects = rounds.map((round) => ({
        rights: compileRound(round),
        policies: [...policiesOf(round.direct), ...policiesOf(round.defaults)],
      }));
      const rows = atOnce(matrixOf(subjects)) ?? [];
      for (let question = 0; question < 10; question++) {
        const resource = pick(["key", "service", "acl"] as const);
        const segment = nameNear(rows, resource);
        const scope = { partition: pick(NAMES.partition), namespace: pick(NAMES.namespace) };
        const row = rowAbout(rows, resource, segment, scope);
        const decided = subjects.map(({ rights }) =>
          accessesOf(resource).map((access) => decide(rights, { resource, segment, access, scope }, NO_FACTS)),
        );
        const allowed = (cells: MatrixRow["cells"]) => cells.map((each) => each.map(({ allow }) => allow));
        if (row === undefined) expect(decided.flat(2).some(({ grant }) => grant !== undefined)).toBe(false);
        else expect(allowed(row.cells)).toEqual(allowed(decided));
        differing += Number(JSON.stringify(decided[0]) !== JSON.stringify(decided[1]));
      }
    }
    expect(differing).toBeGreaterThan(ROUNDS / 2);
  });

  test("without the names of hidden policies has no name that only they contain", () => {
    let hiddenNames = 0;
    for (let number = 0; number < ROUNDS / 2; number++) {
      const round = randomRound();
      const rights = compileRound(round);
      const [own, hidden] = [policiesOf(round.direct), policiesOf(round.defaults)];
      const rows = atOnce(
        matrixOf([{ rights, policies: [...own, ...hidden] }], { isShown: (policy) => own.includes(policy) }),
      );
      const [known, unknown] = [namesIn(own), namesIn(hidden)];
      for (const { segment, namespace, partition } of rows ?? []) {
        for (const name of [segment, namespace.name, partition.name]) expect(known).toContain(name);
      }
      hiddenNames += [...unknown].filter((name) => !known.has(name)).length;
    }
    expect(hiddenNames).toBeGreaterThan(ROUNDS / 4);
  });
});

/** All names in policies, and those that every table has. */
function namesIn(policies: readonly PolicyRules[]): ReadonlySet<string> {
  const places = policies.flatMap((policy) => actingPlaces(policy, true));
  const names = places.flatMap(({ rules, namespace, partition }) => [
    namespace.name,
    partition.name,
    ...rules.flatMap(({ resource, segment }) => {
      const name = lookupSpelling(resource, segment);
      return [name, ...(resource === "organization" ? [`${name}/`] : [])];
    }),
  ]);
  return new Set(["", "*", "default", ...names]);
}

test("a table ends where it would have more names than are looked at", () => {
  const round = randomRound(["key"]);
  const rights = compileRound(round);
  expect(atOnce(matrixOf([{ rights, policies: [] }], { most: 3 }))).toBeUndefined();
  expect(atOnce(matrixOf([{ rights, policies: [] }], { most: 10 * MATRIX_RESOURCES.length }))).toBeDefined();
});

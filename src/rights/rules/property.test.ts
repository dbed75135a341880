import { describe, expect, test } from "vitest";
import { sized } from "../../../test/support/length.ts";
import {
  allowedNaively,
  seenNaively,
  type Plain,
  type PlainPolicy,
  type Round,
} from "../../../test/support/naive-rules.ts";
import { compileRound, NAMES, RandomRules, RULED, sees } from "../../../test/support/random-rules.ts";
import { randomOfRun } from "../../../test/support/seeded.ts";
import type { Scope } from "../scope.ts";
import { deciding } from "./decide.ts";
import { fold } from "../../fold.ts";
import { NO_FACTS } from "./question.ts";
import { ACCESSES, SCOPES, type Resource, type RuleResource } from "./rule.ts";
import type { Visibility } from "./visibility.ts";

const ROUNDS = sized(2000, 50_000);

const { random, pick, segment: randomSegment, round: randomRound } = new RandomRules(randomOfRun());
const scope = (partition: string, namespace: string): Scope => ({ partition, namespace });
const compile = (round: Round) => compileRound(round).in(round.scope);

describe(`on ${ROUNDS} random sets of rules`, () => {
  test("incidents 19, 20: every decision is the one that the plain reading gives", () => {
    let asked = 0;
    for (let number = 0; number < ROUNDS; number++) {
      const round = randomRound();
      const authorizer = compile(round);
      const about = [...round.direct, ...round.defaults].flatMap(({ rules }) => rules.map(({ resource }) => resource));
      for (let question = 0; question < 6; question++) {
        let resource: Resource = about.length > 0 && question < 4 ? pick(about) : pick(question < 5 ? SCOPES : RULED);
        if (resource === "service" && random() < 0.6) resource = "intention";
        const isScope = resource === "namespace" || resource === "partition";
        const there = isScope ? authorizer.in(deciding(resource, round.scope)) : authorizer;
        const segment = resource === "intention" && random() < 0.3 ? "*" : randomSegment(resource, 4);
        const access = pick(ACCESSES.get(resource) ?? []);
        const got = there.decide(resource, segment, access, NO_FACTS).allow;
        const wanted = allowedNaively(round, resource, segment, access);
        if (got !== wanted) expect({ round, resource, segment, access, got }).toMatchObject({ got: wanted });
        asked++;
      }
    }
    expect(asked).toBe(6 * ROUNDS);
  });

  test("incident 18: what a list shows is what may be read one by one, over both layers", () => {
    for (let number = 0; number < ROUNDS; number++) {
      const round = randomRound(["organization", "workspace"]);
      const authorizer = compile(round);
      const organizations = authorizer.visibleOrganizations();
      const owner = pick(["a", "B", "ab", "b"]);
      const workspaces = authorizer.visibleWorkspaces(owner);
      const writable = authorizer.visibleWorkspaces(owner, "write");
      for (let i = 0; i < 6; i++) {
        const name = fold(randomSegment("organization", 4));
        const got = {
          organization: sees(organizations, name),
          workspace: sees(workspaces, name),
          written: sees(writable, name),
        };
        const wanted = {
          organization: authorizer.decide("organization", name, "read", NO_FACTS).allow,
          workspace: authorizer.decide("workspace", `${owner}/${name}`, "read", NO_FACTS).allow,
          written: authorizer.decide("workspace", `${owner}/${name}`, "write", NO_FACTS).allow,
        };
        expect({ name, owner, round, ...got }).toMatchObject(wanted);
      }
    }
  });

  test("an organization is seen by workspaces where one of any name in it may be read", () => {
    const isIn = (range: { from: string; to: string | undefined }, name: string) =>
      range.from <= name && (range.to === undefined || name < range.to);
    for (let number = 0; number < ROUNDS; number++) {
      const round = randomRound(["organization", "workspace"]);
      const authorizer = compile(round);
      const { whole, parts } = authorizer.workspaceSight();
      for (let i = 0; i < 6; i++) {
        const [owner, name] = [fold(randomSegment("organization", 3)), fold(randomSegment("organization", 4))];
        const wanted = authorizer.decide("workspace", `${owner}/${name}`, "read", NO_FACTS).allow;
        const ofOwner = parts.filter(({ organization }) => organization === owner);
        const got = sees(whole, owner) || ofOwner.some((range) => isIn(range, name));
        expect({ owner, name, round, got }).toMatchObject({ got: wanted });
        const alone = authorizer.workspaceSight(owner.toUpperCase());
        expect(alone.parts).toEqual(ofOwner);
        expect(sees(alone.whole, owner)).toBe(sees(whole, owner));
      }
    }
  });

  test("a namespace may be seen where the plain reading says so", () => {
    let seen = 0;
    for (let number = 0; number < ROUNDS; number++) {
      const round = roundAboutNamespaces();
      const authorizer = compile(round);
      for (let i = 0; i < 4; i++) {
        const asked = scope(pick(["default", "other", "z"]), pick(NAMES.namespace));
        const got = authorizer.decideSight(asked, NO_FACTS).allow;
        const wanted = seenNaively(round, asked);
        if (got !== wanted) expect({ round, asked, got }).toMatchObject({ got: wanted });
        seen += Number(wanted);
      }
    }
    // Neither answer is rare.
    expect(seen).toBeGreaterThan(0.5 * ROUNDS);
    expect(seen).toBeLessThan(3.5 * ROUNDS);
  });

  test("incident 18: lists show the namespaces that may be read one by one, and of each what may be read there", () => {
    for (let number = 0; number < ROUNDS; number++) {
      const round = roundAboutNamespaces();
      const authorizer = compile(round);
      const partition = pick(["default", "other", "z"]);
      const visible = authorizer.visibleNamespaces(partition);
      const withAcl = authorizer.aclNamespaces(partition);
      for (const name of NAMES.namespace) {
        const one = scope(partition, name);
        const got = { seen: sees(visible, name), acl: sees(withAcl, name) };
        const wanted = {
          seen: authorizer.decideSight(one, NO_FACTS).allow,
          acl: authorizer.in(one).decide("acl", "", "read", NO_FACTS).allow,
        };
        if (got.seen !== wanted.seen || got.acl !== wanted.acl) expect({ round, one, ...got }).toMatchObject(wanted);
      }
      expect([...outOfOrder(visible), ...outOfOrder(withAcl)]).toEqual([]);
    }
  });

  test("visible ranges are in order and do not touch each other", () => {
    for (let number = 0; number < ROUNDS; number++) {
      expect(outOfOrder(compile(randomRound(["organization"])).visibleOrganizations())).toEqual([]);
    }
  });
});

/** Rules of what lies in namespaces; mostly where no rule is about `operator`, which shows all of them. */
function roundAboutNamespaces(): Round {
  const inside: RuleResource[] = ["acl", "key", "node", "service", "session", "mesh", "namespace"];
  const round = randomRound(random() < 0.1 ? [...inside, "operator"] : inside);
  const isShown = ({ resource }: Plain): boolean => resource !== "operator" || random() < 0.05;
  const fewer = (policies: PlainPolicy[]): PlainPolicy[] =>
    policies.map((policy) => ({ ...policy, rules: policy.rules.filter(isShown) }));
  const defaultPolicy = random() < 0.1 ? "allow" : "deny";
  return { ...round, direct: fewer(round.direct), defaults: fewer(round.defaults), defaultPolicy };
}

/** Ranges that are empty, or that the next one touches. */
function outOfOrder({ ranges }: Visibility): Visibility["ranges"] {
  return ranges.filter(({ from, to }, i) => {
    const next = ranges[i + 1];
    return (to !== undefined && from >= to) || (next !== undefined && (to === undefined || to >= next.from));
  });
}

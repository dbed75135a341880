/** Everything that answers a question about rights agrees with `decide`, on random rules. */
import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { sized } from "../../test/support/length.ts";
import type { Plain } from "../../test/support/naive-rules.ts";
import { compileRound, NAMES, RandomRules, RULED, sees, written } from "../../test/support/random-rules.ts";
import { makeIn, makeNamespace, makePartition } from "../../test/support/scopes.ts";
import { randomOfRun } from "../../test/support/seeded.ts";
import { useV1 } from "../../test/support/v1.ts";
import type { Actor } from "./actor.ts";
import {
  aclNamespaces,
  authorize,
  explainAuthorization,
  seesNamespace,
  visibleNamespaces,
  visibleOrganizations,
  visibleWorkspaces,
  workspaceSight,
  writableWorkspaces,
} from "./authorize.ts";
import { decide } from "./rules/decide.ts";
import { fold } from "../fold.ts";
import { type Facts, NO_FACTS, type RightsQuestion } from "./rules/question.ts";
import { ACCESSES, SCALARS, type Resource } from "./rules/rule.ts";
import { DEFAULT_SCOPE, type Scope } from "./scope.ts";
import { createAccessorResolver } from "../acl/tokens/resolve.ts";

const ROUNDS = sized(1000, 20_000);
const OPTIONS = { nodeName: "node", datacenter: "dc1", defaultPolicy: "deny", edition: "enterprise" } as const;
/** Scopes of the questions; all of them exist. */
const ASKED: readonly Scope[] = [
  DEFAULT_SCOPE,
  { partition: "default", namespace: "ten" },
  { partition: "default", namespace: "tenant" },
  { partition: "other", namespace: "default" },
];
const RESOURCES: readonly Resource[] = [...RULED, "intention"];
const FACTS: Facts = { tags: new Map([["env", "prod"]]), project: "prj-1", time: 1, address: "192.0.2.1" };

const isScalar = ({ resource }: Plain) => (SCALARS as readonly string[]).includes(resource);

const random = new RandomRules(randomOfRun());
const { pick } = random;

function drawQuestion(resource: Resource = pick(RESOURCES)): RightsQuestion {
  const isScope = resource === "namespace" || resource === "partition";
  const isOfAll = resource === "intention" && random.random() < 0.3;
  const segment = isOfAll ? "*" : isScope ? pick(NAMES[resource]) : random.segment(resource, 4);
  return { resource, segment, access: pick(ACCESSES.get(resource) ?? []), scope: pick(ASKED) };
}

describe(`on ${ROUNDS} random sets of rules`, () => {
  test("what is authorized and explained is what is decided, whatever the facts are", () => {
    let allowed = 0;
    for (let number = 0; number < ROUNDS; number++) {
      const round = random.round();
      const rights = compileRound(round);
      for (let count = 0; count < 6; count++) {
        const question = drawQuestion();
        const { resource, segment, access, scope } = question;
        const wanted = decide(rights, question, NO_FACTS);
        const { allow, decidedBy, rule } = explainAuthorization(rights, question, NO_FACTS);
        const got = { allow: authorize({ rights }, resource, segment, access, scope), explained: allow, decidedBy };
        expect({ round, question, ...got }).toMatchObject({ ...got, allow: wanted.allow, explained: wanted.allow });
        expect([decidedBy, rule?.Policy]).toEqual([wanted.decidedBy, wanted.grant?.permission]);
        expect(decide(rights, question, FACTS)).toEqual(wanted);
        allowed += Number(wanted.allow);
      }
    }
    // Neither answer is rare.
    expect(allowed).toBeGreaterThan(ROUNDS / 2);
    expect(allowed).toBeLessThan(5.5 * ROUNDS);
  });

  test("lists show the names about which it is decided so", () => {
    for (let number = 0; number < ROUNDS; number++) {
      const round = random.round(["organization", "workspace", "namespace", "acl", "key"]);
      const rights = compileRound(round);
      const may = (resource: Resource, segment: string, access: "read" | "write", scope = DEFAULT_SCOPE) =>
        decide(rights, { resource, segment, access, scope }, NO_FACTS).allow;
      const [owner, name] = [pick(["a", "b", "ab"]), fold(random.segment("organization", 4))];
      const scope = { partition: pick(["default", "other"]), namespace: pick(NAMES.namespace) };
      const { whole, parts } = workspaceSight({ rights }, owner);
      const got = {
        organization: sees(visibleOrganizations({ rights }), name),
        workspace: sees(visibleWorkspaces({ rights }, owner), name),
        written: sees(writableWorkspaces({ rights }, owner), name),
        within: sees(whole, owner) || parts.some(({ from, to }) => from <= name && (to === undefined || name < to)),
        namespace: sees(visibleNamespaces({ rights }, scope.partition), scope.namespace),
        seen: seesNamespace({ rights }, scope),
        acl: sees(aclNamespaces({ rights }, scope.partition), scope.namespace),
      };
      const namespace = may("namespace", scope.namespace, "read", scope);
      expect({ round, owner, name, scope, ...got }).toMatchObject({
        organization: may("organization", name, "read"),
        workspace: may("workspace", `${owner}/${name}`, "read"),
        written: may("workspace", `${owner}/${name}`, "write"),
        within: may("workspace", `${owner}/${name}`, "read"),
        namespace,
        seen: namespace,
        acl: may("acl", "", "read", scope),
      });
    }
  });
});

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const actors: { accessor: string; secret: string; namespace: string; actor: Actor }[] = [];

  /** Policies of the namespace default, whose rules may speak of everything that such a policy may hold. */
  const makePolicies = async (count: number): Promise<{ ID: string }[]> => {
    const made: { ID: string }[] = [];
    while (made.length < count) {
      const rules = [...random.round().direct, ...random.round().direct].flatMap((policy) => policy.rules);
      // A text names a resource without segments once, wherever it does.
      const once = new Map(rules.map((rule, at) => [isScalar(rule) ? rule.resource : at, rule]));
      const content = { Name: v1.unique("drawn"), Rules: [...once.values()].map(written).join("\n") };
      const { status, body } = await v1.put("/acl/policy", content);
      if (status === 200 && once.size > 0) made.push({ ID: (body as { ID: string }).ID });
    }
    return made;
  };

  beforeAll(async () => {
    await makePartition(v1, "other");
    const PolicyDefaults = await makePolicies(3);
    await makeNamespace(v1, { namespace: "ten" }, { ACLs: { PolicyDefaults } });
    await makeNamespace(v1, { namespace: "tenant" });
    const policies = await makePolicies(12);
    const some = (most: number) => random.many(most, () => pick(policies));
    const roles: { ID: string }[] = [];
    for (let count = 0; count < 4; count++) roles.push({ ID: await v1.role({ Policies: some(3) }) });
    const resolve = createAccessorResolver(v1.db, OPTIONS, v1.now);
    for (let count = 0; count < 12; count++) {
      const isTenant = count % 4 === 0;
      const links = isTenant ? {} : { Policies: some(3), Roles: random.many(1, () => pick(roles)) };
      const content = { ...links, ServiceIdentities: random.many(1, () => ({ ServiceName: "a" })) };
      const namespace = isTenant ? "ten" : "default";
      const made = (await makeIn(v1, { namespace }, "token", content)) as { AccessorID: string; SecretID: string };
      const actor = await resolve(made.AccessorID);
      if (actor !== undefined) actors.push({ accessor: made.AccessorID, secret: made.SecretID, namespace, actor });
    }
  });

  describe("of stored tokens", () => {
    const questions = Array.from({ length: sized(40, 400) }, () => drawQuestion());
    const bodyOf = ({ resource, segment, access, scope }: RightsQuestion) => ({
      Resource: resource,
      Segment: segment,
      Access: access,
      Namespace: scope.namespace,
      Partition: scope.partition,
    });
    const allowedTo = ({ actor }: { actor: Actor }) =>
      questions.map((question) => decide(actor.rights, question, NO_FACTS).allow);
    /** In requests of so many questions as one may have. */
    const asked = async <T>(ask: (some: object[]) => Promise<T[]>): Promise<T[]> => {
      const found: T[] = [];
      for (let start = 0; start < questions.length; start += 64)
        found.push(...(await ask(questions.slice(start, start + 64).map(bodyOf))));
      return found;
    };

    test("authorize and explain answer what is decided", async () => {
      expect(actors.length).toBe(12);
      for (const each of actors) {
        const wanted = allowedTo(each);
        const authorized = await asked(
          async (some) => (await v1.post("/acl/authorize", some, each.secret)).body as unknown as { Allow: boolean }[],
        );
        expect(authorized.map(({ Allow }) => Allow)).toEqual(wanted);
        const explained = await asked(async (Questions) => {
          const answer = await v1.post(`/acl/explain?ns=${each.namespace}`, { AccessorID: each.accessor, Questions });
          return (answer.body as unknown as { Answers: { Allow: boolean }[] }).Answers;
        });
        expect(explained.map(({ Allow }) => Allow)).toEqual(wanted);
      }
    });

    test("the list of who may has those for whom it is decided so", async () => {
      for (const question of questions) {
        const { resource, segment, access, scope } = question;
        const query = new URLSearchParams({
          resource,
          segment,
          access,
          ns: scope.namespace,
          partition: scope.partition,
        });
        const { body, text, status } = await v1.get(`/acl/access?${query.toString()}&kind=token&page-size=1000`);
        expect(status, text).toBe(200);
        const found = new Set((body as unknown as { ID: string }[]).map(({ ID }) => ID));
        const got = actors.map(({ accessor }) => found.has(accessor));
        const wanted = actors.map(({ actor }) => decide(actor.rights, question, NO_FACTS).allow);
        expect({ question, got }).toEqual({ question, got: wanted });
      }
    });

    test("the list of namespaces has those that may be read", async () => {
      for (const { actor, secret } of actors) {
        const { body, text, status } = await v1.get("/namespaces", secret);
        expect(status, text).toBe(200);
        const found = new Set((body as unknown as { Name: string }[]).map(({ Name }) => Name));
        for (const segment of ["default", "ten", "tenant"]) {
          const question = { resource: "namespace", segment, access: "read", scope: DEFAULT_SCOPE } as const;
          expect({ segment, isShown: found.has(segment) }).toEqual({
            segment,
            isShown: decide(actor.rights, question, NO_FACTS).allow,
          });
        }
      }
    });
  });
});

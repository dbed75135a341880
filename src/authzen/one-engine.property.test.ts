/** The decision point, `authorize` and `explain` answer random questions of random tokens alike. */
import { beforeAll, expect, test } from "vitest";
import { pointOf } from "../../test/support/decision-point.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { sized } from "../../test/support/length.ts";
import { RULES } from "../../test/support/rules.ts";
import { makeIn, makeNamespace } from "../../test/support/scopes.ts";
import { randomOfRun } from "../../test/support/seeded.ts";
import { useV1 } from "../../test/support/v1.ts";
import { ACCESSES, SCALARS, type Resource } from "../rights/rules/rule.ts";

const QUESTIONS = sized(512, 10_000);
/** Questions of one request to `explain`, which takes fewest. */
const TOGETHER = 64;
const NAMES = ["a", "a/b", "a/c", "acme", "acme/prod", "acme/test", "other/prod", "team", "term", "web", "api", "web*"];
const RESOURCES = [...ACCESSES.keys()] as Resource[];
const random = randomOfRun();
const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const some = <T>(list: readonly T[], chance: number): T[] => list.filter(() => random() < chance);

interface Question {
  Resource: Resource;
  Segment: string;
  Access: string;
}

function draw(): Question {
  const Resource = one(RESOURCES);
  const isScalar = (SCALARS as readonly Resource[]).includes(Resource);
  return { Resource, Segment: isScalar ? "" : one(NAMES), Access: one(ACCESSES.get(Resource) ?? ["read"]) };
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const ask = pointOf(v1);
  const tokens: { accessor: string; secret: string; query: string }[] = [];

  beforeAll(async () => {
    await makeNamespace(v1, { namespace: "team" });
    const policies: { ID: string }[] = [];
    for (let count = 0; count < 10; count++) policies.push({ ID: await v1.policy(some(RULES, 0.3).join("\n")) });
    const roles: { ID: string }[] = [];
    for (let count = 0; count < 4; count++) roles.push({ ID: await v1.role({ Policies: some(policies, 0.2) }) });
    for (let count = 0; count < 8; count++) {
      const content = {
        Policies: some(policies, 0.2),
        Roles: some(roles, 0.3),
        ServiceIdentities: [{ ServiceName: "web" }],
      };
      tokens.push({ ...(await v1.token(content)), query: "" });
    }
    const made = await makeIn(v1, { namespace: "team" }, "token", { ServiceIdentities: [{ ServiceName: "api" }] });
    tokens.push({ accessor: String(made.AccessorID), secret: String(made.SecretID), query: "?ns=team" });
  });

  test(`${QUESTIONS} questions have one answer each, whichever way they are asked`, async () => {
    let allowed = 0;
    for (let asked = 0; asked < QUESTIONS; asked += TOGETHER) {
      const { accessor, secret, query } = one(tokens);
      const questions = Array.from({ length: TOGETHER }, draw);
      const subject = { type: "token", id: accessor };
      const evaluations = questions.map(({ Resource: type, Segment: id, Access: name }) => ({
        resource: { type, id },
        action: { name },
      }));
      const ofAuthorize = (await v1.post(`/acl/authorize${query}`, questions, secret)).body as { Allow: boolean }[];
      const decisions = ofAuthorize.map(({ Allow }) => Allow);
      const { body } = await ask(`/access/v1/evaluations${query}`, { subject, evaluations });
      const found = (body as { evaluations: { decision: boolean }[] }).evaluations.map(({ decision }) => decision);
      expect([questions, found]).toEqual([questions, decisions]);
      const explained = await v1.post(`/acl/explain${query}`, { AccessorID: accessor, Questions: questions });
      expect(explained.status, explained.text).toBe(200);
      const told = (explained.body as { Answers: { Allow: boolean }[] }).Answers.map(({ Allow }) => Allow);
      expect([questions, told]).toEqual([questions, decisions]);
      allowed += decisions.filter(Boolean).length;
    }
    expect(allowed).toBeGreaterThan(QUESTIONS / 20);
    expect(allowed).toBeLessThan(QUESTIONS);
  });
});

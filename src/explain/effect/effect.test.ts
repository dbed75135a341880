import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { RULES } from "../../../test/support/rules.ts";
import { makeIn, makeMethodIn, makeNamespace, METHOD, secretIn } from "../../../test/support/scopes.ts";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

interface Right {
  Resource: string;
  Segment?: string;
  Prefix?: true;
  Access: string;
  Namespace?: string;
  NamespacePrefix?: true;
}
interface Entry {
  Kind: string;
  ID: string;
  Gains: Right[];
  Losses: Right[];
  GainCount: number;
  LossCount: number;
}
interface Effect {
  Complete: boolean;
  Roles: { Gain: number; Lose: number };
  BindingRules: { Gain: number; Lose: number };
  Tokens: { Gain: number; Lose: number };
  Entries: Entry[];
}

const random = randomOfRun();
const some = <T>(list: readonly T[], chance = 0.3): T[] => list.filter(() => random() < chance);
const rules = () => some(RULES, 0.25).join("\n");

/** A question that a right is the answer to: at its name, or at one that nothing else is about. */
function questionOf({ Resource, Segment = "", Prefix, Access, Namespace = "default", NamespacePrefix }: Right) {
  const nobody = Resource === "workspace" && !Segment.includes("/") ? "nobody/nobody" : "nobody";
  const namespace = NamespacePrefix === true ? `${Namespace}rm` : Namespace;
  return { Resource, Segment: Prefix === true ? `${Segment}${nobody}` : Segment, Access, Namespace: namespace };
}

/** Whether a question is about a part of what a right is to. */
function isWithin(asked: ReturnType<typeof questionOf>, { Resource, Segment = "", Prefix, ...right }: Right): boolean {
  const { Namespace = "default", NamespacePrefix } = right;
  if (asked.Access !== right.Access) return false;
  // Permissions of an organization are permissions of its workspaces.
  if (asked.Resource === "workspace" && Resource === "organization")
    return asked.Segment.startsWith(Prefix === true ? Segment : `${Segment}/`);
  if (asked.Resource !== Resource) return false;
  const isIn = NamespacePrefix === true ? asked.Namespace.startsWith(Namespace) : asked.Namespace === Namespace;
  return isIn && (Prefix === true ? asked.Segment.startsWith(Segment) : asked.Segment === Segment);
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const tokens = new Map<string, string>();
  const policies: string[] = [];
  const roles: string[] = [];
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
    for (let count = 0; count < 15; count++) {
      const made = await v1.token({ Policies: links(), Roles: some(roles).map((ID) => ({ ID })) });
      tokens.set(made.accessor, made.secret);
    }
    await v1.put("/namespace/team", {
      ACLs: { PolicyDefaults: links(), RoleDefaults: some(roles).map((ID) => ({ ID })) },
    });
    for (let count = 0; count < 2; count++) {
      const made = (await makeIn(v1, { namespace: "team" }, "token", {})) as { AccessorID: string; SecretID: string };
      tokens.set(made.AccessorID, made.SecretID);
    }
  });
  const preview = async (body: object, query = "", token = MANAGEMENT) => {
    const answer = await v1.post(`/acl/effect?page-size=1000${query}`, body, token);
    expect(answer.status, answer.text).toBe(200);
    return { ...answer, effect: answer.body as Effect, next: answer.headers["x-service-next"] as string | undefined };
  };
  const rightsOf = async (questions: readonly object[]) => {
    const rights = new Map<string, boolean[]>();
    for (const [accessor, secret] of tokens) {
      const answers: boolean[] = [];
      for (let start = 0; start < questions.length; start += 64) {
        const { body } = await v1.post("/acl/authorize", questions.slice(start, start + 64), secret);
        answers.push(...(body as { Allow: boolean }[]).map(({ Allow }) => Allow));
      }
      rights.set(accessor, answers);
    }
    return rights;
  };
  const textOf = (right: object) => JSON.stringify(right);

  describe("what a change would do", () => {
    test(
      "is what it does to every token, each right that is gained or lost and no other",
      { timeout: 60_000 },
      async () => {
        for (let round = 0; round < 4; round++) {
          const [policy, role, token] = [policies[round] ?? "", roles[round] ?? "", [...tokens.keys()][round] ?? ""];
          const changes = {
            Policies: [{ ID: policy, Rules: rules() }],
            Roles: [{ ID: role, Policies: some(policies).map((ID) => ({ ID })) }],
            Tokens: [{ AccessorID: token, Roles: some(roles).map((ID) => ({ ID })) }],
          };
          const { effect } = await preview(changes);
          const entries = effect.Entries.filter(({ ID }) => tokens.has(ID));
          // Rights that a rule of the pool can be about, whether the answer names them or not.
          const all = new Map<string, Right>();
          for (const [segment, more] of [
            ["a/b", {}],
            ["a", { Prefix: true }],
            ["a/", { Prefix: true }],
          ] as const)
            for (const Access of ["read", "list", "write"])
              for (const where of [
                { Namespace: "default" },
                { Namespace: "team" },
                { Namespace: "te", NamespacePrefix: true },
              ] as const) {
                const right = { Resource: "key", Segment: segment, ...more, Access, ...where };
                all.set(textOf(questionOf(right)), right);
              }
          for (const right of entries.flatMap(({ Gains, Losses }) => [...Gains, ...Losses]))
            all.set(textOf(questionOf(right)), right);
          const asked = [...all.keys()].map((text) => JSON.parse(text) as ReturnType<typeof questionOf>);
          const before = await rightsOf(asked);
          await v1.patch(`/acl/policy/${policy}`, { Rules: changes.Policies[0]?.Rules });
          await v1.patch(`/acl/role/${role}`, { Policies: changes.Roles[0]?.Policies });
          const place = (await v1.get(`/acl/token/${token}`)).status === 200 ? "" : "?ns=team";
          await v1.patch(`/acl/token/${token}${place}`, { Roles: changes.Tokens[0]?.Roles });
          const after = await rightsOf(asked);
          expect(effect.Complete).toBe(true);
          for (const accessor of tokens.keys()) {
            const [had, has] = [before.get(accessor) ?? [], after.get(accessor) ?? []];
            const entry = entries.find(({ ID }) => ID === accessor);
            const said = (rights: readonly Right[] = []) => new Set(rights.map((right) => textOf(questionOf(right))));
            const [gains, losses] = [said(entry?.Gains), said(entry?.Losses)];
            const whole = entry === undefined || (entry.GainCount <= 20 && entry.LossCount <= 20);
            for (const [index, question] of asked.entries()) {
              const text = textOf(question);
              const [could, can] = [had[index] === true, has[index] === true];
              if (could !== can) expect([accessor, text, entry === undefined]).toEqual([accessor, text, false]);
              if (gains.has(text)) expect([accessor, text, could, can]).toEqual([accessor, text, false, true]);
              if (losses.has(text)) expect([accessor, text, could, can]).toEqual([accessor, text, true, false]);
              // A question for which no changed rule is the closest is shown by another right.
              const isAsked = entries.some((each) =>
                [...each.Gains, ...each.Losses].some((right) => textOf(questionOf(right)) === text),
              );
              // A right below one that is told is not told again.
              const told = (can ? entry?.Gains : entry?.Losses) ?? [];
              const isTold = (can ? gains : losses).has(text) || told.some((right) => isWithin(question, right));
              if (whole && isAsked && could !== can) expect([accessor, text, isTold]).toEqual([accessor, text, true]);
            }
          }
          const count = (of: "GainCount" | "LossCount") =>
            effect.Entries.filter((each) => each.Kind === "token" && each[of] > 0).length;
          expect(effect.Tokens).toEqual({ Gain: count("GainCount"), Lose: count("LossCount") });
        }
      },
    );

    test("tells of roles and of binding rules, of a policy that goes and of one that is not there yet", async () => {
      await makeMethodIn(v1, {});
      const policy = await v1.policy('session "here" { policy = "write" }');
      const Name = v1.unique("sessions");
      const role = await v1.role({ Name, Policies: [{ ID: policy }] });
      const { accessor } = await v1.token({ Roles: [{ ID: role }] });
      const rule = (
        await v1.put("/acl/binding-rule", { AuthMethod: METHOD, BindType: "role", BindName: Name, Description: "x" })
      ).body as { ID: string };
      const { effect } = await preview({ DeletedPolicies: [{ ID: policy }] });
      const lost = ["read", "write"].map((Access) => ({
        Resource: "session",
        Segment: "here",
        Access,
        Namespace: "default",
        Partition: "default",
      }));
      expect(effect.Entries.map(({ Kind, ID, Losses }) => [Kind, ID, Losses])).toEqual([
        ["role", role, lost],
        ["token", accessor, lost],
        ["binding-rule", rule.ID, lost],
      ]);
      expect(effect.Entries[2]).toMatchObject({ AuthMethod: METHOD, Description: "x" });
      expect([effect.Roles, effect.BindingRules, effect.Tokens]).toEqual([
        { Gain: 0, Lose: 1 },
        { Gain: 0, Lose: 1 },
        { Gain: 0, Lose: 1 },
      ]);
      const made = await preview({
        Policies: [{ Name: "not-yet", Rules: 'session "there" { policy = "read" }' }],
        Roles: [{ Name, Policies: [{ ID: policy }, { Name: "NOT-YET" }] }],
      });
      expect(made.effect.Entries.map(({ ID }) => ID)).toEqual([role, accessor, rule.ID]);
      expect(made.effect.Entries[2]).toMatchObject({
        Gains: [{ Resource: "session", Segment: "there" }],
        LossCount: 0,
      });
      // Nothing was written.
      expect((await v1.get("/acl/policy/name/not-yet")).status).toBe(404);
      expect((await preview({ Policies: [{ Name: "not-yet", Rules: 'acl = "write"' }] })).effect.Entries).toEqual([]);
    });

    test("comes whole in pages, each of which counts all", async () => {
      const policy = await v1.policy('session_prefix "p" { policy = "read" }');
      for (let count = 0; count < 5; count++) await v1.token({ Policies: [{ ID: policy }] });
      const body = { Policies: [{ ID: policy, Rules: 'session_prefix "q" { policy = "read" }' }] };
      const whole = (await preview(body)).effect;
      expect(whole.Tokens).toEqual({ Gain: 5, Lose: 5 });
      const found: Entry[] = [];
      let after = "";
      do {
        const answer = await v1.post(`/acl/effect?page-size=2${after && `&after=${after}`}`, body);
        const page = answer.body as Effect;
        expect(page.Tokens).toEqual(whole.Tokens);
        found.push(...page.Entries);
        after = (answer.headers["x-service-next"] as string | undefined) ?? "";
      } while (after !== "");
      expect(found).toEqual(whole.Entries);
    });

    test("shows only who lies where the caller may read, and says that there are others", async () => {
      const [theirs] = policies;
      const reader = await v1.tokenWith('namespace "team" { acl = "read" }');
      expect((await v1.post("/acl/effect", { Policies: [{ ID: theirs, Rules: "" }] }, reader)).status).toBe(403);
      const secret = await secretIn(v1, { namespace: "team" }, 'acl = "read"');
      const missing = await v1.post("/acl/effect?ns=team", { Policies: [{ ID: theirs, Rules: "" }] }, secret);
      expect([missing.status, missing.text]).toEqual([404, "policy does not exist: ACL not found"]);
      const home = await v1.tokenWith('acl = "read"');
      const policy = await v1.policy('session "seen" { policy = "read" }');
      await v1.put("/namespace/term", { ACLs: { PolicyDefaults: [{ ID: policy }] } });
      const { AccessorID } = (await makeIn(v1, { namespace: "term" }, "token", {})) as { AccessorID: string };
      const body = { DeletedPolicies: [{ ID: policy }] };
      const seen = await preview(body);
      expect(seen.effect.Entries.map(({ ID }) => ID)).toEqual([AccessorID]);
      const filtered = await preview(body, "", home);
      expect(filtered.effect).toMatchObject({ Tokens: { Gain: 0, Lose: 0 }, Entries: [] });
      expect(filtered.headers["x-service-results-filtered-by-acls"]).toBe("true");
    });

    test("is refused for what no write would take, and stays within its bounds", async () => {
      const [ID] = policies;
      const bad: [number, object][] = [
        [400, { Policies: [{ ID, Rules: "nonsense {" }] }],
        [400, { Policies: [{ Rules: 'acl = "read"' }] }],
        [400, { Policies: [{ ID }], DeletedPolicies: [{ ID }] }],
        [400, { Roles: [{ Name: "r", Policies: [{ Name: "nobody-knows" }] }] }],
        [404, { Tokens: [{ AccessorID: "11111111-2222-4333-8444-555555555555" }] }],
        [400, { Policies: Array.from({ length: 1001 }, (_, index) => ({ Name: `p${index}` })) }],
        [
          400,
          {
            Tokens: [{ AccessorID: [...tokens.keys()][0], Roles: Array.from({ length: 129 }, () => ({ Name: "r" })) }],
          },
        ],
      ];
      for (const [status, body] of bad)
        expect([status, body]).toEqual([(await v1.post("/acl/effect", body)).status, body]);
      expect((await v1.post("/acl/effect?kind=x", {})).status).toBe(400);
      const many = Array.from({ length: 300 }, (_, index) => `key "k${index}" { policy = "read" }`).join("\n");
      const policy = await v1.policy(many);
      await v1.token({ Policies: [{ ID: policy }] });
      const { effect } = await preview({ DeletedPolicies: [{ ID: policy }] });
      expect(effect.Complete).toBe(false);
      expect(effect.Entries[0]?.Losses).toHaveLength(20);
    });
  });
});

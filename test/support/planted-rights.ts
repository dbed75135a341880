/** Policies with rights that nobody uses, their tokens, and the use ledger of many requests. */
import { compileAuthorizer } from "../../src/rights/rules/compile.ts";
import { parseRules } from "../../src/rights/rules/parse.ts";
import type { RightsQuestion } from "../../src/rights/rules/question.ts";
import type { Access, PolicyRules, Resource } from "../../src/rights/rules/rule.ts";
import { DEFAULT_SCOPE } from "../../src/rights/scope.ts";
import type { UseRow, UseSubject } from "../../src/records/uses/row.ts";
import type { TightenHolder } from "../../src/use/tighten/engine/holder.ts";
import { keyOfSubject } from "../../src/use/tighten/engine/uses.ts";
import { rowOf } from "./random-tightening.ts";
import type { Random } from "./seeded.ts";

export interface PlantedSize {
  policies: number;
  tokens: number;
  requests: number;
}

export interface Planted {
  policies: { about: { id: string; name: string; home: typeof DEFAULT_SCOPE }; text: string }[];
  /** IDs of the policies of each token. */
  tokens: { subject: UseSubject; policies: string[] }[];
  rows: UseRow[];
  /** Questions of each policy that its rules allow and nobody asks. */
  planted: { policy: string; question: RightsQuestion }[];
  /** Everything that was asked, once. */
  asked: { token: number; question: RightsQuestion }[];
}

const KINDS = ["key", "service", "node", "session", "organization", "event", "query", "agent"] as const;

interface Draft {
  lines: string[];
  used: RightsQuestion[];
  planted: RightsQuestion[];
}

/** Draws it all. */
export function plantRights(random: Random, { policies, tokens, requests }: PlantedSize): Planted {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const drafts = Array.from({ length: policies }, (_, index) => draftOf(index, random));
  const made = drafts.map(({ lines }, index) => ({
    about: { id: `policy-${index}`, name: `policy-${index}`, home: DEFAULT_SCOPE },
    text: lines.join("\n"),
  }));
  const held = Array.from({ length: tokens }, (_, index) => {
    const own = new Set([index % policies, ...Array.from({ length: 2 }, () => Math.floor(random() * policies))]);
    const subject: UseSubject = { kind: "token", accessorId: `token-${index}` };
    return { subject, own: [...own], policies: [...own].map((each) => `policy-${each}`) };
  });
  const rights = holdersOf(made, held, new Map()).map((holder) =>
    compileAuthorizer({ ...holder, defaultPolicy: "deny" }),
  );
  const rows = new Map<string, UseRow>();
  const asked = new Map<string, { token: number; question: RightsQuestion }>();
  for (let request = 0; request < requests; request++) {
    const token = Math.floor(random() * tokens);
    const question = pick(drafts[pick(held[token]?.own ?? [0])]?.used ?? []);
    const key = `${token} ${question.resource} ${question.access} ${question.segment}`;
    const row = rows.get(key);
    if (row !== undefined) {
      rows.set(key, { ...row, total: row.total + 1 });
      continue;
    }
    const [own, holder] = [rights[token], held[token]];
    const noted = own && holder && rowOf(own, question, holder.subject, "enforced");
    if (noted === undefined) continue;
    rows.set(key, noted);
    asked.set(key, { token, question });
  }
  const planted = drafts.flatMap((draft, index) =>
    draft.planted.map((question) => ({ policy: `policy-${index}`, question })),
  );
  return { policies: made, tokens: held, rows: [...rows.values()], planted, asked: [...asked.values()] };
}

/** The holders, with other texts for some policies. */
export function holdersOf(
  policies: Planted["policies"],
  tokens: Planted["tokens"],
  texts: ReadonlyMap<string, string>,
): TightenHolder[] {
  const parsed = new Map(
    policies.map(({ about, text }): [string, PolicyRules] => {
      return [about.id, { ...about, links: [], rules: parseRules(texts.get(about.id) ?? text) }];
    }),
  );
  return tokens.map(({ subject, policies: own }) => ({
    direct: own.flatMap((id) => parsed.get(id) ?? []),
    defaults: [],
    subjects: new Set([keyOfSubject(subject)]),
  }));
}

/** Rules with what of them is used and what is not: whole rules, more than is used, and names besides those that are used. */
function draftOf(index: number, random: Random): Draft {
  const draft: Draft = { lines: [], used: [], planted: [] };
  const ask = (list: RightsQuestion[], resource: Resource, segment: string, access: Access): void => {
    list.push({ resource, segment, access, scope: DEFAULT_SCOPE });
  };
  const rule = (kind: string, label: string, policy: string): void => {
    draft.lines.push(`${kind} "${label}" {\n  policy = "${policy}"\n}`);
  };
  for (const resource of KINDS) {
    const team = `p${index}-${resource}`;
    // A prefix of which few names are met, all of them read only.
    rule(`${resource}_prefix`, `${team}-a-`, "write");
    for (let name = 0; name < 1 + Math.floor(random() * 5); name++)
      ask(draft.used, resource, `${team}-a-${name}`, "read");
    ask(draft.planted, resource, `${team}-a-0`, "write");
    ask(draft.planted, resource, `${team}-a-other`, "read");
    // A name with more than is used, one that is used, and rules that nobody uses.
    rule(resource, `${team}-b`, "write");
    ask(draft.used, resource, `${team}-b`, "read");
    ask(draft.planted, resource, `${team}-b`, "write");
    rule(resource, `${team}-c`, "write");
    ask(draft.used, resource, `${team}-c`, "write");
    rule(resource, `${team}-d`, "write");
    ask(draft.planted, resource, `${team}-d`, "read");
    rule(`${resource}_prefix`, `${team}-e-`, "read");
    ask(draft.planted, resource, `${team}-e-1`, "read");
    // A denial below a prefix, which has to stay.
    rule(`${resource}_prefix`, `${team}-f-`, "write");
    rule(`${resource}_prefix`, `${team}-f-secret-`, "deny");
    ask(draft.used, resource, `${team}-f-open`, "write");
    ask(draft.planted, resource, `${team}-f-closed`, "write");
  }
  return draft;
}

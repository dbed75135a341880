/** Tightens all policies, one after the other, and asks again all that was asked and all that was planted. */
import { compileAuthorizer } from "../../src/rights/rules/compile.ts";
import { decide } from "../../src/rights/rules/decide.ts";
import { NO_FACTS } from "../../src/rights/rules/question.ts";
import { atOnce } from "../../src/turns.ts";
import type { UseRow } from "../../src/records/uses/row.ts";
import { tighten } from "../../src/use/tighten/engine/tighten.ts";
import { holdersOf, type Planted } from "./planted-rights.ts";

export interface Measured {
  /** Recorded requests that stay allowed, of all of them. */
  allowed: number;
  asked: number;
  /** Planted rights that no token has any more, of all of them. */
  refused: number;
  planted: number;
  /** The drafts, by policy. */
  drafts: ReadonlyMap<string, string>;
}

/** @param rows default: those of the planted requests */
export function measureTightening(
  { policies, tokens, rows: own, planted, asked }: Planted,
  rows: readonly UseRow[] = own,
): Measured {
  const drafts = new Map<string, string>();
  for (const { about, text } of policies) {
    const holders = holdersOf(policies, tokens, drafts).filter((_, token) =>
      tokens[token]?.policies.includes(about.id),
    );
    const subjects = new Set(holders.flatMap((holder) => [...holder.subjects]));
    const { draft } = atOnce(
      tighten({
        policy: about,
        text,
        source: { edition: "enterprise" },
        holders,
        rows: rows.filter(({ subject }) => subject.kind === "token" && subjects.has(`token ${subject.accessorId}`)),
        keep: [],
        defaultPolicy: "deny",
      }),
    );
    if (draft !== undefined) drafts.set(about.id, draft);
  }
  const rights = holdersOf(policies, tokens, drafts).map((holder) =>
    compileAuthorizer({ ...holder, defaultPolicy: "deny" }),
  );
  const allows = (token: number, question: Planted["asked"][number]["question"]): boolean =>
    rights[token] !== undefined && decide(rights[token], question, NO_FACTS).allow;
  const holds = (token: number, policy: string): boolean => tokens[token]?.policies.includes(policy) === true;
  return {
    allowed: asked.filter(({ token, question }) => allows(token, question)).length,
    asked: asked.length,
    refused: planted.filter(
      ({ policy, question }) => !tokens.some((_, token) => holds(token, policy) && allows(token, question)),
    ).length,
    planted: planted.length,
    drafts,
  };
}

/** Writes what was taken from another server: what this one would refuse stays behind, with what needs it, and is named. */
import { applyPlan, type Applied, type ApplyOptions } from "../apply.ts";
import { lint } from "../lint.ts";
import { findLosses } from "../losses.ts";
import { makePlan, type DeclaredPlan } from "../plan.ts";
import { textOf } from "../problem.ts";
import type { SecretSources } from "../secrets.ts";
import type { Server } from "../server.ts";
import type { ShownPlan } from "../show.ts";
import type { Taken } from "./source.ts";

export interface TransferOptions {
  readonly secrets: SecretSources;
  readonly partition: string;
  readonly takeOver?: boolean;
}

/** As often what stays behind is looked for: what needs it, what needs that, and so on. */
const MOST_ROUNDS = 10;

/** Compares, and looks for what this server would refuse. Nothing is owned by anybody by it, and nothing goes. */
async function plan(
  server: Server,
  taken: Taken,
  options: TransferOptions,
): Promise<{ told: ShownPlan; left: string[] }> {
  const left: string[] = [];
  let objects = taken.objects;
  for (let round = 1; ; round++) {
    const declaration = { owner: undefined, objects };
    const made = await makePlan(server, declaration, {
      ...options,
      prune: false,
      selector: undefined,
      isLenient: true,
    });
    const looked = await lint(server, made.changes, taken.from);
    const problems = [...made.refused, ...looked.errors];
    if (problems.length === 0 || round === MOST_ROUNDS) {
      const losses = await findLosses(server, made.changes);
      return { told: { plan: made, looked: { ...looked, errors: [] }, losses, untried: undefined }, left };
    }
    left.push(...problems.map(textOf));
    const behind = new Set(problems.map(({ key }) => key));
    objects = objects.filter(({ key }) => !behind.has(key));
  }
}

/** Applies a plan. The result names the changes that the server refuses; the others are made. */
async function apply(
  server: Server,
  made: DeclaredPlan,
  options: Omit<ApplyOptions, "onRefused">,
): Promise<Applied & { refused: string[] }> {
  const refused: string[] = [];
  const applied = await applyPlan(server, made, {
    ...options,
    onRefused: ({ object }, error) =>
      void refused.push(`${object.kind.name} ${object.path}: ${error.detail || error.message}`),
  });
  return { ...applied, refused };
}

export const transfer = { plan, apply };

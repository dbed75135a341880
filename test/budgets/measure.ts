/**
 * The budgets of the repository: `npm run budgets` compares the figures with `figures.json`.
 *
 *   -- --update                  lowers each budget to its figure; one that rose stays, and fails
 *   -- --update --raise 'why'    raises those that rose too; the reason is written beside them
 *   -- --show 'functions'        prints what the figures are made of whose names hold that
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { amountOf, type Budgets, explain, lowerable, renew, risen, textOf } from "./budgets.ts";
import { BUDGETS, type Figures, measure } from "./figures.ts";
import { treeThatWrote, workingTree } from "./tree.ts";

const root = resolve(import.meta.dirname, "../..");
const path = join(root, BUDGETS);
const { values } = parseArgs({
  options: { update: { type: "boolean", default: false }, raise: { type: "string" }, show: { type: "string" } },
});
const reason = values.raise?.trim();
if (reason === "" || (reason !== undefined && !values.update)) {
  throw new Error("--raise takes a reason, and goes with --update");
}
const figures = measure(workingTree(root));
if (values.show !== undefined) show(figures, values.show);
else compare();

function compare(): void {
  const isFirst = !existsSync(path);
  const before = isFirst ? {} : (JSON.parse(readFileSync(path, "utf8")) as Budgets);
  const first = Object.fromEntries([...figures].map(([name, parts]) => [name, { most: amountOf(parts) }]));
  const budgets = values.update ? (isFirst ? first : renew(figures, before, reason)) : before;
  if (values.update) writeFileSync(path, textOf(budgets));
  for (const line of lowerable(figures, budgets)) console.log(line);
  const higher = risen(figures, budgets);
  const tree = higher.length === 0 ? undefined : treeThatWrote(BUDGETS, root);
  const old = tree === undefined ? undefined : measure(tree);
  for (const name of higher) console.error(`\n${explain(name, figures, budgets, old)}`);
  console.log(`${figures.size} figures, ${higher.length} above their budget`);
  process.exitCode = higher.length === 0 ? 0 : 1;
}

function show(all: Figures, wanted: string): void {
  for (const [name, parts] of [...all].filter(([each]) => each.includes(wanted))) {
    console.log(`${name}: ${amountOf(parts)}`);
    const byAmount = [...parts].toSorted(([, one], [, other]) => other.amount - one.amount);
    for (const [place, { amount, note = "" }] of byAmount) console.log(`  ${amount} ${place} ${note}`.trimEnd());
  }
}

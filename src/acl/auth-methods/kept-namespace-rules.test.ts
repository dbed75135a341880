import { expect, test } from "vitest";
import { identityOf, plainExpressions } from "../../../test/support/binding-rules.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import { keepNamespaceRules, type KeptNamespaceRules } from "./namespace-rules.ts";

const methodOf = (id: string, modifyIndex = 1, name = "team"): Parameters<KeptNamespaceRules["of"]>[0] => ({
  id,
  modifyIndex,
  namespaceRules: [{ selector: "value.a matches `a+`", bindNamespace: name }],
});

function countingEngine(): { engine: RegularExpressions; count: () => number } {
  let compiled = 0;
  const compile = (pattern: string) => {
    compiled++;
    return plainExpressions.compile(pattern);
  };
  return { engine: { compile }, count: () => compiled };
}

test("rules are compiled once for each version of their method, also by logins at the same time", async () => {
  const { engine, count } = countingEngine();
  const kept = keepNamespaceRules(engine);
  await Promise.all([kept.of(methodOf("a")), kept.of(methodOf("a"))]);
  expect(await kept.of(methodOf("a"))).toBe(await kept.of(methodOf("a")));
  expect(count()).toBe(1);
  const changed = await kept.of(methodOf("a", 2, "other"));
  expect(await changed.choose(identityOf({ a: "a" }))).toMatchObject({ name: "other" });
  expect(count()).toBe(2);
});

test("methods have rules of their own, and those used last are kept within the bytes", async () => {
  const { engine, count } = countingEngine();
  const { bytes } = await keepNamespaceRules(plainExpressions).of(methodOf("a"));
  const kept = keepNamespaceRules(engine, 3 * bytes);
  for (const id of ["a", "b", "c", "a", "d"]) await kept.of(methodOf(id));
  expect(count()).toBe(4);
  expect(kept.bytes()).toBe(3 * bytes);
  for (const id of ["a", "c", "d"]) await kept.of(methodOf(id));
  expect(count()).toBe(4);
  await kept.of(methodOf("b"));
  expect(count()).toBe(5);
  for (let version = 2; version < 20; version++) await kept.of(methodOf("b", version));
  expect(kept.bytes()).toBe(3 * bytes);
});

test("rules that are larger than all that is kept are kept alone", async () => {
  const { engine, count } = countingEngine();
  const kept = keepNamespaceRules(engine, 1);
  for (const id of ["a", "b", "b"]) await kept.of(methodOf(id));
  expect(count()).toBe(2);
});

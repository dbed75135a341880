import { expect, test } from "vitest";
import { Type } from "typebox";
import { readBody } from "../../authzen/read-body.ts";
import { atOnce } from "../../turns.ts";
import { readAsked, readAskedInSteps } from "./asked.ts";

const OWN = { partition: "default", namespace: "team" };
const asked = (config: object, around: object) => readAsked(config, undefined, { around, own: OWN }, "enterprise");

test("what is about the caller's own token works where that lies, and still refuses what cannot be a name", () => {
  expect(asked({ ofCaller: true }, { namespace: "other" }).scope).toEqual(OWN);
  expect(() => asked({ ofCaller: true }, { namespace: "__proto__" })).toThrow('Namespace "__proto__" is not a name');
  expect(() => asked({ ofCaller: true }, { partition: "a b" })).toThrow('Partition "a b" is not a name');
});

test("others work where they are asked to, else where the caller's token lies", () => {
  expect(asked({}, { namespace: "other" }).scope).toEqual({ partition: "default", namespace: "other" });
  expect(asked({}, {}).scope).toEqual(OWN);
});

test.each([
  ["of /v1", { body: { schema: Type.Object({ Rules: Type.Optional(Type.String()) }), prefix: "" } }],
  ["of AuthZEN", { body: { schema: Type.Object({}), prefix: "", read: readBody } }],
])("incident 84: a long body %s is read in steps, and is what it is in one piece", (_name, config) => {
  const around = {};
  const bytes = Buffer.from(`{"Rules": "${String.raw`\n`.repeat(255_000)}"}`);
  const steps = readAskedInSteps(config, bytes, { around, own: OWN }, "enterprise");
  let pauses = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) pauses++;
  expect(pauses).toBeGreaterThan(200);
  expect(step.value).toEqual(readAsked(config, bytes, { around, own: OWN }, "enterprise"));
  const broken = bytes.subarray(0, -3);
  expect(() => atOnce(readAskedInSteps(config, broken, { around, own: OWN }, "enterprise"))).toThrow("unexpected EOF");
});

import { expect, test } from "vitest";
import { readAsked } from "./asked.ts";

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

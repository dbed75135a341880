import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createLookups, type Lookups } from "./lookups.ts";
import type { Resolve } from "./resolver.ts";

const FOUND = [{ address: "192.0.2.1", family: 4 }];

/** A resolver that answers when it is told to. */
function heldResolver() {
  const asked: string[] = [];
  const ended: string[] = [];
  const answers = new Map<string, () => void>();
  const lookups: Lookups = createLookups((name, signal) => {
    asked.push(name);
    const { promise, resolve, reject } = Promise.withResolvers<typeof FOUND>();
    answers.set(name, () => resolve(FOUND));
    signal.addEventListener("abort", () => {
      ended.push(name);
      reject(signal.reason as Error);
    });
    return promise;
  });
  return { lookups, asked, ended, answer: (name: string) => answers.get(name)?.() };
}

const never = new AbortController().signal;
const tenant = (namespace: string, partition = "default") => ({ partition, namespace });

describe("look-ups", () => {
  test("run no more at a time than they may for a namespace, the others in their order", async () => {
    const { lookups, asked, answer } = heldResolver();
    const find = lookups.of(tenant("a"));
    const names = Array.from({ length: 10 }, (_, index) => `n${index}`);
    const found = names.map((name) => find(name, never));
    await setImmediate();
    expect(asked).toEqual(names.slice(0, 8));
    answer("n3");
    await expect(found[3]).resolves.toEqual(FOUND);
    await setImmediate();
    expect(asked).toEqual(names.slice(0, 9));
    for (const name of names) {
      answer(name);
      await setImmediate();
    }
    await expect(Promise.all(found)).resolves.toEqual(names.map(() => FOUND));
    expect(lookups.size()).toBe(0);
  });

  test("incident 45: of one namespace hold up no other", async () => {
    const { lookups, asked, answer } = heldResolver();
    for (let i = 0; i < 100; i++)
      lookups
        .of(tenant("a"))(`hung${i}`, never)
        .catch(() => undefined);
    const others = [tenant("b"), tenant("a", "other")].map((each) => lookups.of(each)("idp.test", never));
    await setImmediate();
    expect(asked.filter((name) => name === "idp.test")).toHaveLength(2);
    answer("idp.test");
    await expect(others[1]).resolves.toEqual(FOUND);
  });

  test("of one name are one for a namespace, and the next one is another", async () => {
    const { lookups, asked, answer } = heldResolver();
    const find = lookups.of(tenant("a"));
    const both = [find("a", never), find("a", never)];
    await setImmediate();
    answer("a");
    await Promise.all(both);
    expect(asked).toEqual(["a"]);
    const third = find("a", never);
    await setImmediate();
    answer("a");
    await third;
    expect(asked).toEqual(["a", "a"]);
  });

  test("that nobody waits for any more are ended, and only those", async () => {
    const { lookups, asked, ended, answer } = heldResolver();
    const find = lookups.of(tenant("a"));
    const ending = new AbortController();
    const given = [find("silent", ending.signal), find("shared", ending.signal)];
    const patient = find("shared", never);
    await setImmediate();
    ending.abort(new Error("too late"));
    for (const each of given) await expect(each).rejects.toThrow("too late");
    await setImmediate();
    expect([asked, ended]).toEqual([["silent", "shared"], ["silent"]]);
    answer("shared");
    await expect(patient).resolves.toEqual(FOUND);
    expect(lookups.size()).toBe(0);
  });

  test("that wait for their turn are not begun when nobody wants them any more", async () => {
    const { lookups, asked } = heldResolver();
    const find = lookups.of(tenant("a"));
    for (let i = 0; i < 8; i++) find(`hung${i}`, never).catch(() => undefined);
    const ending = new AbortController();
    const late = find("late", ending.signal);
    ending.abort(new Error("too late"));
    await expect(late).rejects.toThrow("too late");
    expect(asked).not.toContain("late");
  });

  test("that are too many are refused", async () => {
    const { lookups } = heldResolver();
    const find = lookups.of(tenant("a"));
    for (let i = 0; i < 264; i++) find(`hung${i}`, never).catch(() => undefined);
    await expect(find("one too many", never)).rejects.toThrow("too many DNS lookups are running");
  });

  test("that fail fail for all who wait, and for nobody after them", async () => {
    let calls = 0;
    const resolve: Resolve = () => (calls++ === 0 ? Promise.reject(new Error("no such name")) : Promise.resolve(FOUND));
    const find = createLookups(resolve).of(tenant("a"));
    const both = [find("a", never), find("a", never)];
    for (const each of both) await expect(each).rejects.toThrow("no such name");
    await expect(find("a", never)).resolves.toEqual(FOUND);
  });
});

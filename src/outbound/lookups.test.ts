import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createLookups, type Lookups } from "./lookups.ts";

/** A resolver that answers when it is told to. */
function heldResolver(most: number): { lookups: Lookups; asked: string[]; answer: (name: string) => void } {
  const asked: string[] = [];
  const answers = new Map<string, () => void>();
  const lookups = createLookups((name, _options, callback) => {
    asked.push(name);
    answers.set(name, () => callback(null, [{ address: "192.0.2.1", family: 4 }]));
  }, most);
  return { lookups, asked, answer: (name) => answers.get(name)?.() };
}

const never = new AbortController().signal;
const FOUND = [{ address: "192.0.2.1", family: 4 }];

describe("look-ups", () => {
  test("run no more at a time than they may, the others in their order", async () => {
    const { lookups, asked, answer } = heldResolver(2);
    const found = ["a", "b", "c", "d"].map((name) => lookups.find(name, never));
    await wait(1);
    expect(asked).toEqual(["a", "b"]);
    answer("b");
    await expect(found[1]).resolves.toEqual(FOUND);
    await wait(1);
    expect(asked).toEqual(["a", "b", "c"]);
    answer("a");
    await wait(1);
    expect(asked).toEqual(["a", "b", "c", "d"]);
    answer("c");
    answer("d");
    await expect(Promise.all(found)).resolves.toEqual([FOUND, FOUND, FOUND, FOUND]);
  });

  test("of one name are one, and the next one is another", async () => {
    const { lookups, asked, answer } = heldResolver(1);
    const both = [lookups.find("a", never), lookups.find("a", never)];
    await wait(1);
    answer("a");
    await Promise.all(both);
    expect(asked).toEqual(["a"]);
    const third = lookups.find("a", never);
    await wait(1);
    answer("a");
    await third;
    expect(asked).toEqual(["a", "a"]);
  });

  test("that nobody waits for any more are not begun, and those that run keep their place", async () => {
    const { lookups, asked, answer } = heldResolver(1);
    const ending = new AbortController();
    const given = [lookups.find("silent", ending.signal), lookups.find("waiting", ending.signal)];
    const patient = lookups.find("patient", never);
    await wait(1);
    ending.abort(new Error("too late"));
    for (const each of given) await expect(each).rejects.toThrow("too late");
    await wait(1);
    expect(asked).toEqual(["silent"]);
    answer("silent");
    await wait(1);
    expect(asked).toEqual(["silent", "patient"]);
    answer("patient");
    await expect(patient).resolves.toEqual(FOUND);
  });

  test("that fail fail for all who wait, and for nobody after them", async () => {
    let calls = 0;
    const lookups = createLookups((_name, _options, callback) => {
      calls++;
      if (calls === 1) callback(new Error("no such name"), []);
      else callback(null, "192.0.2.1", 4);
    }, 1);
    const both = [lookups.find("a", never), lookups.find("a", never)];
    for (const each of both) await expect(each).rejects.toThrow("no such name");
    await expect(lookups.find("a", never)).resolves.toEqual(FOUND);
  });
});

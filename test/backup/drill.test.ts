/** A backup that is taken under load is an instant of what was written: the short form of `npm run test:drill`. */
import { describe, expect, test } from "vitest";
import { engines } from "../support/engines.ts";
import { sized } from "../support/length.ts";
import { drill } from "./drill/drill.ts";
import { checkInstant, type Done } from "./drill/history.ts";

test.each(engines)(
  "a backup of %s under load, restored, is an instant between its begin and its end",
  async (engine) => {
    expect(await drill({ engine, backups: sized(2, 10), writes: sized(30, 300), say: () => undefined })).toEqual([]);
  },
);

describe("the comparison", () => {
  /** Writes of one object each, answered 5 ms after they were sent. */
  const writes = (...sent: number[]): Done[] =>
    sent.map((sentAt, number) => ({ name: `n${number}`, value: "v", sentAt, answeredAt: sentAt + 5 }));
  const state = (count: number) => new Map(Array.from({ length: count }, (_, number) => [`n${number}`, "v"] as const));
  const history = [writes(10, 20, 30, 40), writes(11, 21, 31, 41)];
  const taken = { began: 26, ended: 39 };

  test("takes what is an instant", () => {
    expect(checkInstant(history, [state(2), state(2)], taken)).toEqual([]);
    expect(checkInstant(history, [state(3), state(3)], taken)).toEqual([]);
    expect(checkInstant(history, [state(3), state(2)], taken)).toEqual([]);
  });

  test("finds what is lost, too new, half, or of two instants", () => {
    expect(checkInstant(history, [state(1), state(2)], taken)).toContainEqual(expect.stringContaining("are lost"));
    expect(checkInstant(history, [state(2), state(4)], taken)).toContainEqual(expect.stringContaining("afterwards"));
    const half = new Map([...state(1), ["n2", "v"] as const]);
    expect(checkInstant(history, [half, state(2)], taken)).toContainEqual(expect.stringContaining("not what it was"));
    const torn = [writes(10, 20), writes(11, 32)];
    expect(checkInstant(torn, [state(1), state(2)], { began: 16, ended: 39 })).toContainEqual(
      expect.stringContaining("began after another one"),
    );
  });
});

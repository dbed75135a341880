import { expect, it } from "vitest";
import { MIGRATIONS } from "../migrations/migrate.ts";
import { applicationName, parseApplicationName } from "./application-name.ts";

/** Fleets are finished by it: a server that knows fewer migrations stops `finish-upgrade`. */
const LAST = String(MIGRATIONS.length).padStart(4, "0");

it.each(["", "1", "4294967295"])(
  "a session's name says who it is, within what PostgreSQL keeps (%j)",
  (installation) => {
    const name = applicationName(installation);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
    expect(parseApplicationName(name)).toEqual({
      knows: LAST,
      installation,
      node: expect.stringMatching(new RegExp(`^[\\w.?-]+:${process.pid}$`)),
    });
  },
);

it.each([
  ["tessera", { knows: "", installation: "" }],
  ["tessera-backup", undefined],
  ["psql", undefined],
])("%s is read as what it is", (name, expected) => {
  if (expected === undefined) expect(parseApplicationName(name)).toBeUndefined();
  else expect(parseApplicationName(name)).toMatchObject(expected);
});

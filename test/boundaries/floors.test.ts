/** No room of the program imports from a floor above its own. */
import { resolve } from "node:path";
import { expect, test } from "vitest";
import {
  FLOORS,
  floorOf,
  importsOutOfNarrowRooms,
  programFiles,
  upwardImports,
  upwardImportsOfConsole,
} from "./floors.ts";

const root = resolve(import.meta.dirname, "../..");

test("every file of the program has a floor", () => {
  expect(programFiles(root).filter((file) => floorOf(file) === undefined)).toEqual([]);
});

test("every room is there, and stands once", () => {
  const rooms = FLOORS.flatMap(([, each]) => each);
  const files = programFiles(root);
  const missing = rooms.filter((room) => !files.some((file) => file === room || file.startsWith(`${room}/`)));
  expect(missing).toEqual([]);
  expect(rooms).toHaveLength(new Set(rooms).size);
});

test("nothing is imported from a higher floor", () => {
  expect(upwardImports(root)).toEqual([]);
});

test("the commands for people and the files they declare know nothing of the server", () => {
  expect(importsOutOfNarrowRooms(root)).toEqual([]);
});

test("nothing in the console is imported from a higher floor", () => {
  expect(upwardImportsOfConsole(root)).toEqual([]);
});

test.each([
  ["tags/pool/service.ts", "tags/pool/routes.ts"],
  ["acl/tokens/service.ts", "acl/tokens/schema.ts"],
  ["storage/database.ts", "rights/actor.ts"],
  ["rights/scope.ts", "rights/authorize.ts"],
  ["tags/pool/store.ts", "workspaces/service.ts"],
  ["workspaces/store.ts", "tags/pool/store.ts"],
  ["http/server.ts", "tags/pool/routes.ts"],
  ["app.ts", "cli/run.ts"],
])("%s lies below %s", (lower, upper) => {
  expect(floorOf(lower)).toBeLessThan(floorOf(upper) ?? -1);
});

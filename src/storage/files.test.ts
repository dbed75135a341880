import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/engines.ts";
import { createPrivateDirectory, createPrivateFile, readTextFile } from "./files.ts";

test("a private file is readable by its owner only and holds what was given", () => {
  const folder = temporaryDirectory();
  const path = join(folder, "secret");
  expect(createPrivateFile(path, "text\n")).toBe(true);
  expect(readFileSync(path, "utf8")).toBe("text\n");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["secret"]);
});

test("what is at the path already is never replaced", () => {
  const folder = temporaryDirectory();
  const path = join(folder, "secret");
  writeFileSync(path, "first");
  expect(createPrivateFile(path, "second")).toBe(false);
  expect(readFileSync(path, "utf8")).toBe("first");
  expect(readdirSync(folder)).toEqual(["secret"]);
});

test("a link at the path is not followed, whether it leads somewhere or nowhere", () => {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, "elsewhere"));
  symlinkSync(join(folder, "elsewhere", "target"), join(folder, "dangling"));
  expect(createPrivateFile(join(folder, "dangling"), "secret")).toBe(false);
  expect(existsSync(join(folder, "elsewhere", "target"))).toBe(false);
  writeFileSync(join(folder, "elsewhere", "victim"), "kept");
  symlinkSync(join(folder, "elsewhere", "victim"), join(folder, "leading"));
  expect(createPrivateFile(join(folder, "leading"), "secret")).toBe(false);
  expect(readFileSync(join(folder, "elsewhere", "victim"), "utf8")).toBe("kept");
});

test("of many that make the same file one succeeds, and the file is its", () => {
  const path = join(temporaryDirectory(), "secret");
  const made = Array.from({ length: 10 }, (_, i) => createPrivateFile(path, String(i)));
  expect(made.filter(Boolean).length).toBe(1);
  expect(readTextFile(path)).toBe("0");
});

test("a missing file reads as undefined, any other failure is thrown", () => {
  const folder = temporaryDirectory();
  expect(readTextFile(join(folder, "none"))).toBeUndefined();
  expect(() => readTextFile(folder)).toThrow();
});

test("a private folder is made with those above it, and one that is there is left as it is", () => {
  const folder = temporaryDirectory();
  createPrivateDirectory(join(folder, "a", "b", "c"));
  for (const path of ["a", "a/b", "a/b/c"]) expect(statSync(join(folder, path)).mode & 0o777).toBe(0o700);
  createPrivateDirectory(join(folder, "a", "b"));
  expect(existsSync(join(folder, "a", "b", "c"))).toBe(true);
});

test("a private folder that the system does not make is told, and not tried for ever", () => {
  // Linux reports for a parent that exists here that it does not exist.
  expect(() => createPrivateDirectory("/proc/none/of-these")).toThrow(/ENOENT|EPERM|EACCES|EROFS/);
});

test("a private folder below a file, or in the place of one, is refused with the name of both", () => {
  const file = join(temporaryDirectory(), "file");
  writeFileSync(file, "kept");
  for (const path of [file, join(file, "a", "b")])
    expect(() => createPrivateDirectory(path)).toThrow(`cannot create ${path}: ${file} is not a directory`);
  expect(readFileSync(file, "utf8")).toBe("kept");
});

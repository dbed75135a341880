import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/engines.ts";
import { openTarget } from "./files.ts";
import { MAGIC } from "./format.ts";

test("a backup takes the place of an older one, and of nothing else", async () => {
  const folder = temporaryDirectory();
  const place = (name: string) => join(folder, name);
  writeFileSync(place("old"), MAGIC);
  writeFileSync(place("other"), "something else");
  symlinkSync(place("old"), place("link"));
  for (const name of ["other", "link", "."]) {
    await expect(openTarget(place(name))).rejects.toThrow("is not overwritten");
  }
  for (const name of ["old", "new"]) {
    const target = await openTarget(place(name));
    await target.sink(Buffer.from("now"));
    await target.finish();
    expect(readFileSync(place(name), "utf8")).toBe("now");
  }
  expect(readdirSync(folder).sort()).toEqual(["link", "new", "old", "other"]);
});

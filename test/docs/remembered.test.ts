/** docs/architecture.md lists what outlives a request; whoever adds to that says where its keys come from and when they go. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const repository = resolve(import.meta.dirname, "../..");
const page = readFileSync(join(repository, "docs/architecture.md"), "utf8");
const listed = [...page.matchAll(/^\| `(src\/[^`]+)` \| .+ \| .+ \|$/gm)].map(([, file]) => file ?? "");

const COLLECTION = /new (?:(?:Weak)?(?:Map|Set)|LRUCache)\b|\bkeepVersions</;
/** A function at the top of a module that makes what lives on; what is awaited is of one request. */
const FACTORY =
  /^(?:export )?function (?:create|start|connect|track|keep|open|cut|hold|host|index|compileAuthorizer)\w*/;

/** A private field of a class, which its constructor may fill. */
const FIELD = /^ {2}(?:readonly )?#\w+(?:: .+)? = |^ {4}this\.#\w+ = /;

/** Whether a module keeps a collection that can be filled: at its top, in a factory, or in private fields of a class. */
function remembers(text: string): boolean {
  let isInFactory = false;
  for (const line of text.split("\n")) {
    if (/^\S/.test(line) && !/^[})]/.test(line)) isInFactory = FACTORY.test(line);
    // A read-only collection is a list of constants.
    if (!COLLECTION.test(line) || /Readonly(?:Map|Set)</.test(line)) continue;
    const isAtTop = /^(?:export )?(?:const|let) [a-z]/.test(line);
    if (isAtTop || FIELD.test(line) || (isInFactory && /^ {2}(?:const|let) /.test(line))) return true;
  }
  return false;
}

it("every module that remembers something beyond a request is in the list, and the list names none that does not", () => {
  const files = globSync("src/**/*.ts", { cwd: repository }).filter((file) => !file.endsWith(".test.ts"));
  const texts = new Map(files.map((file) => [file, readFileSync(join(repository, file), "utf8")]));
  const missing = files.filter((file) => remembers(texts.get(file) ?? "") && !listed.includes(file));
  expect(missing).toEqual([]);
  const outdated = listed.filter((file) => !new RegExp(`${COLLECTION.source}|DataLoader`).test(texts.get(file) ?? ""));
  expect(outdated).toEqual([]);
});

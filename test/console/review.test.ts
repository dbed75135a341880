/** The findings of the console review, each with the test that would fail if it came back: the class of the defect, in its words. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** File in `test/console` without its ending, or a path; then the beginning of the test's name. */
type Tested = readonly [file: string, name: string];

const TESTED: Readonly<Record<string, readonly Tested[]>> = {
  H1: [
    ["few-permissions", "leads to the workspaces that it can read"],
    ["few-permissions", "tells a token without permissions so"],
  ],
  H2: [["shortcuts", "takes the keys that Help shows from anywhere"]],
  H3: [["shortcuts", "shows names as they are"]],
  H4: [["shortcuts", "takes the suggestion by Enter"]],
  H5: [["src/explain/access/access.test.ts", "incident 85: of rules that compute"]],
  H6: [
    ["trash", "deletes a namespace only when its name was typed"],
    ["trash", "restores a token"],
    ["list-cells", "are disabled and enabled together"],
    ["forms-of-undo.ts", "restores a version of a role"],
  ],
  M1: [["review-frame", "shows times in one line"]],
  M2: [["review-forms", "keep the button to sign in under the pointer"]],
  M3: [["review-lists", "leave no row selected that is gone"]],
  M4: [["review-lists", "name their object and number"]],
  M5: [["login-rules", "shows the nearest miss first"]],
  M6: [["impact", "is grouped by change"]],
  M7: [
    ["effective", "show each name with what is allowed"],
    ["review-frame", "shows a token its own permissions"],
  ],
  M8: [["charts", "a policy shows the tokens at the end of its roles"]],
  M9: [["auth-method-form", "has no content of its own"]],
  M10: [["review-frame", "says of how many records a verification is a proof"]],
  M11: [["review-rest", "shows uses as numbers"]],
  M12: [
    ["review-lists", "come back by themselves after the server was not ready"],
    ["shortcuts", "reads a list again by itself"],
  ],
  M13: [["review-forms", "point to the wrong value of a rule"]],
  M14: [["review-forms", "show a binding rule with its kind and auth method as title"]],
  M15: [["navigation", "goes from one area to the other by their switch only"]],
  M16: [["review-forms", "name and mark the wrong key of several"]],
  M17: [["actors", "are descriptions of tokens"]],
  M18: [["review-frame", "asks at Home for nothing that is known to be absent"]],
  M19: [["review-lists", "have a name in every row while one scrolls fast"]],
  M20: [["review-lists", "are without a fault of accessibility while menus"]],
  M21: [
    ["review-frame", "tells that names could not be loaded"],
    ["review-frame", "keeps a form and the navigation as they are"],
  ],
  M22: [
    ["review-lists", "show both lines of a long name on a phone"],
    ["reach", "scrolls no page sideways"],
  ],
  L1: [["review-frame", "keeps the top edge of the palette"]],
  L2: [["review-lists", "have chips in words and a clear button"]],
  L3: [["review-lists", "have chips in words and a clear button"]],
  L4: [["review-lists", "have chips in words and a clear button"]],
  L5: [
    ["list-selection", "is the loaded rows first"],
    ["review-rest", "disables what cannot be done with all tags"],
  ],
  L6: [["review-forms", "name and mark the wrong key of several"]],
  L7: [["review-forms", "say before a token is deleted when it was used"]],
  L8: [["review-forms", "let a new token expire by default"]],
  L9: [["review-forms", "say before a token is deleted when it was used"]],
  L10: [["review-forms", "let a new token expire by default"]],
  L11: [["trash", "undoes the delete of a role from the message"]],
  L12: [["review-forms", "point to the wrong value of a rule"]],
  L13: [["review-rest", "says who created it"]],
  L14: [["review-forms", "let a new token expire by default"]],
  L15: [["review-frame", "shows times in one line"]],
  L16: [["review-lists", "have chips in words and a clear button"]],
  L17: [["review-lists", "merge all selected groups of duplicates"]],
  L18: [["review-frame", "names a proxy that answers"]],
};

const FINDINGS = { H: 6, M: 22, L: 18 } as const;

it("each finding of the review has a test", () => {
  const all = Object.entries(FINDINGS).flatMap(([kind, most]) =>
    Array.from({ length: most }, (_, at) => kind + (at + 1)),
  );
  expect(Object.keys(TESTED)).toEqual(all);
});

it.each(Object.entries(TESTED))("%s is tested where the table says", (_finding, tested) => {
  const missing = tested.filter(([file, name]) => {
    const text = readFileSync(pathOf(file), "utf8");
    return !text.includes(`"${name}`) && !text.includes(`\`${name}`);
  });
  expect(missing).toEqual([]);
});

function pathOf(file: string): string {
  if (file.includes("/")) return join(ROOT, file);
  return join(import.meta.dirname, file.endsWith(".ts") ? file : `${file}.test.ts`);
}

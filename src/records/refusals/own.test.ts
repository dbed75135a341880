/** Bounds of the denied access checks that are remembered for callers. */
import { expect, test } from "vitest";
import { compileRights } from "../../../test/support/rights.ts";
import { DEFAULT_SCOPE } from "../../rights/scope.ts";
import { createOwnRefusals, MOST_OF_TOKEN, MOST_TOKENS } from "./own.ts";
import { LONGEST_SEGMENT } from "./refusal.ts";

const RIGHTS = compileRights([{ kind: "organization_prefix", segment: "", policy: "read" }]);

function start() {
  const own = createOwnRefusals();
  let at = 0;
  return {
    own,
    refuse(accessorId: string, segment = "acme", anonymous = false, rights = RIGHTS) {
      at += 1;
      const actor = { accessorId, anonymous, rights, scope: DEFAULT_SCOPE };
      const refused = {
        kind: "rights",
        resource: "organization",
        segment,
        access: "read",
        scope: DEFAULT_SCOPE,
      } as const;
      const origin = () => ({ accessorId, requestId: "", detail: {} });
      own.note({ refused, actor, address: "192.0.2.1", requestId: `r-${at}`, isRead: false, origin }, at);
    },
    namesOf: (accessorId: string) => own.of(accessorId).map(({ question }) => question.segment),
  };
}

test("the last checks of a token are kept, each once, the latest first", () => {
  const { refuse, namesOf, own } = start();
  for (let count = 0; count < 20; count++) refuse("alice", `org-${count}`);
  expect(namesOf("alice")).toEqual(Array.from({ length: MOST_OF_TOKEN }, (_, index) => `org-${19 - index}`));
  refuse("alice", "org-15");
  expect(namesOf("alice").slice(0, 2)).toEqual(["org-15", "org-19"]);
  expect(namesOf("alice")).toHaveLength(MOST_OF_TOKEN);
  expect(own.of("alice")[0]).toMatchObject({ requestId: "r-21", at: 21, action: "write" });
});

test("a caller fills its own list only, and anonymous callers none", () => {
  const { refuse, namesOf } = start();
  refuse("alice", "kept");
  for (let count = 0; count < 10_000; count++) refuse("mallory", `made-up-${count}`);
  for (let count = 0; count < 10_000; count++) refuse(`anonymous-${count}`, "acme", true);
  expect(namesOf("alice")).toEqual(["kept"]);
  expect(namesOf("anonymous-9999")).toEqual([]);
});

test("at the limit of tokens the one that was denied longest ago is dropped", () => {
  const { refuse, namesOf } = start();
  for (let count = 0; count <= MOST_TOKENS; count++) refuse(`token-${count}`);
  expect([namesOf("token-0"), namesOf("token-1")]).toEqual([[], ["acme"]]);
});

test("a name that records would cut is not remembered", () => {
  const { refuse, namesOf } = start();
  refuse("alice", "a".repeat(LONGEST_SEGMENT));
  refuse("alice", "a".repeat(LONGEST_SEGMENT - 1));
  expect(namesOf("alice").map(({ length }) => length)).toEqual([LONGEST_SEGMENT - 1]);
});

test("checks of objects that a caller may not know of are not remembered, and push out no others", () => {
  const { refuse, namesOf } = start();
  refuse("alice", "acme");
  for (let count = 0; count < 20; count++) refuse("alice", `hidden-${count}`, false, compileRights([]));
  expect(namesOf("alice")).toEqual(["acme"]);
});

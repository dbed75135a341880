/** Plans as people read them: rules as text, binding rules by description, and in Markdown first what somebody loses. */
import { expect, test } from "vitest";
import type { PlannedChange } from "./change.ts";
import { kindOf, type KindName } from "./kinds.ts";
import { objectOf } from "./object.ts";
import type { DeclaredPlan } from "./plan.ts";
import { ruleIdentities } from "./rule-identity.ts";
import { planLines, planMarkdown, type ShownPlan } from "./show.ts";
import type { FileContent } from "./shape.ts";

const WHERE = { partition: "default", namespace: "default", organization: "" };

function created(kind: KindName, name: string, content: FileContent): PlannedChange {
  const object = objectOf(kindOf(kind), WHERE, name, content);
  const fields = Object.entries(object.content).map(([member, after]) => ({ name: member, before: undefined, after }));
  return { action: "create", object, live: undefined, content: object.content, fields, stage: 0 };
}

function told(changes: readonly PlannedChange[], more: Partial<ShownPlan> = {}): ShownPlan {
  const plan: DeclaredPlan = {
    owner: undefined,
    changes,
    unchanged: 0,
    left: [],
    prunes: undefined,
    ownership: undefined,
    owns: undefined,
    taken: [],
    refused: [],
    live: new Map(),
  };
  return {
    plan,
    looked: { errors: [], warnings: [], gap: undefined },
    losses: { first: [], count: 0 },
    untried: [],
    ...more,
  };
}

test("rules of a policy that is new are shown as they are written, and as a difference where they change", () => {
  const rules = 'key "a" {\n  policy = "read"\n}\n';
  const policy = created("policy", "new", { rules, description: "said" });
  expect(planLines(told([policy])).slice(0, 6)).toEqual([
    "+ policy default/default/new",
    "    rules:",
    '      +key "a" {',
    '      +  policy = "read"',
    "      +}",
    '    description: "said"',
  ]);
  const fields = [{ name: "rules", before: undefined, after: 'acl = "read"' }];
  const update: PlannedChange = { ...policy, action: "update", fields };
  expect(planLines(told([update])).slice(1, 3)).toEqual(["    rules:", '      +acl = "read"']);
  const long = created("policy", "long", { rules: Array.from({ length: 100 }, (_, at) => `# ${at}`).join("\n") });
  expect(planLines(told([long])).slice(61, 63)).toEqual(["      +# 59", "      and 40 more lines"]);
});

test("a binding rule is told by its description, also where another one has the same", () => {
  const rule = (bound: string, description: string) =>
    objectOf(kindOf("binding-rule"), WHERE, "", { "auth-method": "ci", "bind-name": bound, description });
  const named = ruleIdentities([rule("a", "deploys"), rule("b", "twice"), rule("c", "twice"), rule("d", "")]);
  const lines = planLines(
    told(named.map((object) => ({ action: "delete", object, live: undefined, content: {}, fields: [], stage: 0 }))),
  );
  expect(lines.slice(0, 4)).toEqual([
    "- binding-rule default/default/ci/deploys",
    expect.stringMatching(/^- binding-rule default\/default\/ci\/~[0-9a-f]{16} \(twice\)$/),
    expect.stringMatching(/^- binding-rule default\/default\/ci\/~[0-9a-f]{16} \(twice\)$/),
    expect.stringMatching(/^- binding-rule default\/default\/ci\/~[0-9a-f]{16}$/),
  ]);
});

test("Markdown begins with who loses rights, then warnings and what was not tried, and says where it was cut", () => {
  const changes = Array.from({ length: 3_000 }, (_, at) => created("policy", `p-${at}`, { rules: "# ```\n" }));
  const [first] = changes as [PlannedChange];
  const text = planMarkdown(
    told(changes, {
      losses: { first: [{ who: "token x", what: "loses write acl", isOwn: true }], count: 1 },
      looked: { errors: [], warnings: [{ place: undefined, message: "beware" }], gap: undefined },
      untried: [{ change: first, why: "it rests" }],
    }),
  );
  const order = [
    "Permissions removed from:\n  token x loses write acl",
    "Warnings:\n  beware",
    "Not tested on the server",
    "<details>",
  ];
  const places = order.map((each) => text.indexOf(each));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(text.length).toBeLessThan(65_536);
  expect(text).toMatch(/\n… and [\d]+ more lines: run tessera plan\n```\n\n<\/details>\n$/);
  // Both blocks end where they are to.
  expect(text.match(/^```/gm)).toHaveLength(4);
});

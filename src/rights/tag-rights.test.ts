import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, ids, tagNames } from "../../test/support/api.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { told, useV1 } from "../../test/support/v1.ts";

/** Objects of an operation. Any of them may be missing. */
interface Place {
  org: string;
  project: string;
  tag: string;
  /** ID and name of a workspace. */
  ws: string;
  name: string;
}

const MISSING: Place = { org: "nobody", project: "prj-none", tag: "tag-none", ws: "ws-none", name: "none" };

type Need =
  | "organization read"
  | "organization or workspace read"
  | "organization write"
  | "workspace read"
  | "workspace write"
  | "tag and workspace write";
type Ask = (place: Place, send: Send) => Promise<Answer>;
type Send = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown) => Promise<Answer>;

/** Status of an operation that is allowed. */
function statusOf(what: string): number {
  if (what.startsWith("create")) return 201;
  if (/^(add|apply|delete|remove) /.test(what)) return 204;
  // The error is about the lock, which does not exist.
  return what === "force it open" ? 409 : 200;
}

let spare = 0;
const attributes = (type: string, content: object) => ({ data: { type, attributes: content } });
const fresh = () => `fresh-${spare++}`;

/** Every row of the table of rights. */
const OPERATIONS: readonly [what: string, need: Need, ask: Ask][] = [
  ["see an organization", "organization or workspace read", ({ org }, send) => send("GET", `/organizations/${org}`)],
  ["list its tags", "organization read", ({ org }, send) => send("GET", `/organizations/${org}/tags`)],
  ["search its tags", "organization read", ({ org }, send) => send("GET", `/organizations/${org}/tags?q=sha`)],
  ["list its projects", "organization read", ({ org }, send) => send("GET", `/organizations/${org}/projects`)],
  ["see a tag", "organization read", ({ tag }, send) => send("GET", `/tags/${tag}`)],
  [
    "list who carries a tag",
    "organization read",
    ({ tag }, send) => send("GET", `/tags/${tag}/relationships/workspaces`),
  ],
  [
    "create tags in the pool",
    "organization write",
    ({ org }, send) => send("POST", `/organizations/${org}/tags`, tagNames(fresh())),
  ],
  [
    "rename a tag",
    "organization write",
    ({ tag }, send) => send("PATCH", `/tags/${tag}`, attributes("tags", { name: fresh() })),
  ],
  [
    "delete tags",
    "organization write",
    ({ org, tag }, send) => send("DELETE", `/organizations/${org}/tags`, ids("tags", [tag])),
  ],
  [
    "update an organization",
    "organization write",
    ({ org }, send) => send("PATCH", `/organizations/${org}`, attributes("organizations", { email: "b@example.test" })),
  ],
  ["delete an organization", "organization write", ({ org }, send) => send("DELETE", `/organizations/${org}`)],
  [
    "create a project",
    "organization write",
    ({ org }, send) => send("POST", `/organizations/${org}/projects`, attributes("projects", { name: fresh() })),
  ],
  [
    "update a project",
    "organization write",
    ({ project }, send) => send("PATCH", `/projects/${project}`, attributes("projects", { name: fresh() })),
  ],
  ["delete a project", "organization write", ({ project }, send) => send("DELETE", `/projects/${project}`)],
  ["see a workspace", "workspace read", ({ ws }, send) => send("GET", `/workspaces/${ws}`)],
  [
    "see a workspace by name",
    "workspace read",
    ({ org, name }, send) => send("GET", `/organizations/${org}/workspaces/${name}`),
  ],
  [
    "list the tags of a workspace",
    "workspace read",
    ({ ws }, send) => send("GET", `/workspaces/${ws}/relationships/tags`),
  ],
  [
    "create a workspace",
    "workspace write",
    ({ org }, send) =>
      send("POST", `/organizations/${org}/workspaces`, attributes("workspaces", { name: `prod-${fresh()}` })),
  ],
  [
    "update a workspace",
    "workspace write",
    ({ ws }, send) => send("PATCH", `/workspaces/${ws}`, attributes("workspaces", { description: "x" })),
  ],
  [
    "update it by name",
    "workspace write",
    ({ org, name }, send) =>
      send("PATCH", `/organizations/${org}/workspaces/${name}`, attributes("workspaces", { description: "x" })),
  ],
  [
    "rename it",
    "workspace write",
    ({ ws }, send) => send("PATCH", `/workspaces/${ws}`, attributes("workspaces", { name: `prod-${fresh()}` })),
  ],
  ["lock it", "workspace write", ({ ws }, send) => send("POST", `/workspaces/${ws}/actions/lock`)],
  ["force it open", "workspace write", ({ ws }, send) => send("POST", `/workspaces/${ws}/actions/force-unlock`)],
  ["delete it", "workspace write", ({ ws }, send) => send("DELETE", `/workspaces/${ws}`)],
  [
    "apply a tag by name",
    "workspace write",
    ({ ws }, send) => send("POST", `/workspaces/${ws}/relationships/tags`, tagNames(fresh())),
  ],
  [
    "remove a tag",
    "workspace write",
    ({ ws }, send) => send("DELETE", `/workspaces/${ws}/relationships/tags`, tagNames("shared")),
  ],
  [
    "add workspaces to a tag",
    "tag and workspace write",
    ({ tag, ws }, send) => send("POST", `/tags/${tag}/relationships/workspaces`, ids("workspaces", [ws])),
  ],
  [
    "remove workspaces from a tag",
    "tag and workspace write",
    ({ tag, ws }, send) => send("DELETE", `/tags/${tag}/relationships/workspaces`, ids("workspaces", [ws])),
  ],
];

type Rules = (org: string) => string;
const rule = (kind: string, segment: string, policy: string) =>
  `${kind} ${JSON.stringify(segment)} { policy = "${policy}" }\n`;
/** A workspace and those that begin like it. Its name is `Prod`. */
const prod = (policy: string) => (org: string) => rule("workspace_prefix", `${org}/PROD`, policy);
const exactly = (kind: string, policy: string) => (org: string) => rule(kind, org, policy);
const all =
  (...rules: Rules[]) =>
  (org: string) =>
    rules.map((each) => each(org)).join("");

/** Rules that are just enough. Organizations are named in upper case there. */
const ENOUGH: Record<Need, Rules[]> = {
  "organization or workspace read": [
    exactly("organization", "read"),
    prod("read"),
    (org) => rule("workspace_prefix", `${org}/`, "read"),
  ],
  "organization read": [
    exactly("organization", "read"),
    exactly("organization_prefix", "read"),
    (org) => JSON.stringify({ organization: { [org]: { policy: "read" } } }),
  ],
  "organization write": [exactly("organization", "write"), exactly("organization_prefix", "WRITE")],
  "workspace read": [prod("read"), exactly("organization", "read"), all(exactly("organization", "deny"), prod("read"))],
  "workspace write": [
    prod("write"),
    exactly("organization", "write"),
    all(exactly("organization", "deny"), prod("write")),
  ],
  "tag and workspace write": [all(exactly("organization", "read"), prod("write")), exactly("organization", "write")],
};

/** Rules that are just too little, and what is as good as missing under them. */
const ALL_MISSING = () => MISSING;
const ONLY_WORKSPACE = (place: Place): Place => ({ ...place, ws: MISSING.ws, name: MISSING.name });
type Little = [what: string, rules: Rules, missing: (place: Place) => Place];
const BLIND: Little[] = [
  ["no rule", () => "", ALL_MISSING],
  [
    "a rule for another name",
    (org) => rule("organization", `${org}x`, "write") + rule("workspace", `${org}/Prodx`, "write"),
    ALL_MISSING,
  ],
  ["deny over all", all(() => rule("organization_prefix", "", "write"), exactly("organization", "deny")), ALL_MISSING],
  [
    "rules for everything else",
    () => `acl = "write" operator = "write" service_prefix "" { policy = "write" }`,
    ALL_MISSING,
  ],
];
const TOO_LITTLE: Record<Need, Little[]> = {
  // A reader of one of its workspaces is shown its name.
  "organization or workspace read": BLIND,
  "organization read": [
    ...BLIND,
    ["workspaces alone", (org) => rule("workspace_prefix", `${org}/`, "write"), ALL_MISSING],
  ],
  "organization write": [
    ...BLIND,
    ["read", exactly("organization", "read"), ALL_MISSING],
    [
      "read and every workspace",
      all(exactly("organization", "read"), (org) => rule("workspace_prefix", `${org}/`, "write")),
      ALL_MISSING,
    ],
  ],
  "workspace read": [
    ...BLIND,
    ["deny, over write on the organization", all(exactly("organization", "write"), prod("deny")), ALL_MISSING],
  ],
  "workspace write": [
    ...BLIND,
    ["read", prod("read"), ALL_MISSING],
    ["read, over write on the organization", all(exactly("organization", "write"), prod("read")), ALL_MISSING],
  ],
  "tag and workspace write": [
    ...BLIND,
    ["the workspace alone", prod("write"), ALL_MISSING],
    ["the tag alone", exactly("organization", "read"), ONLY_WORKSPACE],
    ["the tag, and read on the workspace", all(exactly("organization", "write"), prod("read")), ONLY_WORKSPACE],
    ["the tag, and no workspace", all(exactly("organization", "write"), prod("deny")), ONLY_WORKSPACE],
  ],
};

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const as =
    (token: string): Send =>
    (method, path, body) =>
      v1.api(method, path, body, token);

  async function make(): Promise<Place> {
    const org = v1.unique("Org");
    const made = async (path: string, body: object) => {
      const answer = await v1.api("POST", path, body);
      expect(answer.status, answer.text).toBe(201);
      return answer.body.data;
    };
    await made("/organizations", attributes("organizations", { name: org, email: "a@example.test" }));
    const project = await made(`/organizations/${org}/projects`, attributes("projects", { name: "Victim" }));
    const [tag] = await made(`/organizations/${org}/tags`, tagNames("shared", "other"));
    const ws = await made(`/organizations/${org}/workspaces`, attributes("workspaces", { name: "Prod" }));
    await v1.api("POST", `/workspaces/${ws.id}/relationships/tags`, tagNames("shared"));
    return { org, project: project.id, tag: tag.id, ws: ws.id, name: "Prod" };
  }

  describe.each(OPERATIONS)("%s", (what, need, ask) => {
    test(`works with ${need}, in any case of the names`, async () => {
      for (const rules of ENOUGH[need]) {
        const place = await make();
        const token = await v1.tokenWith(rules(place.org.toUpperCase()));
        const answer = await ask({ ...place, org: place.org.toLowerCase(), name: "pROD" }, as(token));
        expect(answer.status, `${rules(place.org)} ${answer.text}`).toBe(statusOf(what));
      }
    });

    let place = MISSING;
    beforeAll(async () => (place = await make()));
    test.each(TOO_LITTLE[need])("with %s it looks exactly like absence", async (_name, rules, missing) => {
      const read = async () =>
        (
          await Promise.all(
            [`/organizations/${place.org}/tags`, `/workspaces/${place.ws}`, `/projects/${place.project}`].map((path) =>
              v1.api("GET", path),
            ),
          )
        ).map(({ text }) => text);
      const before = await read();
      const send = as(await v1.tokenWith(rules(place.org.toUpperCase())));
      const forbidden = () => ask(place, send);
      const absent = () => ask(missing(place), send);
      const answer = await forbidden();
      expect(answer.status).toBe(404);
      expect(told(answer)).toEqual(told(await absent()));
      await v1.expectSameStatements(forbidden, absent);
      expect(await read()).toEqual(before);
    });
  });
});

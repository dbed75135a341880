/** The lists of the console, with what each is filtered by, as the seeded server has rows for it. */
import type { Client } from "../../packages/client/src/index.ts";

interface FilteredBy {
  /** As the field and the choice are called. */
  readonly field: string;
  readonly choice: string;
  /** Parameter that the address has then. */
  readonly parameter: string;
  readonly value: string;
  /** Texts of rows that are shown, and of those that are not. */
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
}

interface FilteredList {
  readonly path: string;
  readonly filters: readonly FilteredBy[];
  /** Columns in the address, and their heads. */
  readonly columns: string;
  readonly heads: readonly string[];
  /** As the address has it; empty for a list that has one order. */
  readonly sort: string;
}

type Filtered = readonly [
  ...text: [string, string, string, string],
  shown: readonly string[],
  hidden: readonly string[],
];

function by([field, choice, parameter, value, shown, hidden]: Filtered): FilteredBy {
  return { field, choice, parameter, value, shown, hidden };
}

const SCOPE = "access/default/default";

/** User agent of another session, as the list shows it. */
export const OTHER_BROWSER = "Another browser";

export const LISTS: readonly FilteredList[] = [
  {
    path: `${SCOPE}/policies`,
    sort: "-Name",
    columns: "name,datacenters",
    heads: ["Name", "Datacenters"],
    filters: [
      by(["Kind", "our own", "kind", "own", ["auditors", "dc-readers"], ["global-management"]]),
      by(["Kind", "built in", "kind", "built-in", ["global-management"], ["auditors", "dc-readers"]]),
      by(["Counts in", "some datacenters", "datacenters", "some", ["dc-readers"], ["auditors", "global-management"]]),
    ],
  },
  {
    path: `${SCOPE}/roles`,
    sort: "-Name",
    columns: "name,index",
    heads: ["Name", "Index"],
    filters: [
      by(["Gives", "service identities", "gives", "ServiceIdentities", ["checkout-role"], ["web-team", "none-yet"]]),
      by(["Gives", "policies", "gives", "Policies", ["web-team"], ["checkout-role", "none-yet"]]),
      by(["Gives", "nothing", "gives", "nothing", ["none-yet"], ["checkout-role", "web-team"]]),
    ],
  },
  {
    path: `${SCOPE}/auth-methods`,
    sort: "-Name",
    columns: "name,locality",
    heads: ["Name", "Locality"],
    filters: [
      by(["Type", "AWS IAM", "type", "aws-iam", ["machines"], ["pipelines", "laptops"]]),
      by(["Its tokens are", "global", "locality", "global", ["machines"], ["pipelines", "laptops"]]),
      by(["Its tokens live", "for a time", "lifetime", "limited", ["pipelines"], ["laptops", "machines"]]),
    ],
  },
  {
    path: `${SCOPE}/binding-rules`,
    sort: "-Description",
    columns: "description,method,gives",
    heads: ["Description", "Auth method", "Gives"],
    filters: [
      by(["Gives", "Policy", "type", "policy", ["Policy ci-readers"], ["Deployments of the shop"]]),
      by(["For whom", "everybody", "for", "everybody", ["Whoever is on call"], ["Deployments of the shop"]]),
    ],
  },
  {
    path: `${SCOPE}/namespaces`,
    sort: "-Name",
    columns: "name,description,index",
    heads: ["Name", "Description", "Index"],
    filters: [
      by(["Gives all of its tokens", "policies or roles", "defaults", "some", ["Cards"], ["Warehouse"]]),
      by(["State", "being deleted", "state", "leaving", [], ["Cards", "Warehouse"]]),
      by(["State", "not being deleted", "state", "staying", ["Cards", "Warehouse"], []]),
    ],
  },
  {
    path: "partitions",
    sort: "-Name",
    columns: "name,index",
    heads: ["Name", "Index"],
    filters: [
      by(["State", "being deleted", "state", "leaving", [], ["subsidiary"]]),
      by(["State", "not being deleted", "state", "staying", ["subsidiary"], []]),
    ],
  },
  {
    path: `${SCOPE}/templated-policies`,
    sort: "-Name",
    columns: "name,about",
    heads: ["Name", "About"],
    filters: [
      by(["About", "query", "about", "query", ["builtin/dns"], ["builtin/service"]]),
      by(["Takes", "nothing", "takes", "nothing", ["builtin/dns"], ["builtin/service"]]),
    ],
  },
  {
    path: `${SCOPE}/sessions`,
    sort: "-UserAgent",
    columns: "browser,namespace",
    heads: ["Browser", "Namespace"],
    filters: [
      by(["Whose", "of other tokens", "whose", "others", [OTHER_BROWSER], ["this one"]]),
      by(["Began by", "a login", "by", "login", [], [OTHER_BROWSER, "this one"]]),
    ],
  },
  {
    path: "org/acme/reserved-tag-keys",
    sort: "-key",
    columns: "key,counts",
    heads: ["Key", "What counts"],
    filters: [by(["What counts", "the project’s value", "counts", "project", ["cost-center"], ["owner"]])],
  },
  {
    path: "org/acme/tag-policies",
    sort: "",
    columns: "name,count",
    heads: ["Workspace", "Rules"],
    filters: [
      by(["Breaks the rule", "names", "filter%5Brule%5D", "names", ["odd-names"], ["web-search"]]),
      by(["How", "a name is not allowed", "filter%5Bkind%5D", "name", ["odd-names"], ["web-search"]]),
      by(["How", "patterns take too long", "filter%5Bkind%5D", "limit", [], ["odd-names", "web-search"]]),
    ],
  },
  {
    path: "org/acme/tag-webhooks",
    sort: "-name",
    columns: "name,state",
    heads: ["Name", "State"],
    filters: [by(["State", "off", "state", "off", ["chat"], ["inventory"]])],
  },
  {
    path: "org/acme/tag-jobs",
    sort: "-created-at",
    columns: "what,begun",
    heads: ["What", "Asked for"],
    filters: [
      by(["What", "Rename", "action", "rename", ["Rename: pci"], ["Put on workspaces"]]),
      by(["State", "paused", "status", "paused", [], ["Put on workspaces", "Rename: pci"]]),
    ],
  },
];

/** Makes what the lists have beside what is seeded. */
export async function makeFiltered(client: Client): Promise<void> {
  await client.policies.create({ body: { Name: "dc-readers", Datacenters: ["dc1"] } });
  await client.roles.create({ body: { Name: "checkout-role", ServiceIdentities: [{ ServiceName: "checkout" }] } });
  await client.roles.create({ body: { Name: "none-yet" } });
  const Config = { BoundIAMPrincipalARNs: ["arn:aws:iam::111122223333:role/web"] };
  await client.authMethods.create({ body: { Name: "machines", Type: "aws-iam", TokenLocality: "global", Config } });
  await client.workspaces.create({
    organization: "acme",
    body: {
      data: {
        type: "workspaces",
        attributes: { name: "odd-names" },
        relationships: { tags: { data: [{ type: "tags", attributes: { name: "9-lives" } }] } },
      },
    },
  });
  await client.tagJobs.create({
    organization: "acme",
    body: { data: { type: "tag-jobs", attributes: { action: "rename", tags: [{ name: "pci" }], to: "pci-dss" } } },
  });
}

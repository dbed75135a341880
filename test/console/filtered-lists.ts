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
      by(["Type", "custom", "kind", "own", ["auditors", "dc-readers"], ["global-management"]]),
      by(["Type", "built-in", "kind", "built-in", ["global-management"], ["auditors", "dc-readers"]]),
      by(["Datacenters", "some datacenters", "datacenters", "some", ["dc-readers"], ["auditors", "global-management"]]),
    ],
  },
  {
    path: `${SCOPE}/roles`,
    sort: "-Name",
    columns: "name,index",
    heads: ["Name", "Index"],
    filters: [
      by(["Grants", "service identities", "gives", "ServiceIdentities", ["checkout-role"], ["web-team", "none-yet"]]),
      by(["Grants", "policies", "gives", "Policies", ["web-team"], ["checkout-role", "none-yet"]]),
      by(["Grants", "nothing", "gives", "nothing", ["none-yet"], ["checkout-role", "web-team"]]),
    ],
  },
  {
    path: `${SCOPE}/auth-methods`,
    sort: "-Name",
    columns: "name,locality",
    heads: ["Name", "Token locality"],
    filters: [
      by(["Type", "AWS IAM", "type", "aws-iam", ["machines"], ["pipelines", "laptops"]]),
      by(["Token locality", "global", "locality", "global", ["machines"], ["pipelines", "laptops"]]),
      by(["Token TTL", "set", "lifetime", "limited", ["pipelines"], ["laptops", "machines"]]),
    ],
  },
  {
    path: `${SCOPE}/binding-rules`,
    sort: "-Description",
    columns: "description,method,gives",
    heads: ["Description", "Auth method", "Grants"],
    filters: [
      by(["Grants", "Policy", "type", "policy", ["Policy ci-readers"], ["Deployments of the shop"]]),
      by(["Selector", "every login", "for", "everybody", ["Whoever is on call"], ["Deployments of the shop"]]),
    ],
  },
  {
    path: `${SCOPE}/namespaces`,
    sort: "-Name",
    columns: "name,description,index",
    heads: ["Name", "Description", "Index"],
    filters: [
      by(["Default permissions", "policies or roles", "defaults", "some", ["Cards"], ["Warehouse"]]),
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
    heads: ["Name", "Resources"],
    filters: [
      by(["Resources", "query", "about", "query", ["builtin/dns"], ["builtin/service"]]),
      by(["Variable", "none", "takes", "nothing", ["builtin/dns"], ["builtin/service"]]),
    ],
  },
  {
    path: `${SCOPE}/sessions`,
    sort: "-UserAgent",
    columns: "browser,namespace",
    heads: ["Browser", "Namespace"],
    filters: [
      by(["Owner", "other tokens", "whose", "others", [OTHER_BROWSER], ["this session"]]),
      by(["Sign-in", "auth method", "by", "login", [], [OTHER_BROWSER, "this session"]]),
    ],
  },
  {
    path: `${SCOPE}/trash`,
    sort: "-Kind",
    columns: "name,kind",
    heads: ["Name", "Kind"],
    filters: [by(["Kind", "policy", "kind", "policy", ["retired"], ["retired-team"]])],
  },
  {
    path: "org/acme/reserved-tag-keys",
    sort: "-key",
    columns: "key,counts",
    heads: ["Key", "Precedence"],
    filters: [by(["Precedence", "project value", "counts", "project", ["cost-center"], ["owner"]])],
  },
  {
    path: "org/acme/tag-policies",
    sort: "",
    columns: "name,count",
    heads: ["Workspace", "Count"],
    filters: [
      by(["Tag policy rule", "names", "filter%5Brule%5D", "names", ["odd-names"], ["web-search"]]),
      by(["Violation", "name not allowed", "filter%5Bkind%5D", "name", ["odd-names"], ["web-search"]]),
      by(["Violation", "pattern timeout", "filter%5Bkind%5D", "limit", [], ["odd-names", "web-search"]]),
    ],
  },
  {
    path: "org/acme/tag-webhooks",
    sort: "-name",
    columns: "name,state",
    heads: ["Name", "Status"],
    filters: [by(["Status", "disabled", "state", "off", ["chat"], ["inventory"]])],
  },
  {
    path: "org/acme/tag-jobs",
    sort: "-created-at",
    columns: "what,begun",
    heads: ["Job", "Created"],
    filters: [
      by(["Action", "Rename", "action", "rename", ["Rename: pci"], ["Add to workspaces"]]),
      by(["Status", "paused", "status", "paused", [], ["Add to workspaces", "Rename: pci"]]),
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

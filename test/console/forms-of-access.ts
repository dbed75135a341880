/** The forms of access control. */
import type { Page } from "playwright-core";
import {
  ACCESS,
  called,
  editor,
  fresh,
  method,
  namespace,
  object,
  partition,
  policy,
  role,
  rule,
  token,
} from "./objects.ts";
import {
  choose,
  deletion,
  type Form,
  HARD,
  metadata,
  more,
  nodes,
  option,
  orGone,
  services,
  templates,
  text,
} from "./forms.ts";
import { typeRules } from "./draft-rules.ts";

/** Configuration of an auth method with keys of its own: no server is asked for them. */
const KEYED = JSON.stringify({
  JWTValidationPubKeys: [
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEVs/o5+uQbTjL3chynL4wXgUg2R9\nq9UU8I5mEovUf86QZ7kOBIjJwqnzD1omageEHWwHdBO6B+dFabmdT9POxg==\n-----END PUBLIC KEY-----\n",
  ],
  BoundAudiences: ["it's"],
});

/** The form hears of what is typed a moment later, and its code with it. @param word of the text, which no shell quotes */
async function rules(page: Page, typed: string, word: string): Promise<void> {
  await typeRules(page, typed);
  const code = page.getByRole("region", { name: "Equivalent code" }).locator("pre");
  await code.filter({ hasText: word, visible: true }).first().waitFor();
}

export const ACCESS_FORMS: readonly Form[] = [
  {
    title: "makes a token",
    operations: ["createToken"],
    ...fresh("tokens"),
    async fill(page, { name }) {
      await text(page, "Description", `${name} ${HARD}`);
      await choose(page, "Roles", "on-call");
      await choose(page, "Policies", "auditors", "ci-readers");
      await services(page, ["web", "dc1,dc2"], ["mail"]);
      await nodes(page, ["web-1", "dc1"]);
      await templates(page, ["builtin/service", "web"]);
      await option(page, "Expires", "after another time");
      await text(page, "TTL", "48h");
    },
    save: "Create token",
    async read(client, { name }) {
      const listed = await called(client.tokens.list().all(), name);
      return listed && client.tokens.read({ accessor: listed.AccessorID });
    },
  },
  {
    title: "changes a token",
    operations: ["updateToken"],
    ...token,
    ...editor("tokens"),
    async fill(page, { name }) {
      await text(page, "Description", `${HARD} ${name}`);
      await page.getByRole("combobox", { name: "Policies", exact: true }).press("Backspace");
      await choose(page, "Roles", "web-team");
    },
    save: /^Save changes/,
  },
  {
    title: "rotates a token's secret",
    operations: ["rotateToken"],
    ...token,
    ...object("tokens"),
    async fill(page) {
      await more(page, "Rotate secret");
      await option(page, "Old secret", "valid for 1 day");
    },
    save: "Rotate",
    // No page shows the new secret: the audit record proves the change.
    read: async (client, { id }) => {
      const records = await client.audit.list({ kind: "token", object: id, action: "rotate" }).all();
      return records.map(({ action, detail }) => ({ action, detail }));
    },
  },
  {
    title: "revokes tokens",
    operations: ["revokeTokens"],
    ...token,
    path: () => `${ACCESS}/tokens/revoke`,
    async fill(page, { name }) {
      await text(page, "Description contains", name);
      await page.getByText("1 token matches").waitFor();
    },
    save: "Revoke 1 token",
    isAlone: true,
    async settled(client, { id }) {
      for (let tries = 0; tries < 200 && (await token.read(client, { name: "", id })) !== "gone"; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  },
  deletion("a token", "deleteToken", { ...token, ...object("tokens") }),
  {
    title: "makes a policy",
    operations: ["createPolicy"],
    ...fresh("policies"),
    async fill(page, { name }) {
      await text(page, "Name", name);
      await text(page, "Description", HARD);
      await page.getByText("Advanced", { exact: true }).click();
      await text(page, "Datacenters", "dc1, dc2");
      await rules(page, `# it's "$HOME"\nkey_prefix "a/\${b}" {\n  policy = "read"\n}\n`, "key_prefix");
    },
    save: "Create policy",
    read: async (client, { name }) => orGone(client.policies.readByName({ name })),
  },
  {
    title: "changes a policy",
    operations: ["updatePolicy"],
    ...policy,
    ...editor("policies"),
    async fill(page) {
      await text(page, "Description", "");
      await rules(page, 'operator = "read"\n\nkey "it\'s" {\n  policy = "deny"\n}\n', "operator");
    },
    save: /^Save changes/,
  },
  deletion("a policy", "deletePolicy", { ...policy, ...object("policies") }),
  {
    title: "makes a role",
    operations: ["createRole"],
    ...fresh("roles"),
    async fill(page, { name }) {
      await text(page, "Name", name);
      await text(page, "Description", HARD);
      await choose(page, "Policies", "auditors", "web-deploy");
      await services(page, ["web", "dc1"]);
      await nodes(page, ["web-1", "dc1"], ["web-2", "dc1"]);
      await templates(page, ["builtin/service", "web", "dc1,dc2"], ["builtin/dns", "", "dc1"]);
    },
    save: "Create role",
    read: async (client, { name }) => orGone(client.roles.readByName({ name })),
  },
  {
    title: "changes a role",
    operations: ["updateRole"],
    ...role,
    ...editor("roles"),
    async fill(page, { name }) {
      await text(page, "Name", `${name}-later`);
      await page.getByRole("combobox", { name: "Policies", exact: true }).press("Backspace");
      // Its choices lie over what comes next.
      await page.keyboard.press("Escape");
      await services(page, ["web"]);
    },
    save: /^Save changes/,
  },
  deletion("a role", "deleteRole", { ...role, ...object("roles") }),
  {
    title: "makes an auth method",
    operations: ["createAuthMethod"],
    ...fresh("auth-methods"),
    async fill(page, { name }) {
      await option(page, "Identity provider", "Advanced (JSON)");
      await text(page, "Name", name);
      await text(page, "Display name", HARD);
      await text(page, "Description", HARD);
      await text(page, "Configuration", KEYED);
      await text(page, "Token TTL", "15m");
      await option(page, "Token locality", "local");
      await text(page, "Namespace mapping", 'payments: "payments" in list.groups\ndata');
    },
    save: "Create auth method",
    read: method.read,
  },
  {
    title: "changes an auth method",
    operations: ["updateAuthMethod"],
    ...method,
    ...editor("auth-methods"),
    async fill(page) {
      await text(page, "Token TTL", "");
      await text(page, "Display name", "-x");
      await text(page, "Configuration", KEYED);
    },
    save: /^Save changes/,
  },
  deletion("an auth method", "deleteAuthMethod", { ...method, ...object("auth-methods") }, true),
  {
    title: "makes a binding rule",
    operations: ["createBindingRule"],
    ...fresh("binding-rules"),
    async fill(page, { name }) {
      await text(page, "Description", name);
      await page.getByRole("combobox", { name: "Auth method" }).fill("pipelines");
      await text(page, "Selector", `value.repository == "it's"`);
      await option(page, "Bind type", "Templated policy");
      await page.getByRole("combobox", { name: "Bind name" }).fill("builtin/service");
      await text(page, "Bind variable Name", "${value.repository}");
    },
    save: "Create binding rule",
    read: async (client, { name }) => called(client.bindingRules.list().all(), name),
  },
  {
    title: "changes a binding rule",
    operations: ["updateBindingRule"],
    ...rule,
    ...editor("binding-rules"),
    async fill(page) {
      await text(page, "Description", "");
      await text(page, "Selector", `value.repository == "a"`);
    },
    save: /^Save changes/,
  },
  {
    title: "writes a binding rule beside a login",
    operations: ["createBindingRule"],
    path: () => `${ACCESS}/login`,
    async fill(page, { name }) {
      await page.getByText("Claims", { exact: true }).click();
      await text(page, "Selector", '"ci" in list.groups');
      await text(page, "Bind name", name);
      await text(page, "Description", name);
    },
    save: "Create binding rule",
    async read(client, { name }) {
      return (await client.bindingRules.list().all()).find(({ BindName }) => BindName === name);
    },
  },
  deletion("a binding rule", "deleteBindingRule", { ...rule, ...object("binding-rules") }),
  {
    title: "makes a namespace",
    operations: ["createNamespace"],
    ...fresh("namespaces"),
    async fill(page, { name }) {
      await text(page, "Name", name);
      await text(page, "Description", HARD);
      await choose(page, "Default policies", "auditors");
      await choose(page, "Default roles", "on-call");
      await metadata(page, ["owner", "it's me"], ["sum", "1+1=2"]);
    },
    save: "Create namespace",
    read: namespace.read,
  },
  {
    title: "changes a namespace",
    operations: ["updateNamespace"],
    ...namespace,
    ...editor("namespaces"),
    async fill(page) {
      await text(page, "Description", "");
      await metadata(page, ["second", "3"], ["third", "-x"]);
    },
    save: /^Save changes/,
  },
  deletion("a namespace", "deleteNamespace", { ...namespace, ...object("namespaces") }, true),
  {
    title: "makes a partition",
    operations: ["createPartition"],
    path: () => "partitions/new",
    async fill(page, { name }) {
      await text(page, "Name", name);
      await text(page, "Description", HARD);
    },
    save: "Create partition",
    read: partition.read,
  },
  {
    title: "changes a partition",
    operations: ["updatePartition"],
    ...partition,
    path: ({ name }) => `partitions/${name}/edit`,
    fill: async (page) => text(page, "Description", "-after"),
    save: /^Save changes/,
  },
  deletion("a partition", "deletePartition", { ...partition, path: ({ name }) => `partitions/${name}` }, true),
];

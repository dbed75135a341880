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
import { choose, deletion, type Form, HARD, more, option, orGone, text } from "./forms.ts";
import { typeRules } from "./pages.ts";

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
  const code = page.getByRole("region", { name: "The same as code" }).locator("pre");
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
      await text(page, "Service identities", "web:dc1,dc2\nmail");
      await text(page, "Node identities", "web-1:dc1");
      await text(page, "Templated policies", "builtin/service:web");
      await text(page, "Lives for", "48h");
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
      await more(page, "Rotate the secret");
      await option(page, "The old secret", "counts for a day");
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
      await text(page, "Description holds", name);
      await page.getByText("1 token fits").waitFor();
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
      await text(page, "Service identities", "web:dc1");
      await text(page, "Node identities", "web-1:dc1\nweb-2:dc1");
      await text(page, "Templated policies", "builtin/service:web:dc1,dc2\nbuiltin/dns::dc1");
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
      await text(page, "Service identities", "web");
    },
    save: /^Save changes/,
  },
  deletion("a role", "deleteRole", { ...role, ...object("roles") }),
  {
    title: "makes an auth method",
    operations: ["createAuthMethod"],
    ...fresh("auth-methods"),
    async fill(page, { name }) {
      await text(page, "Name", name);
      await text(page, "Display name", HARD);
      await text(page, "Description", HARD);
      await text(page, "Configuration", KEYED);
      await text(page, "Tokens live for", "15m");
      await option(page, "Tokens count", "local");
      await text(page, "Where tokens lie", 'payments: "payments" in list.groups\ndata');
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
      await text(page, "Tokens live for", "");
      await text(page, "Display name", "-x");
      await text(page, "Configuration", KEYED);
    },
    save: /^Save changes/,
  },
  deletion("an auth method", "deleteAuthMethod", { ...method, ...object("auth-methods") }),
  {
    title: "makes a binding rule",
    operations: ["createBindingRule"],
    ...fresh("binding-rules"),
    async fill(page, { name }) {
      await text(page, "Description", name);
      await page.getByRole("combobox", { name: "Auth method" }).fill("pipelines");
      await text(page, "Selector", `value.repository == "it's"`);
      await option(page, "They get", "Templated policy");
      await page.getByRole("combobox", { name: "Its name" }).fill("builtin/service");
      await text(page, "Variable Name", "${value.repository}");
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
      await text(page, "Called", name);
    },
    save: "Save as binding rule",
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
      await choose(page, "Policies of all its tokens", "auditors");
      await choose(page, "Roles of all its tokens", "on-call");
      await text(page, "Notes", "owner=it's me\nsum=1+1=2");
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
      await text(page, "Notes", "second=3\nthird=-x");
    },
    save: /^Save changes/,
  },
  deletion("a namespace", "deleteNamespace", { ...namespace, ...object("namespaces") }),
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
  deletion("a partition", "deletePartition", { ...partition, path: ({ name }) => `partitions/${name}` }),
];

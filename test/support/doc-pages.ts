/** Preconditions of the pages of docs/ when their blocks run: objects on the server, and values of variables. */
import { copyFileSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { RunningServer } from "./server.ts";

/** A page's server, and the empty folder that its blocks run in. */
export interface Ground {
  server: RunningServer;
  folder: string;
}

/** How a page is run. */
export interface Page {
  /** The test that runs its blocks instead, since they need more than a server. */
  ranBy?: string;
  /** Each runs the whole page, on a server of its own; bash unless said. */
  shells?: readonly ("bash" | "zsh" | "fish")[];
  /** The page is about a server that does not run. */
  isStopped?: true;
  /** Texts of the page that are others here, such as the address of somebody's server. */
  instead?: (ground: Ground) => Readonly<Record<string, string>>;
  /** Makes what the page says is there. @returns variables that it says are set */
  prepare?: (ground: Ground) => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;
}

/** Pages that need something; all others are run as they are. */
export const PAGE_SETTINGS: Readonly<Record<string, Page>> = {
  "README.md": { shells: ["bash", "zsh"] },
  "docs/guides/start-with-curl.md": { ranBy: "test/docs/curl.test.ts" },
  "docs/guides/github-actions.md": { ranBy: "test/docs/guides.test.ts" },
  "docs/guides/kubernetes.md": { ranBy: "test/docs/guides.test.ts" },
  "docs/guides/start.md": { shells: ["bash", "zsh", "fish"] },
  "docs/guides/terraform.md": { prepare: commandLine },
  "docs/guides/from-consul.md": {
    prepare: (ground) => ({ ...commandLine(ground), ADDR: ground.server.url, TOKEN: ground.server.token }),
  },
  "docs/guides/from-hcp-terraform.md": {
    prepare: async (ground) => {
      await workspace(ground, "acme", "network");
      return commandLine(ground);
    },
  },
  "docs/guides/gitops.md": {
    prepare: async (ground) => {
      await workspace(ground, "acme", "web");
      return commandLine(ground);
    },
  },
  "docs/operations/keys.md": {
    isStopped: true,
    instead: ({ folder }) => ({ "/etc/tessera/": `${folder}/etc/` }),
    prepare: ({ server, folder }) => {
      mkdirSync(join(folder, "etc"));
      copyFileSync(join(server.dataDir, "master-key"), join(folder, "etc/key"));
      return { TESSERA_DATA_DIR: server.dataDir };
    },
  },
  "docs/operations/backup.md": {
    prepare: ({ server }) => ({ TESSERA_DATA_DIR: server.dataDir }),
  },
  "docs/operations/audit.md": {
    prepare: ({ server }) => ({ TESSERA_DATA_DIR: server.dataDir }),
    instead: ({ server }) => ({ "/var/lib/tessera": server.dataDir }),
  },
  "docs/operations/high-availability.md": {
    instead: () => ({ "deploy/patroni/": `${resolve(import.meta.dirname, "../../deploy/patroni")}/` }),
  },
  "docs/operations/audit-refusals.md": {
    prepare: async (ground) => {
      await workspace(ground, "acme", "web");
      return { TOKEN: ground.server.token };
    },
  },
  "docs/tags/jobs.md": {
    prepare: async (ground) => {
      await workspace(ground, "acme", "prod-web");
      return { TOKEN: ground.server.token };
    },
  },
  "docs/tags/rules.md": {
    prepare: async (ground) => {
      await workspace(ground, "acme", "prod-web");
      return { ...commandLine(ground), TESSERA_ORGANIZATION: "acme" };
    },
  },
  "docs/api/audit.md": { prepare: ({ server }) => ({ TOKEN: server.token }) },
  "docs/api/login.md": { prepare: loginMethod },
  "docs/api/decisions.md": { prepare: commandLine },
  "docs/api/use.md": { prepare: commandLine },
  "docs/api/replay.md": {
    prepare: ({ server }) => ({ TESSERA: server.url, TOKEN: server.token }),
  },
  "docs/api/why.md": {
    prepare: async (ground) => {
      const id = await workspace(ground, "acme", "prod-db");
      const token = { AccessorID: "7a38d7a2-8a29-4d5c-9cd6-bb4ea5f3a4e3" };
      await v1(ground.server, "PUT", "/v1/acl/token", token);
      return { TESSERA: ground.server.url, TOKEN: ground.server.token, WORKSPACE: id };
    },
  },
};

function commandLine({ server }: Ground): Record<string, string> {
  return { TESSERA_ADDR: server.url, TESSERA_TOKEN: server.token };
}

async function loginMethod({ server }: Ground): Promise<Record<string, string>> {
  const key =
    "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n";
  const config = { JWTValidationPubKeys: [key], ClaimMappings: { repository: "repository" } };
  await v1(server, "PUT", "/v1/acl/auth-method", { Name: "github-actions", Type: "jwt", Config: config });
  return { ADDR: server.url, TOKEN: server.token };
}

async function v1(server: RunningServer, method: string, path: string, body: object): Promise<void> {
  const headers = { "x-consul-token": server.token };
  const answer = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
}

/** @returns its ID */
async function workspace({ server }: Ground, organization: string, name: string): Promise<string> {
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/vnd.api+json" };
  const make = async (path: string, type: string, attributes: object): Promise<{ data: { id: string } }> => {
    const body = JSON.stringify({ data: { type, attributes } });
    const answer = await fetch(`${server.url}/api/v2/${path}`, { method: "POST", headers, body });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { data: { id: string } };
  };
  await make("organizations", "organizations", { name: organization, email: "ops@acme.example" });
  return (await make(`organizations/${organization}/workspaces`, "workspaces", { name })).data.id;
}

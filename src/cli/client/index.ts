/**
 * The words of the commands for people, and where each is. Nothing of a command is loaded before it is named, so that
 * `--help` costs nothing of them.
 */
import type { Noun, Verb } from "./spec.ts";

/** A word, what it is for, and the module that has its commands. */
export interface NounEntry {
  readonly name: string;
  readonly summary: string;
  readonly group: string;
  readonly load: () => Promise<{ noun: Noun } | { verb: Verb }>;
}

const TAGS = "Tags and workspaces:";
const RIGHTS = "Access control:";
const FILES = "Declared files:";
const SERVER = "Server and client:";

/** All of them, in the order of the help. */
export const ENTRIES: readonly NounEntry[] = [
  {
    name: "organization",
    summary: "Organizations: owners of projects, workspaces and tags.",
    group: TAGS,
    load: () => import("./nouns/organization.ts"),
  },
  {
    name: "project",
    summary: "Projects: groups of workspaces.",
    group: TAGS,
    load: () => import("./nouns/project.ts"),
  },
  {
    name: "workspace",
    summary: "Workspaces: tags, locks and remote state consumers.",
    group: TAGS,
    load: () => import("./nouns/workspace.ts"),
  },
  {
    name: "tag",
    summary: "Tags: list, create, attach, merge, export and tag policy.",
    group: TAGS,
    load: () => import("./nouns/tag.ts"),
  },
  {
    name: "job",
    summary: "Bulk jobs on tags: progress, pause, resume, cancel and undo.",
    group: TAGS,
    load: () => import("./nouns/job.ts"),
  },
  {
    name: "webhook",
    summary: "Webhooks for changes to tags.",
    group: TAGS,
    load: () => import("./nouns/webhook.ts"),
  },
  {
    name: "token",
    summary: "Tokens: create, clone, rotate, disable, revoke and find leaked secrets.",
    group: RIGHTS,
    load: () => import("./nouns/token.ts"),
  },
  {
    name: "policy",
    summary: "Policies: rules, checks, tests and templates.",
    group: RIGHTS,
    load: () => import("./nouns/policy.ts"),
  },
  { name: "role", summary: "Roles: reusable sets of policies.", group: RIGHTS, load: () => import("./nouns/role.ts") },
  {
    name: "auth-method",
    summary: "Auth methods: identity providers for login.",
    group: RIGHTS,
    load: () => import("./nouns/auth-method.ts"),
  },
  {
    name: "binding-rule",
    summary: "Binding rules: permissions that a login receives.",
    group: RIGHTS,
    load: () => import("./nouns/binding-rule.ts"),
  },
  {
    name: "namespace",
    summary: "Namespaces: isolated sets of access control objects.",
    group: RIGHTS,
    load: () => import("./nouns/namespace.ts"),
  },
  {
    name: "partition",
    summary: "Partitions: isolated tenants.",
    group: RIGHTS,
    load: () => import("./nouns/partition.ts"),
  },
  {
    name: "session",
    summary: "Console sessions: list and revoke.",
    group: RIGHTS,
    load: () => import("./nouns/session.ts"),
  },
  {
    name: "trash",
    summary: "Deleted objects of access control: list and restore them.",
    group: RIGHTS,
    load: () => import("./nouns/trash.ts"),
  },
  {
    name: "view",
    summary: "Saved views: named searches, filters, sort orders and columns of a list.",
    group: RIGHTS,
    load: () => import("./nouns/view.ts"),
  },
  {
    name: "declaration",
    summary: "Declarations: objects that tessera apply manages, by owner.",
    group: RIGHTS,
    load: () => import("./nouns/declaration.ts"),
  },
  {
    name: "decision-mapping",
    summary: "Decision mappings: map AuthZEN types to tokens, roles and policy rules.",
    group: RIGHTS,
    load: () => import("./nouns/decision-mapping.ts"),
  },
  {
    name: "can",
    summary: "Check whether a token may perform an action.",
    group: RIGHTS,
    load: () => import("./nouns/can.ts"),
  },
  {
    name: "why",
    summary: "Explain a denied request and show a rule that allows it.",
    group: RIGHTS,
    load: () => import("./nouns/why.ts"),
  },
  {
    name: "effective",
    summary: "Show the effective permissions of a token, role, auth method or namespace.",
    group: RIGHTS,
    load: () => import("./nouns/effective.ts"),
  },
  {
    name: "access",
    summary: "Access reports: who has a permission, and which permissions exist.",
    group: RIGHTS,
    load: () => import("./nouns/access.ts"),
  },
  {
    name: "use",
    summary: "Report which permissions are used, by day.",
    group: RIGHTS,
    load: () => import("./nouns/use.ts"),
  },
  {
    name: "audit",
    summary: "Audit log: list records and verify the hash chains.",
    group: RIGHTS,
    load: () => import("./nouns/audit.ts"),
  },
  {
    name: "plan",
    summary: "Show the changes needed to match the files.",
    group: FILES,
    load: () => import("./nouns/plan.ts"),
  },
  {
    name: "apply",
    summary: "Change the server to match the files.",
    group: FILES,
    load: () => import("./nouns/apply.ts"),
  },
  {
    name: "drift",
    summary: "Check whether the server matches the files. Exit code 7: drift.",
    group: FILES,
    load: () => import("./nouns/drift.ts"),
  },
  {
    name: "export",
    summary: "Export the objects of a server to files.",
    group: FILES,
    load: () => import("./nouns/export.ts"),
  },
  {
    name: "import",
    summary: "Import from Consul or HCP Terraform.",
    group: FILES,
    load: () => import("./nouns/import.ts"),
  },
  {
    name: "watch",
    summary: "Show objects and refresh the output on every change.",
    group: SERVER,
    load: () => import("./nouns/watch.ts"),
  },
  { name: "event", summary: "Event streams of changes.", group: SERVER, load: () => import("./nouns/event.ts") },
  {
    name: "server",
    summary: "Server: health, version, members, metrics and bootstrap.",
    group: SERVER,
    load: () => import("./nouns/server.ts"),
  },
  {
    name: "context",
    summary: "Contexts: named servers and credentials.",
    group: SERVER,
    load: () => import("./nouns/context.ts"),
  },
  {
    name: "login",
    summary: "Log in with a browser, a JWT, Kubernetes or AWS.",
    group: SERVER,
    load: () => import("./nouns/login.ts"),
  },
  {
    name: "logout",
    summary: "Log out and delete the token of the login.",
    group: SERVER,
    load: () => import("./nouns/logout.ts"),
  },
  {
    name: "whoami",
    summary: "Show the effective server, token and settings.",
    group: SERVER,
    load: () => import("./nouns/whoami.ts"),
  },
  {
    name: "api",
    summary: "Call any API operation by operationId.",
    group: SERVER,
    load: () => import("./nouns/api.ts"),
  },
  {
    name: "dev",
    summary: "Start a temporary development server with sample data.",
    group: SERVER,
    load: () => import("./nouns/dev.ts"),
  },
  {
    name: "debug",
    summary: "Create a support bundle with redacted secrets.",
    group: SERVER,
    load: () => import("./nouns/debug.ts"),
  },
  {
    name: "completion",
    summary: "Print the completion script for bash, zsh or fish.",
    group: SERVER,
    load: () => import("./nouns/completion.ts"),
  },
];

/** The entry of a word. */
export function findEntry(name: string | undefined): NounEntry | undefined {
  return ENTRIES.find((entry) => entry.name === name);
}

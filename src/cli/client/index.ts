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

const TAGS = "Tags and what they are on:";
const RIGHTS = "Access control:";
const FILES = "Declared in files:";
const SERVER = "A server, and this command:";

/** All of them, in the order of the help. */
export const ENTRIES: readonly NounEntry[] = [
  {
    name: "organization",
    summary: "Organizations, under which tags and workspaces lie.",
    group: TAGS,
    load: () => import("./nouns/organization.ts"),
  },
  {
    name: "project",
    summary: "Projects, which hold workspaces.",
    group: TAGS,
    load: () => import("./nouns/project.ts"),
  },
  {
    name: "workspace",
    summary: "Workspaces, their tags, locks and consumers of state.",
    group: TAGS,
    load: () => import("./nouns/workspace.ts"),
  },
  {
    name: "tag",
    summary: "The tags of an organization: list, create, attach, merge, export, rules.",
    group: TAGS,
    load: () => import("./nouns/tag.ts"),
  },
  {
    name: "job",
    summary: "Jobs on tags: progress, pause, resume, cancel, undo.",
    group: TAGS,
    load: () => import("./nouns/job.ts"),
  },
  {
    name: "webhook",
    summary: "Webhooks that are told of changes to tags.",
    group: TAGS,
    load: () => import("./nouns/webhook.ts"),
  },
  {
    name: "token",
    summary: "Tokens: create, clone, rotate, revoke, find leaked ones.",
    group: RIGHTS,
    load: () => import("./nouns/token.ts"),
  },
  {
    name: "policy",
    summary: "Policies: rules, checks and tests of them, templates.",
    group: RIGHTS,
    load: () => import("./nouns/policy.ts"),
  },
  { name: "role", summary: "Roles, which hold policies.", group: RIGHTS, load: () => import("./nouns/role.ts") },
  {
    name: "auth-method",
    summary: "Auth methods: who vouches for whom logs in.",
    group: RIGHTS,
    load: () => import("./nouns/auth-method.ts"),
  },
  {
    name: "binding-rule",
    summary: "Binding rules: what a login gives, and why.",
    group: RIGHTS,
    load: () => import("./nouns/binding-rule.ts"),
  },
  {
    name: "namespace",
    summary: "Namespaces, walls between the objects of a partition.",
    group: RIGHTS,
    load: () => import("./nouns/namespace.ts"),
  },
  {
    name: "partition",
    summary: "Partitions, walls between tenants.",
    group: RIGHTS,
    load: () => import("./nouns/partition.ts"),
  },
  {
    name: "session",
    summary: "Sessions of the console: who is signed in.",
    group: RIGHTS,
    load: () => import("./nouns/session.ts"),
  },
  {
    name: "declaration",
    summary: "Declarations: what the directories of tessera apply own.",
    group: RIGHTS,
    load: () => import("./nouns/declaration.ts"),
  },
  { name: "can", summary: "Whether a token may do something.", group: RIGHTS, load: () => import("./nouns/can.ts") },
  {
    name: "why",
    summary: "Why a request was refused, and what would allow it.",
    group: RIGHTS,
    load: () => import("./nouns/why.ts"),
  },
  {
    name: "access",
    summary: "Who can do something, and what everybody holds.",
    group: RIGHTS,
    load: () => import("./nouns/access.ts"),
  },
  {
    name: "audit",
    summary: "The records of what was done: list and follow them; audit verify checks them.",
    group: RIGHTS,
    load: () => import("./nouns/audit.ts"),
  },
  {
    name: "plan",
    summary: "Show what would make the server as files declare it.",
    group: FILES,
    load: () => import("./nouns/plan.ts"),
  },
  {
    name: "apply",
    summary: "Make the server as files declare it.",
    group: FILES,
    load: () => import("./nouns/apply.ts"),
  },
  {
    name: "drift",
    summary: "Say whether the server is still as files declare it; exit code 7 when not.",
    group: FILES,
    load: () => import("./nouns/drift.ts"),
  },
  {
    name: "export",
    summary: "Write what a server has as files.",
    group: FILES,
    load: () => import("./nouns/export.ts"),
  },
  {
    name: "import",
    summary: "Take over what Consul or HCP Terraform have.",
    group: FILES,
    load: () => import("./nouns/import.ts"),
  },
  {
    name: "watch",
    summary: "Show objects, and again whenever they change.",
    group: SERVER,
    load: () => import("./nouns/watch.ts"),
  },
  { name: "event", summary: "Changes as they happen.", group: SERVER, load: () => import("./nouns/event.ts") },
  {
    name: "server",
    summary: "The server itself: health, version, members, metrics, bootstrap.",
    group: SERVER,
    load: () => import("./nouns/server.ts"),
  },
  {
    name: "context",
    summary: "The servers that you work with, by names.",
    group: SERVER,
    load: () => import("./nouns/context.ts"),
  },
  {
    name: "login",
    summary: "Log in: by a browser, a JWT, Kubernetes or AWS.",
    group: SERVER,
    load: () => import("./nouns/login.ts"),
  },
  {
    name: "logout",
    summary: "End the token that a login made.",
    group: SERVER,
    load: () => import("./nouns/logout.ts"),
  },
  {
    name: "whoami",
    summary: "Which server is asked, as whom, and where each is set.",
    group: SERVER,
    load: () => import("./nouns/whoami.ts"),
  },
  {
    name: "api",
    summary: "Any operation of the API by its operationId.",
    group: SERVER,
    load: () => import("./nouns/api.ts"),
  },
  {
    name: "dev",
    summary: "A throw-away server with sample data.",
    group: SERVER,
    load: () => import("./nouns/dev.ts"),
  },
  {
    name: "debug",
    summary: "Write a bundle for support, without secrets.",
    group: SERVER,
    load: () => import("./nouns/debug.ts"),
  },
  {
    name: "completion",
    summary: "The completion script for bash, zsh or fish.",
    group: SERVER,
    load: () => import("./nouns/completion.ts"),
  },
];

/** The entry of a word. */
export function findEntry(name: string | undefined): NounEntry | undefined {
  return ENTRIES.find((entry) => entry.name === name);
}

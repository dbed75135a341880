/** Reads from a server of any version what `writeHistory` wrote. */
import { ask, MANAGEMENT, type Told } from "./caller.ts";
import type { Written } from "./write-history.ts";

/** A question, and what a version answered. */
export interface Answered extends Told {
  method: "GET" | "POST";
  path: string;
  /** SecretID; empty for none. */
  token: string;
  asked?: unknown;
}

/** Says nothing of what is stored: links, and what follows from rights and versions. */
const MADE_UP = new Set([
  "links",
  "permissions",
  "entitlements",
  "actions",
  "setting-overwrites",
  "self-link",
  // To the day of the last one: the questions are uses themselves.
  "LastUsed",
  // Changes to tell, of which those of more than a week ago are gone.
  "behind",
  // Its default was another before `0008-tags`, which was never stored.
  "aggregated-commit-status-enabled",
]);

const BUILT_IN = /^00000000-0000-0000-0000-/;

/** Asks a version for all that it knows. @param known number of its last migration */
export async function readAll(url: string, known: number, written: Written): Promise<Answered[]> {
  const questions = questionsFor(known, written);
  return Promise.all(
    questions.map(async (question) => {
      const { status, body } = await ask(url, question.method, question.path, question.asked, question.token);
      return { ...question, status, body: stored(body) };
    }),
  );
}

/** An answer without what is made up for it. */
export function stored(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(stored);
  if (body === null || typeof body !== "object") return body;
  // Built-in policies are what the version says, not what was stored.
  if ("ID" in body && BUILT_IN.test(String(body.ID))) return { ID: body.ID };
  const kept = Object.entries(body).filter(([name]) => !MADE_UP.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, stored(value)]));
}

type Question = Omit<Answered, "status" | "body">;

function questionsFor(known: number, written: Written): Question[] {
  const get = (path: string, token = MANAGEMENT): Question => ({ method: "GET", path, token });
  const questions = [
    get("/api/v2/account/details"),
    get("/api/v2/organizations?page[size]=10"),
    get("/api/v2/organizations/acme/projects?sort=name"),
    get("/api/v2/organizations/acme/workspaces?include=project"),
    ...written.workspaces.map((id) => get(`/api/v2/workspaces/${id}/relationships/tags`)),
    get("/api/v2/organizations/acme/tags"),
    get("/api/v2/organizations/acme/tags?q=am-"),
    get("/api/v2/organizations/gone-org"),
    get("/api/v2/organizations", "not-a-secret"),
  ];
  if (known >= 8) {
    const [web, batch] = written.workspaces;
    questions.push(
      ...["tag-bindings", "effective-tag-bindings"].map((end) => get(`/api/v2/workspaces/${web}/${end}`)),
      get(`/api/v2/workspaces/${batch}/tag-bindings`),
      get("/api/v2/organizations/acme/tag-bindings"),
      get("/api/v2/organizations/acme/reserved-tag-keys"),
      get("/api/v2/organizations/acme/tag-webhooks"),
      get("/api/v2/organizations/acme/tag-policy"),
      get(`/api/v2/workspaces/${web}/relationships/remote-state-consumers`),
      get("/api/v2/organizations/acme/projects?sort=name&include=effective_tag_bindings"),
    );
  }
  if (known >= 2) questions.push(...questionsOfRights(written));
  const scopes = ["?ns=team-1", "?ns=team-2&partition=ops"];
  if (known >= 4) {
    questions.push(...["/namespaces", "/namespaces?partition=ops", "/partitions"].map((path) => get(`/v1${path}`)));
    const lists = ["policies", "roles", "tokens"];
    questions.push(...scopes.flatMap((scope) => lists.map((list) => get(`/v1/acl/${list}${scope}`))));
  }
  if (known >= 9) {
    questions.push(get("/v1/acl/declarations"));
    questions.push(get("/v1/audit?ns=*&kind=policy&action=create"));
    questions.push(get("/api/v2/organizations/acme/audit?filter[kind]=tag&filter[action]=rename"));
  }
  if (known >= 11) questions.push(get("/v1/acl/decision-mapping/gateway"));
  if (known >= 18) questions.push(get("/v1/acl/views"));
  if (known >= 5) {
    const method = (name: string, query = "") => get(`/v1/acl/auth-method/${name}${query}`);
    questions.push(
      method("machines"),
      method("people"),
      method("local", "?ns=team-1"),
      method("gone-method", "?ns=team-1"),
    );
    questions.push(get("/v1/acl/binding-rules"), get("/v1/acl/binding-rules?ns=team-1"));
  }
  return questions;
}

function questionsOfRights({ secrets, policies }: Written): Question[] {
  const lists = ["policies", "roles", "tokens"].map((list) => `/v1/acl/${list}`);
  const objects = policies.map((id) => `/v1/acl/policy/${id}`);
  const asked = [
    { Resource: "acl", Access: "read" },
    { Resource: "acl", Access: "write" },
    { Resource: "service", Segment: "web", Access: "write" },
    { Resource: "node", Segment: "node-1", Access: "write" },
    { Resource: "organization", Segment: "acme", Access: "read" },
    { Resource: "workspace", Segment: "acme/web", Access: "write" },
  ];
  return [
    ...[...lists, ...objects].map((path): Question => ({ method: "GET", path, token: MANAGEMENT })),
    ...Object.values(secrets).map((token): Question => ({ method: "GET", path: "/v1/acl/token/self", token })),
    ...["", ...Object.values(secrets)].map((token): Question => ({
      method: "POST",
      path: "/v1/acl/authorize",
      token,
      asked,
    })),
    { method: "GET", path: "/api/v2/organizations/acme/workspaces", token: secrets["reader"] ?? "" },
  ];
}

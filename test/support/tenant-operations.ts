/** Every operation that reads a single object or links to it; for tests of who may see that it exists. */
import { contentOf, KINDS, type Kind, type Place } from "./scopes.ts";

/** Scope of the tenant. */
export const HOME: Place = { namespace: "a" };
/** Scopes of the foreign objects, each with the end of the error message there. */
export const FOREIGN: readonly [what: string, place: Place, where: string][] = [
  ["another namespace", { namespace: "b" }, ` in namespace "b"`],
  ["the namespace default", {}, ""],
  ["another partition", { partition: "p" }, ` in partition "p"`],
  [
    "a namespace of the same name in another partition",
    { namespace: "a", partition: "p" },
    ` in namespace "a" in partition "p"`,
  ],
];

/**
 * Title, method, path after `/v1/acl/`, and body. In paths and bodies `{policy}` stands for the ID of a policy and so
 * on, `{login}` for the AccessorID of a token that a login made, `{name}` for the name that all objects have. The
 * placeholder in upper case stands for the value in upper case.
 */
export type Operation = readonly [
  what: string,
  method: "GET" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: object,
];

/** Placeholder for an object of a kind in a path. */
const WORDS: Record<Kind, string> = {
  policy: "policy",
  role: "role",
  token: "token",
  "auth-method": "name",
  "binding-rule": "rule",
};

const CHANGES: Record<Kind, object> = {
  policy: { Name: "mine" },
  role: { Name: "mine" },
  token: { Description: "mine" },
  "auth-method": { Description: "mine" },
  "binding-rule": { BindType: "role", BindName: "mine" },
};

const ON_EACH: readonly Operation[] = KINDS.flatMap((kind): Operation[] => {
  const [word, content] = [WORDS[kind], CHANGES[kind]];
  // One that is written by its name is made where it was missing.
  const replace: Operation[] = word === "name" ? [] : [[`replace a ${kind}`, "PUT", `${kind}/{${word}}`, content]];
  return [
    [`read a ${kind}`, "GET", `${kind}/{${word}}`],
    ...replace,
    [`change a ${kind}`, "PATCH", `${kind}/{${word}}`, content],
    [`change nothing of a ${kind}`, "PATCH", `${kind}/{${word}}`, {}],
    [`delete a ${kind}`, "DELETE", `${kind}/{${word}}`],
    [`delete a ${kind} with a cas`, "DELETE", `${kind}/{${word}}?cas=1`],
    [`incident 12: read a ${kind}, in upper case`, "GET", `${kind}/{${word.toUpperCase()}}`],
    [`incident 12: change a ${kind}, in upper case`, "PATCH", `${kind}/{${word.toUpperCase()}}`, {}],
    [`incident 12: delete a ${kind}, in upper case`, "DELETE", `${kind}/{${word.toUpperCase()}}`],
  ];
});

/** Operations that answer as for a missing object if the caller may not see the object. */
export const OPERATIONS: readonly Operation[] = [
  ...ON_EACH,
  ["read a policy by name", "GET", "policy/name/{name}"],
  ["read a role by name", "GET", "role/name/{name}"],
  ["make a role of an ID", "PUT", "role", { ID: "{role}", Name: "mine" }],
  ["incident 12: make a role of an ID, with a slash", "PUT", "role/", { ID: "{role}", Name: "mine" }],
  ["read a token expanded", "GET", "token/{token}?expanded"],
  ["clone a token", "PUT", "token/{token}/clone", { Description: "mine" }],
  ["read a login's token", "GET", "token/{login}"],
  ["replace a login's token", "PUT", "token/{login}", { Description: "mine" }],
  ["change a login's token", "PATCH", "token/{login}", { Description: "mine" }],
  ["clone a login's token", "PUT", "token/{login}/clone", { Description: "mine" }],
  ["delete a login's token", "DELETE", "token/{login}"],
  ["list tokens with a policy", "GET", "tokens?policy={policy}"],
  ["list tokens with a role", "GET", "tokens?role={role}"],
  ["list tokens of a method", "GET", "tokens?authmethod={name}"],
  ["list rules of a method", "GET", "binding-rules?authmethod={name}"],
  ["list roles with a policy", "GET", "roles?policy={policy}"],
  ["search policies", "GET", "policies?search={name}"],
  ["search roles", "GET", "roles?search={name}"],
  ["search tokens", "GET", "tokens?search={token}"],
  ["search tokens of logins", "GET", "tokens?search={login}"],
  ["search methods", "GET", "auth-methods?search={name}"],
  ["search rules", "GET", "binding-rules?search={rule}"],
];

/** Operations that are rejected if the object that they name is not found. */
export const LINKS: readonly Operation[] = [
  ["make a token with a policy", "PUT", "token", { Policies: [{ ID: "{policy}" }] }],
  ["make a token with a policy by name", "PUT", "token", { Policies: [{ Name: "{name}" }] }],
  ["make a token with a role", "PUT", "token", { Roles: [{ ID: "{role}" }] }],
  ["make a token with a role by name", "PUT", "token", { Roles: [{ Name: "{name}" }] }],
  ["make a role with a policy", "PUT", "role", { Name: "mine", Policies: [{ ID: "{policy}" }] }],
  ["make a role with a policy by name", "PUT", "role", { Name: "mine", Policies: [{ Name: "{name}" }] }],
  ["replace the policies of a token", "PUT", "token/{own token}", { Policies: [{ ID: "{policy}" }] }],
  ["change the policies of a token", "PATCH", "token/{own token}", { Policies: [{ Name: "{name}" }] }],
  ["replace the roles of a token", "PUT", "token/{own token}", { Roles: [{ Name: "{name}" }] }],
  ["change the roles of a token", "PATCH", "token/{own token}", { Roles: [{ ID: "{role}" }] }],
  ["replace the policies of a role", "PUT", "role/{own role}", { Name: "own", Policies: [{ Name: "{name}" }] }],
  ["change the policies of a role", "PATCH", "role/{own role}", { Policies: [{ ID: "{policy}" }] }],
  ["make a rule of a method", "PUT", "binding-rule", contentOf("binding-rule", { AuthMethod: "{name}" })],
  [
    "incident 12: make a rule of a method, with a slash",
    "PUT",
    "binding-rule/",
    contentOf("binding-rule", { AuthMethod: "{NAME}" }),
  ],
];

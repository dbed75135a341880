/** The kinds of objects of `/v1`, described so that one sentence can be asked of each. */
import { expect } from "vitest";
import type { Answer } from "./api.ts";
import { contentOf, idOf, KINDS, LISTS, METHOD, type Kind } from "./scopes.ts";
import { NOBODY, type V1 } from "./v1.ts";

/** Texts of the refusals that every kind has. The object that they are about is `NOBODY`. */
interface Texts {
  /** The beginning of what says that a body is none. */
  decoding: string;
  read: string;
  /** PUT, where that does not make what there is not. */
  replace?: string;
  change: string;
  delete: string;
  /** A path that ends before the ID; undefined where it is the path of another operation. */
  noId: string;
  /** A body that says another ID, or another name, than the path. */
  otherId: string;
}

/** Texts of refusals of an ID that is none, of kinds that have IDs of the server's making. */
interface MalformedTexts {
  /** Beginning of the text, before the fault of a UUID. */
  read: string;
  write: string;
  /** Beginning for a deletion. Default: as for a read. */
  delete?: string;
}

/** A kind of `/v1`. */
export interface DescribedKind {
  /** As titles have it. */
  kind: Kind | "decision-mapping" | "namespace" | "partition";
  /** Path that creates one; with an ID or a name appended, the path of an existing one. */
  path: string;
  list: string;
  /** Reading and writing it need a right on this. */
  right: "acl" | "operator";
  /** Whether the client chooses the name that it is asked for by, so that a PUT makes what there is not. */
  isNamed: boolean;
  /** A body that makes one; a name is left out where the kind has none. */
  contentOf(content?: { Name?: string; [member: string]: unknown }): object;
  /** Bodies of which each says something that it may not. */
  wrong: readonly object[];
  /** The answer of a deletion. */
  deleted: string;
  texts: Texts;
  malformed?: MalformedTexts;
}

/** A kind that lies in a namespace. */
export type ScopedKind = DescribedKind & { kind: Kind };

function scoped(kind: Kind): Pick<ScopedKind, "kind" | "path" | "list" | "right" | "contentOf" | "deleted"> {
  return {
    kind,
    path: `/acl/${kind}`,
    list: `/acl/${LISTS[kind]}`,
    right: "acl",
    contentOf: (content = {}) => contentOf(kind, content),
    deleted: "true",
  };
}

/** Every kind of `/v1` that is made, read, changed, deleted and listed. */
export const DESCRIBED_KINDS: readonly DescribedKind[] = [
  {
    ...scoped("policy"),
    isNamed: false,
    wrong: [{ Name: "" }, { Name: "a", Rules: "x" }],
    texts: {
      decoding: "Policy decoding failed: ",
      read: "Requested policy does not exist: ACL not found",
      replace: `cannot find policy ${NOBODY}`,
      change: `cannot find policy ${NOBODY}`,
      delete: "Cannot find policy to delete",
      noId: "Missing policy ID",
      otherId: "Policy ID in URL and payload do not match",
    },
    malformed: {
      read: "failed acl policy lookup: index error: ",
      write: "Policy ID invalid UUID",
    },
  },
  {
    ...scoped("role"),
    isNamed: false,
    wrong: [{ Name: "" }, { Name: "a", Policies: [{ Name: "nobody" }] }],
    texts: {
      decoding: "Role decoding failed: ",
      read: "Requested role does not exist: ACL not found",
      replace: `cannot find role ${NOBODY}`,
      change: `cannot find role ${NOBODY}`,
      delete: "Cannot find role to delete",
      noId: "Missing role ID",
      otherId: "Role ID in URL and payload do not match",
    },
    malformed: {
      read: "failed acl role lookup: index error: ",
      write: "Role ID invalid UUID",
    },
  },
  {
    ...scoped("token"),
    isNamed: false,
    wrong: [{ AuthMethod: "x" }, { Policies: [{ Name: "nobody" }] }],
    texts: {
      decoding: "Token decoding failed: ",
      read: "token does not exist: ACL not found",
      replace: `Cannot find token "${NOBODY}"`,
      change: `Cannot find token "${NOBODY}"`,
      delete: "Cannot find token to delete",
      noId: "Missing token AccessorID",
      otherId: "Token Accessor ID in URL and payload do not match",
    },
    malformed: {
      read: "failed acl token lookup: index error: ",
      write: "AccessorID is not a valid UUID",
      delete: "Accessor ID is missing or an invalid UUID",
    },
  },
  {
    ...scoped("auth-method"),
    isNamed: true,
    wrong: [{ Type: "x" }, { Type: "aws-iam" }, { MaxTokenTTL: 1 }, { Config: { X: 1 } }, { TokenLocality: "x" }],
    texts: {
      decoding: "AuthMethod decoding failed: ",
      read: "Requested auth method does not exist: ACL not found",
      change: "Requested auth method does not exist: ACL not found",
      delete: "Cannot find auth method to delete",
      noId: "Missing auth method name",
      otherId: "AuthMethod Name in URL and payload do not match",
    },
  },
  {
    ...scoped("binding-rule"),
    isNamed: false,
    wrong: [{ Selector: "(" }, { AuthMethod: "nobody" }, { BindType: "x" }],
    texts: {
      decoding: "BindingRule decoding failed: ",
      read: "Requested binding rule does not exist: ACL not found",
      replace: `cannot find binding rule ${NOBODY}`,
      change: `cannot find binding rule ${NOBODY}`,
      delete: "Cannot find binding rule to delete",
      noId: "Missing binding rule ID",
      otherId: "BindingRule ID in URL and payload do not match",
    },
    malformed: {
      read: "failed acl binding rule lookup: index error: ",
      write: "Binding Rule ID invalid UUID",
    },
  },
  {
    kind: "decision-mapping",
    path: "/acl/decision-mapping",
    list: "/acl/decision-mappings",
    right: "acl",
    isNamed: true,
    contentOf: (content = {}) => content,
    wrong: [{ ResourceTypes: [{ Type: "key" }] }, { SubjectTypes: [{ Type: "a", As: "x" }] }],
    deleted: "true",
    texts: {
      decoding: "DecisionMapping decoding failed: ",
      read: "Requested decision mapping does not exist: ACL not found",
      change: "Requested decision mapping does not exist: ACL not found",
      delete: "Cannot find decision mapping to delete",
      noId: "Missing decision mapping name",
      otherId: "DecisionMapping Name in URL and payload do not match",
    },
  },
  {
    kind: "namespace",
    path: "/namespace",
    list: "/namespaces",
    right: "operator",
    isNamed: true,
    contentOf: (content = {}) => content,
    wrong: [{ ACLs: { PolicyDefaults: [{ Name: "nobody" }] } }, { Meta: { "": "" } }],
    deleted: "",
    texts: {
      decoding: "Namespace decoding failed: ",
      read: `Namespace "${NOBODY}" does not exist`,
      change: `Namespace "${NOBODY}" does not exist`,
      delete: `Cannot find namespace "${NOBODY}" to delete`,
      noId: "Missing namespace name",
      otherId: "Namespace name in URL and payload do not match",
    },
  },
  {
    kind: "partition",
    path: "/partition",
    list: "/partitions",
    right: "operator",
    isNamed: true,
    contentOf: (content = {}) => content,
    wrong: [],
    deleted: "",
    texts: {
      decoding: "Partition decoding failed: ",
      read: `Partition "${NOBODY}" does not exist`,
      change: `Partition "${NOBODY}" does not exist`,
      delete: `Cannot find partition "${NOBODY}" to delete`,
      noId: "Missing partition name",
      otherId: "Partition name in URL and payload do not match",
    },
  },
];

/** Kinds that lie in a namespace. */
export const SCOPED_KINDS = DESCRIBED_KINDS.filter((of): of is ScopedKind =>
  (KINDS as readonly string[]).includes(of.kind),
);

/** Makes what the kinds rest on: the auth method of binding rules. */
export async function prepareKinds(v1: V1): Promise<void> {
  const answer = await v1.put("/acl/auth-method", contentOf("auth-method", { Name: METHOD }));
  expect(answer.status, answer.text).toBe(200);
}

/** Makes one of a kind, under a name of its own unless it is said. @returns where it is, and how it is answered */
export async function makeKind(
  v1: V1,
  { kind, path, contentOf: bodyOf }: DescribedKind,
  content: object = {},
): Promise<{ path: string; body: Answer["body"]; answer: Answer }> {
  const answer = await v1.put(path, bodyOf({ Name: v1.unique(kind), ...content }));
  expect(answer.status, answer.text).toBe(200);
  return { path: `${path}/${idOf(answer.body)}`, body: answer.body, answer };
}

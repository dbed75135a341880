/** The kinds of objects that files declare, in the order in which they are made: what others need comes first. */
import { textMembersOf, type KindWithTexts } from "../../packages/model/text-members.ts";
import { fold } from "../fold.ts";
import type { MemberShape, Shapes } from "./shape.ts";

export type KindName =
  | "partition"
  | "namespace"
  | "policy"
  | "role"
  | "auth-method"
  | "binding-rule"
  | "token"
  | "decision-mapping"
  | "organization"
  | "project"
  | "tag"
  | "tag-rules"
  | "workspace";

/** Kinds of containers of objects. */
export type Home = "server" | "partition" | "namespace" | "organization";

/** Location of an object. Containers that it is not in are empty. */
export interface Where {
  readonly partition: string;
  readonly namespace: string;
  readonly organization: string;
}

export interface DeclaredKind {
  readonly name: KindName;
  /** As files of it are called. */
  readonly plural: string;
  readonly home: Home;
  /**
   * Member of files that identifies an object. Undefined when its home has only one, or when its content identifies it.
   */
  readonly named: "name" | "accessor-id" | undefined;
  readonly members: Shapes;
  /**
   * Whether only the members that a file names are compared and written. For other kinds, a member that is not named is
   * empty.
   */
  readonly isSparse?: true;
}

const text = (wire: string): { wire: string; shape: MemberShape } => ({ wire, shape: "text" });
const textsOf = (kind: KindWithTexts): Shapes =>
  Object.fromEntries(textMembersOf(kind).map(({ wire, flag }) => [flag, text(wire)]));
const member = (wire: string, shape: MemberShape) => ({ wire, shape });
const DATACENTERS = member("Datacenters", "texts");

const GRANTS: Shapes = {
  policies: member("Policies", "links"),
  "service-identities": member("ServiceIdentities", {
    list: { "service-name": text("ServiceName"), datacenters: DATACENTERS },
  }),
  "node-identities": member("NodeIdentities", {
    list: { "node-name": text("NodeName"), datacenter: text("Datacenter") },
  }),
  "templated-policies": member("TemplatedPolicies", {
    list: {
      "template-name": text("TemplateName"),
      "template-variables": member("TemplateVariables", { group: { name: text("Name") } }),
      datacenters: DATACENTERS,
    },
  }),
};

const RULE: Shapes = {
  name: text("name"),
  project: text("project"),
  "required-keys": member("required-keys", "texts"),
  key: text("key"),
  "allowed-values": member("allowed-values", "texts"),
  "value-pattern": text("value-pattern"),
  "naming-pattern": text("naming-pattern"),
};

/** Entries of a mapping for the decision point. */
const MAPPED_ACTION: Shapes = {
  action: text("Action"),
  properties: member("Properties", "exact"),
  "action-properties": member("ActionProperties", "exact"),
  kind: text("Kind"),
  segment: text("Segment"),
  access: text("Access"),
};

/** In the order in which they are made where nothing else decides; they go the other way round. */
export const KINDS: readonly DeclaredKind[] = [
  {
    name: "partition",
    plural: "partitions",
    home: "server",
    named: "name",
    members: { ...textsOf("partition"), "disable-gossip": member("DisableGossip", "flag") },
  },
  {
    name: "namespace",
    plural: "namespaces",
    home: "partition",
    named: "name",
    members: {
      ...textsOf("namespace"),
      meta: member("Meta", "map"),
      "policy-defaults": member("PolicyDefaults", "links"),
      "role-defaults": member("RoleDefaults", "links"),
    },
  },
  {
    name: "policy",
    plural: "policies",
    home: "namespace",
    named: "name",
    members: { ...textsOf("policy"), rules: text("Rules"), datacenters: DATACENTERS },
  },
  {
    name: "role",
    plural: "roles",
    home: "namespace",
    named: "name",
    members: { ...textsOf("role"), ...GRANTS },
  },
  {
    name: "auth-method",
    plural: "auth-methods",
    home: "namespace",
    named: "name",
    members: {
      type: { ...text("Type"), isFixed: true },
      "display-name": text("DisplayName"),
      ...textsOf("auth-method"),
      "max-token-ttl": member("MaxTokenTTL", "duration"),
      "token-locality": text("TokenLocality"),
      config: member("Config", "free"),
      "namespace-rules": member("NamespaceRules", {
        list: { selector: text("Selector"), "bind-namespace": text("BindNamespace") },
        isOrdered: true,
      }),
    },
  },
  {
    name: "binding-rule",
    plural: "binding-rules",
    home: "namespace",
    named: undefined,
    members: {
      "auth-method": { ...member("AuthMethod", "link"), isFixed: true },
      ...textsOf("binding-rule"),
      selector: text("Selector"),
      "bind-type": text("BindType"),
      "bind-name": text("BindName"),
      "bind-vars": member("BindVars", { group: { name: text("Name") } }),
    },
  },
  {
    name: "token",
    plural: "tokens",
    home: "namespace",
    named: "accessor-id",
    members: {
      ...textsOf("token"),
      ...GRANTS,
      roles: member("Roles", "links"),
      local: { ...member("Local", "flag"), isFixed: true },
      "expiration-time": { ...member("ExpirationTime", "time"), isFixed: true },
      // Given once, when it is made; read from nowhere and never compared.
      secret: text("SecretID"),
    },
  },
  {
    name: "decision-mapping",
    plural: "decision-mappings",
    // The server has them in the namespace `default` alone.
    home: "namespace",
    named: "name",
    members: {
      ...textsOf("decision-mapping"),
      "subject-types": member("SubjectTypes", {
        list: { type: text("Type"), as: text("As"), template: text("Template") },
      }),
      "resource-types": member("ResourceTypes", {
        list: { type: text("Type"), actions: member("Actions", { list: MAPPED_ACTION, isOrdered: true }) },
      }),
    },
  },
  {
    name: "organization",
    plural: "organizations",
    home: "server",
    named: "name",
    isSparse: true,
    members: { email: text("email"), "default-execution-mode": text("default-execution-mode") },
  },
  {
    name: "project",
    plural: "projects",
    home: "organization",
    named: "name",
    isSparse: true,
    members: { description: text("description"), "tag-bindings": member("tag-bindings", "map") },
  },
  { name: "tag", plural: "tags", home: "organization", named: "name", members: {} },
  {
    name: "tag-rules",
    plural: "tag-rules",
    home: "organization",
    named: undefined,
    members: { enforce: text("enforce"), rules: member("rules", { list: RULE, isOrdered: true }) },
  },
  {
    name: "workspace",
    plural: "workspaces",
    home: "organization",
    named: "name",
    isSparse: true,
    members: {
      project: member("project", "link"),
      description: text("description"),
      tags: member("tags", "links"),
      "tag-bindings": member("tag-bindings", "map"),
    },
  },
];

const BY_NAME = new Map<string, DeclaredKind>(KINDS.map((kind) => [kind.name, kind]));

/** @throws TypeError when there is none of this name */
export function kindOf(name: KindName): DeclaredKind {
  const kind = BY_NAME.get(name);
  if (kind === undefined) throw new TypeError(`unknown kind ${name}`);
  return kind;
}

/** Whether it is one of access control, which has ModifyIndexes. */
export function isOfV1({ home, name }: DeclaredKind): boolean {
  return home !== "organization" && name !== "organization";
}

/**
 * Returns the key of an object: its kind, location and name, in any case of ASCII letters, as servers compare names.
 */
export function keyOf(kind: KindName, where: Where, name: string): string {
  return fold(`${kind} ${pathOf(kindOf(kind), where, name)}`);
}

/** Returns the path of an object, as people read it. */
export function pathOf({ home }: DeclaredKind, { partition, namespace, organization }: Where, name: string): string {
  const parts = { server: [], partition: [partition], namespace: [partition, namespace], organization: [organization] }[
    home
  ];
  return [...parts, name].filter((part) => part !== "").join("/");
}

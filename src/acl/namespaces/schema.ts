import { Type, type Static } from "typebox";
import type { MergePatch } from "../../http/v1/body.ts";
import { ALIASES, freeText, READ_ONLY_INDEXES, READ_ONLY_TIME } from "../../http/v1/body-schema.ts";
import { SHOWN_INDEXES, shownLinks } from "../kit/answer-schema.ts";
import { patchedBy } from "../kit/object-routes.ts";
import { renderLinks } from "../kit/render.ts";
import { linksFrom, linksSchema } from "../kit/schema.ts";
import type { DefaultLinks, LinkedNamespace, NamespaceInput } from "./service.ts";

const EXAMPLE = {
  Name: "team-1",
  Description: "Services of the first team",
  ACLs: {
    PolicyDefaults: [{ ID: "3f1f2b4e-7d9c-4f57-9a51-2d5f6d0f5c11", Name: "node-read" }],
    RoleDefaults: [],
  },
  Meta: { owner: "first@example.com" },
  Partition: "default",
  CreateIndex: 9,
  ModifyIndex: 9,
};

const MEMBERS = {
  Name: Type.Optional(Type.String()),
  Description: Type.Optional(freeText()),
  ACLs: Type.Optional(
    Type.Object(
      { PolicyDefaults: Type.Optional(linksSchema), RoleDefaults: Type.Optional(linksSchema) },
      // As files for the command line spell them.
      { [ALIASES]: { policy_defaults: "PolicyDefaults", role_defaults: "RoleDefaults" } },
    ),
  ),
  Meta: Type.Optional(Type.Record(Type.String(), Type.String())),
  Partition: Type.Optional(Type.String()),
  ...READ_ONLY_INDEXES,
};

export const namespaceBody = Type.Object(
  { ...MEMBERS, DeletedAt: READ_ONLY_TIME },
  {
    title: "NamespaceBody",
    [ALIASES]: { deleted_at: "DeletedAt" },
    examples: [{ Name: EXAMPLE.Name, ACLs: { PolicyDefaults: [{ Name: "node-read" }] }, Meta: EXAMPLE.Meta }],
  },
);

const SHOWN = {
  Name: Type.String(),
  Description: Type.Optional(Type.String()),
  ACLs: Type.Optional(Type.Object({ PolicyDefaults: shownLinks, RoleDefaults: shownLinks })),
  Meta: Type.Optional(Type.Record(Type.String(), Type.String())),
  DeletedAt: Type.Optional(Type.String({ format: "date-time" })),
  Partition: Type.String(),
  ...SHOWN_INDEXES,
};

export const namespaceAnswer = Type.Object(SHOWN, {
  title: "Namespace",
  description: "Namespace. `DeletedAt` is present once it is marked for deletion.",
  examples: [EXAMPLE],
});

type Body = Static<typeof namespaceBody>;

/** Returns the content of a namespace in a body; without `ACLs` it has no defaults. */
export function inputFrom({ Description = "", ACLs, Meta = {} }: Body): NamespaceInput {
  return { description: Description, meta: Meta, defaults: ACLs && defaultsFrom(ACLs) };
}

function defaultsFrom({ PolicyDefaults, RoleDefaults }: NonNullable<Body["ACLs"]>): DefaultLinks {
  return { policies: linksFrom(PolicyDefaults), roles: linksFrom(RoleDefaults) };
}

/** The links that a body or a patch names. */
export function linksIn({ ACLs }: Body | MergePatch<Body>): DefaultLinks {
  return { policies: linksFrom(ACLs?.PolicyDefaults), roles: linksFrom(ACLs?.RoleDefaults) };
}

/** Applies a JSON Merge Patch, also inside `ACLs` and `Meta`. */
export function patched(current: NamespaceInput, patch: MergePatch<Body>): NamespaceInput {
  const { Meta, ACLs } = patch;
  return {
    ...patchedBy(inputFrom)(current, patch),
    meta: Meta === undefined ? current.meta : patchedMeta(current.meta, Meta),
    defaults: ACLs === undefined ? current.defaults : patchedDefaults(current.defaults, patch),
  };
}

function patchedMeta(
  current: NamespaceInput["meta"],
  patch: MergePatch<Record<string, string>> | null,
): NamespaceInput["meta"] {
  if (patch === null) return {};
  const merged = new Map(Object.entries(current));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === undefined) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

function patchedDefaults(current: DefaultLinks | undefined, patch: MergePatch<Body>): DefaultLinks | undefined {
  if (!patch.ACLs) return undefined;
  const given = linksIn(patch);
  return {
    policies: "PolicyDefaults" in patch.ACLs ? given.policies : (current?.policies ?? []),
    roles: "RoleDefaults" in patch.ACLs ? given.roles : (current?.roles ?? []),
  };
}

/** A namespace as answers show it: with both lists of defaults as soon as it was written with any. */
export function renderNamespace({ defaults, ...namespace }: LinkedNamespace) {
  const { name, description, meta, deletedAt, partition, createIndex, modifyIndex } = namespace;
  return {
    Name: name,
    Description: description || undefined,
    ACLs: defaults && { PolicyDefaults: renderLinks(defaults.policies), RoleDefaults: renderLinks(defaults.roles) },
    Meta: Object.keys(meta).length === 0 ? undefined : meta,
    DeletedAt: deletedAt || undefined,
    Partition: partition,
    CreateIndex: createIndex,
    ModifyIndex: modifyIndex,
  };
}

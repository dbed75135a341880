/** Lines of audit records: actor, action and object, with a link to it. */
import { Text } from "@mantine/core";
import { inOrganization, inScope } from "../base/address.ts";
import { Actor } from "./actor.tsx";
import type { AuditRecord } from "./audit-record.ts";
import type { IconName } from "./icons.tsx";
import { A } from "./link.tsx";
import { visible } from "./visible.ts";
import * as texts from "../texts/kit-objects.ts";

/** The screens of objects of `/v1`, by the kind that records have. */
const SCOPED: Readonly<Record<string, string>> = {
  token: "tokens",
  policy: "policies",
  role: "roles",
  "auth-method": "auth-methods",
  "binding-rule": "binding-rules",
};

/** The screens of objects of an organization, by the kind that records have. */
const IN_ORGANIZATION: Readonly<Record<string, string>> = {
  workspace: "workspaces",
  project: "projects",
  tag: "tags",
  webhook: "tag-webhooks",
  "reserved-tag-key": "reserved-tag-keys",
};

/** The icon of what was done. */
export function iconOfAction(action: string): IconName {
  if (action === "create") return "plus";
  if (["delete", "expire", "remove"].includes(action)) return "trash";
  if (action === "reveal") return "eye";
  return ["login", "logout", "begin", "end"].includes(action) ? "method" : "edit";
}

/** Returns the path of the object of a record; undefined when it has no screen or no longer exists. */
export function pathOfRecord(record: AuditRecord): string | undefined {
  const { Kind: kind, ID: id, Name: name = "", Action: action } = record;
  if (record.Outcome === "refused" || ["delete", "expire", "remove"].includes(action) || id === "") return undefined;
  if (record.Organization !== undefined) {
    if (kind === "tag-policy") return inOrganization(record.Organization, "tag-rules");
    const noun = IN_ORGANIZATION[kind];
    return noun === undefined ? undefined : inOrganization(record.Organization, noun, id);
  }
  const noun = SCOPED[kind];
  const scope = { partition: record.Partition ?? "default", namespace: record.Namespace ?? "default" };
  if (noun === undefined || scope.namespace === "") return undefined;
  // An auth method is found by its name.
  return inScope(scope, noun, kind === "auth-method" ? name : id);
}

/** Returns the words for an action, to follow the name of the actor. */
function didOf({ Action: action, Outcome: outcome }: AuditRecord): string {
  const words = action.replaceAll("-", " ");
  if (outcome === "refused") return texts.recordDenied(words);
  return PAST[action] ?? words;
}

const PAST: Readonly<Record<string, string>> = {
  create: texts.recordCreated,
  update: texts.recordChanged,
  delete: texts.recordDeleted,
  rename: texts.recordRenamed,
  expire: texts.recordExpired,
  remove: texts.recordRemoved,
  login: texts.recordLogin,
  logout: texts.recordLogout,
  reveal: texts.recordReveal,
  "change-tags": texts.recordTags,
  merge: texts.recordMerged,
  move: texts.recordMoved,
  lock: texts.recordLocked,
  unlock: texts.recordUnlocked,
  undo: texts.recordUndone,
  rotate: texts.recordRotated,
  restore: texts.recordRestored,
};

/** A record as a sentence. Names are people's: they are shown as they are, however they are written. */
export function RecordLine({ record, isPlain = false }: { record: AuditRecord; isPlain?: boolean }) {
  const { Kind: kind, ID: id, Name: name = "", Actor: actor } = record;
  const path = isPlain ? undefined : pathOfRecord(record);
  const shown = name === "" ? id.slice(0, 8) : name;
  if (record.Damaged === true) {
    return (
      <Text size="sm" span c="red">
        {texts.recordCorrupted}
      </Text>
    );
  }
  if (kind === "session" && record.Outcome === "done") {
    return (
      <Text size="sm" span>
        <Text span inherit fw={550}>
          <Actor actor={actor} isPlain />
        </Text>{" "}
        {record.Action === "begin" ? texts.recordSignIn : texts.recordSignOut}
      </Text>
    );
  }
  return (
    <Text size="sm" span style={{ overflowWrap: "anywhere" }}>
      <Text span inherit fw={550}>
        <Actor actor={actor} isPlain />
      </Text>{" "}
      {didOf(record)} {kind === "login" ? "" : texts.recordKind(kind.replaceAll("-", " "))}
      <bdi>
        {path === undefined ? (
          <strong>{visible(shown)}</strong>
        ) : (
          <A to={path} underline="always">
            {shown}
          </A>
        )}
      </bdi>
    </Text>
  );
}

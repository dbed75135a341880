/**
 * Finds subjects that have an access, among the roles, binding rules and tokens that the caller may read. Implements
 * `/v1/acl/access`.
 */
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { QuestionLane } from "../../rights/question-lane.ts";
import { seesAll } from "../../storage/reads/conditions.ts";
import { checkQuestion } from "../../acl/authorizations/service.ts";
import { aclNamespaces, authorize } from "../../rights/authorize.ts";
import { checkPermission, type ListScope } from "../../rights/permission.ts";
import { ANY_NAMESPACE, DEFAULT_SCOPE, homeOf, type Scope } from "../../rights/scope.ts";
import type { AccessOptions } from "../../acl/tokens/resolve.ts";
import { SUBJECTS, WHO_MAY, type AccessEntry } from "./find.ts";
import { openPlace, writePlace } from "./place.ts";

/** Question of a request. */
export interface AccessRequest {
  resource: string;
  segment: string;
  access: string;
  /** Scope of the question. */
  scope: Scope;
  /** Kind of subjects; empty: all kinds. */
  kind: string;
  /** The `next` of the previous page; empty for the first page. */
  after: string;
  size: number;
}

export interface AccessList {
  entries: AccessEntry[];
  /** Position of the next page; undefined on the last page. */
  next: string | undefined;
  /** Whether there are namespaces that the caller may not read, as far as its own rights say. */
  isFiltered: boolean;
}

/**
 * Returns a page of subjects that have an access: roles, then tokens, then binding rules.
 *
 * @throws AppError `forbidden` without acl:read where it is asked, `bad_parameter`, `rate_limited` when too many ask
 */
export async function listAccess(
  ctx: Context,
  asked: AccessRequest,
  options: AccessOptions,
  lane: QuestionLane,
): Promise<AccessList> {
  const { scope, segment, size } = asked;
  checkPermission(ctx, scope, "acl", "read");
  const question = { ...checkQuestion(asked.resource, asked.access), segment, scope };
  const kinds = SUBJECTS.filter((kind) => asked.kind === "" || kind === asked.kind);
  if (kinds.length === 0) throw new AppError("bad_parameter", `Invalid kind: expected one of ${SUBJECTS.join(", ")}`);
  // Policies of the default partition speak of others too.
  const partitions = new Set([scope.partition, DEFAULT_SCOPE.partition]);
  const lists = Array.from(partitions, (partition): ListScope => {
    return { partition, namespace: ANY_NAMESPACE, visible: aclNamespaces(ctx.actor, partition) };
  });
  const { defaultPolicy, edition, datacenter } = options;
  const after = openPlace(asked.after);
  const search = {
    question,
    options: { defaultPolicy, edition, datacenter },
    lists,
    kinds,
    after,
    size,
    now: ctx.now(),
  };
  const found = await lane.run(ctx.actor, async () => ctx.db.apart(WHO_MAY, search));
  const entries = found.slice(0, size);
  const last = entries.at(-1);
  return {
    entries: entries.map((entry) => withoutHidden(ctx, entry)),
    next: found.length > size && last !== undefined ? writePlace(last.place) : undefined,
    isFiltered: lists.some(({ visible }) => visible !== undefined && !seesAll(visible)),
  };
}

/** Stands for a policy that the caller may not read. */
const HIDDEN = { id: "hidden", name: "hidden", isByDefault: true };

/** Hides default policies: they are in the namespace `default`, which not every caller may read. */
function withoutHidden({ actor }: Context, entry: AccessEntry): AccessEntry {
  if (authorize(actor, "acl", "", "read", homeOf(entry.scope.partition))) return entry;
  const shown = entry.policies.filter(({ isByDefault }) => !isByDefault);
  return { ...entry, policies: shown.length === entry.policies.length ? shown : [...shown, HIDDEN] };
}

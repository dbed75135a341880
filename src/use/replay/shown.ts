/** Questions as their reader may see them. Pure. */
import { decide, type DecidingRights } from "../../rights/rules/decide.ts";
import { NO_FACTS, type RightsQuestion } from "../../rights/rules/question.ts";
import type { Scope } from "../../rights/scope.ts";
import type { ShownQuestion } from "./entry.ts";
import type { UsedPair } from "./pairs.ts";

/** Whether these rights allow something, as a decision without facts. */
export function may(rights: DecidingRights, question: RightsQuestion): boolean {
  return decide(rights, question, NO_FACTS).allow;
}

/**
 * @param reader permissions of the caller, which holds acl:read where the subject is
 * @returns the question of a pair. A name that the caller may not read is replaced by the rule that allowed it, which is a
 * part of a policy that the caller may read; a namespace or partition likewise by its block
 */
export function shownOf({ resource, access, decidedIn, name, rule }: UsedPair, reader: DecidingRights): ShownQuestion {
  const { namespace, partition } = decidedIn;
  const { block } = rule;
  const isInBlock = (kind: "namespace" | "partition") => (block?.kind === kind ? block : undefined);
  const outer = isInBlock("partition") ?? block?.partition;
  const inner = isInBlock("namespace");
  const where =
    inner === undefined || seesNamespace(reader, decidedIn)
      ? { namespace, isNamespacePrefix: false }
      : { namespace: inner.segment, isNamespacePrefix: inner.prefix };
  const around =
    outer === undefined || seesPartition(reader, partition)
      ? { partition, isPartitionPrefix: false }
      : { partition: outer.segment, isPartitionPrefix: outer.prefix };
  const isShown =
    name !== undefined &&
    (name === "" ||
      name === rule.segment ||
      may(reader, { resource, segment: name, access: "read", scope: decidedIn }));
  const about = isShown ? { segment: name, isPrefix: false } : { segment: rule.segment, isPrefix: rule.prefix };
  return { resource, access, ...about, ...where, ...around };
}

function seesNamespace(reader: DecidingRights, scope: Scope): boolean {
  return may(reader, { resource: "namespace", segment: scope.namespace, access: "read", scope });
}

function seesPartition(reader: DecidingRights, partition: string): boolean {
  const scope = { partition, namespace: "default" };
  return may(reader, { resource: "operator", segment: "", access: "read", scope });
}

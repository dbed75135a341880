/**
 * The one decision of access control: may whoever has these rights do this, the facts being so? Whatever asks a single
 * question comes here: services by `authorize`, explanations by `explainAuthorization`, tests of policies, and the lists of who may
 * and who gains or loses for each set of policies. Pure.
 */
import { DEFAULT_SCOPE, homeOf, type Scope } from "../scope.ts";
import { PARTITION_ONLY, ROOT_ONLY } from "./acting-rules.ts";
import type { Authorizer, Decision } from "./authorizer.ts";
import { fold } from "../../fold.ts";
import type { Facts, RightsQuestion } from "./question.ts";
import type { Access, Resource } from "./rule.ts";

/** Compiled permissions as a decision takes them, of whichever scope. */
export type DecidingRights = Pick<Authorizer, "in" | "decideSight">;

/**
 * Decides a question, in two look-ups for each layer of rules.
 *
 * @param facts `NO_FACTS` where none is known
 * @returns the decision with the rule that made it; `explained` says it in words of the wire
 */
export function decide(rights: DecidingRights, question: RightsQuestion, facts: Facts): Decision {
  return decideInParts(rights, question.resource, question.segment, question.access, question.scope, facts);
}

/**
 * Decides as `decide` does, by the parts of a question: for `authorize` alone, which is asked for each row of a list. To make an
 * object for each question took it up to 5 % longer.
 */
export function decideInParts(
  rights: DecidingRights,
  resource: Resource,
  segment: string,
  access: Access,
  scope: Scope,
  facts: Facts,
): Decision {
  // A namespace may be read by whoever may read anything in it.
  if (resource === "namespace" && access === "read") {
    return rights.decideSight({ partition: scope.partition, namespace: fold(segment) }, facts);
  }
  return rights.in(deciding(resource, scope)).decide(resource, segment, access, facts);
}

/** The scope whose rules decide about a resource: what lies in no namespace is asked of the partition, or of the whole server. */
export function deciding(resource: Resource, scope: Scope): Scope {
  if (scope === DEFAULT_SCOPE || ROOT_ONLY.has(resource) || resource === "partition") return DEFAULT_SCOPE;
  const isOfPartition = PARTITION_ONLY.has(resource) || resource === "namespace";
  return isOfPartition ? homeOf(scope.partition) : scope;
}

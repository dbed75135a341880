/** Answers questions from files of rules, by what a server decides by. */
import { checkQuestion } from "../acl/authorizations/service.ts";
import { explainAuthorization } from "../rights/authorize.ts";
import { compileAuthorizer } from "../rights/rules/compile.ts";
import { fold } from "../fold.ts";
import { parseRules } from "../rights/rules/parse.ts";
import { NO_FACTS } from "../rights/rules/question.ts";
import type { Authorizer } from "../rights/rules/authorizer.ts";
import { DEFAULT_SCOPE } from "../rights/scope.ts";
import { type Expected, PolicyTestError } from "./read.ts";

/** Decision, and the rule that made it. */
export interface TestedDecision {
  readonly allow: boolean;
  readonly because: string;
}

/**
 * Decides the questions for a token with these policies of the default namespace.
 *
 * @throws {PolicyTestError} when there is no such file; AppError when its text is none of rules, or a question cannot
 * be understood
 */
export function decideFromFiles(
  rules: ReadonlyMap<string, string>,
  policies: readonly string[],
  questions: readonly Expected[],
): TestedDecision[] {
  const rights = compileFrom(rules, policies);
  return questions.map(({ resource, access, segment, namespace, partition }) => {
    const asked = checkQuestion(resource, access);
    const scope = {
      namespace: fold(namespace ?? DEFAULT_SCOPE.namespace),
      partition: fold(partition ?? DEFAULT_SCOPE.partition),
    };
    const name =
      segment || (asked.resource === "namespace" ? namespace : asked.resource === "partition" ? partition : "");
    const found = explainAuthorization(rights, { ...asked, segment: name ?? "", scope }, NO_FACTS);
    return { allow: found.allow, because: becauseOf(found) };
  });
}

function compileFrom(rules: ReadonlyMap<string, string>, policies: readonly string[]): Authorizer {
  const direct = policies.map((name) => {
    const text = rules.get(name);
    if (text === undefined) throw new PolicyTestError(`no policy file found for policy ${name}`);
    return { id: name, name, links: [], home: DEFAULT_SCOPE, rules: parseRules(text) };
  });
  return compileAuthorizer({ direct, defaults: [], defaultPolicy: "deny" });
}

function becauseOf({ rule, policies = [] }: ReturnType<typeof explainAuthorization>): string {
  if (rule === undefined) return "no matching rule";
  const kind = `${rule.Resource}${rule.Prefix === true ? "_prefix" : ""}`;
  const named = rule.Segment === "" && rule.Prefix !== true ? kind : `${kind} ${JSON.stringify(rule.Segment)}`;
  return `${named} = ${rule.Policy} in ${policies.map(({ Name }) => Name).join(", ")}`;
}

/** The question of `can` to the decision point, in the AuthZEN standard: types of decision mappings and their properties. */
import { looseValue } from "../body.ts";
import { usage } from "../exit.ts";
import { objectOf } from "../kit/answers.ts";
import type { Item } from "../output/types.ts";
import type { Call, Flag } from "../spec.ts";

export const AUTHZEN_FLAGS: readonly Flag[] = [
  {
    name: "authzen",
    value: "TYPE:ID",
    help: "AuthZEN subject to check, for example role:web-team. TYPE: built-in type, or type of a decision mapping.",
  },
  {
    name: "property",
    value: "NAME=VALUE",
    many: true,
    help: "Property of the resource for --authzen. Values that are valid JSON are parsed as JSON. Repeatable.",
  },
  {
    name: "action-property",
    value: "NAME=VALUE",
    many: true,
    help: "Property of the action for --authzen. Repeatable.",
  },
];

/**
 * Asks the decision point about a subject, an action (the access) and a resource.
 *
 * @param subject type and ID, with a colon between them
 * @returns the decision as `authorize` and `explain` return it
 * @throws CliError when the subject or the resource is incomplete
 */
export async function askDecisionPoint(call: Call, subject: string): Promise<Item> {
  const [type, id] =
    call.optionalArg("resource") === undefined ? [] : [call.arg("resource"), call.optionalArg("segment")];
  if (type === undefined || id === undefined)
    throw usage("specify type and ID of the resource, for example tessera can delete record 42 --authzen user:alice");
  const colon = subject.indexOf(":");
  if (colon < 1) throw usage(`invalid --authzen: expected TYPE:ID, got ${JSON.stringify(subject)}`);
  const answer = objectOf(
    await call.read("evaluateAccess", {
      query: call.isSet("explain") ? { explain: "true" } : {},
      body: {
        subject: { type: subject.slice(0, colon), id: subject.slice(colon + 1) },
        action: { name: call.arg("access"), ...propertiesOf(call, "action-property") },
        resource: { type, id, ...propertiesOf(call, "property") },
      },
    }),
  );
  return decisionOf(answer);
}

function propertiesOf(call: Call, flag: string): { properties?: Item } {
  const pairs = call.flagList(flag).map((pair) => {
    const index = pair.indexOf("=");
    if (index < 1) throw usage(`invalid --${flag}: expected NAME=VALUE, got ${JSON.stringify(pair)}`);
    return [pair.slice(0, index), looseValue(pair.slice(index + 1))] as const;
  });
  return pairs.length === 0 ? {} : { properties: Object.fromEntries(pairs) };
}

function decisionOf({ decision, context }: Item): Item {
  const { reason, rule, policies, minimal_rule: minimal } = (context ?? {}) as Item;
  return {
    Allow: decision === true,
    ...(reason !== undefined && { DecidedBy: reason }),
    ...(rule !== undefined && { Rule: rule }),
    ...(policies !== undefined && { Policies: policies }),
    ...(minimal !== undefined && { Wanted: { Rules: minimal } }),
  };
}

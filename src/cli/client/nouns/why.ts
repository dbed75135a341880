import { listOf, objectOf } from "../kit/answers.ts";
import { decisionLines, line, textOf, type DecisionLine } from "../kit/decision.ts";
import type { Item } from "../output/types.ts";
import type { Call, Verb } from "../spec.ts";

export const verb: Verb = {
  name: "why",
  summary: "Explain a denied request and show a rule that allows it.",
  description:
    "With a request ID: shows the denied action, the deciding rule and the minimal rule that allows it. Requires acl:read. " +
    "Without a request ID: shows the last denied requests of your token, and requires no permission.",
  operations: ["explainRefusal", "listOwnRefusals"],
  args: [{ name: "request", help: "Request ID from the X-Request-Id header of the response.", optional: true }],
  async run(call) {
    const request = call.optionalArg("request");
    if (request === undefined) return showOwn(call);
    const refusal = objectOf(await call.read("explainRefusal", { path: { request_id: request } }));
    if (call.out.isData) await call.out.value(refusal);
    else await call.out.text(textOf(linesOf(refusal), call.io.stdout.columns));
  },
};

async function showOwn(call: Call): Promise<void> {
  const refusals = listOf(await call.read("listOwnRefusals"));
  if (call.out.isData) return call.out.value(refusals);
  if (refusals.length === 0)
    return call.out.note("No denied requests: the server denied none, or your permissions now allow them.");
  await call.out.text(textOf(refusals.flatMap(ownLinesOf), call.io.stdout.columns));
}

function ownLinesOf(item: Item): DecisionLine[] {
  const { At: at, RequestID: request, Question: question = {} } = item as unknown as Refusal;
  return [
    line(0, `${whatOf(item as unknown as Refusal)} was denied at ${at} (${request}).`),
    ...decisionLines(question),
  ];
}

interface Refusal {
  RequestID: string;
  At: string;
  Action: string;
  AccessorID?: string;
  Count: number;
  Question?: Item & { Resource?: string; Segment?: string; Access?: string; Namespace?: string; Allow?: boolean };
  TokenIsGone?: boolean;
  Login?: { AuthMethod: string; Reason: string; BindingRule?: string };
}

function linesOf(item: Item): DecisionLine[] {
  const refusal = item as unknown as Refusal;
  const { At: at, AccessorID: accessor, Count: count, Question: question, Login: login } = refusal;
  const times = count === 1 ? "" : `, ${count} times within a minute`;
  const who = accessor === undefined ? "without a valid token" : `with the token ${accessor}`;
  const lines = [line(0, `${whatOf(refusal)} was denied at ${at}${times}.`), line(0, `The request was sent ${who}.`)];
  if (login !== undefined) {
    const rule = login.BindingRule === undefined ? "" : ` (binding rule ${login.BindingRule})`;
    lines.push(line(0, `A login with ${login.AuthMethod} was denied: ${login.Reason}${rule}.`));
  }
  if (refusal.TokenIsGone === true)
    lines.push(line(0, "The token no longer exists, so the request cannot be evaluated again."));
  if (question?.Allow !== undefined)
    lines.push(
      line(0, `With the current policies, it is ${question.Allow ? "allowed" : "denied"}.`),
      ...decisionLines(question),
    );
  return lines;
}

function whatOf({ Action: action, Question: question }: Refusal): string {
  if (question === undefined) return action;
  const { Access: access, Resource: resource, Segment: segment, Namespace: namespace } = question;
  const where = namespace === undefined || namespace === "default" ? "" : ` in namespace ${namespace}`;
  return [access ?? action, resource, segment].filter((word) => word !== undefined).join(" ") + where;
}

import { askDecisionPoint, AUTHZEN_FLAGS } from "./can-authzen.ts";
import { CliError, EXIT, usage } from "../exit.ts";
import type { Call } from "../spec.ts";
import { textOfFile } from "../body.ts";
import { listOf, objectOf } from "../kit/answers.ts";
import { decisionLines, line, textOf, type DecisionLine } from "../kit/decision.ts";
import type { Item } from "../output/types.ts";
import type { Verb } from "../spec.ts";

/** About whom it is asked, as the request names them. */
type Subject = Readonly<Record<string, unknown>>;

export const verb: Verb = {
  name: "can",
  summary: "Check whether a token may perform an action.",
  description:
    "Prints yes or no and exits with 0 or 4. Default: checks the current token. Use --explain to show the deciding rule and policy.",
  operations: ["authorize", "authorizeInternally", "explainDecisions", "evaluateAccess"],
  args: [
    {
      name: "access",
      help: 'read, write or list. With a subject option also an HTTP request, for example "PATCH /api/v2/workspaces/ws-…".',
    },
    { name: "resource", help: "Resource type, for example workspace, tag, service or acl.", optional: true },
    { name: "segment", help: "Resource name, for example acme/prod.", optional: true },
  ],
  flags: [
    { name: "explain", help: "Show the deciding rule and how the token received it. Requires acl:read." },
    {
      name: "token",
      value: "ACCESSOR",
      help: "Subject: the token with this AccessorID. Requires acl:read.",
      complete: "token",
    },
    { name: "role", value: "NAME", help: "Subject: a token with this role. Requires acl:read.", complete: "role" },
    {
      name: "rules",
      value: "FILE",
      help: "Subject: a draft policy file. Use - to read stdin. Requires acl:read.",
      complete: "file",
    },
    {
      name: "auth-method",
      value: "NAME",
      help: "Subject: a login with this auth method and --claims. Requires acl:read.",
      complete: "auth-method",
    },
    {
      name: "claims",
      value: "JSON",
      help: 'Selector fields of the identity for --auth-method, for example {"value":{"team":"web"}}.',
    },
    { name: "internal", help: "Send the request to /v1/internal/acl/authorize instead of /v1/acl/authorize." },
    ...AUTHZEN_FLAGS,
  ],
  examples: [
    "tessera can write workspace acme/prod",
    "tessera can read service web --explain",
    "tessera can write workspace acme/prod --rules draft.hcl",
    `tessera can write workspace acme/prod --auth-method ci \\
    --claims '{"value":{"team":"web"}}'`,
    "tessera can delete record 42 --authzen user:alice --property soft=false",
    'tessera can "PATCH /api/v2/workspaces/ws-Ab3kXyZ12mNoPqRs" --role ops',
  ],
  async run(call) {
    const subject = call.flag("authzen");
    const who = await subjectOf(call);
    const answer =
      subject !== undefined
        ? await askDecisionPoint(call, subject)
        : who === undefined
          ? await askOwn(call)
          : await askFor(call, who);
    if (call.out.isData) await call.out.value(answer);
    else await call.out.text(textOf(linesOf(answer), call.io.stdout.columns));
    const asked = [call.arg("access"), call.optionalArg("resource"), call.optionalArg("segment")];
    const what = asked.filter((word) => word !== undefined).join(" ");
    if (answer["Allow"] === undefined)
      throw new CliError(EXIT.notFound, `the path of ${what} was not found, or you may not read it`);
    if (answer["Allow"] !== true) throw new CliError(EXIT.refused, `${what} is denied`);
  },
};

async function askOwn(call: Call): Promise<Item> {
  const resource = call.optionalArg("resource");
  if (resource === undefined)
    throw usage(
      "specify a resource, for example tessera can read workspace acme/prod; a request requires --token, --role, --rules or --auth-method",
    );
  const question = { Resource: resource, Access: call.arg("access"), Segment: call.optionalArg("segment") ?? "" };
  const query = call.isSet("explain") ? { explain: "true" } : {};
  const answer = await call.read(call.isSet("internal") ? "authorizeInternally" : "authorize", {
    body: [question],
    query,
  });
  return firstOf(listOf(answer));
}

/** About whom it is asked, as the request names them; undefined for the token in use. @throws CliError */
async function subjectOf(call: Call): Promise<Subject | undefined> {
  const [token, role, rules, method] = [
    call.flag("token"),
    call.flag("role"),
    call.flag("rules"),
    call.flag("auth-method"),
  ];
  if ([token, role, rules, method, call.flag("authzen")].filter((each) => each !== undefined).length > 1)
    throw usage("use only one of --token, --role, --rules, --auth-method and --authzen");
  const claims = call.flag("claims");
  if ((method === undefined) !== (claims === undefined)) throw usage("set both --auth-method and --claims");
  if (method !== undefined) return { AuthMethod: method, Identity: identityIn(claims) };
  if (token !== undefined) return { AccessorID: token };
  if (role !== undefined) return { RoleName: role };
  return rules === undefined ? undefined : { Rules: await textOfFile(call, rules) };
}

/** @throws CliError */
function identityIn(claims = ""): unknown {
  try {
    return JSON.parse(claims);
  } catch {
    throw usage(`--claims is not valid JSON: ${claims}`);
  }
}

async function askFor(call: Call, who: Subject): Promise<Item> {
  const resource = call.optionalArg("resource");
  const access = call.arg("access");
  if (resource === undefined && !/^[A-Z]+ \//.test(access))
    throw usage(
      'specify a resource or a request, for example tessera can read workspace acme/prod, or "GET /v1/acl/tokens"',
    );
  const question =
    resource === undefined
      ? { Request: access }
      : { Resource: resource, Access: access, Segment: call.optionalArg("segment") ?? "" };
  const answer = objectOf(await call.read("explainDecisions", { body: { ...who, Questions: [question] } }));
  return firstOf(answer["Answers"] as readonly Item[]);
}

function firstOf(list: readonly Item[]): Item {
  const [first] = list;
  if (first === undefined) throw new CliError(EXIT.failed, "the server response contains no decision");
  return first;
}

/** Yes or no, and behind it what else is said. */
function linesOf(answer: Item): DecisionLine[] {
  const allow = answer["Allow"];
  const explained = answer["Explain"] as Item | undefined;
  return [
    line(0, allow === undefined ? "unknown" : allow === true ? "yes" : "no"),
    ...decisionLines(explained ?? answer),
  ];
}

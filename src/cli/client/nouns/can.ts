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
  summary: "Whether a token may do something.",
  description:
    "Says yes or no, and ends with 0 or 4. Without --token it asks for the token in use; --explain says which rule of which policy decides.",
  operations: ["authorize", "authorizeInternally", "explainDecisions"],
  args: [
    {
      name: "access",
      help: 'read, write or list; or a request such as "PATCH /api/v2/workspaces/ws-…", with --token, --role, --rules or --auth-method.',
    },
    { name: "resource", help: "Such as workspace, tag, service or acl.", optional: true },
    { name: "segment", help: "Which one, such as acme/prod.", optional: true },
  ],
  flags: [
    { name: "explain", help: "Say which rule decides, and by which link the token has it. Needs acl:read." },
    {
      name: "token",
      value: "ACCESSOR",
      help: "Ask for this token, by its AccessorID. Needs acl:read.",
      complete: "token",
    },
    { name: "role", value: "NAME", help: "Ask for whoever has this role. Needs acl:read.", complete: "role" },
    {
      name: "rules",
      value: "FILE",
      help: "Ask for whoever had just a policy of these rules, which is not written yet; - is standard input. Needs acl:read.",
      complete: "file",
    },
    {
      name: "auth-method",
      value: "NAME",
      help: "Ask for whoever logs in by this method, with the claims of --claims. Needs acl:read.",
      complete: "auth-method",
    },
    {
      name: "claims",
      value: "JSON",
      help: 'With --auth-method: who that is, as selectors see it, such as {"value":{"team":"web"}}.',
    },
    { name: "internal", help: "By the path under /v1/internal, as some clients ask." },
  ],
  examples: [
    "tessera can write workspace acme/prod",
    "tessera can read service web --explain",
    "tessera can write workspace acme/prod --rules draft.hcl",
    `tessera can write workspace acme/prod --auth-method ci --claims '{"value":{"team":"web"}}'`,
    'tessera can "PATCH /api/v2/workspaces/ws-Ab3kXyZ12mNoPqRs" --token 4790b712-08ff-4c92-85df-006937ca5567',
  ],
  async run(call) {
    const who = await subjectOf(call);
    const answer = who === undefined ? await askOwn(call) : await askFor(call, who);
    if (call.out.isData) await call.out.value(answer);
    else await call.out.text(textOf(linesOf(answer), call.io.stdout.columns));
    const asked = [call.arg("access"), call.optionalArg("resource"), call.optionalArg("segment")];
    const what = asked.filter((word) => word !== undefined).join(" ");
    if (answer["Allow"] === undefined)
      throw new CliError(EXIT.notFound, `nothing that may be read is at the path of ${what}`);
    if (answer["Allow"] !== true) throw new CliError(EXIT.refused, `${what} is not allowed`);
  },
};

async function askOwn(call: Call): Promise<Item> {
  const resource = call.optionalArg("resource");
  if (resource === undefined)
    throw usage(
      "say of what: tessera can read workspace acme/prod; a request is asked with --token, --role, --rules or --auth-method",
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
  if ([token, role, rules, method].filter((each) => each !== undefined).length > 1)
    throw usage("give one of --token, --role, --rules and --auth-method");
  const claims = call.flag("claims");
  if ((method === undefined) !== (claims === undefined)) throw usage("give --auth-method and --claims together");
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
    throw usage(`--claims is no JSON: ${claims}`);
  }
}

async function askFor(call: Call, who: Subject): Promise<Item> {
  const resource = call.optionalArg("resource");
  const access = call.arg("access");
  if (resource === undefined && !/^[A-Z]+ \//.test(access))
    throw usage('say of what: tessera can read workspace acme/prod, or "GET /v1/acl/tokens"');
  const question =
    resource === undefined
      ? { Request: access }
      : { Resource: resource, Access: access, Segment: call.optionalArg("segment") ?? "" };
  const answer = objectOf(await call.read("explainDecisions", { body: { ...who, Questions: [question] } }));
  return firstOf(answer["Answers"] as readonly Item[]);
}

function firstOf(list: readonly Item[]): Item {
  const [first] = list;
  if (first === undefined) throw new CliError(EXIT.failed, "the server decided nothing");
  return first;
}

/** Yes or no, and behind it what else is said. */
function linesOf(answer: Item): DecisionLine[] {
  const allow = answer["Allow"];
  const explained = answer["Explain"] as Item | undefined;
  return [
    line(0, allow === undefined ? "not known" : allow === true ? "yes" : "no"),
    ...decisionLines(explained ?? answer),
  ];
}

import { CliError, EXIT, usage } from "../exit.ts";
import type { Call } from "../spec.ts";
import { listOf } from "../kit/answers.ts";
import type { Item } from "../output/types.ts";
import type { Verb } from "../spec.ts";

export const verb: Verb = {
  name: "can",
  summary: "Whether a token may do something.",
  description:
    "Says yes or no, and ends with 0 or 4. Without --token it asks for the token in use; --explain says which rule of which policy decides.",
  operations: ["authorize", "authorizeInternally", "explainDecisions"],
  args: [
    {
      name: "access",
      help: 'read, write or list; or a request such as "PATCH /api/v2/workspaces/ws-…", with --token.',
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
    { name: "role", value: "NAME", help: "Ask for whom a role gives.", complete: "role" },
    { name: "internal", help: "By the path under /v1/internal, as some clients ask." },
  ],
  examples: [
    "tessera can write workspace acme/prod",
    "tessera can read service web --explain",
    'tessera can "PATCH /api/v2/workspaces/ws-Ab3kXyZ12mNoPqRs" --token 4790b712-08ff-4c92-85df-006937ca5567',
  ],
  async run(call) {
    const token = call.flag("token");
    const role = call.flag("role");
    const answer = token === undefined && role === undefined ? await askOwn(call) : await askFor(call, token, role);
    if (call.out.isData) await call.out.value(answer);
    else await call.out.text(`${isAllowed(answer) ? "yes" : "no"}\n${detailOf(answer)}`);
    if (!isAllowed(answer))
      throw new CliError(
        EXIT.refused,
        `${call.arg("access")} ${call.optionalArg("resource") ?? ""} is not allowed`.replaceAll(/ +/g, " "),
      );
  },
};

async function askOwn(call: Call): Promise<Item> {
  const resource = call.optionalArg("resource");
  if (resource === undefined)
    throw usage("say of what: tessera can read workspace acme/prod; a request is asked with --token");
  const question = { Resource: resource, Access: call.arg("access"), Segment: call.optionalArg("segment") ?? "" };
  const query = call.isSet("explain") ? { explain: "true" } : {};
  const answer = await call.read(call.isSet("internal") ? "authorizeInternally" : "authorize", {
    body: [question],
    query,
  });
  return firstOf(listOf(answer));
}

async function askFor(call: Call, token: string | undefined, role: string | undefined): Promise<Item> {
  const resource = call.optionalArg("resource");
  const access = call.arg("access");
  const [method, path] = access.split(" ", 2);
  if (resource === undefined && path === undefined)
    throw usage('say of what: tessera can read workspace acme/prod, or "GET /v1/acl/tokens"');
  const question =
    resource === undefined
      ? { Method: method, Path: path }
      : { Resource: resource, Access: access, Segment: call.optionalArg("segment") ?? "" };
  const who = token === undefined ? { Role: role } : { AccessorID: token };
  const { body } = await call.read("explainDecisions", { body: { ...who, Questions: [question] } });
  const decisions = Array.isArray(body)
    ? body
    : ((body as { Decisions?: unknown; Answers?: unknown }).Decisions ?? (body as { Answers?: unknown }).Answers);
  return firstOf(Array.isArray(decisions) ? (decisions as Item[]) : []);
}

function firstOf(list: readonly Item[]): Item {
  const [first] = list;
  if (first === undefined) throw new CliError(EXIT.failed, "the server decided nothing");
  return first;
}

function isAllowed({ Allow: allow, Allowed: allowed }: Item): boolean {
  return allow === true || allowed === true;
}

/** What else an answer says, indented. */
function detailOf(answer: Item): string {
  const { Allow: _allow, Resource: _resource, Access: _access, Segment: _segment, ...rest } = answer;
  if (Object.keys(rest).length === 0) return "";
  return `${JSON.stringify(rest, undefined, 2).replaceAll(/^/gm, "  ")}\n`;
}

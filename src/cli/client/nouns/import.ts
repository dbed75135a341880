import { createClient, TesseraError } from "@tessera-server/client";
import { takeFromConsul } from "../../../declared/import/consul.ts";
import { takeFromHcp } from "../../../declared/import/hcp.ts";
import type { Taken } from "../../../declared/import/source.ts";
import { openServer, type Server } from "../../../declared/server.ts";
import { transfer } from "../../../declared/import/transfer.ts";
import { planJson, planLines, changeLine } from "../../../declared/show.ts";
import type { Call } from "../spec.ts";
import { ALLOW_LOCKOUT, checkLockout, homeOf, inWords, READS, serverOf } from "../declared.ts";
import { takesOver } from "../owners.ts";
import { CliError, EXIT, usage } from "../exit.ts";
import { createNodeFetch } from "../node-fetch.ts";
import { visibleLines } from "../output/values.ts";
import type { Flag, Noun, Verb } from "../spec.ts";
import { counted } from "../output/counted.ts";

const FLAGS: readonly Flag[] = [
  { name: "from", value: "URL", help: "Address of the source server." },
  { name: "from-token", value: "env:NAME|file:PATH", help: "Reference to the token of the source server." },
  { name: "parallel", value: "N", help: "Maximum number of parallel requests. Default: 8." },
  ALLOW_LOCKOUT,
];

const DESCRIPTION =
  "Shows the changes and asks for confirmation. Never deletes objects. You can run it again: a second run makes no changes. Lists everything that cannot be imported.";

const consul: Verb = {
  name: "consul",
  summary: "Import policies, roles, tokens with secrets, auth methods, binding rules and namespaces from Consul.",
  description: `${DESCRIPTION} Default source: CONSUL_HTTP_ADDR and CONSUL_HTTP_TOKEN.`,
  operations: READS,
  flags: FLAGS,
  examples: ["tessera import consul --from http://consul:8500 --from-token env:TOKEN --dry-run"],
  run: (call) => take(call, { address: "CONSUL_HTTP_ADDR", token: "CONSUL_HTTP_TOKEN" }, takeFromConsul),
};

const hcp: Verb = {
  name: "hcp",
  summary: "Import organizations, projects, workspaces and tags from HCP Terraform or Terraform Enterprise.",
  description: `${DESCRIPTION} Default source: TFE_ADDRESS and TFE_TOKEN.`,
  operations: READS,
  flags: [
    ...FLAGS,
    { name: "only", value: "ORGANIZATION", many: true, help: "Import only this organization. Repeatable." },
    { name: "email", value: "ADDRESS", help: "Email address for organizations whose address is not visible." },
  ],
  examples: ["tessera import hcp --from https://app.terraform.io --from-token env:TOKEN --only acme"],
  run: (call) =>
    take(call, { address: "TFE_ADDRESS", token: "TFE_TOKEN" }, (source) =>
      takeFromHcp(source, { organizations: call.flagList("only"), email: call.flag("email") }),
    ),
};

/** Commands that import the objects of other products. */
export const noun: Noun = { name: "import", summary: "Import from Consul or HCP Terraform.", verbs: [consul, hcp] };

async function take(
  call: Call,
  variables: { address: string; token: string },
  read: (source: Server) => Promise<Taken>,
): Promise<void> {
  const { out, io } = call;
  const { source, address, tokenFrom } = await openSource(call, variables);
  const server = await serverOf(call);
  await out.progress("reading the source server…");
  const taken = await inWords(() => read(source)).catch((error: unknown) => {
    throw refusedBy(address, tokenFrom, error);
  });
  if (taken.seen === 0)
    throw new CliError(
      EXIT.refused,
      `no objects found on ${address}: it is empty, or the token may not read it`,
      tokenFrom,
    );
  // Another server's objects name no files and commands of this machine.
  const secrets = { env: {}, allowCommands: false, files: "none" as const, taken: taken.secrets };
  const options = { secrets, partition: homeOf(call).partition, takeOver: takesOver(call) };
  const moved = await inWords(() => transfer.plan(server, taken, options));
  const { told } = moved;
  const left = [...taken.left, ...moved.left];
  if (out.isData && call.flags.dryRun === true) await out.value({ ...planJson(told), "cannot-come-along": left });
  if (!out.isData) await out.text(visibleLines(`${planLines(told).join("\n")}\n`));
  await tellLeft(call, left);
  checkLockout(call, told);
  if (told.plan.changes.length === 0 || call.flags.dryRun === true) {
    if (out.isData && call.flags.dryRun !== true)
      await out.value({ ...planJson(told), made: 0, "cannot-come-along": left });
    return;
  }
  await call.confirm(`Import these ${told.plan.changes.length} objects?`, []);
  const applied = await transfer.apply(server, told.plan, {
    ...options,
    onDone: (change, done, of) => void out.step(`${done} of ${of}: ${changeLine(change)}`),
  });
  if (out.isData)
    await out.value({
      ...planJson(told),
      made: applied.done.length,
      refused: applied.refused,
      "cannot-come-along": left,
    });
  for (const line of applied.refused) await out.warn(`rejected: ${line}`);
  await out.note(`Imported ${applied.done.length} of ${counted(told.plan.changes.length, "object")}.`);
  if (io.signal.aborted) throw new CliError(EXIT.interrupted, "interrupted", "run the command again to continue");
  if (applied.failure !== undefined) await inWords(() => Promise.reject(applied.failure?.error as Error));
  if (applied.refused.length > 0) throw new CliError(EXIT.failed, `${applied.refused.length} objects were rejected`);
}

/** A refusal of the other server is told as its own: the hints of this command are about the server that is written to. */
function refusedBy(address: string, tokenFrom: string, error: unknown): unknown {
  if (!(error instanceof TesseraError) || (error.status !== 401 && error.status !== 403)) return error;
  return new CliError(EXIT.refused, `cannot read ${address}: ${error.detail || error.title}`, tokenFrom);
}

async function tellLeft({ out }: Call, left: readonly string[]): Promise<void> {
  if (left.length === 0) return;
  await out.warn("Different, or not imported:");
  for (const line of left) await out.warn(`  ${line}`);
}

/** A server that is read, where it is, and what is said of its token. */
interface Source {
  readonly source: Server;
  readonly address: string;
  readonly tokenFrom: string;
}

async function openSource(call: Call, variables: { address: string; token: string }): Promise<Source> {
  const { env } = call.io;
  const said = call.flag("from") ?? env[variables.address];
  if (said === undefined || said === "") throw usage("missing source address", `set --from or ${variables.address}`);
  const address = /^https?:/.test(said) ? said : `http://${said}`;
  const reference = call.flag("from-token");
  const { resolveSecret } = await import("../../../declared/secrets.ts");
  const token =
    reference === undefined
      ? env[variables.token]
      : await resolveSecret(reference, { env, allowCommands: false, files: "any" }).catch((error: unknown) => {
          throw error instanceof Error && error.name === "Error" ? usage(`--from-token: ${error.message}`) : error;
        });
  const api = createClient({
    address,
    fetch: call.io.fetch ?? createNodeFetch({}),
    // It may bound how often it is asked.
    retries: 8,
    ...(token === undefined ? {} : { token }),
  });
  const tokenFrom =
    token === undefined ? "no token was sent to the source server" : `token from ${reference ?? variables.token}`;
  const opening = openServer(api, { parallel: 4, signal: call.io.signal });
  const source = await opening.catch((error: unknown) => {
    throw refusedBy(address, tokenFrom, error);
  });
  return { source, address, tokenFrom };
}

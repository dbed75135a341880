import { didYouMean } from "../../../declared/shape.ts";
import { checkContextName, contextsFile, readContexts, writeContexts, type CliContext } from "../contexts.ts";
import type { Call } from "../spec.ts";
import { readLine } from "../confirm.ts";
import { CliError, EXIT, usage } from "../exit.ts";
import { each } from "../kit/answers.ts";
import { addressOf } from "../settings.ts";
import type { Item } from "../output/types.ts";
import type { Argument, Noun, Verb } from "../spec.ts";

const NAME: Argument = { name: "name", help: "Context name.", complete: "context" };

const add: Verb = {
  name: "add",
  summary: "Add or replace a context. The first context becomes the current context.",
  description:
    "Set the token with --token-stdin (prompt or pipe), --token-file or --token-command. Tokens are never arguments, because other users can read the command line.",
  operations: [],
  args: [
    { name: "name", help: "Context name." },
    { name: "address", help: "Server address." },
  ],
  flags: [
    {
      name: "token-stdin",
      help: "Read the token from stdin and store it in the contexts file (mode 0600).",
    },
    { name: "token-command", value: "COMMAND", help: "Run this command with /bin/sh for each token lookup." },
    { name: "use", help: "Make the new context the current context." },
  ],
  examples: [
    "tessera context add prod https://tessera.example.com --token-stdin < secret",
    "tessera context add lab http://lab:8500 --token-command 'pass show tessera/lab'",
  ],
  async run(call) {
    const name = call.arg("name");
    checkContextName(name);
    const { env } = call.io;
    const contexts = readContexts(env);
    const context = await contextOf(call);
    if (call.flags.dryRun === true)
      return call.out.value({ [name]: { ...context, ...(context.token === undefined ? {} : { token: "<hidden>" }) } });
    const isFirst = Object.keys(contexts.contexts).length === 0;
    contexts.contexts[name] = context;
    if (isFirst || call.isSet("use")) contexts.current = name;
    writeContexts(env, contexts);
    await call.out.note(
      `Saved context ${name} in ${contextsFile(env)}${contexts.current === name ? " (current context)" : ""}.`,
    );
  },
};

async function contextOf(call: Call): Promise<CliContext> {
  const { flags } = call;
  // A file is named to be read each time, which standard input cannot be.
  const isOnStdin = call.isSet("token-stdin") || flags.tokenFile === "-";
  const context: CliContext = { address: addressOf(call.arg("address"), "the address") };
  const sources = [
    isOnStdin,
    flags.tokenFile !== undefined && flags.tokenFile !== "-",
    call.flag("token-command") !== undefined,
  ].filter(Boolean);
  if (sources.length > 1) throw usage("use only one of --token-stdin, --token-file and --token-command");
  if (isOnStdin) {
    if (call.io.stdin.isTTY === true) await call.io.stderr.write("Token: ");
    const token = (await readLine(call.io.stdin)).trim();
    if (token === "") throw usage("stdin contains no token");
    context.token = token;
  }
  const command = call.flag("token-command");
  if (command !== undefined) context.tokenCommand = command;
  for (const member of [
    "tokenFile",
    "namespace",
    "partition",
    "organization",
    "caFile",
    "clientCert",
    "clientKey",
  ] as const) {
    const text = flags[member];
    if (typeof text === "string" && !(member === "tokenFile" && isOnStdin)) context[member] = text;
  }
  return context;
}

const use: Verb = {
  name: "use",
  summary: "Set the current context.",
  operations: [],
  args: [NAME],
  async run(call) {
    const contexts = readContexts(call.io.env);
    contexts.current = known(contexts.contexts, call.arg("name"));
    if (call.flags.dryRun !== true) writeContexts(call.io.env, contexts);
    await call.out.note(`Current context: ${contexts.current}.`);
  },
};

const list: Verb = {
  name: "list",
  summary: "List the contexts. Secrets are not shown.",
  operations: [],
  async run(call) {
    const { current, contexts } = readContexts(call.io.env);
    const rows: Item[] = Object.entries(contexts).map(([name, { token, tokenCommand, tokenFile, ...rest }]) => ({
      name,
      current: name === current,
      ...rest,
      token: token !== undefined ? "in the file" : tokenCommand !== undefined ? "by a command" : (tokenFile ?? "none"),
    }));
    const columns = [
      { title: "Current", value: (item: Item) => (item["current"] === true ? "*" : " ") },
      { title: "Name", value: "name" },
      { title: "Address", value: "address" },
      { title: "Token", value: "token" },
      { title: "Namespace", value: "namespace", wide: true },
      { title: "Partition", value: "partition", wide: true },
      { title: "Organization", value: "organization", wide: true },
    ];
    await call.out.list(each(rows), { columns, name: (item) => item["name"] });
  },
};

const remove: Verb = {
  name: "remove",
  summary: "Remove a context. The token itself is not revoked.",
  operations: [],
  args: [NAME],
  async run(call) {
    const contexts = readContexts(call.io.env);
    const name = known(contexts.contexts, call.arg("name"));
    await call.confirm("Remove this context?", [`${name} ${contexts.contexts[name]?.address ?? ""}`]);
    if (call.flags.dryRun === true) return;
    delete contexts.contexts[name];
    if (contexts.current === name) delete contexts.current;
    writeContexts(call.io.env, contexts);
    await call.out.note(`Removed context ${name}.`);
  },
};

function known(contexts: Record<string, CliContext>, name: string): string {
  if (Object.hasOwn(contexts, name)) return name;
  throw new CliError(
    EXIT.notFound,
    `context ${JSON.stringify(name)} not found${didYouMean(name, Object.keys(contexts))}`,
    "run tessera context list to see all contexts",
  );
}

export const noun: Noun = {
  name: "context",
  summary: "Contexts: named servers and credentials.",
  verbs: [add, use, list, remove],
};

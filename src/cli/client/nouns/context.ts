import { didYouMean } from "../../../declared/shape.ts";
import { checkContextName, contextsFile, readContexts, writeContexts, type CliContext } from "../contexts.ts";
import type { Call } from "../spec.ts";
import { readLine } from "../confirm.ts";
import { CliError, EXIT, usage } from "../exit.ts";
import { each } from "../kit/answers.ts";
import { addressOf } from "../settings.ts";
import type { Item } from "../output/types.ts";
import type { Argument, Noun, Verb } from "../spec.ts";

const NAME: Argument = { name: "name", help: "Its name.", complete: "context" };

const add: Verb = {
  name: "add",
  summary: "Add a context, or change the one of this name; the first is in use at once.",
  description:
    "Adds a context. Its token is asked for or read from standard input by --token-stdin, lies in a file by --token-file, or is what a command prints by --token-command; it is never a word of the command line, which others can see.",
  operations: [],
  args: [
    { name: "name", help: "Its name." },
    { name: "address", help: "The server's address." },
  ],
  flags: [
    {
      name: "token-stdin",
      help: "Read the token from standard input, and keep it in the file of contexts (mode 0600).",
    },
    { name: "token-command", value: "COMMAND", help: "Ask this command for the token each time; run by /bin/sh." },
    { name: "use", help: "Use it from now on." },
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
    await call.out.note(`${name} is in ${contextsFile(env)}${contexts.current === name ? ", and in use" : ""}`);
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
  if (sources.length > 1) throw usage("one of --token-stdin, --token-file and --token-command is enough");
  if (isOnStdin) {
    if (call.io.stdin.isTTY === true) await call.io.stderr.write("Token: ");
    const token = (await readLine(call.io.stdin)).trim();
    if (token === "") throw usage("no token came on standard input");
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
  summary: "Use a context from now on.",
  operations: [],
  args: [NAME],
  async run(call) {
    const contexts = readContexts(call.io.env);
    contexts.current = known(contexts.contexts, call.arg("name"));
    if (call.flags.dryRun !== true) writeContexts(call.io.env, contexts);
    await call.out.note(`${contexts.current} is in use`);
  },
};

const list: Verb = {
  name: "list",
  summary: "List the contexts; no secret is shown.",
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
      { title: "In use", value: (item: Item) => (item["current"] === true ? "*" : " ") },
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
  summary: "Remove a context, with its token; the token itself goes on living.",
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
    await call.out.note(`removed ${name}`);
  },
};

function known(contexts: Record<string, CliContext>, name: string): string {
  if (Object.hasOwn(contexts, name)) return name;
  throw new CliError(
    EXIT.notFound,
    `there is no context ${JSON.stringify(name)}${didYouMean(name, Object.keys(contexts))}`,
    "tessera context list shows those that there are",
  );
}

export const noun: Noun = {
  name: "context",
  summary: "The servers that you work with, by names.",
  verbs: [add, use, list, remove],
};

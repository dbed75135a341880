import { plain } from "../output/values.ts";
import type { Client } from "@tessera-server/client";
import { pairs } from "../body.ts";
import type { Call } from "../spec.ts";
import { connect } from "../connection.ts";
import { readContexts, writeContexts, type CliContext } from "../contexts.ts";
import { CliError, EXIT, usage } from "../exit.ts";
import { listOf } from "../kit/answers.ts";
import { readSettings, type ClientSettings } from "../settings.ts";
import type { Item } from "../output/types.ts";
import type { Verb } from "../spec.ts";

const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount/token";

export const verb: Verb = {
  name: "login",
  summary: "Log in with a browser, a JWT, Kubernetes or AWS.",
  description:
    "Saves the token in the current context (mode 0600). Default: opens a browser. Without a browser, it prints an address that you can open on any machine.",
  operations: ["login", "makeOidcAuthUrl", "finishOidcLogin", "listOidcAuthMethods"],
  args: [
    {
      name: "method",
      help: "Auth method name. Optional for browser login if only one method exists.",
      optional: true,
      complete: "auth-method",
    },
  ],
  flags: [
    {
      name: "jwt-file",
      value: "PATH",
      help: "Log in with the JWT in this file. Use - to read stdin.",
      complete: "file",
    },
    { name: "kubernetes", help: `Log in with the service account of this pod or --service-account-file.` },
    {
      name: "service-account-file",
      value: "PATH",
      help: `File with the service account token. Default: ${SERVICE_ACCOUNT}.`,
      complete: "file",
    },
    { name: "aws", help: "Log in with AWS credentials from the default credential chain." },
    { name: "aws-region", value: "REGION", help: "STS region. Default: AWS_REGION, or us-east-1." },
    { name: "aws-server-id", value: "TEXT", help: "Server ID, for methods with ServerIDHeaderValue." },
    { name: "aws-sts-endpoint", value: "URL", help: "STS endpoint, for methods with STSEndpoint." },
    { name: "aws-iam-endpoint", value: "URL", help: "IAM endpoint, for methods with IAMEndpoint." },
    { name: "aws-role", value: "NAME", help: "IAM role name of the caller, for methods with EnableIAMEntityDetails." },
    { name: "aws-user", value: "NAME", help: "IAM user name, for methods with EnableIAMEntityDetails." },
    {
      name: "meta",
      value: "KEY=VALUE",
      many: true,
      help: "Metadata for the token description. Repeatable.",
    },
    { name: "no-browser", help: "Print the address instead of opening a browser." },
    { name: "port", value: "PORT", help: "Local port for the browser callback. Default: 8550, or a free port." },
    { name: "print", help: "Print the SecretID instead of saving it." },
  ],
  examples: [
    "tessera login people",
    "tessera login github-actions --jwt-file - --print < token",
    "tessera login pods --kubernetes",
  ],
  async run(call) {
    const settings = readSettings(call.flags, call.io.env, { withoutToken: true });
    // A login needs no token, and an old one would only be exposed needlessly.
    const client = connect(settings, call.io);
    const token = await logIn(call, client);
    const secret = token["SecretID"];
    if (typeof secret !== "string")
      throw new CliError(EXIT.failed, "the response of the server does not contain a token");
    if (call.isSet("print")) return call.out.text(`${secret}\n`);
    const kept = keep(call, settings, secret);
    const { SecretID: _secret, ...shown } = token;
    if (call.out.isData) await call.out.value(shown);
    const until = token["ExpirationTime"] === undefined ? "" : `, expires at ${plain(token["ExpirationTime"])}`;
    await call.out.note(
      `Logged in to ${settings.address} as ${String(token["AccessorID"])}${until}. The token is saved in context ${kept}.`,
    );
    if (call.io.env["TESSERA_TOKEN"]) await call.out.warn("TESSERA_TOKEN overrides this context: unset it.");
  },
};

async function logIn(call: Call, client: Client): Promise<Item> {
  const jwt = call.flag("jwt-file");
  const isKubernetes = call.isSet("kubernetes") || call.flag("service-account-file") !== undefined;
  const isAws = call.isSet("aws");
  if ([jwt !== undefined, isKubernetes, isAws].filter(Boolean).length > 1)
    throw usage("use only one of --jwt-file, --kubernetes and --aws");
  if (call.flags.dryRun === true)
    throw usage("login does not support --dry-run: use tessera binding-rule explain to simulate a login");
  const { loginByBearer } = await import("../login/bearer.ts");
  if (jwt !== undefined) return loginByBearer(call, client, methodOf(call), jwt, metaOf(call));
  if (isKubernetes)
    return loginByBearer(
      call,
      client,
      methodOf(call),
      call.flag("service-account-file") ?? SERVICE_ACCOUNT,
      metaOf(call),
    );
  if (isAws) {
    const { loginByAws } = await import("../login/bearer.ts");
    return loginByAws(call, client, methodOf(call), metaOf(call));
  }
  const { loginByBrowser } = await import("../login/loopback.ts");
  return loginByBrowser(call, client, call.optionalArg("method") ?? (await onlyMethod(client)));
}

function metaOf(call: Call): Record<string, string> | undefined {
  const texts = call.flagList("meta");
  return texts.length === 0 ? undefined : pairs(texts, "--meta");
}

function methodOf(call: Call): string {
  const method = call.optionalArg("method");
  if (method === undefined) throw usage("missing auth method: run tessera login METHOD");
  return method;
}

async function onlyMethod(client: Client): Promise<string> {
  const methods = listOf(await client.request("listOidcAuthMethods")).map(({ Name: name }) => String(name));
  const [only] = methods;
  if (only === undefined)
    throw new CliError(
      EXIT.notFound,
      "the server has no auth method for browser login",
      "specify an auth method and --jwt-file, --kubernetes or --aws",
    );
  if (methods.length > 1) throw usage(`several auth methods exist: ${methods.join(", ")}`, "run tessera login METHOD");
  return only;
}

/** Keeps the token in the context in use, or in a new one; gives its name. */
function keep({ io }: Call, settings: ClientSettings, token: string): string {
  const contexts = readContexts(io.env);
  const name = settings.context ?? freeName(settings.address, contexts.contexts);
  const before: CliContext = contexts.contexts[name] ?? { address: settings.address };
  const { tokenCommand: _command, tokenFile: _file, ...rest } = before;
  contexts.contexts[name] = { ...rest, ...scopeOf(settings, before), token, loggedIn: true };
  contexts.current ??= name;
  if (settings.context === undefined) contexts.current = name;
  writeContexts(io.env, contexts);
  return name;
}

/**
 * Returns the members that a new context takes from flags and variables, so that the token is used in the scope in
 * which it was created.
 */
function scopeOf(
  { caFile, clientCert, clientKey, namespace, partition, organization }: ClientSettings,
  before: CliContext,
): Partial<CliContext> {
  const given = { caFile, clientCert, clientKey, namespace, partition, organization };
  const entries = Object.entries(given).filter(([member, value]) => value !== undefined && !(member in before));
  return Object.fromEntries(entries);
}

function freeName(address: string, contexts: Readonly<Record<string, CliContext>>): string {
  const host = new URL(address).hostname.replaceAll(/[^A-Za-z0-9.-]/g, "").replace(/^[.-]+/, "") || "server";
  for (let number = 1; ; number++) {
    const name = number === 1 ? host : `${host}-${number}`;
    if (!Object.hasOwn(contexts, name) || contexts[name]?.address === address) return name;
  }
}

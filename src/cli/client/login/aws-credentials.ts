/** AWS credentials, looked for where AWS's own tools look: the environment, a web identity, the shared file, a container's or a machine's own. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CliError, EXIT, usage } from "../exit.ts";
import { type AwsCredentials, fromWebIdentity, isOwnOrTls } from "./aws-web-identity.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** How long somebody who may not be there is waited for. */
const PATIENCE = 2000;

/** Finds credentials. @throws CliError when there are none */
export async function findAwsCredentials(env: Environment): Promise<AwsCredentials> {
  const found =
    fromEnvironment(env) ??
    (await fromWebIdentity(env)) ??
    fromFile(env) ??
    (await fromContainer(env)) ??
    (await fromMachine(env));
  if (found !== undefined) return found;
  throw new CliError(
    EXIT.usage,
    "no AWS credentials found",
    "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or run on a machine with an instance role",
  );
}

function fromEnvironment(env: Environment): AwsCredentials | undefined {
  return made(env["AWS_ACCESS_KEY_ID"], env["AWS_SECRET_ACCESS_KEY"], env["AWS_SESSION_TOKEN"]);
}

function fromFile(env: Environment): AwsCredentials | undefined {
  const path = env["AWS_SHARED_CREDENTIALS_FILE"] || join(env["HOME"] ?? "/", ".aws/credentials");
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  const wanted = env["AWS_PROFILE"] || "default";
  const values: Record<string, string> = {};
  let section = "";
  for (const line of text.split(/\r?\n/)) {
    section = /^\s*\[\s*(.*?)\s*\]\s*$/.exec(line)?.[1] ?? section;
    const [, name, value] = /^\s*([a-z_]+)\s*=\s*(\S.*?)\s*$/.exec(line) ?? [];
    if (section === wanted && name !== undefined && value !== undefined) values[name] = value;
  }
  return made(values["aws_access_key_id"], values["aws_secret_access_key"], values["aws_session_token"]);
}

/** Hosts of ECS and EKS, which are asked without TLS. */
const CONTAINER_HOSTS = new Set(["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"]);

async function fromContainer(env: Environment): Promise<AwsCredentials | undefined> {
  const relative = env["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"];
  const full = relative ? `http://169.254.170.2${relative}` : env["AWS_CONTAINER_CREDENTIALS_FULL_URI"];
  if (!full) return undefined;
  const url = URL.parse(full);
  if (url === null || !isTrusted(url)) {
    throw usage(
      "AWS_CONTAINER_CREDENTIALS_FULL_URI must use https, or the address of this machine or of a container host",
      "a token and credentials are sent over this connection",
    );
  }
  const token = containerToken(env);
  const found = parsed(await ask(url.href, token === undefined ? {} : { authorization: token }));
  if (found !== undefined) return found;
  // Another role, as of the machine, is not what whoever set the variable wants.
  throw new CliError(
    EXIT.unreachable,
    `no AWS credentials received from ${url.origin}, the credentials endpoint of this container`,
  );
}

function isTrusted(url: URL): boolean {
  return isOwnOrTls(url) || (url.protocol === "http:" && CONTAINER_HOSTS.has(url.hostname));
}

function containerToken(env: Environment): string | undefined {
  const file = env["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"];
  if (!file) return env["AWS_CONTAINER_AUTHORIZATION_TOKEN"] || undefined;
  try {
    // Read anew for each login: EKS writes another one from time to time.
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw usage(`cannot read ${file} (${String(code)}). Check AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE`);
  }
}

async function fromMachine(env: Environment): Promise<AwsCredentials | undefined> {
  if (env["AWS_EC2_METADATA_DISABLED"]?.toLowerCase() === "true") return undefined;
  const at = `${(env["AWS_EC2_METADATA_SERVICE_ENDPOINT"] || "http://169.254.169.254").replace(/\/+$/, "")}/latest`;
  const token = await ask(`${at}/api/token`, { "x-aws-ec2-metadata-token-ttl-seconds": "300" }, "PUT");
  if (token === undefined) return undefined;
  const headers = { "x-aws-ec2-metadata-token": token };
  const roles = `${at}/meta-data/iam/security-credentials/`;
  const role = (await ask(roles, headers))?.split("\n", 1)[0]?.trim();
  return role === undefined || role === "" ? undefined : parsed(await ask(roles + role, headers));
}

async function ask(url: string, headers: Record<string, string>, method = "GET"): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { method, headers, redirect: "error", signal: AbortSignal.timeout(PATIENCE) });
    return answer.ok ? await answer.text() : undefined;
  } catch {
    // Nobody there: this is no such machine.
    return undefined;
  }
}

function parsed(text: string | undefined): AwsCredentials | undefined {
  if (text === undefined) return undefined;
  try {
    const { AccessKeyId, SecretAccessKey, Token } = JSON.parse(text) as Record<string, string | undefined>;
    return made(AccessKeyId, SecretAccessKey, Token);
  } catch {
    return undefined;
  }
}

function made(accessKeyId?: string, secretAccessKey?: string, sessionToken?: string): AwsCredentials | undefined {
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}

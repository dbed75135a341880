/** AWS credentials of a role for what a pod of EKS, or a job of CI, can prove itself by: the token of its web identity. */
import { readFileSync } from "node:fs";
import { CliError, EXIT, usage } from "../exit.ts";

/** A key and its secret. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** How long STS is waited for. */
const PATIENCE = 10_000;
/** Maximum number of characters in its answer, which has about two thousand. */
const MOST_CHARACTERS = 64 * 1024;

/**
 * Has STS give the credentials of AWS_ROLE_ARN for the token in AWS_WEB_IDENTITY_TOKEN_FILE; undefined where these are not set.
 *
 * @throws CliError when they are and nothing comes of it: another role is not what whoever set them wants
 */
export async function fromWebIdentity(env: Environment): Promise<AwsCredentials | undefined> {
  const { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: role } = env;
  if (!file || !role) return undefined;
  const url = endpointOf(env);
  const form = new URLSearchParams({
    Action: "AssumeRoleWithWebIdentity",
    Version: "2011-06-15",
    RoleArn: role,
    RoleSessionName: env["AWS_ROLE_SESSION_NAME"] || "tessera",
    WebIdentityToken: tokenIn(file),
  });
  const text = await ask(url, form);
  const [accessKeyId, secretAccessKey, sessionToken] = ["AccessKeyId", "SecretAccessKey", "SessionToken"].map(
    (name) => new RegExp(`<${name}>\\s*([^<\\s]+)\\s*</${name}>`).exec(text)?.[1],
  );
  if (!accessKeyId || !secretAccessKey || !sessionToken)
    throw refused(url, "the response does not contain credentials");
  return { accessKeyId, secretAccessKey, sessionToken };
}

function endpointOf(env: Environment): URL {
  const region = env["AWS_REGION"] || env["AWS_DEFAULT_REGION"] || "";
  if (!/^[a-z0-9-]*$/.test(region)) throw usage(`AWS_REGION is not a valid region: ${JSON.stringify(region)}`);
  const end = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  const given = env["AWS_ENDPOINT_URL_STS"] || `https://sts${region === "" ? "" : `.${region}`}.${end}/`;
  const url = URL.parse(given);
  if (url === null || !isOwnOrTls(url))
    throw usage(
      "AWS_ENDPOINT_URL_STS must use https, or the address of this machine",
      "a token and credentials are sent to it",
    );
  return url;
}

/** Whether nobody between can read what goes there. */
export function isOwnOrTls({ protocol, hostname }: URL): boolean {
  const isOwn = hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && isOwn);
}

/** Read anew for each login: EKS writes another one from time to time. */
function tokenIn(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw usage(`cannot read ${file} (${String(code)}). Check AWS_WEB_IDENTITY_TOKEN_FILE`);
  }
}

async function ask(url: URL, body: URLSearchParams): Promise<string> {
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(url, { method: "POST", body, redirect: "error", signal: AbortSignal.timeout(PATIENCE) });
    text = (await answer.text()).slice(0, MOST_CHARACTERS);
  } catch (error) {
    throw new CliError(EXIT.unreachable, `${url.origin} (AWS STS) does not respond`, String(error));
  }
  if (answer.ok) return text;
  // Its code alone: what it says beside may repeat the token.
  throw refused(url, `status ${answer.status} ${/<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? ""}`.trim());
}

function refused(url: URL, why: string): CliError {
  return new CliError(
    EXIT.refused,
    `${url.origin} did not return credentials for AWS_ROLE_ARN: ${why}`,
    "check the trust policy of the role and the audience of the token",
  );
}

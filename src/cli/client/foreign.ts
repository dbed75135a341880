/** The variables of Consul's and Terraform's tools, for who comes from there. They count where no context is chosen. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Environment variables. */
export type ForeignEnvironment = Readonly<Record<string, string | undefined>>;

/** Settings from the environment variables of another product. */
export interface Foreign {
  readonly address: string;
  readonly from: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly tokenFrom: string;
  readonly namespace?: string;
  readonly partition?: string;
  readonly caFile?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
}

/** Reads Consul's variables. Undefined when neither an address nor a token is set. */
export function fromConsul(env: ForeignEnvironment): Foreign | undefined {
  const get = (name: string) => given(env, `CONSUL_${name}`);
  const address = get("HTTP_ADDR");
  const token = get("HTTP_TOKEN");
  const tokenFile = get("HTTP_TOKEN_FILE");
  if (address === undefined && token === undefined && tokenFile === undefined) return undefined;
  const isTls = ["1", "true", "t"].includes((get("HTTP_SSL") ?? "").toLowerCase());
  const bare = address ?? "127.0.0.1:8500";
  const scheme = isTls ? "https" : "http";
  return defined({
    address: tidy(/^https?:\/\//.test(bare) ? bare : `${scheme}://${bare}`),
    from: address === undefined ? "the default of the Consul tools" : "CONSUL_HTTP_ADDR",
    token,
    tokenFile,
    tokenFrom: token === undefined ? "CONSUL_HTTP_TOKEN_FILE" : "CONSUL_HTTP_TOKEN",
    namespace: get("NAMESPACE"),
    partition: get("PARTITION"),
    caFile: get("CACERT"),
    clientCert: get("CLIENT_CERT"),
    clientKey: get("CLIENT_KEY"),
  });
}

/** Reads the variables of Terraform's provider and tools. Undefined when none of them names a server. */
export function fromTerraform(env: ForeignEnvironment): Foreign | undefined {
  const address = given(env, "TFE_ADDRESS");
  const host = given(env, "TFE_HOSTNAME");
  if (address === undefined && host === undefined) return undefined;
  return defined({
    address: tidy(address ?? `https://${host ?? ""}`),
    from: address === undefined ? "TFE_HOSTNAME" : "TFE_ADDRESS",
    token: given(env, "TFE_TOKEN"),
    tokenFrom: "TFE_TOKEN",
  });
}

/** The token that Terraform has for a host: `TF_TOKEN_tessera_example_com`, or its file of credentials. */
export function terraformTokenFor(
  address: string,
  env: ForeignEnvironment,
): { text: string; from: string } | undefined {
  const { host, hostname } = new URL(address);
  // Terraform's own encoding: dots become underscores, hyphens two of them.
  const name = `TF_TOKEN_${hostname.replaceAll("-", "__").replaceAll(".", "_")}`;
  const text = given(env, name) ?? given(env, `TF_TOKEN_${hostname.replaceAll(".", "_")}`);
  if (text !== undefined) return { text, from: name };
  return credentialsOf(host, env);
}

function credentialsOf(host: string, env: ForeignEnvironment): { text: string; from: string } | undefined {
  const home = given(env, "HOME");
  if (home === undefined) return undefined;
  const file = join(home, ".terraform.d/credentials.tfrc.json");
  try {
    const { credentials } = JSON.parse(readFileSync(file, "utf8")) as {
      credentials?: Record<string, { token?: unknown }>;
    };
    const token = credentials?.[host]?.token;
    return typeof token === "string" && token !== "" ? { text: token, from: file } : undefined;
  } catch {
    // Missing, or Terraform's to complain of.
    return undefined;
  }
}

function given(env: ForeignEnvironment, name: string): string | undefined {
  const text = env[name];
  return text === "" ? undefined : text;
}

function tidy(address: string): string {
  return URL.canParse(address) ? new URL(address).origin + new URL(address).pathname.replace(/\/+$/, "") : address;
}

/** Without the members that are undefined. */
function defined<T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}

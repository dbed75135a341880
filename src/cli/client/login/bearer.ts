/** Logins by something that proves who one is: a JWT, a service account's token, a signed request. */
import type { Client } from "@tessera-server/client";
import type { Call } from "../spec.ts";
import { textOfFile } from "../body.ts";
import { usage } from "../exit.ts";
import { objectOf } from "../kit/answers.ts";
import type { Item } from "../output/types.ts";
import { awsBearerToken } from "./aws.ts";
import { findAwsCredentials } from "./aws-credentials.ts";

type Meta = Record<string, string> | undefined;

/** Logs in by what a file holds. */
export async function loginByBearer(
  call: Call,
  client: Client,
  method: string,
  path: string,
  meta: Meta,
): Promise<Item> {
  const token = (await textOfFile(call, path)).trim();
  if (token === "") throw usage(`${path === "-" ? "stdin" : path} does not contain a token`);
  return send(call, client, method, token, meta);
}

/** Logs in by the AWS credentials that there are. */
export async function loginByAws(call: Call, client: Client, method: string, meta: Meta): Promise<Item> {
  const { env, now } = call.io;
  const role = call.flag("aws-role");
  const user = call.flag("aws-user");
  if (role !== undefined && user !== undefined) throw usage("use only one of --aws-role and --aws-user");
  const stsUrl = call.flag("aws-sts-endpoint");
  const iamUrl = call.flag("aws-iam-endpoint");
  const serverId = call.flag("aws-server-id");
  const name = role ?? user;
  const token = awsBearerToken({
    credentials: await findAwsCredentials(env),
    region: call.flag("aws-region") ?? (env["AWS_REGION"] || env["AWS_DEFAULT_REGION"] || "us-east-1"),
    now: new Date(now()),
    ...(stsUrl === undefined ? {} : { stsUrl }),
    ...(iamUrl === undefined ? {} : { iamUrl }),
    ...(serverId === undefined ? {} : { serverId }),
    ...(name === undefined ? {} : { entity: { kind: role === undefined ? "user" : "role", name } }),
  });
  return send(call, client, method, token, meta);
}

async function send(call: Call, client: Client, method: string, token: string, meta: Meta): Promise<Item> {
  const body = { AuthMethod: method, BearerToken: token, ...(meta === undefined ? {} : { Meta: meta }) };
  return objectOf(await client.request("login", { body, signal: call.io.signal }));
}

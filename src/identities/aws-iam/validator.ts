import type { Identity } from "../../selectors/identity.ts";
import type { IdentityShape } from "../../selectors/shape.ts";
import { IdentityError, ProviderError } from "../errors.ts";
import type { CreateValidator, IdentityForm, ProvenIdentity } from "../validator.ts";
import { readCaller, readEntity, type AwsCaller, type Entity } from "./answers.ts";
import { arnOf, isTrusted, principalOf, type Principal } from "./arn.ts";
import { BEARER_PARTS, claimedKey, readBearerToken, readEntityRequest, ENTITY, SERVER_ID } from "./bearer-token.ts";
import { readConfig, type AwsIamConfig } from "./config.ts";
import { sendSigned, type SendOptions } from "./send.ts";
import { checkRequest, type CheckedRequest, type Requirements } from "./signed-request.ts";

/**
 * Proves who a role or a user of AWS is: it has signed a request to STS that asks who it is, and STS answers us. With
 * details it has signed one to IAM too, for its own path and tags.
 *
 * @throws ConfigError
 */
export const createAwsIamValidator: CreateValidator = (raw, { ask, now }) => {
  const config = readConfig(raw);
  const sending: SendOptions = { ask, now, retries: config.retries };
  const identity = callerRequirements(config);
  const details = entityRequirements(config);
  return {
    form: formOf(config),
    probe: () => Promise.resolve(),
    close: () => undefined,
    claimedSubject: claimedKey,
    async verify(bearerToken) {
      const signed = readBearerToken(bearerToken);
      const question = checkRequest(signed, identity);
      if (!config.withDetails) return verifyCaller(config, question, sending);
      const second = checkRequest(readEntityRequest(signed.headers), details);
      return verifyEntity(config, question, second, sending);
    },
  };
};

function callerRequirements(config: AwsIamConfig): Requirements {
  const entityHeaders = Object.values(ENTITY);
  const required = new Map<string, string | undefined>();
  if (config.serverId !== "") required.set(SERVER_ID, config.serverId);
  if (config.withDetails) for (const name of entityHeaders) required.set(name, undefined);
  const known = [SERVER_ID, ...entityHeaders].map((name) => name.toLowerCase());
  return {
    service: "sts",
    parts: BEARER_PARTS,
    endpoint: config.stsEndpoint,
    version: "2011-06-15",
    actions: new Map([["GetCallerIdentity", undefined]]),
    extraHeaders: new Set([...known, ...config.extraHeaders]),
    requiredHeaders: required,
  };
}

/**
 * Returns the requirements on the second request. It need not be signed for this server: the request that contains it
 * is.
 */
function entityRequirements(config: AwsIamConfig): Requirements {
  return {
    service: "iam",
    parts: ENTITY,
    endpoint: config.iamEndpoint,
    version: "2010-05-08",
    actions: new Map([
      ["GetRole", { name: "RoleName", isRequired: true }],
      ["GetUser", { name: "UserName", isRequired: false }],
    ]),
    extraHeaders: new Set([SERVER_ID.toLowerCase()]),
    requiredHeaders: new Map(),
  };
}

interface KnownCaller extends AwsCaller {
  readonly principal: Principal;
}

async function askWhoCalls({ request }: CheckedRequest, sending: SendOptions): Promise<KnownCaller> {
  const caller = readCaller(await sendSigned("sts", request, sending));
  const principal = principalOf(caller.arn);
  if (principal === undefined) throw new IdentityError("the caller is neither an IAM role nor an IAM user");
  if (principal.account !== caller.account) throw new ProviderError("STS returned two accounts for one caller");
  return { ...caller, principal };
}

async function verifyCaller(
  config: AwsIamConfig,
  question: CheckedRequest,
  sending: SendOptions,
): Promise<ProvenIdentity> {
  const caller = await askWhoCalls(question, sending);
  checkTrust(arnOf(caller.principal), config);
  return identityOf(caller, undefined, config);
}

async function verifyEntity(
  config: AwsIamConfig,
  question: CheckedRequest,
  second: CheckedRequest,
  sending: SendOptions,
): Promise<ProvenIdentity> {
  const caller = await askWhoCalls(question, sending);
  const { kind, name } = caller.principal;
  // A caller that may read other roles could send the description of one of them.
  const isAboutCaller =
    second.action === (kind === "role" ? "GetRole" : "GetUser") && (second.subject ?? name) === name;
  if (!isAboutCaller) throw mismatch();
  const entity = readEntity(await sendSigned("iam", second.request, sending), kind);
  if (entity.id !== caller.id || entity.arn !== arnOf(caller.principal, entity.path)) throw mismatch();
  checkTrust(entity.arn, config);
  return identityOf(caller, entity, config);
}

function mismatch(): IdentityError {
  return new IdentityError("unique id mismatch in login token");
}

function checkTrust(arn: string, { trusted }: AwsIamConfig): void {
  if (!isTrusted(arn, trusted)) throw new IdentityError(`IAM principal ${arn} is not trusted`);
}

const TEXT: IdentityShape = { kind: "text" };

/** The details have a place in it even when they are off, so that rules can be written before they are on. */
const SHAPE: IdentityForm["shape"] = {
  kind: "structure",
  fields: new Map<string, IdentityShape>([
    ["entity_name", TEXT],
    ["entity_id", TEXT],
    ["account_id", TEXT],
    ["entity_path", TEXT],
    ["entity_tags", { kind: "map", values: { kind: "text" } }],
  ]),
};

function formOf({ withDetails, tagKeys }: AwsIamConfig): IdentityForm {
  const details = withDetails ? ["entity_path", ...tagKeys.map(tagVariable)] : [];
  return { shape: SHAPE, variables: new Set(["entity_name", "entity_id", "account_id", ...details]) };
}

/** @param entity undefined when details are off */
function identityOf(caller: KnownCaller, entity: Entity | undefined, { tagKeys }: AwsIamConfig): ProvenIdentity {
  const { name, account } = caller.principal;
  const known: [string, string][] = [
    ["entity_name", name],
    ["entity_id", caller.id],
    ["account_id", account],
  ];
  const path = entity?.path ?? "";
  const tags = new Map<string, string>();
  const variables = new Map(known);
  if (entity !== undefined) variables.set("entity_path", path);
  for (const key of tagKeys) {
    const value = entity?.tags.get(key);
    if (value !== undefined) tags.set(key, value);
    variables.set(tagVariable(key), value ?? "");
  }
  const fields: Identity = new Map<string, string | Identity>([...known, ["entity_path", path], ["entity_tags", tags]]);
  return { fields, variables, subject: JSON.stringify([account, caller.id]) };
}

function tagVariable(key: string): string {
  return `entity_tags.${key}`;
}

import type { Ask } from "../../outbound/outbound.ts";
import type { Identity } from "../../selectors/identity.ts";
import type { IdentityShape } from "../../selectors/shape.ts";
import { IdentityError, prefixed, ProviderError } from "../errors.ts";
import type { CreateValidator, IdentityForm, ProvenIdentity, MappedNamespace, VerifiedIdentity } from "../validator.ts";
import { readNamespaceMapping, readServer, type ApiServer, type NamespaceMapping } from "./config.ts";
import { readServiceAccount, reviewToken, type Review, type ServiceAccount } from "./api-server.ts";
import { claimedSubject } from "../jwt/subject.ts";
import { parseServiceAccountToken, type ServiceAccountToken } from "./service-account-token.ts";

const FIELDS = ["namespace", "name", "uid"] as const;
type Fields = Record<(typeof FIELDS)[number], string>;

const TEXT: IdentityShape = { kind: "text" };
const SERVICE_ACCOUNT: IdentityShape = { kind: "structure", fields: new Map(FIELDS.map((field) => [field, TEXT])) };

/** Fields of every service account: `serviceaccount.namespace`, `serviceaccount.name`, `serviceaccount.uid`. */
const FORM: IdentityForm = {
  shape: { kind: "structure", fields: new Map([["serviceaccount", SERVICE_ACCOUNT]]) },
  variables: new Set(FIELDS.map(variableOf)),
};

const NAME_ANNOTATION = "consul.hashicorp.com/service-name";

/** Longer explanations of an API server are cut. */
const MAX_EXPLANATION_LENGTH = 200;

/**
 * Proves who a service account is by asking the API server of its cluster. The server is not asked before somebody logs in.
 *
 * @throws ConfigError
 */
export const createKubernetesValidator: CreateValidator = (config, { ask }) => {
  const server = readServer(config);
  const mapping = readNamespaceMapping(config);
  return {
    ...(mapping.isOn ? { mapNamespace: (identity) => kubernetesNamespace(mapping, identity) } : {}),
    form: FORM,
    probe: () => Promise.resolve(),
    verify: async (bearerToken) => identityOf(await verify(ask, server, bearerToken)),
    claimedSubject,
    close: () => undefined,
  };
};

async function verify(ask: Ask, server: ApiServer, bearerToken: string): Promise<Fields> {
  const token = prefixed("failed to parse and validate JWT: ", () => parseServiceAccountToken(bearerToken));
  const review = await reviewToken(ask, server, bearerToken);
  if (review.error !== "") throw lookupFailed(explanation(review.error, [bearerToken, server.reviewer]));
  const { namespace, name } = accountOf(review, token);
  const account = await readAccount(ask, server, namespace, name);
  // A token outlives its account: one made later under the same name is somebody else.
  if (account.uid !== review.uid) {
    throw new IdentityError("annotation lookup failed: the service account was recreated");
  }
  return { namespace, name: account.annotations.get(NAME_ANNOTATION) || name, uid: review.uid };
}

/** Returns the service account of the reviewed token, when the review accepts the token and is about that token. */
function accountOf(review: Review, token: ServiceAccountToken): { namespace: string; name: string } {
  if (!review.isAuthenticated) throw lookupFailed("service account jwt not valid");
  const [system, kind, namespace, name, ...rest] = review.username.split(":");
  if (namespace === undefined || name === undefined || rest.length > 0) {
    throw lookupFailed("unexpected username format");
  }
  if (system !== "system" || kind !== "serviceaccount") {
    throw lookupFailed("username returned is not a service account");
  }
  if (!isDnsLabel(namespace) || !isDnsSubdomain(name)) throw lookupFailed("unexpected username format");
  if (token.subject !== undefined && token.subject !== review.username) {
    throw lookupFailed("username returned is not the subject of the JWT");
  }
  checkAudience(review, token);
  if (review.uid === "") throw new ProviderError("lookup failed: the response of the API server contains no uid");
  return { namespace, name };
}

/**
 * A token made for somebody else, such as another service that it was shown to, must not log in here. An API server
 * that minds audiences names those of its own that the token has; one that does not mind them would pass any token.
 */
function checkAudience({ audiences }: Review, token: ServiceAccountToken): void {
  if (token.audiences.length === 0 || token.audiences.some((audience) => audiences.includes(audience))) return;
  throw lookupFailed("the JWT is not meant for the audience of the API server");
}

function lookupFailed(reason: string): IdentityError {
  return new IdentityError(`lookup failed: ${reason}`);
}

/** Returns the API server's explanation about a token, without the tokens themselves. */
function explanation(error: string, secrets: readonly string[]): string {
  const safe = secrets.reduce((text, secret) => text.replaceAll(secret, "<hidden>"), error);
  const printable = safe.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, " ");
  return printable.length > MAX_EXPLANATION_LENGTH
    ? `${printable.slice(0, MAX_EXPLANATION_LENGTH).toWellFormed()}…`
    : printable;
}

async function readAccount(ask: Ask, server: ApiServer, namespace: string, name: string): Promise<ServiceAccount> {
  const account = await readServiceAccount(ask, server, namespace, name).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error;
    throw new ProviderError(`annotation lookup failed: ${error.message}`, { cause: error });
  });
  if (account === undefined) throw new IdentityError("annotation lookup failed: service account not found");
  if (account.namespace !== namespace || account.name !== name) {
    throw new ProviderError("annotation lookup failed: the API server returned a different service account");
  }
  return account;
}

function identityOf(fields: Fields): ProvenIdentity {
  const account: Identity = new Map(FIELDS.map((field) => [field, fields[field]]));
  const variables = new Map(FIELDS.map((field) => [variableOf(field), fields[field]]));
  return { fields: new Map([["serviceaccount", account]]), variables, subject: fields.uid };
}

function variableOf(field: string): string {
  return `serviceaccount.${field}`;
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_SUBDOMAIN_LENGTH = 253;

/** Checks whether Kubernetes allows the text as the name of a namespace. */
function isDnsLabel(text: string): boolean {
  return LABEL.test(text);
}

/** Checks whether Kubernetes allows the text as the name of a service account. */
function isDnsSubdomain(text: string): boolean {
  return text.length <= MAX_SUBDOMAIN_LENGTH && text.split(".").every(isDnsLabel);
}

/**
 * The namespace that tokens of a service account go to, by the older way that NamespaceRules replace: with `MapNamespaces`
 * it is named like the Kubernetes namespace, after `ConsulNamespacePrefix`, unless `ConsulNamespaceOverrides` names
 * another for it.
 *
 * @returns undefined when namespaces are not mapped
 */
export function kubernetesNamespace(
  { isOn, prefix, overrides }: NamespaceMapping,
  { variables }: VerifiedIdentity,
): MappedNamespace | undefined {
  const namespace = variables.get("serviceaccount.namespace") ?? "";
  if (!isOn || namespace === "") return undefined;
  const written = overrides.get(namespace);
  return written === undefined ? { name: prefix + namespace, isComputed: true } : { name: written, isComputed: false };
}

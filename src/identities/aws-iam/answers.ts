import { ProviderError } from "../errors.ts";
import { childOf, readXml, textOf, XmlError, type XmlElement } from "./xml.ts";

/** Signer of a request, as STS states it. */
export interface AwsCaller {
  readonly arn: string;
  /** Unique ID of the role or user. */
  readonly id: string;
  readonly account: string;
}

/** A role or a user, as IAM says it. */
export interface Entity {
  readonly arn: string;
  /** Unique ID. */
  readonly id: string;
  /** Begins and ends with a slash. */
  readonly path: string;
  readonly tags: ReadonlyMap<string, string>;
}

export type Service = "sts" | "iam";

const NAMESPACES: Readonly<Record<Service, string>> = {
  sts: "https://sts.amazonaws.com/doc/2011-06-15/",
  iam: "https://iam.amazonaws.com/doc/2010-05-08/",
};

/**
 * Reads the answer to GetCallerIdentity.
 *
 * @throws ProviderError
 */
export function readCaller(xml: string): AwsCaller {
  return read(xml, "sts", "GetCallerIdentityResponse", (response) => {
    const result = childOf(response, "GetCallerIdentityResult");
    const account = textOf(result, "Account");
    // A role has its session behind its ID.
    const [, id] = /^([\w-]{1,128})(?::[^:]*)?$/.exec(textOf(result, "UserId")) ?? [];
    if (id === undefined || !/^\d+$/.test(account)) throw new XmlError();
    return { arn: textOf(result, "Arn"), id, account };
  });
}

const PATH = /^\/(?:[\x21-\x7e]+\/)?$/;

/**
 * Reads the answer to GetRole or GetUser.
 *
 * @throws ProviderError
 */
export function readEntity(xml: string, kind: "role" | "user"): Entity {
  const name = kind === "role" ? "Role" : "User";
  return read(xml, "iam", `Get${name}Response`, (response) => {
    const entity = childOf(childOf(response, `Get${name}Result`), name);
    const path = textOf(entity, "Path");
    if (!PATH.test(path)) throw new XmlError();
    return { arn: textOf(entity, "Arn"), id: textOf(entity, `${name}Id`), path, tags: tagsOf(entity) };
  });
}

const THROTTLED = new Set(["Throttling", "ThrottlingException", "RequestLimitExceeded"]);

/** Whether a refusal says only that there are too many requests at the moment. */
export function isThrottling(xml: string, service: Service): boolean {
  try {
    const response = readXml(xml, "ErrorResponse", NAMESPACES[service]);
    return THROTTLED.has(textOf(childOf(response, "Error"), "Code"));
  } catch (error) {
    if (error instanceof XmlError) return false;
    throw error;
  }
}

function tagsOf(entity: XmlElement): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  if (!entity.children.some(({ name }) => name === "Tags")) return tags;
  for (const member of childOf(entity, "Tags").children) {
    const key = textOf(member, "Key");
    if (member.name !== "member" || tags.has(key)) throw new XmlError();
    tags.set(key, textOf(member, "Value"));
  }
  return tags;
}

function read<T>(xml: string, service: Service, root: string, take: (response: XmlElement) => T): T {
  try {
    return take(readXml(xml, root, NAMESPACES[service]));
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new ProviderError(`the response of ${service.toUpperCase()} is not a ${root}`);
  }
}

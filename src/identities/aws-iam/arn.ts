/** A role or a user of IAM, as it is compared: roles and users are told apart by their names alone within an account. */
export interface Principal {
  /** Partition of AWS, such as `aws` or `aws-us-gov`. */
  readonly partition: string;
  readonly account: string;
  readonly kind: "role" | "user";
  readonly name: string;
}

const ROLE_SESSION = /^arn:(aws[a-z-]*):sts::(\d+):assumed-role\/([\w+=,.@-]{1,64})\/[\w+=,.@-]{1,64}$/;
const USER = /^arn:(aws[a-z-]*):iam::(\d+):user\/(?:[\x21-\x7e]{1,511}\/)?([\w+=,.@-]{1,64})$/;
const BOUND = /^arn:[^:*]+:(?:iam|sts):[^:*]*:\d+:./;

/**
 * Principal that STS names as the caller. The session of a role is left out, and the path of a user too, since STS does
 * not name the path of a role.
 *
 * @returns undefined for callers that are neither, such as the root user of an account and federated users
 */
export function principalOf(callerArn: string): Principal | undefined {
  const role = ROLE_SESSION.exec(callerArn);
  const [, partition, account, name] = role ?? USER.exec(callerArn) ?? [];
  if (partition === undefined || account === undefined || name === undefined) return undefined;
  return { partition, account, kind: role === null ? "user" : "role", name };
}

/**
 * The ARN of a principal.
 *
 * @param path begins and ends with a slash, as IAM gives it; `/` where it is not known
 */
export function arnOf({ partition, account, kind, name }: Principal, path = "/"): string {
  return `arn:${partition}:iam::${account}:${kind}${path}${name}`;
}

/** Whether this may be trusted by a configuration: an ARN of IAM or STS that names an account, whatever stands behind it. */
export function isPrincipalArn(text: string): boolean {
  return BOUND.test(text);
}

/** @param bound an ARN, or the beginning of one with `*` behind it */
export function isTrusted(arn: string, bound: readonly string[]): boolean {
  return bound.some((entry) => (entry.endsWith("*") ? arn.startsWith(entry.slice(0, -1)) : arn === entry));
}

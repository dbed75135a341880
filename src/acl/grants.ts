/**
 * Grants of a token or a role: policies by link, and identities that expand to policies of their own. Checked here once
 * for both.
 */
import { invalid } from "../errors.ts";
import {
  isIdentityName,
  checkTemplatedPolicy,
  findTemplate,
  NODE,
  SERVICE,
  sizeOfTemplate,
  type PolicyTemplate,
} from "./templated-policies/templates.ts";
import { DEFAULT_SCOPE, type Scope } from "../rights/scope.ts";
import { addSizes, type RuleSize } from "./rule-limit.ts";

export interface ServiceIdentity {
  serviceName: string;
  /** Datacenters in which it applies; empty: all. */
  datacenters: readonly string[];
}

export interface NodeIdentity {
  nodeName: string;
  datacenter: string;
}

export interface TemplatedPolicy {
  templateName: string;
  /** The one variable that templates have; undefined when no variables were given. */
  variableName: string | undefined;
  datacenters: readonly string[];
}

/** A link as a request gives it: the ID counts when there is one. */
export interface GrantLink {
  id?: string;
  name?: string;
}

/** Grants as stored: links are IDs, duplicates are removed. */
export interface Grants {
  policies: readonly string[];
  serviceIdentities: readonly ServiceIdentity[];
  nodeIdentities: readonly NodeIdentity[];
  templatedPolicies: readonly TemplatedPolicy[];
}

/** Grants in a request. */
export type GrantsInput = Omit<Grants, "policies"> & { policies: readonly GrantLink[] };

/** Empty grants. */
export const NO_GRANTS: Grants = { policies: [], serviceIdentities: [], nodeIdentities: [], templatedPolicies: [] };

/** Maximum number of links of one kind, and of identities of one kind, of an object. */
export const MAX_LINKS = 128;

/**
 * Checks what needs no look-up and gives it in the form that is stored.
 *
 * @param owner the object as the texts name it
 * @param isLocal whether it is a token of one datacenter only
 * @param scope where the object lies
 * @throws AppError `invalid`
 */
export function checkIdentities(
  input: GrantsInput,
  owner: "token" | "role",
  isLocal: boolean,
  scope: Scope,
): Omit<Grants, "policies"> {
  checkCount(input.policies, "Policies");
  checkCount(input.serviceIdentities, "ServiceIdentities");
  checkCount(input.nodeIdentities, "NodeIdentities");
  checkCount(input.templatedPolicies, "TemplatedPolicies");
  for (const identity of input.serviceIdentities) checkServiceIdentity(identity, owner, isLocal);
  for (const identity of input.nodeIdentities) checkNodeIdentity(identity, owner);
  for (const policy of input.templatedPolicies) checkTemplated(policy, owner);
  if (scope.namespace !== DEFAULT_SCOPE.namespace) checkNoNodes(input, owner);
  return {
    serviceIdentities: mergeServiceIdentities(input.serviceIdentities),
    nodeIdentities: distinct(input.nodeIdentities),
    templatedPolicies: distinct(input.templatedPolicies),
  };
}

/** @throws AppError `invalid` when a list of links is too long */
export function checkCount(list: readonly unknown[], name: string): void {
  if (list.length > MAX_LINKS) throw invalid(`${name} has ${list.length} entries; at most ${MAX_LINKS} are allowed`);
}

function checkServiceIdentity({ serviceName, datacenters }: ServiceIdentity, owner: string, isLocal: boolean): void {
  if (serviceName === "") throw invalid(`Service identity is missing the service name field on this ${owner}`);
  if (!isIdentityName(serviceName)) throw invalid(`Service identity "${serviceName}" has an invalid name. ${ALLOWED}`);
  if (isLocal && datacenters.length > 0) {
    throw invalid(`Service identity "${serviceName}" cannot specify a list of datacenters on a local token`);
  }
}

function checkNodeIdentity({ nodeName, datacenter }: NodeIdentity, owner: string): void {
  if (nodeName === "") throw invalid(`Node identity is missing the node name field on this ${owner}`);
  if (datacenter === "") throw invalid(`Node identity is missing the datacenter field on this ${owner}`);
  if (!isIdentityName(nodeName)) throw invalid(`Node identity has an invalid name. ${ALLOWED}`);
}

/** Nodes lie in no namespace: only in `default` can anything be given for one. */
function checkNoNodes({ nodeIdentities, templatedPolicies }: GrantsInput, owner: string): void {
  const where = `are allowed only in the namespace "${DEFAULT_SCOPE.namespace}", and this ${owner} is in another`;
  if (nodeIdentities.length > 0) throw invalid(`Node identities ${where}`);
  const forNodes = templatedPolicies.find(({ templateName }) => findTemplate(templateName) === NODE);
  if (forNodes !== undefined) throw invalid(`templated policies "${forNodes.templateName}" ${where}`);
}

const ALLOWED = "Only lowercase alphanumeric characters, '-' and '_' are allowed";

function checkTemplated({ templateName, variableName }: TemplatedPolicy, owner: "token" | "role"): void {
  if (templateName === "") throw invalid(`templated policy is missing the template name field on this ${owner}`);
  const template = findTemplate(templateName);
  if (template === undefined) {
    throw invalid(
      owner === "token"
        ? `no such ACL templated policy with Name "${templateName}"`
        : `templated policy with an invalid templated name: ${templateName} for this role`,
    );
  }
  const problem = checkTemplatedPolicy(template, variableName);
  if (problem === undefined) return;
  throw invalid(
    owner === "token"
      ? `validation error for templated policy "${templateName}": ${problem}`
      : `encountered role with invalid templated policy: ${problem}`,
  );
}

/** Equal names become one: their datacenters are united, and one that counts everywhere wins. */
function mergeServiceIdentities(identities: readonly ServiceIdentity[]): ServiceIdentity[] {
  const merged = new Map<string, ServiceIdentity>();
  for (const { serviceName, datacenters } of identities) {
    const before = merged.get(serviceName);
    const everywhere = datacenters.length === 0 || before?.datacenters.length === 0;
    const all = everywhere ? [] : [...new Set([...(before?.datacenters ?? []), ...datacenters])];
    merged.set(serviceName, { serviceName, datacenters: all });
  }
  return [...merged.values()];
}

function distinct<T>(list: readonly T[]): T[] {
  return [...new Map(list.map((entry) => [JSON.stringify(entry), entry])).values()];
}

/** Size of the rules of identities and templated policies. */
export function sizeOfIdentities(grants: Omit<Grants, "policies">): RuleSize {
  const templates: (PolicyTemplate | undefined)[] = [
    ...grants.serviceIdentities.map(() => SERVICE),
    ...grants.nodeIdentities.map(() => NODE),
    ...grants.templatedPolicies.map(({ templateName }) => findTemplate(templateName)),
  ];
  return addSizes(templates.flatMap((each) => (each === undefined ? [] : [sizeOfTemplate(each)])));
}

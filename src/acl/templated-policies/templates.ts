/**
 * The templated policies that exist, and the policies that they and identities
 * expand to. Such a policy is never stored: it is made where it is needed.
 */
import { hash } from "node:crypto";
import { digest } from "../kit/records.ts";
import type { RuleSize } from "../rule-limit.ts";
import { parseRules } from "../../rights/rules/parse.ts";
import { RESERVED_PREFIX } from "../../rights/uuid.ts";

export interface PolicyTemplate {
  id: string;
  name: string;
  description: string;
  /** JSON schema of its variables; empty when it has none. */
  schema: string;
  /** Rules, with `{{.Name}}` where the variable goes. */
  text: string;
  /** Kind whose naming rule the variable follows; undefined when there is no variable. */
  variable: "service" | "node" | undefined;
}

/** A policy made from a template. */
export interface SyntheticPolicy {
  /** Hexadecimal, of the rules and datacenters; not a UUID. */
  id: string;
  name: string;
  description: string;
  rules: string;
  ruleCount: number;
  datacenters: readonly string[];
  hash: string;
}

const SCHEMA = `{
	"type": "object",
	"properties": {
		"name": { "type": "string", "$ref": "#/definitions/min-length-one" }
	},
	"required": ["name"],
	"definitions": {
		"min-length-one": { "type": "string", "minLength": 1 }
	}
}`;

const READ_SERVICES = 'service_prefix "" {\n  policy = "read"\n}\n';
const READ_NODES = 'node_prefix "" {\n  policy = "read"\n}\n';
const WRITE_SERVICES = 'service_prefix "" {\n  policy = "write"\n}\n';
const READ_AGENTS = 'agent_prefix "" {\n  policy = "read"\n}\n';
const WRITE_SERVICE = 'service "{{.Name}}" {\n  policy = "write"\n}\n';

function template(
  number: string,
  name: string,
  description: string,
  text: string,
  variable?: "service" | "node",
): PolicyTemplate {
  const schema = variable === undefined ? "" : SCHEMA;
  return { id: `${RESERVED_PREFIX}${number}`, name: `builtin/${name}`, description, schema, text, variable };
}

export const SERVICE = template(
  "03",
  "service",
  "Gives the token or role permissions to register a service and discover services in the catalog.",
  `${WRITE_SERVICE}service "{{.Name}}-sidecar-proxy" {\n  policy = "write"\n}\n${READ_SERVICES}${READ_NODES}`,
  "service",
);
export const NODE = template(
  "04",
  "node",
  "Gives the token or role permissions to register a node and discover services in the catalog.",
  `node "{{.Name}}" {\n  policy = "write"\n}\n${READ_SERVICES}`,
  "node",
);
const DNS = template(
  "05",
  "dns",
  "Gives the token or role permissions for the DNS to resolve services, nodes and prepared queries.",
  `${READ_NODES}${READ_SERVICES}query_prefix "" {\n  policy = "read"\n}\n`,
);
const NOMAD_SERVER = template(
  "06",
  "nomad-server",
  "Gives the token or role permissions required for integration with a nomad server.",
  `acl = "write"\n${READ_AGENTS}${READ_NODES}${WRITE_SERVICES}`,
);
const API_GATEWAY = template(
  "08",
  "api-gateway",
  "Gives the token or role permissions for an API gateway.",
  `mesh = "read"\n${READ_NODES}${READ_SERVICES}${WRITE_SERVICE}`,
  "service",
);
const NOMAD_CLIENT = template(
  "09",
  "nomad-client",
  "Gives the token or role permissions required for integration with a nomad client.",
  `${READ_AGENTS}${READ_NODES}${WRITE_SERVICES}key_prefix "" {\n  policy = "read"\n}\n`,
);

/** All templates, in order of their names. */
export const TEMPLATES: readonly PolicyTemplate[] = [API_GATEWAY, DNS, NODE, NOMAD_CLIENT, NOMAD_SERVER, SERVICE];

const byName = new Map(TEMPLATES.map((each) => [each.name, each]));

/** Finds a template by its exact name, such as `builtin/service`. */
export function findTemplate(name: string): PolicyTemplate | undefined {
  return byName.get(name);
}

/**
 * Checks the variable that a template is given.
 *
 * @param name undefined when there are no variables at all
 * @returns what is wrong, in the words that clients know; undefined when nothing is
 */
export function checkTemplatedPolicy({ variable }: PolicyTemplate, name: string | undefined): string | undefined {
  if (variable === undefined) return undefined;
  if (name === undefined) return schemaError("Invalid type. Expected: object, given: null");
  // As in Go, an empty name is one that was not given.
  if (name === "") return schemaError("name is required");
  if (isIdentityName(name)) return undefined;
  const space = variable === "node" ? "  " : " ";
  return `${variable} identity "${name}"${space}has an invalid name. Only lowercase alphanumeric characters, '-' and '_' are allowed`;
}

function schemaError(message: string): string {
  return `1 error occurred:\n\t* ${message}\n\n`;
}

/** The policy that a template gives. @param name its variable, checked before; empty when it has none */
export function expandTemplate(
  from: PolicyTemplate,
  name: string,
  datacenters: readonly string[] = [],
): SyntheticPolicy {
  const rules = from.variable === undefined ? from.text : from.text.replaceAll("{{.Name}}", name);
  const id = hash("sha256", JSON.stringify([rules, datacenters]), "hex").slice(0, 32);
  const policyName = `synthetic-policy-${id}`;
  const description = `synthetic policy generated from templated policy: ${from.name}`;
  return {
    id,
    name: policyName,
    description,
    rules,
    ruleCount: countRules(from),
    datacenters,
    hash: digest([policyName, description, rules, datacenters]),
  };
}

const ruleCounts = new Map<PolicyTemplate, number>();

/** As many as there are with any name: names hold nothing that the rule language would take for its own. */
function countRules(from: PolicyTemplate): number {
  const known = ruleCounts.get(from) ?? parseRules(from.text, "community").length;
  ruleCounts.set(from, known);
  return known;
}

/** Size of the rules of a template, whatever its variable is. */
export function sizeOfTemplate(from: PolicyTemplate): RuleSize {
  return { policies: 1, rules: countRules(from), bytes: from.text.length };
}

/** The policy of a service identity. */
export function expandServiceIdentity(name: string, datacenters: readonly string[]): SyntheticPolicy {
  return expandTemplate(SERVICE, name, datacenters);
}

/** The policy of a node identity, which counts in one datacenter only. */
export function expandNodeIdentity(name: string, datacenter: string): SyntheticPolicy {
  return expandTemplate(NODE, name, [datacenter]);
}

const NAME = /^[a-z0-9]([a-z0-9\-_]*[a-z0-9])?$/;
const MAX_NAME = 256;

/** Whether a service or a node may have this name. */
export function isIdentityName(name: string): boolean {
  return name.length <= MAX_NAME && NAME.test(name);
}

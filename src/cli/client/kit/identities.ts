/** Flags of tokens and roles for what is no policy of its own. */
import { usage } from "../exit.ts";
import type { Flag } from "../spec.ts";

/** Service and node identities, and templated policies. */
export const IDENTITY_FLAGS: readonly Flag[] = [
  {
    name: "service-identity",
    value: "NAME[:DC,DC]",
    many: true,
    member: "ServiceIdentities",
    read: serviceIdentity,
    help: "Service identity: permissions for a service of this name. Repeatable.",
  },
  {
    name: "node-identity",
    value: "NAME:DC",
    many: true,
    member: "NodeIdentities",
    read: nodeIdentity,
    help: "Node identity: permissions for a node of this name. Repeatable.",
  },
  {
    name: "templated-policy",
    value: "TEMPLATE[:NAME]",
    many: true,
    member: "TemplatedPolicies",
    read: templatedPolicy,
    help: "Built-in policy template, and the name to insert. Repeatable.",
  },
];

function serviceIdentity(text: string): object {
  const [name = "", datacenters] = text.split(":", 2);
  return { ServiceName: name, ...(datacenters === undefined ? {} : { Datacenters: datacenters.split(",") }) };
}

function nodeIdentity(text: string): object {
  const [name, datacenter] = text.split(":", 2);
  if (datacenter === undefined)
    throw usage(`invalid --node-identity: expected NAME:DATACENTER, got ${JSON.stringify(text)}`);
  return { NodeName: name, Datacenter: datacenter };
}

function templatedPolicy(text: string): object {
  const [template = "", name] = text.split(":", 2);
  return { TemplateName: template, ...(name === undefined ? {} : { TemplateVariables: { Name: name } }) };
}

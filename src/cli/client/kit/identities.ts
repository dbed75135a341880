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
    help: "What a service of this name needs; may be given several times.",
  },
  {
    name: "node-identity",
    value: "NAME:DC",
    many: true,
    member: "NodeIdentities",
    read: nodeIdentity,
    help: "What a node of this name needs; may be given several times.",
  },
  {
    name: "templated-policy",
    value: "TEMPLATE[:NAME]",
    many: true,
    member: "TemplatedPolicies",
    read: templatedPolicy,
    help: "A built-in template, filled with a name; may be given several times.",
  },
];

function serviceIdentity(text: string): object {
  const [name = "", datacenters] = text.split(":", 2);
  return { ServiceName: name, ...(datacenters === undefined ? {} : { Datacenters: datacenters.split(",") }) };
}

function nodeIdentity(text: string): object {
  const [name, datacenter] = text.split(":", 2);
  if (datacenter === undefined) throw usage(`--node-identity takes NAME:DATACENTER, not ${JSON.stringify(text)}`);
  return { NodeName: name, Datacenter: datacenter };
}

function templatedPolicy(text: string): object {
  const [template = "", name] = text.split(":", 2);
  return { TemplateName: template, ...(name === undefined ? {} : { TemplateVariables: { Name: name } }) };
}

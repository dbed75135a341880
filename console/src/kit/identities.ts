/** Identities and links as people type them, and as the API has them. */
import type { HclResource } from "./hcl.ts";
import type { Members } from "./plan.ts";
import * as texts from "../texts/kit-forms.ts";

/** Services, each in a line: `NAME` or `NAME:DC1,DC2`. */
export function servicesText(identities: readonly { ServiceName: string; Datacenters?: string[] }[] = []): string {
  return identities.map(({ ServiceName, Datacenters }) => withDatacenters(ServiceName, Datacenters ?? [])).join("\n");
}

/** Nodes, each in a line: `NAME:DC`. */
export function nodesText(identities: readonly { NodeName: string; Datacenter: string }[] = []): string {
  return identities.map(({ NodeName, Datacenter }) => `${NodeName}:${Datacenter}`).join("\n");
}

/** The services of such a text. */
export function servicesOf(text: string): readonly { ServiceName: string; Datacenters?: readonly string[] }[] {
  return linesOf(text).map((line) => {
    const [name = "", datacenters] = line.split(":", 2);
    return { ServiceName: name, ...(datacenters === undefined ? {} : { Datacenters: datacenters.split(",") }) };
  });
}

/** The nodes of such a text. */
export function nodesOf(text: string): readonly { NodeName: string; Datacenter: string }[] {
  return linesOf(text).map((line) => {
    const [name = "", datacenter = ""] = line.split(":", 2);
    return { NodeName: name, Datacenter: datacenter };
  });
}

/** A templated policy that something is given, as the API takes it. */
interface Templated {
  readonly TemplateName: string;
  readonly TemplateVariables?: { readonly Name: string };
  readonly Datacenters?: readonly string[];
}

/** Templated policy, in the form that the API returns. */
interface ToldTemplated {
  readonly TemplateName: string;
  readonly TemplateVariables?: { readonly name: string };
  readonly Datacenters?: readonly string[];
}

/** Templated policies, each in a line: `TEMPLATE`, `TEMPLATE:NAME` or `TEMPLATE:NAME:DC1,DC2`. */
export function templatesText(templates: readonly ToldTemplated[] = []): string {
  return templates
    .map(({ TemplateName, TemplateVariables, Datacenters = [] }) => {
      const name = TemplateVariables?.name ?? "";
      const datacenters = Datacenters.length === 0 ? [] : [Datacenters.join(",")];
      return [TemplateName, ...(name === "" && datacenters.length === 0 ? [] : [name]), ...datacenters].join(":");
    })
    .join("\n");
}

/** The templated policies of such a text. */
export function templatesOf(text: string): readonly Templated[] {
  return linesOf(text).map((line) => {
    const [template = "", name = "", datacenters = ""] = line.split(":", 3);
    return {
      TemplateName: template,
      ...(name === "" ? {} : { TemplateVariables: { Name: name } }),
      ...(datacenters === "" ? {} : { Datacenters: datacenters.split(",") }),
    };
  });
}

/** The blocks that Terraform has for the identities and templated policies of a token or role. */
export function identityBlocks(body: Members): NonNullable<HclResource["blocks"]> {
  const services = (body["ServiceIdentities"] ?? []) as ReturnType<typeof servicesOf>;
  const nodes = (body["NodeIdentities"] ?? []) as ReturnType<typeof nodesOf>;
  const templates = (body["TemplatedPolicies"] ?? []) as ReturnType<typeof templatesOf>;
  return [
    ...services.map(({ ServiceName, Datacenters }) => ({
      name: "service_identities",
      attributes: { service_name: ServiceName, datacenters: Datacenters },
    })),
    ...nodes.map(({ NodeName, Datacenter }) => ({
      name: "node_identities",
      attributes: { node_name: NodeName, datacenter: Datacenter },
    })),
    ...templates.map(({ TemplateName, TemplateVariables, Datacenters }) => ({
      name: "templated_policies",
      attributes: { template_name: TemplateName, datacenters: Datacenters },
      ...(TemplateVariables === undefined
        ? {}
        : { blocks: [{ name: "template_variables", attributes: { name: TemplateVariables.Name } }] }),
    })),
  ];
}

/** Returns an error when a line is not a node and its datacenter; undefined for valid text. */
export function nodesFault(text: string): string | undefined {
  return linesOf(text).every((line) => /^[^:]+:[^:]+$/.test(line)) ? undefined : texts.nodeIdentitiesInvalid;
}

/** Returns an error for an invalid duration; undefined for a valid or empty one. */
export function durationFault(text: string): string | undefined {
  return text.trim() === "" || /^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text.trim())
    ? undefined
    : texts.durationInvalid;
}

export function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function withDatacenters(name: string, datacenters: readonly string[]): string {
  return datacenters.length === 0 ? name : `${name}:${datacenters.join(",")}`;
}

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  h: 3600,
  m: 60,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  µs: 1e-6,
  ns: 1e-9,
};

/**
 * Returns the end of a duration that begins now, such as `1h30m`, rounded up to a whole minute.
 *
 * @returns RFC 3339; undefined for no duration
 */
export function endOf(duration: string, now = Date.now()): string | undefined {
  if (duration === "" || durationFault(duration) !== undefined) return undefined;
  const parts = [...duration.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)];
  const seconds = parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (UNIT_SECONDS[unit] ?? 0), 0);
  return new Date(Math.ceil((now + seconds * 1000) / 60_000) * 60_000).toISOString();
}

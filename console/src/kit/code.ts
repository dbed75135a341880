/** A plan as others would write it. */
import type { Place } from "../base/place.ts";
import { inHcl, type HclResource } from "./hcl.ts";
import type { Members, Plan } from "./plan.ts";
import { curlOf, tesseraOf } from "./shell-text.ts";
import { inYaml } from "./yaml.ts";

export interface Code {
  readonly id: "tessera" | "curl" | "terraform" | "yaml";
  readonly title: string;
  readonly text: string;
}

/** The plan as others would write it. */
export function codeOf(plan: Plan, place: Place): readonly Code[] {
  const codes: Code[] = [{ id: "curl", title: "curl", text: curlOf(plan, place) }];
  if (plan.command.length > 0) codes.unshift({ id: "tessera", title: "tessera", text: tesseraOf(plan, place) });
  if (plan.terraform !== undefined) {
    codes.push({ id: "terraform", title: "Terraform", text: inHcl(placed(plan.terraform, place)) });
  }
  if (plan.declared !== undefined)
    codes.push({ id: "yaml", title: "YAML", text: inYaml(placedIn(plan.declared, place)) });
  return codes;
}

/** A document of declared files where the object is to be made. */
function placedIn(declared: Members, { scope: { namespace, partition } }: Place): Members {
  const { kind, ...rest } = declared;
  return {
    kind,
    ...(partition === "default" ? {} : { partition }),
    ...(namespace === "default" ? {} : { namespace }),
    ...rest,
  };
}

/** Resources of the provider that lie in a namespace, and those that lie in a partition only. */
const IN_NAMESPACES = /^consul_acl_/;
const IN_PARTITIONS = /^consul_(acl_|namespace$)/;

/** A resource where it is to be made: the provider's own scope may be another one. */
function placed(resource: HclResource, { scope: { namespace, partition } }: Place): HclResource {
  const scope = {
    ...(IN_NAMESPACES.test(resource.type) && namespace !== "default" ? { namespace } : {}),
    ...(IN_PARTITIONS.test(resource.type) && partition !== "default" ? { partition } : {}),
  };
  return { ...resource, attributes: { ...resource.attributes, ...scope } };
}

/** The same of several plans, one after the other. */
export function codeOfAll(plans: readonly Plan[], place: Place): readonly Code[] {
  const [first = [], ...rest] = plans.map((plan) => codeOf(plan, place));
  return first.map(({ id, title, text }) => {
    const others = rest.flatMap((codes) => codes.filter((code) => code.id === id).map((code) => code.text));
    return { id, title, text: [text, ...others].join("\n") };
  });
}

/** A plan as others would write it. */
import type { Place } from "../app/place.ts";
import { inHcl } from "./hcl.ts";
import type { Plan } from "./plan.ts";
import { curlOf, tesseraOf } from "./shell-text.ts";

export interface Code {
  readonly id: "tessera" | "curl" | "terraform";
  readonly title: string;
  readonly text: string;
}

/** The plan as others would write it. */
export function codeOf(plan: Plan, place: Place): readonly Code[] {
  const codes: Code[] = [
    { id: "tessera", title: "tessera", text: tesseraOf(plan, place) },
    { id: "curl", title: "curl", text: curlOf(plan, place) },
  ];
  if (plan.terraform !== undefined) {
    codes.push({ id: "terraform", title: "Terraform", text: inHcl(plan.terraform) });
  }
  return codes;
}

/** The same of several plans, one after the other. */
export function codeOfAll(plans: readonly Plan[], place: Place): readonly Code[] {
  const [first = [], ...rest] = plans.map((plan) => codeOf(plan, place));
  return first.map(({ id, title, text }) => {
    const others = rest.flatMap((codes) => codes.filter((code) => code.id === id).map((code) => code.text));
    return { id, title, text: [text, ...others].join("\n") };
  });
}

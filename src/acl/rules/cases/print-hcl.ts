/** Rules in their JSON spelling: a scalar's text, or the fields or inner rules of each label. */
export interface RulesObject {
  [kind: string]: string | RulesObject;
}

/** The same rules in HCL: each label becomes a block. For tests, which write their rules once. */
export function printHcl(rules: RulesObject): string {
  return Object.entries(rules)
    .map(([name, value]) => (typeof value === "string" ? `${name} = ${JSON.stringify(value)}\n` : blocks(name, value)))
    .join("");
}

function blocks(kind: string, labels: RulesObject): string {
  return Object.entries(labels)
    .map(([label, fields]) => {
      const body = typeof fields === "string" ? "" : printHcl(fields);
      return `${kind} ${JSON.stringify(label)} {\n${body}}\n`;
    })
    .join("");
}

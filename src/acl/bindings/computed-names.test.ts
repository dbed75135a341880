/** Tests names that are computed from claims. An identity provider asserts the claims, and users may choose them. */
import { describe, expect, test } from "vitest";
import { identityOf, plainExpressions, storedRule } from "../../../test/support/binding-rules.ts";
import { parseSelector } from "../../selectors/parse.ts";
import { printSelector } from "../../selectors/print.ts";
import { parseTemplate, renderTemplate } from "../../templates/template.ts";
import { compileNamespaceRules } from "../auth-methods/namespace-rules.ts";
import { isBindName, isReservedComputed, LoginRefused } from "./binding.ts";
import { compileBindingRules, type Bound, type StoredBindingRule } from "./compiled-binding-rules.ts";

const HOSTILE = [
  ["*", "+", "/", "..", ".", "%2f", "${value.other}", "$${x}", "{{.Name}}", '"', "'", "`", "\\", "<", "|", ";"],
  [
    "\n",
    "\r",
    "\t",
    "\0",
    "\u0085",
    "\u2028",
    "\ufeff",
    "\u200b",
    "\u202e",
    "\ud800",
    "é",
    "ｗeb",
    "ẇeb",
    "K",
    "ſ",
    "İ",
  ],
  ["a b", " a", "a ", "a/b", "a*", "a\nb", "a\0", "-a", "a-", "_a", "a_", "", '" == "" or value.x != "', "x or a == b"],
  ["__proto__", "constructor", "toString", "web", "WEB", "x".repeat(257), "x".repeat(9000)],
].flat();
const TEMPLATES = ["${value.name}", "a-${value.name}", "${value.name}-a", "a${value.name}b"];
const TYPES = ["service", "node", "role", "policy", "templated-policy"] as const;
const NAMES = {
  service: /^[a-z0-9]([a-z0-9_-]{0,254}[a-z0-9])?$/,
  node: /^[a-z0-9]([a-z0-9_-]{0,254}[a-z0-9])?$/,
  role: /^[A-Za-z0-9_-]{1,256}$/,
  policy: /^[A-Za-z0-9_-]{1,256}$/,
};

function ruleOf(type: (typeof TYPES)[number], template: string): StoredBindingRule {
  return type === "templated-policy"
    ? storedRule("a", { bindType: type, bindName: "builtin/service", bindVars: { name: template } })
    : storedRule("a", { bindType: type, bindName: template });
}

async function boundOrRefused(rule: StoredBindingRule, name: string): Promise<Bound[] | "refused"> {
  const compiled = await compileBindingRules([rule], plainExpressions);
  try {
    return compiled.matching(identityOf({ name, other: "other" }));
  } catch (error) {
    if (error instanceof LoginRefused) return "refused";
    throw error;
  }
}

describe.each(TYPES)("incident 8: a %s of a hostile name", (type) => {
  test("is refused, or is a name that the rule of its type allows and that the claim spells", async () => {
    let given = 0;
    for (const name of HOSTILE) {
      for (const template of TEMPLATES) {
        const bound = await boundOrRefused(ruleOf(type, template), name);
        if (bound === "refused") continue;
        given++;
        const [binding] = bound;
        const result = type === "templated-policy" ? binding?.variableName : binding?.name;
        const lower = name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
        expect(result).toBe(template.replace("${value.name}", () => lower));
        expect(result).toMatch(NAMES[type === "templated-policy" ? "service" : type]);
      }
    }
    expect(given).toBeGreaterThan(8);
    expect(given).toBeLessThan((HOSTILE.length * TEMPLATES.length) / 2);
  });
});

describe("incident 7: a claim's value", () => {
  test("is never read as a part of a selector", async () => {
    const selector = 'value.name == "x" and value.other == "y"';
    const tree = printSelector(parseSelector(selector));
    const compiled = await compileBindingRules([storedRule("a", { selector })], plainExpressions);
    for (const name of [...HOSTILE, `x" or value.other == "`, '" or "" == "']) {
      expect(compiled.matching(identityOf({ name, other: "no" }))).toEqual([]);
      expect(compiled.matching(identityOf({ name: "x", other: name }))).toEqual([]);
    }
    expect(compiled.matching(identityOf({ name: "x", other: "y" }))).toHaveLength(1);
    expect(printSelector(parseSelector(selector))).toBe(tree);
  });

  test("is never read as a template, and changes no other part of one", () => {
    const template = parseTemplate("p-${value.name}-${value.other}-s");
    for (const name of HOSTILE.filter((text) => text.length < 9000)) {
      const variables = new Map([
        ["value.name", name],
        ["value.other", "other"],
      ]);
      const result = renderTemplate(template, variables);
      expect(result.startsWith("p-") && result.endsWith("-other-s")).toBe(true);
      expect(result.length).toBe("p--other-s".length + name.length);
    }
    expect(template.parts).toHaveLength(5);
  });
});

/** A reserved name, in the ways in which case, white space and other alphabets make names look alike. */
function variantsOf(name: string): string[] {
  return [
    name,
    name.toUpperCase(),
    name.replace(/^./, (letter) => letter.toUpperCase()),
    name.replaceAll("a", "A"),
    ` ${name}`,
    `${name} `,
    `${name}\0`,
    `${name}\n`,
    `\u200b${name}`,
    name.replaceAll("a", "\u0430"),
    name.replaceAll("e", "\uff45"),
    name.replaceAll("-", "\u2010"),
    name.replaceAll("l", "\u2113"),
    name.normalize("NFD").replaceAll("a", "a\u0301"),
    name.replaceAll("/", "%2f"),
    name.replaceAll("/", "\u2215"),
  ];
}

const RESERVED = ["default", "global-management", "namespace-management", "builtin/global-read-only", "builtin/x"];
const foldAscii = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

describe.each(["role", "policy"] as const)("incidents 10 and 14: a %s that is built in", (bindType) => {
  test.each(RESERVED)("is reached by no name that is computed: %s", async (reserved) => {
    let barred = 0;
    for (const variant of new Set(variantsOf(reserved))) {
      const half = Math.floor(variant.length / 2);
      for (const [template, value] of [
        ["${value.name}", variant],
        [`${variant.slice(0, half).replaceAll("$", "$$")}\${value.name}`, variant.slice(half)],
        [`\${value.name}${variant.slice(half)}`, variant.slice(0, half)],
      ] as const) {
        const bound = await boundOrRefused(storedRule("a", { bindType, bindName: template }), value);
        if (bound === "refused") continue;
        for (const { name, isBarred } of bound) {
          expect({ name, isBarred }).toEqual({ name, isBarred: RESERVED.includes(foldAscii(name)) });
          if (isBarred) barred++;
        }
      }
    }
    // A slash is in no name that a login gives, so there is nothing to bar.
    expect(barred > 0).toBe(!reserved.includes("/"));
  });

  test.each(RESERVED.filter((name) => !name.includes("/")))(
    "is reached by one that is written out: %s",
    async (name) => {
      for (const spelled of [name, name.toUpperCase()]) {
        const bound = await boundOrRefused(storedRule("a", { bindType, bindName: spelled }), "x");
        expect(bound).toMatchObject([{ name: spelled, isComputed: false, isBarred: false }]);
      }
    },
  );
});

describe.each(["service", "node"] as const)("a %s of a name that is reserved for others", (bindType) => {
  test.each(["default", "global-management"])("is a %s like any other", async (name) => {
    const bound = await boundOrRefused(storedRule("a", { bindType, bindName: "${value.name}" }), name);
    expect(bound).toMatchObject([{ name, isComputed: true, isBarred: false }]);
  });
});

describe("incidents 10 and 14: the namespace default", () => {
  test("is reached by no name that is computed, and by one that is written out", async () => {
    for (const variant of variantsOf("default")) {
      const identity = identityOf({ name: variant, rest: variant.slice(1) });
      for (const bindNamespace of ["${value.name}", `${variant.slice(0, 1)}\${value.rest}`]) {
        const rules = await compileNamespaceRules([{ selector: "", bindNamespace }], plainExpressions);
        try {
          const chosen = await rules.choose(identity);
          expect(chosen).toMatchObject({ isComputed: true, isBarred: chosen?.name === "default" });
        } catch (error) {
          expect(error).toBeInstanceOf(LoginRefused);
        }
      }
    }
    for (const bindNamespace of ["default", "Default"]) {
      const rules = await compileNamespaceRules([{ selector: "", bindNamespace }], plainExpressions);
      expect(await rules.choose(identityOf({}))).toMatchObject({ name: "default", isComputed: false, isBarred: false });
    }
  });
});

describe("names that are reserved", () => {
  test("are told in any case of ASCII letters, and no other", () => {
    for (const name of ["DEFAULT", "Global-Management", "namespace-MANAGEMENT", "Builtin/", "BUILTIN/x"]) {
      expect(isReservedComputed(name)).toBe(true);
    }
    for (const name of ["defaults", "my-global-management", "builtin", "global-management ", "\u212aefault", ""]) {
      expect(isReservedComputed(name)).toBe(false);
    }
  });

  test("are names that a policy can have when a rule is written, but for those with the prefix", () => {
    expect(isBindName("policy", "global-management", "writing")).toBe(true);
    expect(isBindName("policy", "bUILTIN/x", "writing")).toBe(false);
    expect(isBindName("policy", "team/x", "writing")).toBe(true);
    expect(isBindName("policy", "team/x", "login")).toBe(false);
  });
});

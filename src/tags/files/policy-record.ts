/** The record of an organization's rules for tags: what it may say, and its lines in CSV, each of which says one thing. */
import { AppError, invalid } from "../../errors.ts";
import { ruleAsJson } from "../rules/as-json.ts";
import {
  checkRules,
  MAX_ALLOWED_VALUES,
  MAX_REQUIRED_KEYS,
  MAX_RULES,
  type Enforcement,
  type TagRule,
} from "../rules/rule.ts";
import { checkName } from "./check-record.ts";
import { POLICY_NAME, type PolicyRecord } from "./records.ts";

/** As long as the id of a project. Rules are bounded as they are stored, where names of projects do not count. */
const SOME_ID = "prj-0000000000000000";

/** Why rules cannot be taken; `rule` is the place of the one that is wrong, undefined for all together. */
export class RuleFault extends AppError {
  readonly rule: number | undefined;
  constructor(message: string, rule: number | undefined) {
    super("invalid", message);
    this.rule = rule;
  }
}

/** @throws RuleFault */
export function policyRecord(enforce: Enforcement | undefined, rules: readonly TagRule[]): PolicyRecord {
  try {
    checkRules(
      rules.map((rule) => (rule.project === undefined ? rule : { ...rule, project: SOME_ID })),
      "",
    );
    for (const [index, rule] of rules.entries()) checkTexts(rule, `/${index}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const index = /^\/(\d+)/.exec(error.pointer ?? "")?.[1];
    const name = index === undefined ? undefined : rules[Number(index)]?.name;
    const place = name === undefined ? "" : `Rule ${JSON.stringify(name.slice(0, 100))}: `;
    throw new RuleFault(`${place}${error.message}`, index === undefined ? undefined : Number(index));
  }
  return { kind: "tag-policy", name: POLICY_NAME, enforce, rules };
}

/** Checks texts for faults that a request body is refused for: a line of JSON can contain them. */
function checkTexts(rule: TagRule, pointer: string): void {
  const texts = Object.values(rule).flat() as (string | undefined)[];
  if (texts.some((text = "") => text.includes("\0") || !text.isWellFormed())) {
    throw invalid("Text must not contain NUL characters or unpaired surrogates", pointer);
  }
  if (rule.project === undefined) return;
  try {
    checkName("project", rule.project);
  } catch (error) {
    throw error instanceof AppError ? invalid(`project: ${error.message}`, pointer) : error;
  }
}

/** Content of one line: `tag` is the name of a rule, `key` one of its members. */
export interface PolicyLine {
  tag: string;
  key: string;
  value: string;
}

const ENFORCE = "enforce";
/** Stands for what a policy does not say, and has not kept. */
export const DEFAULT_ENFORCEMENT: Enforcement = "advise";

/** Its lines, in the order of the rules. */
export function policyLines({ enforce = DEFAULT_ENFORCEMENT, rules }: PolicyRecord): PolicyLine[] {
  const lines = rules
    .map(ruleAsJson)
    .flatMap(({ name, ...members }) =>
      Object.entries(members).flatMap(([key, said]) => [said ?? []].flat().map((value) => ({ tag: name, key, value }))),
    );
  return [{ tag: "", key: ENFORCE, value: enforce }, ...lines];
}

/** Longer than any text of a rule. */
const MAX_TEXT = 256;
const TEXTS = {
  project: "project",
  key: "key",
  "value-pattern": "valuePattern",
  "naming-pattern": "namingPattern",
} as const;
const LISTS = {
  "required-keys": { member: "requiredKeys", most: MAX_REQUIRED_KEYS },
  "allowed-values": { member: "allowedValues", most: MAX_ALLOWED_VALUES },
} as const;

type OpenRule = { -readonly [member in keyof TagRule]: TagRule[member] } & {
  requiredKeys?: string[];
  allowedValues?: string[];
};

/** Collects what a policy says, line by line. */
export class PolicyParts {
  private enforce: Enforcement | undefined;
  private readonly rules = new Map<string, { line: number; rule: OpenRule }>();

  /** @throws AppError `invalid`; what was collected before stays */
  add(line: number, { tag, key, value }: PolicyLine): void {
    if (tag === "" && key === "" && value === "") return;
    if (tag.length > MAX_TEXT || value.length > MAX_TEXT) {
      throw invalid(`Values of lines of kind tag-policy have at most ${MAX_TEXT} characters`);
    }
    if (tag === "") this.setEnforce(key, value);
    else this.say(line, tag, key, value);
  }

  /** @throws RuleFault */
  get record(): PolicyRecord {
    return policyRecord(
      this.enforce,
      [...this.rules.values()].map(({ rule }) => rule),
    );
  }

  /** The line in which a rule begins. */
  lineOf(rule: number | undefined): number | undefined {
    return rule === undefined ? undefined : [...this.rules.values()][rule]?.line;
  }

  private setEnforce(key: string, value: string): void {
    if (key !== ENFORCE || (value !== "advise" && value !== "refuse")) {
      throw invalid(
        "Invalid tag-policy line: without a rule name, the key must be enforce and the value advise or refuse",
      );
    }
    if (this.enforce !== undefined) throw invalid("enforce is repeated");
    this.enforce = value;
  }

  private say(line: number, name: string, key: string, value: string): void {
    if (!isText(key) && !isList(key)) {
      throw invalid(`The key of a rule line must be one of ${[...Object.keys(TEXTS), ...Object.keys(LISTS)].join()}`);
    }
    const open = this.rules.get(name) ?? { line, rule: { name } };
    if (!this.rules.has(name) && this.rules.size >= MAX_RULES) {
      throw invalid(`A policy has at most ${MAX_RULES} rules`);
    }
    if (isText(key)) {
      if (open.rule[TEXTS[key]] !== undefined) throw invalid(`${key} of the rule is repeated`);
      open.rule[TEXTS[key]] = value;
    } else {
      const { member, most } = LISTS[key];
      const list = (open.rule[member] ??= []);
      if (list.length >= most) throw invalid(`The list is too long: at most ${most} entries`);
      list.push(value);
    }
    this.rules.set(name, open);
  }
}

function isText(key: string): key is keyof typeof TEXTS {
  return Object.hasOwn(TEXTS, key);
}

function isList(key: string): key is keyof typeof LISTS {
  return Object.hasOwn(LISTS, key);
}

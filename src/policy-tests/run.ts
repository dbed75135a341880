/** Runs policy tests against files or a server, for people and for CI. */
import { writeFileSync } from "node:fs";
import { AppError } from "../errors.ts";
import { type TestedDecision, decideFromFiles } from "./decide.ts";
import { type CaseResult, junitOf } from "./junit.ts";
import { type Expected, type PolicyCase, PolicyTestError, readPolicyTests, type Who } from "./read.ts";

export { PolicyTestError } from "./read.ts";

/** Asks a server: the body of `POST /v1/acl/explain`, and its answer. */
export type AskServer = (body: object) => Promise<{
  Answers: readonly { Allow?: boolean; Rule?: { Resource: string; Segment: string; Policy: string } }[];
}>;

export interface PolicyTestOptions {
  directory: string;
  /** File for a report for CI. Undefined for none. */
  junit?: string | undefined;
  /** Asks about tokens, roles and identities; undefined where there are only files. */
  ask?: AskServer | undefined;
}

export interface PolicyTestResult {
  readonly results: readonly CaseResult[];
  readonly failed: number;
  /** Text for a terminal. */
  readonly text: string;
}

/**
 * Runs every case of a directory. A case that cannot be asked fails, and the others go on.
 *
 * @throws {PolicyTestError} when the directory cannot be read as one of policy tests
 */
export async function runPolicyTests({ directory, junit, ask }: PolicyTestOptions): Promise<PolicyTestResult> {
  const { cases, rules } = readPolicyTests(directory);
  const results: CaseResult[] = [];
  for (const each of cases) results.push(await runCase(each, rules, ask));
  if (junit !== undefined) writeFileSync(junit, junitOf(results));
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  return { results, failed, text: textOf(results, failed) };
}

async function runCase(
  { file, name, as, questions }: PolicyCase,
  rules: ReadonlyMap<string, string>,
  ask: AskServer | undefined,
): Promise<CaseResult> {
  const told = { file, name, questions: questions.length };
  try {
    const answers =
      "policies" in as ? decideFromFiles(rules, as.policies, questions) : await askAll(as, questions, ask);
    return { ...told, failures: questions.flatMap((question, index) => faultOf(question, answers[index])) };
  } catch (error) {
    if (!(error instanceof PolicyTestError || error instanceof AppError)) throw error;
    return { ...told, failures: [error.message] };
  }
}

/** Questions that a server takes at once. */
const AT_ONCE = 64;

async function askAll(
  who: Exclude<Who, { policies: readonly string[] }>,
  questions: readonly Expected[],
  ask: AskServer | undefined,
): Promise<TestedDecision[]> {
  if (ask === undefined) throw new PolicyTestError("tests of tokens, roles and identities require a server");
  const answers: TestedDecision[] = [];
  for (let start = 0; start < questions.length; start += AT_ONCE) {
    const Questions = questions.slice(start, start + AT_ONCE).map(questionOf);
    const { Answers } = await ask({ ...subjectOf(who), Questions });
    for (const { Allow = false, Rule } of Answers) {
      const because =
        Rule === undefined ? "no readable rule" : `${Rule.Resource} ${JSON.stringify(Rule.Segment)} = ${Rule.Policy}`;
      answers.push({ allow: Allow, because });
    }
  }
  return answers;
}

function subjectOf(who: Exclude<Who, { policies: readonly string[] }>): object {
  if ("token" in who) return { AccessorID: who.token };
  if ("role" in who) return { RoleName: who.role };
  return { AuthMethod: who.authMethod, Identity: who.identity };
}

function questionOf({ resource, segment, access, namespace, partition }: Expected): object {
  const question = { Resource: resource, Segment: segment, Access: access };
  return { ...question, ...(namespace && { Namespace: namespace }), ...(partition && { Partition: partition }) };
}

function faultOf(
  { resource, segment, access, namespace, allow }: Expected,
  answer: TestedDecision | undefined,
): string[] {
  if (answer?.allow === allow) return [];
  const where = namespace === undefined ? "" : ` in ${namespace}`;
  const said = answer === undefined ? "not decided" : `${answer.allow ? "allowed" : "denied"} (${answer.because})`;
  return [
    `${access} ${resource} ${JSON.stringify(segment)}${where}: expected ${allow ? "allowed" : "denied"}, was ${said}`,
  ];
}

function textOf(results: readonly CaseResult[], failed: number): string {
  const lines = results.flatMap(({ file, name, failures }) => [
    `${failures.length === 0 ? "ok  " : "FAIL"} ${file}: ${name}`,
    ...failures.map((failure) => `       ${failure}`),
  ]);
  const questions = results.reduce((sum, each) => sum + each.questions, 0);
  return `${[...lines, `${results.length - failed} of ${results.length} passed, ${questions} questions`].join("\n")}\n`;
}

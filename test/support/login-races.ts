/** Logins of many clients while what they rest on changes step by step, and what each of them may have been given. */
import { expect } from "vitest";
import type { Answer } from "./api.ts";
import type { V1 } from "./v1.ts";

const CLIENTS = 16;

/** A login, and which states of the world stood while it went on. */
interface Timed {
  answer: Answer;
  from: number;
  to: number;
}

/**
 * Logs in with many clients while `steps` are taken one after another. State `n` stands from some moment in step `n`
 * on: a login may have met each state from the last that was answered before it began to the last begun before it ended.
 *
 * @param written list of what the steps write, and nobody else: `begins` has the index of each step
 */
export async function logInDuring(
  v1: V1,
  enter: () => Promise<Answer>,
  steps: readonly (() => Promise<unknown>)[],
  written = "",
) {
  const logins: Timed[] = [];
  const begins = [0];
  let [begun, done, isOver] = [0, 0, false];
  async function client(): Promise<void> {
    while (!isOver) {
      const from = done;
      const answer = await enter();
      logins.push({ answer, from, to: begun });
    }
  }
  const clients = Array.from({ length: CLIENTS }, client);
  const someMore = async () => {
    const seen = logins.length;
    await expect.poll(() => logins.length - seen, { interval: 1, timeout: 60_000 }).toBeGreaterThan(CLIENTS * 2);
  };
  for (const step of steps) {
    await someMore();
    begun++;
    await step();
    if (written !== "") begins.push(Number((await v1.get(written)).headers["x-service-index"]));
    done++;
  }
  await someMore();
  isOver = true;
  await Promise.all(clients);
  return { logins, begins };
}

/** Checks that each login gave what one of the states gives that it may have met. */
export function expectOneOf(logins: readonly Timed[], states: readonly string[]): void {
  for (const { answer, from, to } of logins) {
    const possible = states.slice(from, to + 1);
    expect(possible, `${answer.status} ${answer.text} in ${from} to ${to}`).toContain(givenBy(answer));
  }
  // Each was met, or the test shows nothing.
  for (const state of states) expect(logins.map(({ answer }) => givenBy(answer))).toContain(state);
}

/** Checks that nothing is given by a write that comes after the one that took it away. */
export function expectNothingStale(
  logins: readonly Timed[],
  states: readonly string[],
  begins: readonly number[],
): void {
  expect(begins).toHaveLength(states.length);
  for (const { answer } of logins) {
    if (answer.status !== 200) continue;
    const state = states[begins.findLastIndex((index) => index < answer.body.CreateIndex)] ?? "";
    const given = givenBy(answer).split(" ");
    expect(state.split(" "), `${answer.text} of ${begins.join()}`).toEqual(expect.arrayContaining(given));
  }
}

export function givenBy({ status, body }: Answer): string {
  if (status !== 200) return String(status);
  const { ServiceIdentities = [], Roles = [], ExpirationTime, Namespace, Local } = body;
  const names = [
    ...ServiceIdentities.map(({ ServiceName }: { ServiceName: string }) => ServiceName),
    ...Roles.map(({ Name }: { Name: string }) => Name),
  ];
  const more = [Namespace === "default" ? [] : Namespace, Local ? [] : "global", ExpirationTime ? "ends" : []];
  return [...names.toSorted((one, other) => (one < other ? -1 : 1)), ...more.flat()].join(" ");
}

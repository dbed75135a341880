/** Registers are linearizable, each of them. */
import type { History } from "../history.ts";
import { allOf, describe, groupBy, isOf, limited } from "./entries.ts";
import { wrongRefusals } from "./register-refusals.ts";
import { statesOf, stepOf, type Final, type RegisterEntry, type State, type Step } from "./register-states.ts";

/**
 * Reads, writes and compare-and-sets of each register are linearizable. The versions that the server gives are taken for
 * the order of the writes, which is what they claim to be; what is shown of a write tells which version it got.
 *
 * Why passing means linearizable: it is shown that every operation can be given a moment between its invocation and its
 * answer (of unknown ones: at any time after, or never) so that, done one after the other in the order of their moments,
 * each would have answered what it did. The writes with a known version stand in the order of their versions, every read
 * between the write of its version and the next. Such moments exist if and only if nothing that comes later in this order
 * was answered before something that comes earlier was asked: then the moment of each can be the latest invocation of
 * all up to it. `outOfOrder` looks at just that. A compare-and-set that succeeded directly follows the version that it
 * expected, so it found it. What remains are compare-and-sets that were refused with 409: `wrongRefusals` shows that the
 * moments can be chosen so that each met another version than it expected, if need be one of a write of unknown outcome
 * that nobody saw. Other refusals had no effect, since nobody saw their values.
 *
 * The other way round, a history whose answers some order explains passes, for that order has to be the one of the
 * versions. Values must be unique in their register, every version that a client expects must come from an answer, and
 * registers are there from the beginning: a 404 is a finding. What a register holds before its first write may be
 * unknown.
 */
export const registers = limited((history) => {
  const entries = allOf(history, "write", "cas", "read");
  const byRegister = groupBy(entries, (entry) => entry.operation.register);
  return [
    ...repeatedVersions(entries),
    ...[...byRegister].flatMap(([register, ofRegister]) => {
      const finals = finalsOf(history, register);
      if (finals.length < Math.max(1, history.final.registers.length))
        return [`register ${register} is not in the final state of each node`];
      return checkRegister(ofRegister, finals);
    }),
  ];
});

/**
 * Checks the entries of one register, in the order in which they were invoked, and what each node shows in the end; with
 * no node at all, the end is not known. Returns the findings.
 */
export function checkRegister(entries: readonly RegisterEntry[], finals: readonly Final[]): string[] {
  const missing = entries
    .filter(({ status }) => status === 404)
    .map((entry) => `${describe(entry)} does not find its register`);
  const { states, findings } = statesOf(entries, finals);
  // An order that is wrong already would only be told again in other words by what follows.
  const wrong = [...missing, ...findings];
  if (wrong.length > 0) return wrong;
  const disorder = [...notHighest(states, finals), ...outOfOrder(states)];
  return disorder.length > 0 ? disorder : wrongRefusals(states, entries);
}

/** The server gives a version to one write, whatever the register. */
function repeatedVersions(entries: readonly RegisterEntry[]): string[] {
  const acknowledged = entries.filter((entry) => !isOf(entry, "read") && entry.operation.version !== undefined);
  return [...groupBy(acknowledged, (entry) => entry.operation.version)]
    .filter(([, ofVersion]) => ofVersion.length > 1)
    .map(
      ([version, ofVersion]) => `version ${version} is given to ${ofVersion.slice(0, 3).map(describe).join(" and ")}`,
    );
}

function finalsOf({ final }: History, register: string): Final[] {
  return final.registers.flatMap((ofNode, node) => {
    const held = ofNode[register];
    return held === undefined ? [] : [{ node, ...held }];
  });
}

function notHighest(states: readonly State[], finals: readonly Final[]): string[] {
  const last = states.at(-1);
  return finals
    .filter(({ version }) => version !== last?.version)
    .map(({ node, version }) => `node ${node} ends with version ${version}, but ${last?.from()} shows a higher one`);
}

/** Pairs of which the one that comes later in the order of the versions was over before the other began. */
function outOfOrder(states: readonly State[]): string[] {
  const findings: string[] = [];
  let latest: Step | undefined;

  function look(step: Step): void {
    if (latest !== undefined && step.end < latest.invoked)
      findings.push(`${step.text()} was over before ${latest.text()} began, but comes after it by its version`);
  }
  function pass(step: Step): void {
    if (latest === undefined || step.invoked > latest.invoked) latest = step;
  }

  for (const { change, reads } of states) {
    if (change !== undefined) {
      look(stepOf(change));
      pass(stepOf(change));
    }
    for (const read of reads) look(read);
    for (const read of reads) pass(read);
  }
  return findings;
}

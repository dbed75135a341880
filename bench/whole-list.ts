/** The whole list of tokens, read by one client alone: how long it takes, what of the processor, and what memory stays. */
import { processorSeconds, residentMegabytes } from "./machine.ts";
import type { Fact } from "./report.ts";
import { median } from "./median.ts";
import type { Target } from "./seed.ts";

const ROUNDS = 5;

/** @returns medians of five readings, and by how much the server's memory has grown after the last */
export async function measureWholeList({ url, token, pid = 0 }: Target): Promise<Fact[]> {
  const before = residentMegabytes(pid);
  const [times, processor]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [began, used] = [performance.now(), processorSeconds(pid)];
    const answer = await fetch(`${url}/v1/acl/tokens`, { headers: { authorization: `Bearer ${token}` } });
    if (!answer.ok || answer.body === null) throw new Error(`the list was answered ${answer.status}`);
    // Not kept: a client that parses it would measure itself.
    for await (const _ of answer.body);
    times.push(performance.now() - began);
    processor.push((processorSeconds(pid) - used) * 1000);
  }
  return [
    { name: "whole list of tokens, median of 5", value: median(times), unit: "ms" },
    { name: "whole list of tokens, processor time, median of 5", value: median(processor), unit: "ms" },
    { name: "growth of resident memory by it", value: residentMegabytes(pid) - before, unit: "MB" },
    { name: "resident memory after the whole list", value: residentMegabytes(pid), unit: "MB" },
  ];
}

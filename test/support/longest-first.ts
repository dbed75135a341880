/** Begins each project with the files that take longest, so that none of them is left for one process while the others have ended. */
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const root = resolve(import.meta.dirname, "../..");

/** Vitest's own order knows only what earlier runs in the same checkout took; a fresh clone has no such. */
export class LongestFirst extends BaseSequencer {
  /** @returns project by project, by the seconds that `node test/run.ts --note-seconds` wrote down; without a figure, by size */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = JSON.parse(readFileSync(resolve(root, "test/run/seconds.json"), "utf8")) as Record<string, number>;
    const secondsOf = ({ moduleId }: TestSpecification) => seconds[relative(root, moduleId)] ?? 0;
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project);
    return [...byProject.values()].flatMap((ofOne) => ofOne.toSorted((a, b) => secondsOf(b) - secondsOf(a)));
  }
}

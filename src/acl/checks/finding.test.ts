import { expect, test } from "vitest";
import { warningsHeader, type LintFinding } from "./finding.ts";

test("a header of warnings is ASCII, bounded, and whole JSON however many there are", () => {
  const finding: LintFinding = {
    code: "unknown-kind",
    message: `é\u2028${"x".repeat(300)}`,
    member: "Rules",
    at: { line: 1, column: 1 },
  };
  const header = warningsHeader(Array.from({ length: 90 }, () => finding)) ?? "";
  expect(header).toMatch(/^[ -~]*$/);
  expect(header.length).toBeLessThan(4500);
  const read = JSON.parse(header) as { Message?: string }[];
  expect(read.at(-1)?.Message).toMatch(/^\d+ more/);
  expect(read.length - 1 + Number.parseInt(read.at(-1)?.Message ?? "", 10)).toBe(90);
  expect(warningsHeader([])).toBeUndefined();
});

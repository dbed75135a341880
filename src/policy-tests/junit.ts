/** Results as JUnit's XML, which CI systems read. */

/** A case that was run. */
export interface CaseResult {
  readonly file: string;
  readonly name: string;
  /** Questions that were answered otherwise, or what kept the case from being asked; empty when all is as wanted. */
  readonly failures: readonly string[];
  readonly questions: number;
}

/** A suite for each file. */
export function junitOf(results: readonly CaseResult[]): string {
  const suites = [...Map.groupBy(results, ({ file }) => file)].map(([file, some]) => {
    const failed = some.filter(({ failures }) => failures.length > 0).length;
    const cases = some.map((each) => caseOf(file, each)).join("\n");
    return `  <testsuite name="${escaped(file)}" tests="${some.length}" failures="${failed}">\n${cases}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("\n")}\n</testsuites>\n`;
}

function caseOf(file: string, { name, failures }: CaseResult): string {
  const head = `    <testcase classname="${escaped(file)}" name="${escaped(name)}"`;
  if (failures.length === 0) return `${head}/>`;
  const [first = ""] = failures;
  return `${head}>\n      <failure message="${escaped(first)}">${escaped(failures.join("\n"))}</failure>\n    </testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
};

/** XML 1.0 has no control characters, escaped or not. */
function escaped(text: string): string {
  const clean = text.toWellFormed().replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");
  return clean.replaceAll(/[&<>"\n]/g, (sign) => ENTITIES[sign] ?? sign);
}

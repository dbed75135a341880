/**
 * Answers of 500 that are none of the server's faults: clients know a refusal by them. Every other one fails the test that gets it,
 * whatever it asked.
 */
const EXPECTED: readonly { status: number; text: RegExp }[] = [
  { status: 500, text: /^Invalid (?:Policy: A [Pp]olicy|Role: A [Rr]ole) with [Nn]ame "[^"]*" already exists$/ },
];

export function isExpectedFailure(status: number, text: string): boolean {
  return EXPECTED.some((each) => each.status === status && each.text.test(text));
}

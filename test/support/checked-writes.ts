/**
 * Each write of a policy, a binding rule or an auth method that a test of access control makes is asked of the check before: it
 * has errors exactly when the write is refused. So every case of the suite is one of the check too, a new one as well.
 */
import { expect } from "vitest";
import type { Answer } from "./api.ts";

/** Folders of the files whose writes are checked, in `src/acl`. */
const FOLDERS = ["policies", "binding-rules", "auth-methods", "kinds", "lint", "scopes", "bindings", "rules"];

/** Whether the test file that runs is one of those. */
export function isOfChecks(): boolean {
  const file = expect.getState().testPath ?? "";
  return FOLDERS.some((folder) => file.includes(`/src/acl/${folder}/`));
}

const WRITE = /^\/acl\/(policy|binding-rule|auth-method)(?:\/([^/?]*))?(?:\?(.*))?$/;

/** What a write may be answered where the check had to know; others are about who asks, how much, or the server. */
const STATUSES: ReadonlySet<number> = new Set([200, 400, 404, 409]);

/** What only asking a provider tells, which a check does not. */
const OF_PROVIDER = /error checking (JWKSURL|OIDCDiscoveryURL): (?!it is not a URL|a URL with)/;

/** What the check is asked for a PUT to this path; undefined where it is about something else, such as an index or two keys. */
function questionOf(path: string, body: unknown): { path: string; body: unknown } | undefined {
  const [, noun = "", key = "", query = ""] = WRITE.exec(path) ?? [];
  if (noun === "" || /(^|&)cas=/.test(query)) return undefined;
  const url = `/acl/${noun}/check${query === "" ? "" : `?${query}`}`;
  const member = noun === "auth-method" ? "Name" : "ID";
  if (typeof body !== "object" || body === null) return key === "" ? { path: url, body } : undefined;
  const named = Object.keys(body).filter((name) => name.toLowerCase() === member.toLowerCase());
  if (key === "") return named.length > 0 && member === "ID" ? undefined : { path: url, body };
  return named.length > 0 ? undefined : { path: url, body: { ...body, [member]: decodeURIComponent(key) } };
}

/**
 * Asks the check of a write that is about to be made.
 *
 * @param post sends a request as the writer
 * @returns compares the answer of the write with it
 */
export async function checkBefore(
  path: string,
  body: unknown,
  post: (path: string, body: unknown) => Promise<Answer>,
): Promise<((written: Answer) => void) | undefined> {
  const question = questionOf(path, body);
  if (question === undefined) return undefined;
  const checked = await post(question.path, question.body);
  const errors = checked.status === 200 ? (checked.body as { Errors: unknown[] }).Errors : [checked.text];
  return (written) => {
    if (!STATUSES.has(written.status) || OF_PROVIDER.test(written.text)) return;
    const told = `the check of ${path} says ${JSON.stringify(errors)}, the write ${written.status} ${written.text}`;
    expect(errors.length > 0, told).toBe(written.status !== 200);
  };
}

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { AppError, ERROR_CODES } from "../../src/errors.ts";
import { wireError } from "../../src/http/jsonapi/errors.ts";

it("docs/errors.md lists every error code with the status and title that clients get, and no other", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/errors.md"), "utf8");
  const documented = [...page.matchAll(/^\| `(\w+)` \| (\d+) \| `(.+?)` \|/gm)].map(([, code, status, title]) => ({
    code,
    status: Number(status),
    title,
  }));
  const known = ERROR_CODES.map((code) => {
    const { status, title } = wireError(new AppError(code, "x"));
    return { code, status, title };
  });
  expect(documented).toEqual(known);
});

import pg from "pg";
import { expect, test } from "vitest";
import { isRefusal, translatePostgresError } from "./faults.ts";

function answer(code: string): unknown {
  return translatePostgresError(Object.assign(new pg.DatabaseError("refused", 7, "error"), { code }));
}

test.each(["23505", "23503", "40001", "40P01", "55P03", "25006", "25P03", "53100", "22P02"])(
  "an answer %s to a statement proves that its transaction was undone",
  (code) => expect(isRefusal(answer(code))).toBe(true),
);

// A pooler that lost the server says the like, and does not know whether COMMIT arrived there.
test.each(["08P01", "08006", "57P01", "57P02"])("an answer %s, which ends a connection, proves nothing", (code) =>
  expect(isRefusal(answer(code))).toBe(false),
);

test.each([
  ["23505", "already_exists"],
  ["23503", "not_found"],
  ["55P03", "unavailable"],
  ["25P03", "unavailable"],
  ["57014", "unavailable"],
  ["25006", "unavailable"],
  ["08006", "unavailable"],
  ["0A000", "unavailable"],
  ["42601", "unavailable"],
])("an answer %s is told as %s, and as no fault of the server", (code, told) =>
  expect(answer(code)).toMatchObject({ code: told }),
);

test("a connection that broke proves nothing, nor does what went well", () => {
  expect(isRefusal(translatePostgresError(new Error("read ECONNRESET")))).toBe(false);
  expect(isRefusal(undefined)).toBe(false);
});

import { AppError } from "../errors.ts";

/**
 * Compare-and-set: the change goes on only when the object is still as the caller saw it.
 *
 * @param cas the ModifyIndex that the request names, 0 for an object that must not exist; undefined to go on in any case
 * @throws AppError `conflict`
 */
export function checkCas(cas: number | undefined, current: { modifyIndex: number } | undefined): void {
  const index = current?.modifyIndex ?? 0;
  if (cas === undefined || cas === index) return;
  throw new AppError("conflict", `The object has changed: its ModifyIndex is ${index} and not ${cas}`);
}

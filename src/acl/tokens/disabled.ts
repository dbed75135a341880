/** A token that is disabled exists and counts for nothing: by its secrets, in sessions, in jobs and in questions. */
import { AppError } from "../../errors.ts";
import type { Transaction } from "../../storage/database.ts";
import { TOKENS } from "../../rights/kinds.ts";
import type { NoteChange } from "../kit/write.ts";
import { writeTokens, type Token } from "./store.ts";

/** Values of a token that is not disabled. */
export const ENABLED = { disabledAt: "" };

export function isDisabled({ disabledAt }: Pick<Token, "disabledAt">): boolean {
  return disabledAt !== "";
}

/** Error for requests with the token. The text is not Consul's for an unknown token: clients take that for an object that is gone. */
export function tokenDisabled({ accessorId, scope }: Pick<Token, "accessorId" | "scope">): AppError {
  const refused = { kind: "disabled-token", accessorId, scope } as const;
  return new AppError("forbidden", "Permission denied: the token of this request is disabled", { refused });
}

/** Disables a token or enables it again, with its record; part of a transaction. @param disabledAt ISO 8601; empty to enable it */
export function setDisabled(
  tx: Transaction,
  change: NoteChange,
  current: Token,
  index: number,
  disabledAt: string,
): Token {
  const token = { ...current, disabledAt, modifyIndex: index };
  writeTokens.update(tx, token, current, { action: disabledAt === "" ? "enable" : "disable" });
  change(TOKENS, token.accessorId);
  return token;
}

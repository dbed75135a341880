/** Kinds of columns, for the declarations in `tables.ts`. */

/** A column: `Stored` is what its row holds, `Value` what an object made from the row has. */
export interface TableColumn<Stored, Value = Stored> {
  readonly kind: "plain" | "coded" | "made";
  /** Whether it never changes after the insert. */
  readonly fixed: boolean;
  /** Whether a row is found by it alone. */
  readonly key?: true;
  /** Whether the column is a secret, or internal to the server: no record and no answer shows it. */
  readonly hidden?: true;
  /** Whether the column is a sealed secret: a record shows whether there is one, and that it was replaced. */
  readonly secret?: true;
  /** Whether the proof of its row leaves it out. */
  readonly unproven?: true;
  /** Returns the text that records show in place of the value, which may contain a secret. */
  readonly masked?: (value: Value) => unknown;
  read(stored: Stored): Value;
  write(value: Value): Stored;
}

/** Column that objects contain in another form than rows. */
export function coded<Stored, Value>(
  read: (stored: Stored) => Value,
  write: (value: Value) => Stored,
): TableColumn<Stored, Value> {
  return { kind: "coded", fixed: false, read, write };
}

/** Column that is stored as it is. */
export function plain<Stored>(): TableColumn<Stored> {
  return { kind: "plain", fixed: false, read: (stored) => stored, write: (value) => value };
}

/** Returns the column as one that never changes after the insert. */
export function fixed<Stored, Value>(column: TableColumn<Stored, Value>): TableColumn<Stored, Value> {
  return { ...column, fixed: true };
}

/** Returns the column as the one that a row is found by. */
export function key<Stored, Value>(
  column: TableColumn<Stored, Value>,
): TableColumn<Stored, Value> & { readonly key: true } {
  return { ...column, fixed: true, key: true };
}

/**
 * Returns the column as one that the proof of its row leaves out: text that a later version adds for people to read. Rows that were
 * written before, and rows of servers of the version before, then stay proven. Nothing may be decided by such a column.
 */
export function unproven<Stored, Value>(column: TableColumn<Stored, Value>): TableColumn<Stored, Value> {
  return { ...column, unproven: true };
}

/** A column that nobody is shown. */
export function hidden<Stored, Value>(column: TableColumn<Stored, Value>): TableColumn<Stored, Value> {
  return { ...column, hidden: true };
}

/** A sealed secret, empty for none: nobody is shown it, but that it was set, changed or taken away is on record. */
export function secret(column: TableColumn<string>): TableColumn<string> {
  return { ...column, hidden: true, secret: true };
}

/** A column of which records show something else. @param mask makes that, which differs where values do */
export function masked<Stored, Value>(
  column: TableColumn<Stored, Value>,
  mask: (value: Value) => unknown,
): TableColumn<Stored, Value> {
  return { ...column, masked: mask };
}

export const text = plain<string>();
export const integer = plain<number>();
/** 0 or 1. */
export const flag = coded<number, boolean>((stored) => stored === 1, Number);
/** A JSON array; an empty one, which most are, costs no parsing. */
export const list = coded<string, readonly unknown[]>(
  (json) => (json === "[]" ? [] : (JSON.parse(json) as unknown[])),
  (value) => JSON.stringify(value),
);
/** Text that is made from the other columns, so that objects do not have it. */
export const made: TableColumn<string, never> = {
  kind: "made",
  fixed: false,
  read: () => {
    throw new Error("objects have no such member");
  },
  write: () => {
    throw new Error("the member is computed from the row");
  },
};

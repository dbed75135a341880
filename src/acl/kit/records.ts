/**
 * Objects of access control, made from the rows of their tables and back. What a member is called and holds follows
 * from `storage/tables/tables.ts`: `create_index` is `createIndex`, `partition` and `namespace` are its `scope`.
 */
import { generateFunction } from "../../generated-function.ts";
import { memberName, type MemberName } from "../../storage/writes/objects.ts";
import { checkProof, type RowContent, type ProvenTable } from "../../storage/proofs/proofs.ts";
import { TABLES } from "../../storage/tables/tables.ts";
import { fold } from "../../fold.ts";
import type { Scope } from "../../rights/scope.ts";
import { hash } from "node:crypto";

type Columns<T extends ProvenTable> = (typeof TABLES)[T];
type ValueOf<C> = C extends { read(stored: never): infer Value } ? Value : never;

/** A member for each column but those that are made from others. */
type Members<T extends ProvenTable> = {
  [C in keyof Columns<T> & string as [ValueOf<Columns<T>[C]>] extends [never] ? never : MemberName<C>]: ValueOf<
    Columns<T>[C]
  >;
};
type Placed<M> = M extends Scope ? Omit<M, keyof Scope> & { scope: Scope } : M;

/** Object that a row of the table contains. @typeParam Lists entries of its lists */
export type RecordOf<T extends ProvenTable, Lists extends object = object> = Omit<Placed<Members<T>>, keyof Lists> &
  Lists;

export interface RecordReader<T extends ProvenTable, R> {
  /**
   * The object of a row, whose long text may have been left out; its member is missing then.
   *
   * @throws StorageDamaged when the row is not what was written
   */
  of(row: object): R;
  /** The members of those columns that were read. They are not proven: for what is shown, and nothing is decided by. */
  part(row: object): Partial<R>;
  rowOf(record: R): RowContent<T>;
}

interface Member {
  column: string;
  name: string;
  /** Undefined where it is stored as it is. */
  coded: { read(stored: unknown): unknown; write(value: unknown): unknown } | undefined;
}

type Any = Readonly<Record<string, unknown>>;

/** @typeParam R the objects: `RecordOf` the table */
export function recordsOf<T extends ProvenTable, R extends object>(table: T): RecordReader<T, R> {
  const declared: Readonly<Record<string, { kind: string } & NonNullable<Member["coded"]>>> = TABLES[table];
  const isScoped = "namespace" in declared;
  const isNamed = "name_key" in declared;
  const members: Member[] = Object.entries(declared)
    .filter(
      ([column, { kind }]) => kind !== "made" && !(isScoped && (column === "partition" || column === "namespace")),
    )
    .map(([column, each]) => ({ column, name: memberName(column), coded: each.kind === "coded" ? each : undefined }));

  const part = partMaker<R>(members, isScoped);

  return {
    of(row) {
      checkProof(table, row);
      return part(row as Any) as R;
    },
    part: (row) => part(row as Any),
    rowOf(record) {
      const row: Record<string, unknown> = {};
      if (isScoped) Object.assign(row, (record as { scope: Scope }).scope);
      if (isNamed) row["name_key"] = fold((record as { name: string }).name);
      for (const { column, name, coded } of members) {
        const value = (record as Any)[name];
        row[column] = coded === undefined ? value : coded.write(value);
      }
      return row as RowContent<T>;
    },
  };
}

/**
 * A function that makes an object of a row. It is generated, so that all objects of a table share one shape and are made in
 * one step; the names are those of our own columns, quoted.
 */
function partMaker<R>(members: readonly Member[], isScoped: boolean): (row: Any) => Partial<R> {
  const values = members.map(({ column, name, coded }, index) => {
    const stored = `row[${JSON.stringify(column)}]`;
    const value =
      coded === undefined ? stored : `${stored} === undefined ? undefined : coded[${index}].read(${stored})`;
    return `${JSON.stringify(name)}: ${value}`;
  });
  const scope = isScoped ? ["scope: { partition: row.partition, namespace: row.namespace }"] : [];
  const make = generateFunction<(coded: readonly Member["coded"][]) => (row: Any) => Partial<R>>(
    ["coded"],
    `return (row) => ({ ${[...scope, ...values].join(", ")} });`,
  );
  return make(members.map(({ coded }) => coded));
}

/**
 * A digest over the fields of an object that carry meaning, base64 of 32 bytes.
 * Clients compare it to see a change; the same fields give the same digest on every engine.
 */
export function digest(fields: readonly unknown[]): string {
  return hash("sha256", JSON.stringify(fields), "base64");
}

import {
  AggregateFunctionNode,
  AliasNode,
  type Compilable,
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  SelectQueryNode,
  SqliteAdapter,
  SqliteQueryCompiler,
  TableNode,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type OperationNode,
  type SelectAllNode,
} from "kysely";
import type { EngineTransaction } from "./database.ts";
import type { Engine } from "./engine.ts";
import { buildQuery, type BuiltQuery, type PreparedQuery } from "./reads/query.ts";
import { columnsOf, type Tables } from "./tables/tables.ts";
import { AppError } from "../errors.ts";

/** Kysely's own hands SQLite one statement at a time: long reads run on several threads, so they would wait for nothing. */
class ParallelSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Writes the columns out wherever a query asks for all of them; see `columnsOf`. */
class NamedColumnsCompiler extends PostgresQueryCompiler {
  protected override visitSelectAll(node: SelectAllNode): void {
    // The star of count(*) means rows.
    if (this.nodeStack.some((around) => AggregateFunctionNode.is(around))) return super.visitSelectAll(node);
    const select = this.nodeStack.findLast((each: OperationNode) => SelectQueryNode.is(each));
    const [from, ...others] = select?.from?.froms ?? [];
    const isAlone = from !== undefined && others.length === 0 && select?.joins === undefined;
    // The query inside names them.
    if (isAlone && AliasNode.is(from) && SelectQueryNode.is(from.node)) return super.visitSelectAll(node);
    if (!isAlone || !TableNode.is(from)) throw new Error("a query of several tables must name its columns");
    const columns = columnsOf(from.table.identifier.name)?.map((column) => `"${column}"`);
    this.append(columns?.join(", ") ?? "*");
  }
}

/** Runs one statement. How and where is the engine's business. */
type Execute = (sql: string, parameters: readonly unknown[]) => Promise<unknown[]>;

/**
 * A Kysely that only builds statements and hands each to `execute`. It never queues them behind each other, so what is
 * sent in one turn travels together (stock Kysely gives a connection one statement at a time). Transactions are not its
 * business: `Database.inTransaction` is the only way to write.
 */
export function createKysely(engine: Engine, execute: Execute): Kysely<Tables> {
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery) {
      return { rows: (await execute(query.sql, query.parameters)) as R[] };
    },
    streamQuery() {
      throw new Error("lists are read in slices, not streamed by the driver");
    },
  };
  const refuse = () => Promise.reject(new Error("write through Database.inTransaction"));
  const driver: Driver = {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
  };
  const dialect: Dialect = {
    createDriver: () => driver,
    createAdapter: () => (engine === "sqlite" ? new ParallelSqliteAdapter() : new PostgresAdapter()),
    createQueryCompiler: () => (engine === "sqlite" ? new SqliteQueryCompiler() : new NamedColumnsCompiler()),
    createIntrospector: () => {
      throw new Error("the schema is known from tables.ts");
    },
  };
  return new Kysely<Tables>({ dialect });
}

/** Takes a statement of a transaction. @param id of the query that it was defined by; undefined for one that was built for it */
type Take = (sql: string, values: unknown[], id: number | undefined) => void;

/** Makes what gives a transaction its `write`. Queries that are defined once are built once. */
export function createCollector(engine: Engine, kysely: Kysely<Tables>): (take: Take) => EngineTransaction["write"] {
  const built: (BuiltQuery | undefined)[] = [];
  return (take) =>
    <P extends object>(query: Compilable | PreparedQuery<P, unknown>, params?: P) => {
      if (!("build" in query)) {
        const { sql, parameters } = query.compile();
        return take(sql, [...parameters], undefined);
      }
      const text = (built[query.id] ??= buildQuery(query, kysely, engine));
      take(text.sql, text.bind(params ?? {}), query.id);
    };
}

/**
 * Values that both engines store unchanged: text, integers that a number represents exactly, and null. Lists of them
 * are for `oneOf`.
 */
type Value = string | number | null | readonly (string | number)[];

/**
 * Refuses, in front of both engines alike, what one of them would misread (an object as named parameters, `undefined`
 * as null), round, or cut (text at NUL), or what would come back as another text (half a surrogate pair).
 *
 * @throws TypeError for a value of another type: a fault of ours
 * @throws AppError `invalid` for text that cannot be stored: it came from outside
 */
export function checkValues(parameters: readonly unknown[]): asserts parameters is readonly Value[] {
  for (let i = 0; i < parameters.length; i++) {
    const value = parameters[i];
    if (typeof value === "string") checkText(value);
    else if (Array.isArray(value)) for (const element of value) checkElement(element, i);
    else if (value !== null) checkNumber(value, i);
  }
}

/** The same for the key of a point read. */
export function checkKey(key: unknown): void {
  checkElement(key, 0);
}

function checkElement(value: unknown, position: number): void {
  if (typeof value === "string") checkText(value);
  else checkNumber(value, position);
}

function checkText(text: string): void {
  if (!text.includes("\0") && text.isWellFormed()) return;
  throw new AppError("invalid", "Text must be Unicode without NUL");
}

function checkNumber(value: unknown, position: number): void {
  if (Number.isSafeInteger(value)) return;
  // The value itself stays out of the message: it may be a secret.
  const what = typeof value === "number" ? "number outside the safe integers" : typeof value;
  throw new TypeError(`parameter ${position + 1} is a ${what}: expected a value that the database can store`);
}

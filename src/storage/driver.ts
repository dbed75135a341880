import {
  AggregateFunctionNode,
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
import type { Engine } from "./engine.ts";
import { columnsOf, type Tables } from "./tables.ts";

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
    const isOne = from !== undefined && TableNode.is(from) && others.length === 0 && select?.joins === undefined;
    if (!isOne) throw new Error("where more than one table is read, the columns have to be named");
    const columns = columnsOf(from.table.identifier.name)?.map((column) => `"${column}"`);
    this.append(columns?.join(", ") ?? "*");
  }
}

/** Runs one statement. How and where is the engine's business. */
export type Execute = (sql: string, parameters: readonly unknown[]) => Promise<unknown[]>;

/**
 * A Kysely that only builds statements and hands each to `execute`. It never
 * queues them behind each other, so what is sent in one turn travels together
 * (stock Kysely gives a connection one statement at a time). Transactions are
 * not its business: `Database.inTransaction` is the only way to write.
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

import type { Dialect, Migration } from "./migration.ts";
import { keyOf } from "../tables/tables.ts";
import { digestOf, proofSql, type ProvenTable } from "../proofs/proofs.ts";

/** Tables with proofs at the time of this migration: a later table has the column from its creation on. */
const TABLES_WITH_PROOFS: readonly ProvenTable[] = [
  "meta",
  "partitions",
  "namespaces",
  "policies",
  "roles",
  "tokens",
  "auth_methods",
  "binding_rules",
];

/**
 * Proofs of the rows that decide about rights, and the IDs of policies and roles that were deleted while something
 * may link to them: a link to what is neither there nor here leads to a row that was lost. An older program knows
 * neither, so on PostgreSQL triggers do it for that one until `0015-proofs-only`.
 */
export const proofs: Migration = {
  name: "0007-proofs",
  statements: (dialect) => [
    ...TABLES_WITH_PROOFS.flatMap((table) => proveTable(dialect, table)),
    `create table deleted_links (id ${dialect.text} primary key, partition ${dialect.text} not null,
       namespace ${dialect.text} not null)`,
    `create index deleted_links_by_scope on deleted_links (partition, namespace, id)`,
    ...LINKS.map((link) => noteDeadLinks(dialect, link)),
    ...(dialect.engine === "postgres" && dialect.servesEarlier
      ? [...TABLES_WITH_PROOFS.flatMap(proveOlder), ...noteOlder()]
      : []),
  ],
};

/** From here on no program writes without proofs. */
export const proofsOnly: Migration = {
  name: "0016-proofs-only",
  formerly: [
    "0009-proofs-only",
    "0010-proofs-only",
    "0011-proofs-only",
    "0012-proofs-only",
    "0013-proofs-only",
    "0014-proofs-only",
    "0015-proofs-only",
  ],
  phase: "contract",
  statements: ({ engine }) => {
    if (engine === "sqlite") return [];
    const functions = [...TABLES_WITH_PROOFS.map((table) => `prove_${table}`), "note_deleted_link"];
    return functions.map((name) => `drop function if exists ${name}() cascade`);
  },
};

function proveTable({ engine, text, servesEarlier }: Dialect, table: ProvenTable): string[] {
  const long = digestOf(table);
  const made = proofSql(engine, table);
  return [
    ...(long === undefined ? [] : [`alter table ${table} add column ${long.digest} ${text} not null default ''`]),
    `alter table ${table} add column proof ${text} not null default ''`,
    engine === "postgres" && !servesEarlier
      ? proveEach(table, made, long?.digest)
      : `update ${table} set proof = ${made.proof}${long === undefined ? "" : `, ${long.digest} = ${made.digest}`}`,
  ];
}

/** The few rows of a new database, one by one: a distributed engine takes no functions in an update whose result may vary. */
function proveEach(table: ProvenTable, made: ReturnType<typeof proofSql>, digest: string | undefined): string {
  const key = keyOf(table);
  return `do $$ declare each record; begin
    for each in select ${key} as key, ${made.proof} as proof, ${made.digest ?? "''"} as digest from ${table} loop
      update ${table} set proof = each.proof${digest === undefined ? "" : `, ${digest} = each.digest`} where ${key} = each.key;
    end loop;
  end $$`;
}

/** A row that is written without a new proof was written by an older program. */
function proveOlder(table: ProvenTable): string[] {
  const long = digestOf(table);
  const made = proofSql("postgres", table, "new.");
  return [
    `create function prove_${table}() returns trigger language plpgsql as $$ begin
       if tg_op = 'UPDATE' then
         if new.proof is distinct from old.proof then return new; end if;
       elsif new.proof <> '' then return new; end if;
       ${long === undefined ? "" : `new.${long.digest} := ${made.digest};`}
       new.proof := ${made.proof};
       return new;
     end $$`,
    `create trigger proofs before insert or update on ${table} for each row execute function prove_${table}()`,
  ];
}

function noteOlder(): string[] {
  return [
    `create function note_deleted_link() returns trigger language plpgsql as $$ begin
       insert into deleted_links values (old.id, old.partition, old.namespace) on conflict do nothing;
       return null;
     end $$`,
    ...["policies", "roles"].map(
      (table) => `create trigger links after delete on ${table} for each row execute function note_deleted_link()`,
    ),
  ];
}

/** Columns that contain links, the tables that they lead to, and the namespace of the targets. */
const LINKS = [
  { holder: "tokens", column: "policies", target: "policies", namespace: "holder.namespace" },
  { holder: "tokens", column: "roles", target: "roles", namespace: "holder.namespace" },
  { holder: "roles", column: "policies", target: "policies", namespace: "holder.namespace" },
  { holder: "namespaces", column: "default_policies", target: "policies", namespace: "'default'" },
  { holder: "namespaces", column: "default_roles", target: "roles", namespace: "'default'" },
] as const;

function noteDeadLinks({ engine }: Dialect, { holder, column, target, namespace }: (typeof LINKS)[number]): string {
  const each =
    engine === "sqlite"
      ? `json_each(holder.${column}) link`
      : `jsonb_array_elements_text(holder.${column}::jsonb) link (value)`;
  return `insert into deleted_links select link.value, holder.partition, ${namespace} from ${holder} holder, ${each}
    where link.value not in (select id from ${target}) on conflict do nothing`;
}

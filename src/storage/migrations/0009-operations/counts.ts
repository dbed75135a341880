import type { Migration } from "../migration.ts";

/** Tables whose rows are counted in each namespace. */
const TABLES = ["tokens", "policies", "roles", "auth_methods", "binding_rules"] as const;

/**
 * How much there is of what may be limited in number. Programs of earlier versions let triggers count; see
 * `writes/object-counts.ts` for how this one counts, and `0012-counted-writes` for who counts while both run.
 */
export const counts: Migration["statements"] = ({ text, integer, engine, servesEarlier }) => [
  `create table object_counts (name ${text} primary key, value ${integer} not null)`,
  ...TABLES.map(
    (table) => `insert into object_counts (name, value)
      select partition || '/' || namespace || '/${table}', count(*) from ${table} group by partition, namespace`,
  ),
  `insert into object_counts (name, value)
     select partition || '/namespaces', count(*) from namespaces group by partition`,
  ...(servesEarlier ? triggers[engine]() : []),
];

const NAMES: readonly (readonly [table: string, name: (row: string) => string])[] = [
  ...TABLES.map(
    (table) => [table, (row: string) => `${row}partition || '/' || ${row}namespace || '/${table}'`] as const,
  ),
  ["namespaces", (row) => `${row}partition || '/namespaces'`],
];

const triggers = { sqlite: sqliteTriggers, postgres: postgresTriggers };

function sqliteTriggers(): string[] {
  return NAMES.flatMap(([table, name]) => [
    `create trigger count_made_${table} after insert on ${table} begin
       insert into object_counts (name, value) values (${name("new.")}, 1)
         on conflict (name) do update set value = value + 1;
     end`,
    `create trigger count_gone_${table} after delete on ${table} begin
       update object_counts set value = value - 1 where name = ${name("old.")};
       delete from object_counts where name = ${name("old.")} and value <= 0;
     end`,
  ]);
}

/** Once for each statement, however many rows it is about. */
function postgresTriggers(): string[] {
  return NAMES.flatMap(([table, name]) => [
    `create function count_made_${table}() returns trigger language plpgsql as $$ begin
     insert into object_counts (name, value) select ${name("c.")}, count(*) from changed c group by 1
       on conflict (name) do update set value = object_counts.value + excluded.value;
     return null;
   end $$`,
    `create function count_gone_${table}() returns trigger language plpgsql as $$ begin
     update object_counts o set value = o.value - g.gone
       from (select ${name("c.")} as name, count(*) as gone from changed c group by 1) g where o.name = g.name;
     delete from object_counts o using changed c where o.name = ${name("c.")} and o.value <= 0;
     return null;
   end $$`,
    `create function count_none_${table}() returns trigger language plpgsql as $$ begin
     delete from object_counts where name like '%/${table}';
     return null;
   end $$`,
    `create trigger count_made after insert on ${table} referencing new table as changed
     for each statement execute function count_made_${table}()`,
    `create trigger count_gone after delete on ${table} referencing old table as changed
     for each statement execute function count_gone_${table}()`,
    `create trigger count_none after truncate on ${table} for each statement execute function count_none_${table}()`,
  ]);
}

/** Whether the numbers of objects that a database keeps are those that a count of its rows gives. */
import { expect } from "vitest";

type Query = (text: string) => Promise<Record<string, unknown>[]>;

const SCOPED = ["tokens", "policies", "roles", "auth_methods", "binding_rules"];
const ORGANIZATIONS = { tag_count: "tags", workspace_count: "workspaces", project_count: "projects" };

/** @param query asks the database @returns how many objects of all kinds there are */
export async function expectCountsTrue(query: Query): Promise<number> {
  const place = (table: string): string => `select partition || '/' || namespace || '/${table}' as name from ${table}`;
  const all = [...SCOPED.map(place), "select partition || '/namespaces' as name from namespaces"].join(" union all ");
  const counted = await query(`select name, count(*) as value from (${all}) as each group by name order by name`);
  const kept = await query("select name, value from object_counts order by name");
  const numbers = (rows: Record<string, unknown>[]) =>
    Object.fromEntries(rows.map(({ name, value }) => [String(name), Number(value)]));
  expect(numbers(kept)).toEqual(numbers(counted));
  let sum = Object.values(numbers(kept)).reduce((before, value) => before + value, 0);
  for (const [column, table] of Object.entries(ORGANIZATIONS)) {
    const wrong = await query(
      `select name, ${column} as kept from organizations o
         where ${column} <> (select count(*) from ${table} t where t.organization_id = o.id)`,
    );
    expect(wrong, column).toEqual([]);
    const [row] = await query(`select coalesce(sum(${column}), 0) as value from organizations`);
    sum += Number(row?.["value"]);
  }
  return sum;
}

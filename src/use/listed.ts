/** Statements that list the objects of a scope for a report. */
import { defineQuery } from "../storage/reads/query.ts";
import type { Scope } from "../rights/scope.ts";

type PageOf = Scope & { after: string; limit: number };

/** IDs of the objects of a scope, in their order. The statements are the same for each table; the types need one of them. */
const idsOf = (table: "policies" | "roles" | "binding_rules") =>
  defineQuery((db, p: PageOf) =>
    db
      .selectFrom(table as "roles")
      .select("id")
      .where("partition", "=", p.partition)
      .where("namespace", "=", p.namespace)
      .where("id", ">", p.after)
      .orderBy("id")
      .limit(p.limit),
  );

/** IDs and names of the objects of a scope, in the order of their IDs. */
export const listIds = {
  policies: idsOf("policies"),
  roles: idsOf("roles"),
  bindingRules: idsOf("binding_rules"),
  tokens: defineQuery((db, p: PageOf) =>
    db
      .selectFrom("tokens")
      .select(["accessor_id as id", "description as name"])
      .where("partition", "=", p.partition)
      .where("namespace", "=", p.namespace)
      .where("accessor_id", ">", p.after)
      .orderBy("accessor_id")
      .limit(p.limit),
  ),
  holders: defineQuery((db, p: PageOf) =>
    db
      .selectFrom("tokens")
      .select(["accessor_id as id", "roles"])
      .where("partition", "=", p.partition)
      .where("namespace", "=", p.namespace)
      .where("accessor_id", ">", p.after)
      .where("roles", "<>", "[]")
      .orderBy("accessor_id")
      .limit(p.limit),
  ),
};

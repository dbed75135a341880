import { sql } from "kysely";
import { apiWriteRecorder } from "../../../records/api-objects.ts";
import type { Reader, Transaction } from "../../../storage/database.ts";
import { insertOf, selectionOf, updateOf, type ObjectOf } from "../../../storage/writes/objects.ts";
import { definePoint, defineQuery, oneOf } from "../../../storage/reads/query.ts";

/** Target to which the records of an organization are posted, and the progress of that. */
export type Webhook = ObjectOf<"tag_webhooks">;

export interface OwnedWebhook extends Webhook {
  organizationName: string;
}

const byId = definePoint("tag_webhooks.id", (db) =>
  db
    .selectFrom("tag_webhooks")
    .innerJoin("organizations", "organizations.id", "tag_webhooks.organization_id")
    .select([...selectionOf("tag_webhooks"), "organizations.name as organizationName"]),
);

/** Finds a webhook by its id; none whose organization is gone. */
export function findWebhook(db: Reader, id: string): Promise<OwnedWebhook | undefined> {
  return db.point(byId, id);
}

const ofOrganization = defineQuery((db, p: { organization: string }) =>
  db
    .selectFrom("tag_webhooks")
    .select(selectionOf("tag_webhooks"))
    .where("organization_id", "=", p.organization)
    .orderBy("created_at")
    .orderBy("id"),
);

/** All of an organization in the order of their making; there are few. */
export function listWebhooks(db: Reader, organization: string): Promise<Webhook[]> {
  return db.run(ofOrganization, { organization });
}

/** Records that are counted of what a webhook has not been told; so many stand for more too. */
export const MOST_COUNTED = 1000;

/** Records that a row holds behind the place of a webhook: of a list that was told in part, the rest. */
const pendingEntries = sql`case when changes.object_id <> '' then 1
  when cast(changes.name as bigint) < changes.position - tag_webhooks.position then cast(changes.name as bigint)
  else changes.position - tag_webhooks.position end`;

const lags = defineQuery((db, p: { ids: readonly string[] }, engine) =>
  db
    .selectFrom("tag_webhooks")
    .select("id")
    .select(
      sql<number>`(select cast(coalesce(sum(entries), 0) as bigint) from (select ${pendingEntries} as entries from changes
        where changes.organization_id = tag_webhooks.organization_id and changes.position > tag_webhooks.position
        limit ${sql.lit(MOST_COUNTED)}) as counted)`.as("behind"),
    )
    .where(oneOf(engine, sql.ref("id"), p.ids)),
);

/** Counts what each of these has not been told; a long read. */
export async function countBehind(db: Reader, ids: readonly string[]): Promise<Map<string, number>> {
  return new Map((await db.run(lags, { ids })).map(({ id, behind }) => [id, Math.min(behind, MOST_COUNTED)]));
}

const recordWrite = apiWriteRecorder<Webhook>("tag_webhooks", "webhook");

const insert = insertOf("tag_webhooks");

export function insertWebhook(tx: Transaction, webhook: Webhook): void {
  tx.write(insert, webhook);
  recordWrite(tx, undefined, webhook);
}

const update = updateOf(
  "tag_webhooks",
  "name",
  "url",
  "enabled",
  "token_sealed",
  "kinds",
  "actions",
  "updated_at",
  "retry_at",
);

/** Stores what its owners say of it; how far it is, its deliveries write. */
/** @param before as it is stored */
export function updateWebhook(tx: Transaction, webhook: Webhook, before: Webhook): void {
  tx.write(update, webhook);
  recordWrite(tx, before, webhook);
}

const remove = defineQuery((db, p: { id: string }) => db.deleteFrom("tag_webhooks").where("id", "=", p.id));

export function deleteWebhook(tx: Transaction, webhook: Webhook): void {
  tx.write(remove, { id: webhook.id });
  recordWrite(tx, webhook, undefined);
}

const updateDeliveryOf = updateOf(
  "tag_webhooks",
  "position",
  "failures",
  "retry_at",
  "failing_since",
  "delivered_at",
  "delivery_status",
  "skipped_at",
);

/** Stores how far it is. */
export function updateDelivery(tx: Transaction, webhook: Webhook): void {
  tx.write(updateDeliveryOf, webhook);
}

/** Webhook with records that are not delivered yet. */
export interface PendingWebhook {
  id: string;
  organizationId: string;
  retryAt: number;
  failures: number;
  /** When the first record was made that it has not been told. */
  since: string;
}

/** Webhooks that are looked at together: those that wait the longest. */
const MOST_PENDING = 1000;

const pending = defineQuery((db, p: { most: number }) =>
  db
    .selectFrom("tag_webhooks")
    .select(["id", "organization_id as organizationId", "retry_at as retryAt", "failures"])
    .select((eb) =>
      eb
        .selectFrom("changes")
        .select("at")
        .whereRef("changes.organization_id", "=", "tag_webhooks.organization_id")
        .whereRef("changes.position", ">", "tag_webhooks.position")
        .orderBy("changes.position")
        .limit(1)
        .as("since"),
    )
    .where("enabled", "=", 1)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("changes")
          .select(sql<number>`1`.as("one"))
          .whereRef("changes.organization_id", "=", "tag_webhooks.organization_id")
          .whereRef("changes.position", ">", "tag_webhooks.position"),
      ),
    )
    .orderBy("retry_at")
    .orderBy("delivered_at")
    .orderBy("id")
    .limit(p.most),
);

/** Lists the enabled webhooks that have records to deliver, of all organizations. It is a long read. */
export async function listPending(db: Reader): Promise<PendingWebhook[]> {
  const found = await db.run(pending, { most: MOST_PENDING });
  return found.map(({ since, ...webhook }) => ({ ...webhook, since: since ?? "" }));
}

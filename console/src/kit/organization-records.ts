/** Records of audit of an organization, read as those of `/v1` are, so that both are shown by one piece. */
import type { Query } from "@tessera-server/client";
import type { Place } from "../base/place.ts";
import type { AuditRecord } from "./audit-record.ts";

/** Records of the organization of a place, the newest first, and where the next page begins. */
export async function readOrganizationRecords(
  { client, organization = "" }: Place,
  query: Query,
  signal: AbortSignal,
): Promise<{ records: readonly AuditRecord[]; next: string | undefined }> {
  const path = { organization_name: organization };
  const { body } = await client.request<Document>("listOrganizationAudit", { path, query, signal });
  const next = body.links.next === null ? undefined : new URL(body.links.next).searchParams.get("page[after]");
  return { records: body.data.map(({ attributes }) => recordOf(attributes, organization)), next: next ?? undefined };
}

interface Document {
  readonly data: readonly { readonly attributes: Attributes }[];
  readonly links: { readonly next: string | null };
}

interface Attributes {
  readonly time: string;
  readonly outcome: "done" | "refused";
  readonly action: string;
  readonly kind: string;
  readonly "object-id": string;
  readonly name: string;
  readonly actor: Readonly<
    Record<"accessor-id" | "auth-method" | "identity" | "address" | "user-agent", string | null>
  >;
  readonly "request-id": string;
  readonly route: string | null;
  readonly "change-reason"?: string;
  readonly changes: unknown;
  readonly detail: Readonly<Record<string, unknown>> | null;
  readonly chain?: string;
  readonly seq?: number;
  readonly hash?: string;
  readonly damaged?: boolean;
}

function recordOf(it: Attributes, organization: string): AuditRecord {
  const actor = {
    AccessorID: it.actor["accessor-id"] ?? undefined,
    AuthMethod: it.actor["auth-method"] ?? undefined,
    Identity: it.actor.identity ?? undefined,
    Address: it.actor.address ?? undefined,
    UserAgent: it.actor["user-agent"] ?? undefined,
  };
  return {
    Time: it.time,
    Outcome: it.outcome,
    Action: it.action,
    Kind: it.kind,
    ID: it["object-id"],
    Name: it.name,
    Organization: organization,
    Actor: withoutUndefined(actor),
    RequestID: it["request-id"],
    Changes: it.changes ?? undefined,
    ...withoutUndefined({
      Route: it.route ?? undefined,
      ChangeReason: it["change-reason"],
      Detail: it.detail ?? undefined,
      Chain: it.chain,
      Seq: it.seq,
      Hash: it.hash,
      Damaged: it.damaged,
    }),
  };
}

type Known<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(members: T): Known<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Known<T>;
}

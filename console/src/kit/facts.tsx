/** Facts that objects of access control have in common: who created one and when, and what few users need. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { placeOf, usePlace, type Place } from "../base/place.ts";
import { scopedKey } from "../base/queries.ts";
import { Actor } from "./actor.tsx";
import type { AuditRecord } from "./audit-record.ts";
import { Advanced, Field, Fields } from "./object-screen.tsx";
import { useMay } from "./rights.ts";
import { Time } from "./time.tsx";
import * as texts from "../texts/kit-objects.ts";

/** Record of the creation of an object; null when it is older than the audit log. */
function creationQuery(place: Place, kind: string, id: string) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "audit", "creation", kind, id),
    queryFn: async ({ signal }) => {
      const query = { kind, object: id, action: "create", "page-size": 1 };
      const { body } = await place.client.request<readonly AuditRecord[]>("listAudit", { query, signal });
      return body[0] ?? null;
    },
    staleTime: Infinity,
  });
}

interface CreatedProps {
  /** Name of the kind in audit records. */
  readonly kind: string;
  readonly id: string;
  /** Partition of a kind that is in no namespace: its records are in namespace `default`. */
  readonly home?: string | undefined;
  /** Whether another field shows the time. */
  readonly hasTime?: boolean;
}

/** Creator and time of creation. Nothing for a token that may not read the audit log. */
export function Created({ kind, id, home, hasTime = true }: CreatedProps) {
  const here = usePlace();
  const place = home === undefined ? here : placeOf({ partition: home, namespace: "default" });
  const mayRead = useMay({ resource: "acl", access: "read" }, place.scope);
  const { data } = useQuery({ ...creationQuery(place, kind, id), enabled: mayRead });
  if (data === undefined || data === null) return null;
  return (
    <>
      {hasTime && (
        <Field name={texts.createdAt}>
          <Time value={data.Time} />
        </Field>
      )}
      <Field name={texts.createdBy}>
        <Actor actor={data.Actor} />
      </Field>
    </>
  );
}

interface PlacedProps {
  readonly Namespace?: string | undefined;
  readonly Partition?: string | undefined;
  readonly ModifyIndex: number;
}

/** Namespace, partition and index of an object. */
export function Placed({ Namespace, Partition, ModifyIndex }: PlacedProps) {
  return (
    <Advanced>
      <Fields>
        <Field name={texts.namespaceField}>{Namespace}</Field>
        <Field name={texts.partitionField}>{Partition}</Field>
        <Field name={texts.indexField} hint={texts.indexHint}>
          {ModifyIndex}
        </Field>
      </Fields>
    </Advanced>
  );
}

/** Last use of a token, for who is about to delete it. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { placeOf, usePlace, type Place } from "../../base/place.ts";
import { scopedKey } from "../../base/queries.ts";
import type { AuditRecord } from "../../kit/audit-record.ts";
import { Field, Fields } from "../../kit/object-screen.tsx";
import { useMay } from "../../kit/rights.ts";
import { Time } from "../../kit/time.tsx";
import { Expiry } from "./marks.tsx";
import type { Token } from "./queries.ts";
import * as texts from "../../texts/tokens.ts";

/** Newest audit record of a token, in all namespaces; null for none. */
function lastActQuery(place: Place, accessor: string) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "audit", "last-of", accessor),
    queryFn: async ({ signal }) => {
      const query = { actor: accessor, "page-size": 1 };
      const { body } = await place.client.request<readonly AuditRecord[]>("listAudit", { query, signal });
      return body[0] ?? null;
    },
  });
}

/** When the token was used last, and when and from where it made its last audited request. */
export function LastUse({ token }: { token: Token }) {
  const { scope } = usePlace();
  const place = placeOf({ partition: scope.partition, namespace: "*" });
  const mayRead = useMay({ resource: "acl", access: "read" });
  const { data } = useQuery({ ...lastActQuery(place, token.AccessorID), enabled: mayRead });
  const { Address: address = "", UserAgent: agent = "" } = data?.Actor ?? {};
  return (
    <Fields>
      <Field name={texts.lastUsed} hint={texts.lastUsedHint}>
        <Time value={token.LastUsed} none={texts.never} />
      </Field>
      <Field name={texts.lastAct}>
        {data !== undefined && data !== null && (
          <>
            <Time value={data.Time} /> {texts.lastActFrom(address, agent)}
          </>
        )}
      </Field>
      <Field name={texts.expires}>
        <Expiry token={token} />
      </Field>
    </Fields>
  );
}

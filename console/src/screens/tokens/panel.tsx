/** Details of a token beside the list. */
import { useQuery } from "@tanstack/react-query";
import { placeOfObject, usePlace } from "../../base/place.ts";
import { Refusal } from "../../kit/refusal.tsx";
import { ObjectSkeleton } from "../../kit/skeletons.tsx";
import { TokenOverview } from "./object.tsx";
import { tokenQuery, type TokenRow } from "./queries.ts";

/** The overview of its page. */
export function TokenPanel({ row }: { row: TokenRow }) {
  const query = useQuery(tokenQuery(placeOfObject(usePlace(), row), row.AccessorID));
  if (query.data !== undefined) return <TokenOverview token={query.data} />;
  return query.isError ? <Refusal error={query.error} retry={() => void query.refetch()} /> : <ObjectSkeleton />;
}

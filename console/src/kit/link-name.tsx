/** Name of a policy or role of which only the ID is known, such as the value of a filter. */
import { useQuery } from "@tanstack/react-query";
import type { OperationId } from "@tessera-server/client";
import { usePlace } from "../base/place.ts";
import { scopedKey } from "../base/queries.ts";
import type { Linked } from "./links.tsx";
import { visible } from "./visible.ts";

const READ = { policies: "readPolicy", roles: "readRole" } as const satisfies Partial<Record<Linked, OperationId>>;

/** The name; the ID until it is known, and where the object does not exist or cannot be read. */
export function LinkName({ noun, id }: { noun: keyof typeof READ; id: string }) {
  const { scope, client } = usePlace();
  const { data } = useQuery({
    queryKey: scopedKey(scope, noun, "name", id),
    queryFn: async ({ signal }) =>
      (await client.request<{ Name: string }>(READ[noun], { path: { id }, signal })).body.Name,
  });
  return visible(data ?? id);
}

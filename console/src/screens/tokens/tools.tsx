/** Actions for many tokens, next to the list. */
import type { Place } from "../../base/place.ts";
import { OfferedLink, useOffer } from "../../kit/denied.tsx";
import * as texts from "../../texts/tokens.ts";

/** Links to the pages that revoke by a filter and look for leaked secrets. */
export function TokenTools({ place }: { place: Place }) {
  const reading = useOffer({ resource: "acl", access: "read" });
  const writing = useOffer({ resource: "acl", access: "write" });
  if (place.scope.namespace === "*") return null;
  return (
    <>
      <OfferedLink offer={reading} to={place.path("tokens", "leaked")} icon="search" variant="default">
        {texts.leaked}
      </OfferedLink>
      <OfferedLink offer={writing} to={place.path("tokens", "revoke")} icon="trash" variant="default">
        {texts.revoke}
      </OfferedLink>
    </>
  );
}

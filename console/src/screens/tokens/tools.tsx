/** Actions for many tokens, next to the list. */
import type { Place } from "../../base/place.ts";
import { Icon } from "../../kit/icons.tsx";
import { LinkButton } from "../../kit/link.tsx";
import { useMayAll } from "../../kit/rights.ts";
import * as texts from "../../texts/tokens.ts";

/** Links to the pages that revoke by a filter and look for leaked secrets. */
export function TokenTools({ place }: { place: Place }) {
  const [mayWrite, mayRead] = useMayAll([
    { resource: "acl", access: "write" },
    { resource: "acl", access: "read" },
  ]);
  if (place.scope.namespace === "*") return null;
  return (
    <>
      {mayRead === true && (
        <LinkButton
          to={place.path("tokens", "leaked")}
          variant="default"
          leftSection={<Icon name="search" size={14} />}
        >
          {texts.leaked}
        </LinkButton>
      )}
      {mayWrite === true && (
        <LinkButton to={place.path("tokens", "revoke")} variant="default" leftSection={<Icon name="trash" size={14} />}>
          {texts.revoke}
        </LinkButton>
      )}
    </>
  );
}

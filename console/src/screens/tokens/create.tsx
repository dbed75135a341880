/** A new token, or one as another: its secret is shown once. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { usePlace } from "../../base/place.ts";
import type { Search } from "../../base/address.ts";
import { FormScreen } from "../../kit/form-screen.tsx";
import { asLink, partsOf } from "../../kit/link.tsx";
import { SecretOnce } from "../../kit/secret.tsx";
import { ObjectPending } from "../../kit/object-pending.tsx";
import { DEFAULT_TTL } from "./expiry.ts";
import { checkValues, createPlan, EMPTY, membersOf, TokenFields, valuesOf } from "./form.tsx";
import { tokenQuery, type Token } from "./queries.ts";
import * as texts from "../../texts/tokens.ts";
import { screenNames } from "../../texts/names.ts";

/** The screen that makes one; `?from=` names the one that it begins as. */
export function TokenCreate() {
  const place = usePlace();
  const navigate = useNavigate();
  const { from } = useSearch({ strict: false }) as Search;
  const original = useQuery({ ...tokenQuery(place, from ?? ""), enabled: from !== undefined });
  const [made, setMade] = useState<{ accessor: string; secret: string }>();
  const up = { to: place.path("tokens"), title: screenNames.tokens.plural };
  if (from !== undefined && original.data === undefined) return <ObjectPending query={original} up={up} />;
  return (
    <>
      <FormScreen
        title={screenNames.tokens.createTitle}
        about={texts.createAbout}
        up={up}
        write={{ resource: "acl", access: "write" }}
        initial={original.data === undefined ? EMPTY : { ...valuesOf(original.data), ttl: DEFAULT_TTL }}
        validate={checkValues}
        fields={(form) => <TokenFields form={form} isNew />}
        members={membersOf}
        plan={createPlan}
        object={(answer) => {
          const { AccessorID, Description } = answer as Token;
          const name = texts.calledToken(Description === "" ? AccessorID.slice(0, 8) : Description);
          return { name, path: place.path("tokens", AccessorID) };
        }}
        saved={(answer) => {
          const { AccessorID, SecretID } = answer as Token;
          setMade({ accessor: AccessorID, secret: SecretID });
          return undefined;
        }}
        saveLabel={texts.create}
      />
      <SecretOnce
        what={texts.newToken}
        warning={texts.secretAgain}
        secret={made?.secret}
        close={() => {
          const accessor = made?.accessor ?? "";
          setMade(undefined);
          void navigate(asLink(partsOf(place.path("tokens", accessor))));
        }}
      />
    </>
  );
}

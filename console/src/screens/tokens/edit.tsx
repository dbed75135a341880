/** An edit of a token, which follows what others do to it. */
import { useQuery } from "@tanstack/react-query";
import { usePathParameter, usePlace } from "../../base/place.ts";
import { FormScreen } from "../../kit/form-screen.tsx";
import { ObjectPending } from "../../kit/object-pending.tsx";
import { GrantsEffect } from "../policies/effect.tsx";
import { checkValues, membersOf, TokenFields, updatePlan, valuesOf } from "./form.tsx";
import { titleOf, tokenQuery } from "./queries.ts";
import * as texts from "../../texts/tokens.ts";
import { screenNames } from "../../texts/names.ts";

/** The screen of the edit. */
export function TokenEdit() {
  const place = usePlace();
  const accessor = usePathParameter("accessor");
  const token = useQuery(tokenQuery(place, accessor));
  const stored = token.data;
  if (stored === undefined)
    return <ObjectPending query={token} up={{ to: place.path("tokens"), title: screenNames.tokens.plural }} />;
  const here = place.path("tokens", accessor);
  return (
    <FormScreen
      title={texts.editTitle(titleOf(stored))}
      up={{ to: here, title: screenNames.tokens.token }}
      write={{ resource: "acl", access: "write" }}
      initial={valuesOf(stored)}
      edited={{ values: valuesOf(stored), mark: String(stored.ModifyIndex) }}
      validate={checkValues}
      fields={(form) => <TokenFields form={form} isNew={false} />}
      members={membersOf}
      plan={(changed, mark) => updatePlan(accessor, changed, mark)}
      query={token}
      object={(_answer, { description }) => ({ name: texts.calledToken(description || accessor.slice(0, 8)) })}
      saved={() => here}
      saveLabel={texts.save}
      extra={(values) => (
        <GrantsEffect
          of={{ token: accessor }}
          before={membersOf(valuesOf(stored))}
          after={membersOf(values)}
          isSound={Object.keys(checkValues(values)).length === 0}
        />
      )}
    />
  );
}

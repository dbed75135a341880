/** The page and the forms of a role. */
import type { Search } from "../../base/address.ts";
import { usePlace, type Place } from "../../base/place.ts";
import { WholeId } from "../../kit/cells.tsx";
import { nodesText, servicesText, templatesText } from "../../kit/identities.ts";
import { Created, Placed } from "../../kit/facts.tsx";
import { KindCreate, KindEdit, KindObject, type ProposalQuery } from "../../kit/kind-screens.tsx";
import { Links } from "../../kit/links.tsx";
import { Card, Field, Fields, WithFacts } from "../../kit/object-screen.tsx";
import { TextFacts } from "../../kit/text-fields.tsx";
import { effectiveTab } from "../effective/tab.tsx";
import { UseField } from "../unused/mark.tsx";
import { tightenRoleFetch, type TightenedRole } from "../unused/queries.ts";
import { daysIn, RoleProposal, TightenButton } from "../unused/tighten.tsx";
import { DeleteEffect, GrantsEffect } from "../policies/effect.tsx";
import { ROLE_KIND } from "./kind.tsx";
import type { Role } from "./named.ts";
import * as texts from "../../texts/roles.ts";

/** The screen of a role. */
export function RoleObject() {
  const place = usePlace();
  return (
    <KindObject
      kind={ROLE_KIND}
      about={({ ID }) => <WholeId id={ID} />}
      overview={(role) => <RoleOverview role={role} />}
      tools={({ ID }) => <TightenButton edit={place.path("roles", ID, "edit")} />}
      tabs={({ ID }) => [effectiveTab({ role: ID })]}
      warning={({ ID }) => <DeleteEffect roles={[ID]} />}
    />
  );
}

/** The screen that makes one. */
export function RoleCreate() {
  return <KindCreate kind={ROLE_KIND} />;
}

/** The screen that changes one. */
export function RoleEdit() {
  return (
    <KindEdit
      kind={ROLE_KIND}
      proposal={proposalOf}
      extra={(values, role) => (
        <>
          <RoleProposal id={role.ID} />
          <GrantsEffect
            of={{ role: role.ID }}
            before={ROLE_KIND.members(ROLE_KIND.valuesOf(role))}
            after={ROLE_KIND.members(values)}
            isSound={Object.keys(ROLE_KIND.check(values, false)).length === 0}
          />
        </>
      )}
    />
  );
}

function proposalOf(place: Place, id: string, search: Search): ProposalQuery | undefined {
  const days = daysIn(search);
  if (days === undefined) return undefined;
  const select = (found: unknown) => {
    const { Policies, Offered } = found as TightenedRole;
    const kept = Policies.filter(({ Action }) => !Offered || Action === "kept");
    return { Policies: kept.map(({ ID, Name }) => ({ ID, Name })) };
  };
  return { ...tightenRoleFetch(place, id, days), select };
}

/** The first tab of the page. */
export function RoleOverview({ role }: { role: Role }) {
  return (
    <WithFacts
      facts={
        <Card title={texts.detailsTitle}>
          <Fields>
            <TextFacts kind="role" of={role} />
            <UseField of="role" id={role.ID} />
            <Created kind="role" id={role.ID} />
          </Fields>
          <Placed {...role} />
        </Card>
      }
    >
      <Card title={texts.permissionsTitle}>
        <Fields>
          <Field name={texts.policies}>
            <Links links={role.Policies} noun="policies" />
          </Field>
          <Field name={texts.services}>{servicesText(role.ServiceIdentities)}</Field>
          <Field name={texts.nodes}>{nodesText(role.NodeIdentities)}</Field>
          <Field name={texts.templates}>{templatesText(role.TemplatedPolicies)}</Field>
        </Fields>
      </Card>
    </WithFacts>
  );
}

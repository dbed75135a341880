/** The page and the forms of a role. */
import { WholeId } from "../../kit/cells.tsx";
import { nodesText, servicesText, templatesText } from "../../kit/identities.ts";
import { KindCreate, KindEdit, KindObject } from "../../kit/kind-screens.tsx";
import { Links } from "../../kit/links.tsx";
import { Card, Cards, Field, Fields } from "../../kit/object-screen.tsx";
import { GrantsEffect } from "../policies/effect.tsx";
import { ROLE_KIND } from "./kind.tsx";
import type { Role } from "./named.ts";

/** The screen of a role. */
export function RoleObject() {
  return (
    <KindObject
      kind={ROLE_KIND}
      about={({ ID }) => <WholeId id={ID} />}
      overview={(role) => <Overview role={role} />}
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
      extra={(values, role) => (
        <GrantsEffect
          of={{ role: role.ID }}
          before={ROLE_KIND.members(ROLE_KIND.valuesOf(role))}
          after={ROLE_KIND.members(values)}
          isSound={Object.keys(ROLE_KIND.check(values, false)).length === 0}
        />
      )}
    />
  );
}

function Overview({ role }: { role: Role }) {
  return (
    <Cards>
      <Card title="What it gives">
        <Fields>
          <Field name="Policies">
            <Links links={role.Policies} noun="policies" />
          </Field>
          <Field name="Services">{servicesText(role.ServiceIdentities)}</Field>
          <Field name="Nodes">{nodesText(role.NodeIdentities)}</Field>
          <Field name="Templates">{templatesText(role.TemplatedPolicies)}</Field>
        </Fields>
      </Card>
      <Card title="About it">
        <Fields>
          <Field name="Description">{role.Description}</Field>
          <Field name="Namespace">{role.Namespace}</Field>
          <Field name="Partition">{role.Partition}</Field>
          <Field name="Index" hint="Of its last change">
            {role.ModifyIndex}
          </Field>
        </Fields>
      </Card>
    </Cards>
  );
}

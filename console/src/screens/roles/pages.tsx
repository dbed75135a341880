/** The page and the forms of a role. */
import { WholeId } from "../../kit/cells.tsx";
import { KindCreate, KindEdit, KindObject } from "../../kit/kind-screens.tsx";
import { Links } from "../../kit/links.tsx";
import { textOf } from "../../kit/members.ts";
import { Card, Cards, Field, Fields } from "../../kit/object-screen.tsx";
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
  return <KindEdit kind={ROLE_KIND} />;
}

function Overview({ role }: { role: Role }) {
  return (
    <Cards>
      <Card title="What it gives">
        <Fields>
          <Field name="Policies">
            <Links links={role.Policies} noun="policies" />
          </Field>
          <Field name="Services">{textOf(role.ServiceIdentities)}</Field>
          <Field name="Nodes">{textOf(role.NodeIdentities)}</Field>
          <Field name="Templates">{textOf(role.TemplatedPolicies)}</Field>
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

/** The page and the forms of a namespace. */
import { usePlace, placeOf } from "../../base/place.ts";
import { Leaving } from "../../kit/cells.tsx";
import { Icon } from "../../kit/icons.tsx";
import { KindCreate, KindEdit, KindObject } from "../../kit/kind-screens.tsx";
import { LinkButton } from "../../kit/link.tsx";
import { Links } from "../../kit/links.tsx";
import { Card, Cards, Field, Fields } from "../../kit/object-screen.tsx";
import { Time } from "../../kit/time.tsx";
import { NAMESPACE_KIND } from "./kind.tsx";
import type { Namespace } from "./named.ts";

/** The screen of a namespace. */
export function NamespaceObject() {
  return (
    <KindObject
      kind={NAMESPACE_KIND}
      historyAt="home"
      marks={({ DeletedAt }) => DeletedAt !== undefined && <Leaving />}
      isFixed={({ DeletedAt }) => DeletedAt !== undefined}
      isKept={({ Name }) => Name === "default"}
      tools={(namespace) => <GoThere namespace={namespace} />}
      overview={(namespace) => <Overview namespace={namespace} />}
    />
  );
}

/** The screen that makes one. */
export function NamespaceCreate() {
  return <KindCreate kind={NAMESPACE_KIND} />;
}

/** The screen that changes one. */
export function NamespaceEdit() {
  return <KindEdit kind={NAMESPACE_KIND} />;
}

function GoThere({ namespace: { Name } }: { namespace: Namespace }) {
  const { scope } = usePlace();
  if (scope.namespace === Name) return null;
  return (
    <LinkButton
      to={placeOf({ partition: scope.partition, namespace: Name }).path("namespaces", Name)}
      variant="default"
      leftSection={<Icon name="namespace" size={14} />}
    >
      Work in it
    </LinkButton>
  );
}

function Overview({ namespace }: { namespace: Namespace }) {
  const { ACLs, Meta = {}, Description, Partition, DeletedAt, ModifyIndex } = namespace;
  return (
    <Cards>
      <Card title="What all its tokens have">
        <Fields>
          <Field name="Policies">
            <Links links={ACLs?.PolicyDefaults} noun="policies" />
          </Field>
          <Field name="Roles">
            <Links links={ACLs?.RoleDefaults} noun="roles" />
          </Field>
        </Fields>
      </Card>
      <Card title="About it">
        <Fields>
          <Field name="Description">{Description}</Field>
          {Object.entries(Meta).map(([key, value]) => (
            <Field key={key} name={key}>
              {value}
            </Field>
          ))}
          <Field name="Partition">{Partition}</Field>
          <Field name="Being deleted since">{DeletedAt !== undefined && <Time value={DeletedAt} />}</Field>
          <Field name="Index" hint="Of its last change">
            {ModifyIndex}
          </Field>
        </Fields>
      </Card>
    </Cards>
  );
}

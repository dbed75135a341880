/** The page and the forms of a namespace. */
import { usePlace, placeOf } from "../../base/place.ts";
import { Leaving } from "../../kit/cells.tsx";
import { Created, Placed } from "../../kit/facts.tsx";
import { Icon } from "../../kit/icons.tsx";
import { KindCreate, KindEdit, KindObject } from "../../kit/kind-screens.tsx";
import { LinkButton } from "../../kit/link.tsx";
import { Links } from "../../kit/links.tsx";
import { Card, Field, Fields, WithFacts } from "../../kit/object-screen.tsx";
import { Time } from "../../kit/time.tsx";
import { TextFacts } from "../../kit/text-fields.tsx";
import { effectiveTab } from "../effective/tab.tsx";
import { NAMESPACE_KIND } from "./kind.tsx";
import type { Namespace } from "./named.ts";
import * as texts from "../../texts/namespaces.ts";

/** The screen of a namespace. */
export function NamespaceObject() {
  return (
    <KindObject
      kind={NAMESPACE_KIND}
      typed={({ Name }) => Name}
      historyAt="home"
      marks={({ DeletedAt }) => DeletedAt !== undefined && <Leaving />}
      isFixed={({ DeletedAt }) => DeletedAt !== undefined}
      isKept={({ Name }) => Name === "default"}
      tools={(namespace) => <GoThere namespace={namespace} />}
      overview={(namespace) => <Overview namespace={namespace} />}
      tabs={({ Name, DeletedAt }) => (DeletedAt === undefined ? [effectiveTab({ "namespace-defaults": Name })] : [])}
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
      {texts.switchHere}
    </LinkButton>
  );
}

function Overview({ namespace }: { namespace: Namespace }) {
  const { ACLs, Meta = {}, Partition, DeletedAt, ModifyIndex } = namespace;
  return (
    <WithFacts
      facts={
        <Card title={texts.detailsTitle}>
          <Fields>
            <TextFacts kind="namespace" of={namespace} />
            {Object.entries(Meta).map(([key, value]) => (
              <Field key={key} name={key}>
                {value}
              </Field>
            ))}
            <Created kind="namespace" id={namespace.Name} home={Partition ?? "default"} />
            <Field name={texts.deletingSince}>{DeletedAt !== undefined && <Time value={DeletedAt} />}</Field>
          </Fields>
          <Placed Partition={Partition} ModifyIndex={ModifyIndex} />
        </Card>
      }
    >
      <Card title={texts.defaultsTitle}>
        <Fields>
          <Field name={texts.defaultPolicies}>
            <Links links={ACLs?.PolicyDefaults} noun="policies" />
          </Field>
          <Field name={texts.defaultRoles}>
            <Links links={ACLs?.RoleDefaults} noun="roles" />
          </Field>
        </Fields>
      </Card>
    </WithFacts>
  );
}

/** The page and the forms of a binding rule. */
import { Badge, Text } from "@mantine/core";
import { usePlace } from "../../base/place.ts";
import { WholeId } from "../../kit/cells.tsx";
import { CodeText } from "../../kit/code-text.tsx";
import { KindCreate, KindEdit, KindObject } from "../../kit/kind-screens.tsx";
import { A } from "../../kit/link.tsx";
import { Card, Cards, Field, Fields } from "../../kit/object-screen.tsx";
import { BINDING_RULE_KIND } from "./kind.tsx";
import { BIND_TYPES, type BindingRule } from "./named.ts";

/** The screen of a binding rule. */
export function BindingRuleObject() {
  return (
    <KindObject
      kind={BINDING_RULE_KIND}
      about={({ ID }) => <WholeId id={ID} />}
      warning={() => <Text size="sm">Who logs in from then on gets nothing by it. This cannot be undone.</Text>}
      overview={(rule) => <Overview rule={rule} />}
    />
  );
}

/** The screen that makes one; `?method=` names the auth method. */
export function BindingRuleCreate() {
  return <KindCreate kind={BINDING_RULE_KIND} begin={({ method = "" }) => ({ method })} />;
}

/** The screen that changes one. */
export function BindingRuleEdit() {
  return <KindEdit kind={BINDING_RULE_KIND} />;
}

function Overview({ rule }: { rule: BindingRule }) {
  const place = usePlace();
  return (
    <Cards>
      <Card title="Who gets what">
        <Fields>
          <Field name="Who logs in by">
            <A to={place.path("auth-methods", rule.AuthMethod)}>{rule.AuthMethod}</A>
          </Field>
          <Field name="And is">
            {rule.Selector === undefined ? "anybody" : <CodeText text={rule.Selector} what="the selector" />}
          </Field>
          <Field name="Gets">
            <Badge mr={6}>{BIND_TYPES[rule.BindType]}</Badge>
            <Bound rule={rule} />
          </Field>
          <Field name="Filled with">{rule.BindVars?.Name}</Field>
        </Fields>
      </Card>
      <Card title="About it">
        <Fields>
          <Field name="Description">{rule.Description}</Field>
          <Field name="Namespace">{rule.Namespace}</Field>
          <Field name="Partition">{rule.Partition}</Field>
          <Field name="Index" hint="Of its last change">
            {rule.ModifyIndex}
          </Field>
        </Fields>
      </Card>
    </Cards>
  );
}

/**
 * Name that the rule binds. A role or policy links to a search for it, because the rule contains no ID; a template
 * stays plain text.
 */
function Bound({ rule: { BindType, BindName } }: { rule: BindingRule }) {
  const place = usePlace();
  const noun = BindType === "role" ? "roles" : BindType === "policy" ? "policies" : undefined;
  if (noun === undefined || BindName.includes("${")) return <span className="mono">{BindName}</span>;
  return <A to={`${place.path(noun)}?q=${encodeURIComponent(BindName)}`}>{BindName}</A>;
}

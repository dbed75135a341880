/** The page and the forms of a binding rule. */
import { Badge, Text } from "@mantine/core";
import { usePlace } from "../../base/place.ts";
import { WholeId } from "../../kit/cells.tsx";
import { CodeText } from "../../kit/code-text.tsx";
import { Created, Placed } from "../../kit/facts.tsx";
import { KindCreate, KindEdit, KindObject } from "../../kit/kind-screens.tsx";
import { A } from "../../kit/link.tsx";
import { Card, Field, Fields, WithFacts } from "../../kit/object-screen.tsx";
import { UseField } from "../unused/mark.tsx";
import { BINDING_RULE_KIND } from "./kind.tsx";
import { BIND_TYPES, type BindingRule } from "./named.ts";
import * as texts from "../../texts/binding-rules.ts";

/** The screen of a binding rule. */
export function BindingRuleObject() {
  return (
    <KindObject
      kind={BINDING_RULE_KIND}
      about={({ ID }) => <WholeId id={ID} />}
      warning={() => <Text size="sm">{texts.deleteWarning}</Text>}
      overview={(rule) => <BindingRuleOverview rule={rule} />}
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

/** The first tab of the page. */
export function BindingRuleOverview({ rule }: { rule: BindingRule }) {
  const place = usePlace();
  return (
    <WithFacts
      facts={
        <Card title={texts.detailsTitle}>
          <Fields>
            <Field name={texts.description}>{rule.Description}</Field>
            <UseField of="binding-rule" id={rule.ID} />
            <Created kind="binding-rule" id={rule.ID} />
          </Fields>
          <Placed {...rule} />
        </Card>
      }
    >
      <Card title={texts.matchTitle}>
        <Fields>
          <Field name={texts.authMethod}>
            <A to={place.path("auth-methods", rule.AuthMethod)}>{rule.AuthMethod}</A>
          </Field>
          <Field name={texts.selector}>
            {rule.Selector === undefined ? (
              texts.everyLogin
            ) : (
              <CodeText text={rule.Selector} what={texts.selectorCopied} />
            )}
          </Field>
          <Field name={texts.grants}>
            <Badge mr={6}>{BIND_TYPES[rule.BindType]}</Badge>
            <Bound rule={rule} />
          </Field>
          <Field name={texts.variable}>{rule.BindVars?.Name}</Field>
        </Fields>
      </Card>
    </WithFacts>
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

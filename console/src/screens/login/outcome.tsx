/** Result of a login explanation: the token or the denial, the variables, and each rule with its reason. */
import { Alert, Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { usePlace } from "../../base/place.ts";
import { AccessGraph } from "../../kit/graph.tsx";
import { Icon } from "../../kit/icons.tsx";
import { textOf } from "../../kit/members.ts";
import { Card, Field, Fields } from "../../kit/object-screen.tsx";
import { titleOf, type BindingRuleRow } from "../binding-rules/named.ts";
import classes from "./login.module.css";
import { graphOfLogin } from "./graph.ts";
import { rulesOfMethodQuery, type Explanation } from "./queries.ts";
import { Rules } from "./rules.tsx";
import * as texts from "../../texts/login.ts";

/** Maximum number of variables that are shown. */
const MOST = 200;

interface OutcomeProps {
  readonly explanation: Explanation;
  /** Name of the auth method that was asked. */
  readonly method: string;
  adopt(test: string): void;
}

/** @param adopt takes a test of a variable into the selector */
export function Outcome({ explanation, method, adopt }: OutcomeProps) {
  const { Token: token, Refusal: refusal } = explanation;
  return (
    <>
      {refusal !== undefined && (
        <Alert color="yellow" variant="outline" icon={<Icon name="lock" size={18} />} title={texts.loginDenied}>
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            {refusal}
          </Text>
        </Alert>
      )}
      <Drawing explanation={explanation} method={method} />
      {token !== undefined && <TokenCard token={token} />}
      <Variables explanation={explanation} adopt={adopt} />
      <Rules explanation={explanation} method={method} />
    </>
  );
}

function Drawing({ explanation, method }: { explanation: Explanation; method: string }) {
  const place = usePlace();
  const { data: stored } = useQuery(rulesOfMethodQuery(place, method));
  const graph = useMemo(
    () => graphOfLogin(explanation, { method, titles: titlesOf(stored), place }),
    [explanation, method, stored, place],
  );
  if (graph === undefined) return null;
  return (
    <Card title={texts.pathTitle}>
      <AccessGraph graph={graph} />
    </Card>
  );
}

function TokenCard({ token }: { token: NonNullable<Explanation["Token"]> }) {
  const {
    ExpirationTTL: ttl,
    Policies,
    Roles,
    ServiceIdentities,
    NodeIdentities,
    TemplatedPolicies,
    Namespace,
  } = token as Readonly<Record<string, unknown>>;
  return (
    <Card title={texts.tokenTitle}>
      <Fields>
        <Field name={texts.roles}>{textOf(Roles)}</Field>
        <Field name={texts.policies}>{textOf(Policies)}</Field>
        <Field name={texts.services}>{textOf(ServiceIdentities)}</Field>
        <Field name={texts.nodes}>{textOf(NodeIdentities)}</Field>
        <Field name={texts.templates}>{textOf(TemplatedPolicies)}</Field>
        <Field name={texts.ttl}>{textOf(ttl) === "" ? texts.neverExpires : textOf(ttl)}</Field>
        <Field name={texts.namespace}>{textOf(Namespace)}</Field>
      </Fields>
    </Card>
  );
}

function Variables({ explanation, adopt }: { explanation: Explanation; adopt(test: string): void }) {
  const variables = Object.entries(explanation.Variables ?? {});
  if (explanation.Identity === undefined) return null;
  const lists = Object.entries((explanation.Identity["list"] ?? {}) as Readonly<Record<string, unknown>>);
  return (
    <Card title={texts.variablesTitle}>
      {variables.length === 0 && lists.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.variablesEmpty}
        </Text>
      )}
      {variables.slice(0, MOST).map(([name, value]) => (
        <Variable key={name} name={name} value={value} take={() => adopt(`${name} == ${JSON.stringify(value)}`)} />
      ))}
      {lists.slice(0, MOST).map(([name, values]) => {
        const all = (Array.isArray(values) ? values : []) as readonly string[];
        const [first = ""] = all;
        const take = () => adopt(`${JSON.stringify(first)} in list.${name}`);
        return <Variable key={`list.${name}`} name={`list.${name}`} value={all.join(", ")} take={take} />;
      })}
    </Card>
  );
}

function Variable({ name, value, take }: { name: string; value: string; take(): void }) {
  return (
    <div className={classes.variable}>
      <span className="mono">{name}</span>
      <bdi>
        {value === "" ? (
          <Text span inherit c="dimmed">
            {texts.emptyValue}
          </Text>
        ) : (
          value
        )}
      </bdi>
      <Button size="compact-xs" variant="default" onClick={take} aria-label={texts.selectorUse(name)}>
        {texts.use}
      </Button>
    </div>
  );
}

function titlesOf(rules: ReadonlyMap<string, BindingRuleRow> | undefined): ReadonlyMap<string, string> | undefined {
  return rules && new Map([...rules].map(([id, rule]) => [id, titleOf(rule)]));
}

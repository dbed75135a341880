/** Result of a login explanation: the token or the denial, the variables, and each rule with its reason. */
import { Alert, Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { usePlace } from "../../base/place.ts";
import { Icon } from "../../kit/icons.tsx";
import { A } from "../../kit/link.tsx";
import { textOf } from "../../kit/members.ts";
import { Card, Field, Fields } from "../../kit/object-screen.tsx";
import classes from "./login.module.css";
import { ruleTitlesQuery, type Explanation } from "./queries.ts";

/** Maximum number of binding rules, and of variables, that are shown. */
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
        <Alert
          color="yellow"
          variant="outline"
          icon={<Icon name="lock" size={18} />}
          title="The login would be refused"
        >
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            {refusal}
          </Text>
        </Alert>
      )}
      {token !== undefined && <TokenCard token={token} />}
      <Variables explanation={explanation} adopt={adopt} />
      <Rules explanation={explanation} method={method} />
    </>
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
    <Card title="The token that it would give">
      <Fields>
        <Field name="Roles">{textOf(Roles)}</Field>
        <Field name="Policies">{textOf(Policies)}</Field>
        <Field name="Services">{textOf(ServiceIdentities)}</Field>
        <Field name="Nodes">{textOf(NodeIdentities)}</Field>
        <Field name="Templates">{textOf(TemplatedPolicies)}</Field>
        <Field name="Lives for">{textOf(ttl) === "" ? "ever" : textOf(ttl)}</Field>
        <Field name="Namespace">{textOf(Namespace)}</Field>
      </Fields>
    </Card>
  );
}

function Variables({ explanation, adopt }: { explanation: Explanation; adopt(test: string): void }) {
  const variables = Object.entries(explanation.Variables ?? {});
  if (explanation.Identity === undefined) return null;
  const lists = Object.entries((explanation.Identity["list"] ?? {}) as Readonly<Record<string, unknown>>);
  return (
    <Card title="Variables">
      {variables.length === 0 && lists.length === 0 && (
        <Text size="sm" c="dimmed">
          The identity has none: nothing that it says is mapped.
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
            empty
          </Text>
        ) : (
          value
        )}
      </bdi>
      <Button size="compact-xs" variant="default" onClick={take} aria-label={`Use ${name} in the selector`}>
        Use
      </Button>
    </div>
  );
}

const COLOURS = { matched: "teal", "not matched": "gray", failed: "red" } as const;

/** Binding rules of the method. Matching rules come first: they determine the permissions. */
function Rules({ explanation, method }: { explanation: Explanation; method: string }) {
  const place = usePlace();
  const titles = useQuery(ruleTitlesQuery(place, method));
  const order = ["matched", "failed", "not matched"];
  const rules = explanation.Rules.toSorted((a, b) => order.indexOf(a.Verdict) - order.indexOf(b.Verdict));
  return (
    <Card title="Rules of the method">
      {rules.length === 0 && (
        <Text size="sm" c="dimmed">
          {explanation.Identity === undefined
            ? "No rule was asked: who it is was not proven."
            : "It has none, so nobody is given anything."}
        </Text>
      )}
      {rules.slice(0, MOST).map(({ ID, Verdict, Reason }) => (
        <Stack key={ID} gap={4} className={classes.rule}>
          <Group gap={8}>
            <Badge color={COLOURS[Verdict]} variant={Verdict === "matched" ? "light" : "default"}>
              {Verdict}
            </Badge>
            <A to={place.path("binding-rules", ID)}>
              <bdi>{titles.data?.get(ID)}</bdi> <span className="mono">{ID.slice(0, 8)}</span>
            </A>
          </Group>
          <Text size="xs" c="dimmed">
            {Reason}
          </Text>
        </Stack>
      ))}
      {rules.length > MOST && (
        <Text size="xs" c="dimmed">{`The first ${MOST} of ${rules.length.toLocaleString()}.`}</Text>
      )}
    </Card>
  );
}

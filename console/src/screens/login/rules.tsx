/** Binding rules of a login test: why each matches or not. */
import { Badge, Button, Collapse, Group, Stack, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useId, useState, type ReactNode } from "react";
import { usePlace } from "../../base/place.ts";
import { Icon } from "../../kit/icons.tsx";
import { A } from "../../kit/link.tsx";
import { Card } from "../../kit/object-screen.tsx";
import { titleOf, type BindingRuleRow } from "../binding-rules/named.ts";
import classes from "./login.module.css";
import { rulesOfMethodQuery, type Explanation } from "./queries.ts";
import { ranked, type ExplainedRule, type OtherRules } from "./ranking.ts";
import * as texts from "../../texts/login.ts";

interface RulesProps {
  readonly explanation: Explanation;
  readonly method: string;
}

/** The card. Matching rules come first: they determine the permissions. */
export function Rules({ explanation, method }: RulesProps) {
  const known = useQuery(rulesOfMethodQuery(usePlace(), method)).data;
  const { decisive, nearest, others } = ranked(explanation.Rules);
  const shown = (rule: ExplainedRule) => <Rule key={rule.ID} rule={rule} stored={known?.get(rule.ID)} />;
  return (
    <Card title={texts.rulesTitle}>
      {explanation.Rules.length === 0 && (
        <Text size="sm" c="dimmed">
          {explanation.Identity === undefined ? texts.rulesNotEvaluated : texts.rulesEmpty}
        </Text>
      )}
      <Some rules={decisive} show={shown} />
      {nearest.length > 0 && (
        <Text size="sm" fw={600} mt={decisive.length > 0 ? "sm" : 0}>
          {texts.nearest}
        </Text>
      )}
      {nearest.map(shown)}
      {others.map((group) => (
        <Others key={group.name} group={group} isOnly={decisive.length + nearest.length === 0} show={shown} />
      ))}
    </Card>
  );
}

const COLOURS = { matched: "teal", "not matched": "gray", failed: "red" } as const;

function Rule({ rule, stored }: { rule: ExplainedRule; stored: BindingRuleRow | undefined }) {
  const { ID, Verdict, Reason, Conditions: conditions } = rule;
  return (
    <Stack gap={4} className={classes.rule}>
      <Group gap={8}>
        <Badge color={COLOURS[Verdict]} variant={Verdict === "matched" ? "light" : "default"}>
          {Verdict}
        </Badge>
        <A to={usePlace().path("binding-rules", ID)}>
          <bdi>{stored === undefined ? "" : titleOf(stored)}</bdi> <span className="mono">{ID.slice(0, 8)}</span>
        </A>
        {conditions !== undefined && conditions.Total > 1 && (
          <Text size="xs" c="dimmed">
            {texts.conditionsMet(conditions.Met, conditions.Total)}
          </Text>
        )}
      </Group>
      {conditions === undefined ? (
        <Text size="xs" c="dimmed">
          {Reason}
        </Text>
      ) : (
        <Misses conditions={conditions} selector={stored?.Selector ?? ""} />
      )}
    </Stack>
  );
}

type Conditions = NonNullable<ExplainedRule["Conditions"]>;

function Misses({ conditions: { Unmet: unmet }, selector }: { conditions: Conditions; selector: string }) {
  return (
    <>
      {selector !== "" && <code className={classes.selector}>{markedIn(selector, unmet)}</code>}
      {unmet.map(({ Reason: reason }) => (
        <Text key={reason} size="xs" className={classes.unmet}>
          <Icon name="close" size={12} /> {reason}
        </Text>
      ))}
    </>
  );
}

/** Returns a selector with its false conditions marked. */
function markedIn(selector: string, unmet: Conditions["Unmet"]): ReactNode[] {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { Start: start, End: end } of unmet) {
    parts.push(selector.slice(at, start));
    parts.push(
      <mark key={start} className={classes.failed}>
        {selector.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  return [...parts, selector.slice(at)];
}

interface OthersProps {
  readonly group: OtherRules;
  /** Whether there are no rules above. */
  readonly isOnly: boolean;
  show(rule: ExplainedRule): ReactNode;
}

function Others({ group: { name, rules }, isOnly, show }: OthersProps) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  return (
    <div className={classes.rule}>
      <UnstyledButton className={classes.others} onClick={toggle} aria-expanded={isOpen} aria-controls={id}>
        <Icon name={isOpen ? "down" : "right"} size={14} />
        {texts.others(rules.length, name, isOnly)}
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && <Some rules={rules} show={show} />}
      </Collapse>
    </div>
  );
}

/** Number of rules that are shown at a time. */
const STEP = 100;

function Some({ rules, show }: { rules: readonly ExplainedRule[]; show(rule: ExplainedRule): ReactNode }) {
  const [count, setCount] = useState(STEP);
  return (
    <>
      {rules.slice(0, count).map(show)}
      {rules.length > count && (
        <Button variant="default" size="compact-sm" onClick={() => setCount(count + STEP)}>
          {texts.showMore(rules.length - count)}
        </Button>
      )}
    </>
  );
}

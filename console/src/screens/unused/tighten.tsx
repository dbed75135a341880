/** Proposals of smaller policies and roles: they begin an edit, with a reason for each line. Nothing is applied. */
import { Badge, Button, Menu, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Search } from "../../base/address.ts";
import { usePlace } from "../../base/place.ts";
import { dayText } from "../../kit/dates.ts";
import { Deniable, useOffer } from "../../kit/denied.tsx";
import form from "../../kit/form.module.css";
import { Icon } from "../../kit/icons.tsx";
import { asLink, partsOf } from "../../kit/link.tsx";
import classes from "../policies/editor.module.css";
import { tightenPolicyQuery, tightenRoleQuery } from "./queries.ts";
import * as texts from "../../texts/unused.ts";

const DAYS = [30, 60, 90, 120];

/** Button that opens the editor with a proposal. @param edit path of the editor */
export function TightenButton({ edit }: { edit: string }) {
  const navigate = useNavigate();
  const { isKnown, denial } = useOffer({ resource: "acl", access: "write" });
  if (!isKnown) return null;
  const button = (
    <Button variant="default" leftSection={<Icon name="filter" size={14} />}>
      {texts.tighten}
    </Button>
  );
  if (denial !== undefined) return <Deniable reason={denial}>{button}</Deniable>;
  return (
    <Menu position="bottom-end">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {DAYS.map((days) => (
          <Menu.Item key={days} onClick={() => void navigate(asLink(partsOf(`${edit}?tighten=${days}`)))}>
            {texts.tightenFor(days)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Days of the proposal that the address asks for; undefined for none. */
export function useTightenDays(): number | undefined {
  return daysIn(useSearch({ strict: false }));
}

/** The same, of an address. */
export function daysIn({ tighten }: Search): number | undefined {
  return DAYS.find((each) => String(each) === tighten);
}

/** One line of a proposal. */
interface Reason {
  readonly key: string;
  readonly rule: string;
  readonly about: string;
  readonly action: string;
  readonly reason: string;
  readonly names: readonly string[];
}

/** Reasons of a proposed policy; null without one. */
export function PolicyProposal({ id }: { id: string }) {
  const days = useTightenDays();
  const { data } = useQuery({ ...tightenPolicyQuery(usePlace(), id, days ?? 0), enabled: days !== undefined });
  if (days === undefined || data === undefined) return null;
  const { Lines, Rules, Changed, RecordedSince } = data;
  const reasons = Lines.map(({ Line, Rule, In = [], Action, Reason, Other, Policy, Names = [] }, index) => ({
    key: String(index),
    rule: [Rule, ...In.map((block) => texts.inBlock(block))].join(" "),
    about: texts.line(Line),
    action: [texts.actions[Action] ?? Action, ...(Policy === undefined ? [] : [Policy])].join(": "),
    reason: [texts.reasons[Reason] ?? Reason, ...(Other === undefined ? [] : [Other.Rule])].join(": "),
    names: Names,
  }));
  const fault = Rules === undefined ? texts.tightenNone : Changed ? undefined : texts.tightenSame;
  return <Proposal days={days} since={RecordedSince} reasons={reasons} fault={fault} />;
}

/** Reasons of a proposed role; null without one. */
export function RoleProposal({ id }: { id: string }) {
  const days = useTightenDays();
  const { data } = useQuery({ ...tightenRoleQuery(usePlace(), id, days ?? 0), enabled: days !== undefined });
  if (days === undefined || data === undefined) return null;
  const { Policies, Offered, RecordedSince } = data;
  const reasons = Policies.map(({ ID, Name, Action, Reason }) => ({
    key: ID,
    rule: Name,
    about: "",
    action: texts.actions[Action] ?? Action,
    reason: texts.reasons[Reason] ?? Reason,
    names: [],
  }));
  const isSame = Policies.every(({ Action }) => Action === "kept");
  const fault = !Offered ? texts.tightenNone : isSame ? texts.tightenSame : undefined;
  return <Proposal days={days} since={RecordedSince} reasons={reasons} fault={fault} />;
}

interface ProposalProps {
  readonly days: number;
  readonly since: string;
  readonly reasons: readonly Reason[];
  /** Why nothing changes; undefined where a draft began the form. */
  readonly fault: string | undefined;
}

function Proposal({ days, since, reasons, fault }: ProposalProps) {
  return (
    <section className={form.panel} aria-label={texts.tightenTitle} style={{ marginTop: 16 }}>
      <div className={form.panelTitle}>{texts.tightenTitle}</div>
      <Text size="sm" c="dimmed" className={classes.row}>
        {fault ?? texts.tightenAbout(days, dayText(since))}
      </Text>
      <ul className={`${classes.rows} ${classes.most}`} aria-label={texts.tightenList}>
        {reasons.map(({ key, rule, about, action, reason, names }) => (
          <li key={key} className={classes.row}>
            <span className={classes.grow}>
              <span className="mono">{rule}</span>
              {about !== "" && (
                <Text span size="xs" c="dimmed">
                  {" "}
                  {about}
                </Text>
              )}
              {names.length > 0 && (
                <Text size="xs" component="div" className="mono">
                  {names.join(", ")}
                </Text>
              )}
            </span>
            <Badge flex="none">{action}</Badge>
            <span className={classes.rights}>{reason}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

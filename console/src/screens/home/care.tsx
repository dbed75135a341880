/** List of problems that need attention. Each is a sentence with a link. */
import { Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { inOrganization, inScope } from "../../base/address.ts";
import type { Place } from "../../base/place.ts";
import { Icon, type IconName } from "../../kit/icons.tsx";
import { A } from "../../kit/link.tsx";
import { Card } from "../../kit/object-screen.tsx";
import classes from "./home.module.css";
import { brokenQuery, MOST_REPORTS, wholePartition, type Overview } from "./queries.ts";
import * as texts from "../../texts/home.ts";

/** Minimum number of denied logins of a method within a day for an entry in the list. */
const MANY_REFUSALS = 5;
/** A backup that is older than this has been missed. */
const OLD_BACKUP_SECONDS = 26 * 3600;

interface Concern {
  readonly icon: IconName;
  readonly text: string;
  readonly why: string;
  readonly to?: string;
  readonly isUrgent?: boolean;
}

/** The card. */
export function Care({ overview, place }: { overview: Overview; place: Place }) {
  const organizations = overview.Organizations.First.slice(0, MOST_REPORTS).map(({ Name }) => Name);
  const broken = useQueries({ queries: organizations.map((name) => brokenQuery(place, name)) });
  const concerns = [
    ...ofServers(overview),
    ...ofLogins(overview, place),
    ...organizations.flatMap((name, index) => ofRules(name, broken[index]?.data ?? 0)),
    ...ofPolicies(overview, place),
    ...ofMethods(overview, place),
    ...ofTokens(overview, place),
  ];
  return (
    <Card title={texts.problemsTitle}>
      {concerns.length === 0 && (
        <div className={classes.item}>
          <Icon name="check" size={15} style={{ color: "var(--added-text)" }} />
          <span className={classes.what}>{texts.problemsEmpty}</span>
        </div>
      )}
      {concerns.map(({ icon, text, why, to, isUrgent = false }) => (
        <div key={text} className={classes.item}>
          <Icon name={icon} size={15} style={{ color: isUrgent ? "var(--mantine-color-error)" : "var(--warning)" }} />
          <div className={classes.what}>
            {to === undefined ? (
              <Text span inherit fw={550}>
                {text}
              </Text>
            ) : (
              <A to={to} fw={550}>
                {text}
              </A>
            )}
            <Text size="xs" c="dimmed">
              {why}
            </Text>
          </div>
        </div>
      ))}
    </Card>
  );
}

function ofServers({ Server: server, Nodes: [, ...others] = [] }: Overview): Concern[] {
  const age = server?.BackupAgeSeconds;
  const concerns: Concern[] = [];
  if (server?.Ready === false) {
    concerns.push({
      icon: "alert",
      text: texts.serverNotReady,
      why: texts.notReadyHint,
      isUrgent: true,
    });
  }
  for (const { Name: name, Ready: isReady } of others) {
    if (isReady) continue;
    concerns.push({
      icon: "alert",
      text: texts.stoppedResponding(name),
      why: texts.stoppedRespondingHint,
      isUrgent: true,
    });
  }
  if (age !== undefined && age > OLD_BACKUP_SECONDS) {
    concerns.push({
      icon: "clock",
      text: texts.oldBackup(hours(age)),
      why: texts.oldBackupHint,
      isUrgent: true,
    });
  }
  return concerns;
}

function ofLogins({ RefusedLogins: refused }: Overview, { scope }: Place): Concern[] {
  return refused
    .filter(({ Count }) => Count >= MANY_REFUSALS)
    .slice(0, 5)
    .map(({ AuthMethod, Namespace, Count }) => ({
      icon: "method" as const,
      text: texts.deniedLogins(AuthMethod, Count),
      why: texts.deniedLoginsHint(Namespace),
      to: `${inScope({ ...scope, namespace: Namespace }, "audit")}?kind=login&outcome=refused`,
    }));
}

function ofRules(name: string, count: number): Concern[] {
  if (count === 0) return [];
  return [
    {
      icon: "tag",
      text: texts.violations(count, name),
      why: texts.violationsHint,
      to: inOrganization(name, "tag-policies"),
    },
  ];
}

function ofPolicies({ PoliciesReadAsBefore: policies }: Overview, { scope }: Place): Concern[] {
  return policies.First.map(({ ID, Name, Namespace, Differences }) => ({
    icon: "policy" as const,
    text: texts.changesWhenSaved(Name),
    why: texts.changesWhenSavedHint(Namespace, Differences.join("; ")),
    to: inScope({ ...scope, namespace: Namespace }, "policies", ID),
  }));
}

function ofMethods({ AuthMethodsReadAsBefore: methods }: Overview, { scope }: Place): Concern[] {
  return methods.First.map(({ Name, Namespace, Differences }) => ({
    icon: "method" as const,
    text: texts.rejectsMoreWhenSaved(Name),
    why: texts.rejectsMoreWhenSavedHint(Namespace, Differences.join("; ")),
    to: inScope({ ...scope, namespace: Namespace }, "auth-methods", Name),
  }));
}

function ofTokens({ UnusedTokens: unused, TokensWithoutExpiration: endless }: Overview, place: Place): Concern[] {
  const tokens = wholePartition(place.scope.partition).path("tokens");
  const concerns: Concern[] = [];
  if (unused.Count > 0) {
    concerns.push({
      icon: "key",
      text: texts.unusedTokens(unused.Count, unused.More === true),
      why: texts.unusedTokensHint,
      to: `${tokens}?unused-for=90d`,
    });
  }
  if (endless.Count > 0) {
    concerns.push({
      icon: "clock",
      text: texts.endlessTokens(endless.Count, endless.More === true),
      why: texts.endlessTokensHint,
      to: `${tokens}?expires=never`,
    });
  }
  return concerns;
}

function hours(seconds: number): string {
  return seconds < 48 * 3600
    ? texts.ageInHours(Math.round(seconds / 3600))
    : texts.ageInDays(Math.round(seconds / 86_400));
}

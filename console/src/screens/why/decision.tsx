/** A decision: yes or no, the way to it step by step, and what would have to be given. */
import { Badge, Code, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { usePlace, type Place } from "../../base/place.ts";
import { CopyButton } from "../../kit/copy.tsx";
import { Icon, type IconName } from "../../kit/icons.tsx";
import { A, LinkButton } from "../../kit/link.tsx";
import { useMay } from "../../kit/rights.ts";
import type { WhySubject, Decision } from "./queries.ts";
import classes from "./why.module.css";

type Step = NonNullable<Decision["Path"]>[number];
type Link = Step["Links"][number];
type Wanted = NonNullable<Decision["Wanted"]>;

/** Placeholder that the server sends for a name that the caller may not know. */
const HIDDEN = "hidden";

export interface WhoIsAsked {
  readonly as: WhySubject["as"];
  readonly id: string;
  readonly name: string;
  /** Why a login would be refused, with which nothing may be done. */
  readonly refusal?: string | undefined;
}

const WHO = {
  token: { icon: "key", title: "The token", noun: "tokens" },
  role: { icon: "role", title: "The role", noun: "roles" },
  method: { icon: "method", title: "Whoever logs in so, by", noun: "auth-methods" },
} as const;

/** The card of a decision. */
export function DecisionCard({ decision, who }: { decision: Decision; who: WhoIsAsked | undefined }) {
  const { Allow, Wanted } = decision;
  return (
    <article className={classes.card} aria-label="The answer" aria-live="polite">
      <header className={classes.verdict} data-allow={Allow}>
        <Icon name={Allow === true ? "check" : Allow === false ? "close" : "lock"} size={20} />
        <div>
          <h2>{Allow === undefined ? "There is no telling" : Allow ? "Yes, it may" : "No, it may not"}</h2>
          <Text size="sm">{askedText(decision)}</Text>
        </div>
      </header>
      <Way decision={decision} who={who} />
      {Wanted !== undefined && <WantedGrant wanted={Wanted} />}
    </article>
  );
}

function askedText({ Access, Resource, Segment, Request, Namespace }: Decision): string {
  const what = `${Access ?? ""} ${Resource ?? ""} ${Segment === HIDDEN ? "(its name is hidden from you)" : (Segment ?? "")}`;
  const where = Namespace === undefined || Namespace === "default" ? "" : ` in the namespace ${Namespace}`;
  return `${Request === undefined ? what.trim() : `${Request}, which is ${what.trim()}`}${where}`;
}

function Way({ decision, who }: { decision: Decision; who: WhoIsAsked | undefined }) {
  const place = usePlace();
  const { Path = [], Rule, DecidedBy } = decision;
  if (decision.Allow === undefined) {
    return <Text className={classes.part}>It names nothing that your token may read.</Text>;
  }
  return (
    <ol className={classes.way} aria-label="How it is decided">
      {who !== undefined && (
        <StepItem icon={WHO[who.as].icon} title={WHO[who.as].title}>
          <A underline="always" to={place.path(WHO[who.as].noun, who.id)}>
            {who.name}
          </A>
        </StepItem>
      )}
      {Path.map((step) => (
        <StepItem
          key={step.ID + step.Name}
          icon="policy"
          title={Path.length > 1 ? "holds this policy, with the same rule" : "holds the policy"}
        >
          <PolicyStep step={step} place={place} who={who?.id} />
        </StepItem>
      ))}
      {Rule !== undefined && (
        <StepItem icon="rule" title="in which this rule is the closest">
          <Code>
            {Rule.Resource}
            {Rule.Prefix && "_prefix"}
            {(Rule.Segment !== "" || Rule.Prefix) && ` "${Rule.Segment}"`} → {Rule.Policy}
          </Code>
        </StepItem>
      )}
      {Rule === undefined && (
        <StepItem icon="rule" title={defaultText(DecidedBy, Path.length > 0)}>
          {who?.refusal}
        </StepItem>
      )}
      <StepItem
        icon={decision.Allow ? "check" : "close"}
        title={decision.Allow ? "so it is allowed" : "so it is denied"}
      />
    </ol>
  );
}

function defaultText(decidedBy: string | undefined, hasPath: boolean): string {
  if (decidedBy === "login") return "whose login would be refused";
  if (decidedBy === "default-policy") return "no rule of its policies is about this, so the server's default decides";
  return hasPath ? "whose rule is hidden from you" : "the rule that decides is in policies that are hidden from you";
}

function StepItem({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <li className={classes.step}>
      <span className={classes.bullet}>
        <Icon name={icon} size={14} />
      </span>
      <div className={classes.stepBody}>
        <Text size="xs" c="dimmed">
          {title}
        </Text>
        {children}
      </div>
    </li>
  );
}

function PolicyStep({ step, place, who }: { step: Step; place: Place; who: string | undefined }) {
  const { ID, Name, Places = [] } = step;
  // Links from the role to itself are omitted.
  const Links = step.Links.filter((link) => link.Kind !== "role" || link.ID !== who);
  const at = Places.map(({ Line, Column }) => `${Line}:${Column}`).join(", ");
  return (
    <>
      {ID === HIDDEN ? (
        <HiddenMark what="policy" />
      ) : (
        <A underline="always" to={place.path("policies", ID)}>
          {Name}
        </A>
      )}
      {at !== "" && (
        <Text span size="xs" c="dimmed">
          {" "}
          at line {at}
        </Text>
      )}
      <ul className={classes.links}>
        {Links.map((link, index) => (
          <li key={index}>
            <LinkText link={link} place={place} />
          </li>
        ))}
      </ul>
    </>
  );
}

function LinkText({
  link: { Kind, ID = "", Name = "", Role, Namespace, BindingRules = [] },
  place,
}: {
  link: Link;
  place: Place;
}) {
  const by = BindingRules.map(({ ID: rule, AuthMethod, Selector }) => (
    <span key={rule}>
      , given by the binding rule{" "}
      <A underline="always" to={place.path("binding-rules", rule)}>
        {rule === HIDDEN ? "hidden" : rule.slice(0, 8)}
      </A>
      {AuthMethod !== undefined && ` of ${AuthMethod}`}
      {Selector !== undefined && Selector !== "" && (
        <>
          {" "}
          where <Code>{Selector}</Code>
        </>
      )}
    </span>
  ));
  if (Kind === "direct") return <>directly{by}</>;
  if (Kind === "default") return <>as a default of the namespace {Namespace ?? Name}</>;
  if (Kind === "identity") {
    return (
      <>
        by the identity {Name}
        {Role !== undefined && ` of the role ${Role}`}
        {by}
      </>
    );
  }
  return (
    <>
      by the role{" "}
      {ID === HIDDEN ? (
        <HiddenMark what="role" />
      ) : (
        <A underline="always" to={place.path("roles", ID)}>
          {Name || ID.slice(0, 8)}
        </A>
      )}
      {by}
    </>
  );
}

/** Says that there is something which the viewer may not see. */
export function HiddenMark({ what }: { what: string }) {
  return (
    <Badge leftSection={<Icon name="lock" size={11} />} title={`Your token may not read this ${what}`}>
      a hidden {what}
    </Badge>
  );
}

function WantedGrant({ wanted: { Rules, Overruled, Roles, RolesComplete } }: { wanted: Wanted }) {
  const place = usePlace();
  const mayWrite = useMay({ resource: "acl", access: "write" });
  return (
    <section className={classes.part} aria-label="What would allow it">
      <h3>What would allow it</h3>
      {Overruled === true && (
        <Text size="sm">
          A <b>deny</b> of just this decides. It has to go before any other rule counts.
        </Text>
      )}
      {Rules === undefined && Overruled !== true && (
        <Text size="sm">No policy that lies in this namespace can allow it.</Text>
      )}
      {Rules !== undefined && (
        <>
          <Text size="sm">The smallest rule that gives this and nothing else:</Text>
          <div className={classes.rules}>
            {/* Makes the scrollable area focusable by keyboard. */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <pre tabIndex={0} aria-label="The smallest rule">
              {Rules}
            </pre>
            <CopyButton value={Rules} what="the rule" />
          </div>
          {mayWrite && (
            <LinkButton
              to={`${place.path("policies", "new")}?${new URLSearchParams({ rules: Rules }).toString()}`}
              variant="default"
              leftSection={<Icon name="edit" size={14} />}
            >
              Open as a new policy
            </LinkButton>
          )}
        </>
      )}
      {Roles.length > 0 && (
        <Group gap={6} mt="sm">
          <Text size="sm">Roles that hold it already:</Text>
          {Roles.map(({ ID, Name }) => (
            <Badge key={ID}>
              <A underline="always" to={place.path("roles", ID)} c="inherit">
                {Name}
              </A>
            </Badge>
          ))}
        </Group>
      )}
      {!RolesComplete && (
        <Text size="xs" c="dimmed" mt={4}>
          There are more roles than were looked through.
        </Text>
      )}
    </section>
  );
}

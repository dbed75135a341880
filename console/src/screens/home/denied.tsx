/** Denied requests of the signed-in token: each with its reason, and a request to an administrator with a draft policy. */
import { Code, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { BASE_PATH, inScope, whyPath } from "../../base/address.ts";
import type { Place } from "../../base/place.ts";
import { useSession, type SignedIn } from "../../base/session.ts";
import { CopyButton } from "../../kit/copy.tsx";
import { Icon } from "../../kit/icons.tsx";
import { A } from "../../kit/link.tsx";
import { Card } from "../../kit/object-screen.tsx";
import { useMay } from "../../kit/rights.ts";
import { Time } from "../../kit/time.tsx";
import { visible } from "../../kit/visible.ts";
import classes from "./home.module.css";
import { deniedQuery, type DeniedRequest } from "./queries.ts";
import * as texts from "../../texts/home.ts";

/** The card. It is there when something was denied. */
export function DeniedRequests({ place }: { place: Place }) {
  const { data = [] } = useQuery(deniedQuery(place));
  const session = useSession();
  const mayRead = useMay({ resource: "acl", access: "read" }, place.scope);
  if (session?.SignedIn !== true || data.length === 0) return null;
  return (
    <Card title={texts.deniedTitle}>
      {data.map((denied) => (
        <div key={denied.RequestID} className={classes.item}>
          <Icon name="lock" size={15} style={{ color: "var(--mantine-color-error)" }} />
          <div className={classes.what}>
            <Text span inherit fw={550} style={{ overflowWrap: "anywhere" }}>
              <bdi>{visible(askedText(denied))}</bdi>
            </Text>
            <Text size="xs" c="dimmed" mb={6}>
              <Reason denied={denied} />
            </Text>
            <Group gap="xs">
              <CopyButton
                value={requestText(denied, session.Token)}
                what={texts.accessRequest}
                isWide
                label={texts.copyRequest}
              />
              {mayRead && (
                <A to={whyPath(denied.RequestID)} inherit={false} size="xs">
                  {texts.explainDenial}
                </A>
              )}
            </Group>
          </div>
          <span className={classes.when}>
            <Time value={denied.At} />
          </span>
        </div>
      ))}
      <Text size="xs" c="dimmed" mt="xs">
        {texts.deniedHint}
      </Text>
    </Card>
  );
}

function askedText({ Question: { Access = "", Resource = "", Segment = "", Namespace } }: DeniedRequest): string {
  const what = [Access, Resource, Segment].filter((each) => each !== "").join(" ");
  return texts.deniedQuestion(what, Namespace === undefined || Namespace === "default" ? undefined : Namespace);
}

function Reason({ denied: { Question: question } }: { denied: DeniedRequest }) {
  const { Rule: rule, Wanted: wanted, DecidedBy: decidedBy } = question;
  if (wanted?.Overruled === true) return texts.deniedByDeny;
  if (decidedBy === "default-policy") return texts.deniedByDefault;
  // Rules are shown to callers that may read their policies.
  if (rule === undefined) return texts.deniedByPolicies;
  const { Resource, Prefix, Segment, Policy } = rule;
  const name = Segment === "" && Prefix !== true ? "" : ` "${Segment}"`;
  return (
    <>
      {texts.deniedByRule}
      <Code>{visible(`${Resource}${Prefix === true ? "_prefix" : ""}${name} = ${Policy}`)}</Code>
    </>
  );
}

/** Text for an administrator. Its link opens the minimal rule as a draft policy; nothing changes before that is saved. */
function requestText(denied: DeniedRequest, token: SignedIn["Token"]): string {
  const { AccessorID, Description = "", Partition: partition = "default", Namespace: namespace = "default" } = token;
  const rules = denied.Question.Wanted?.Rules;
  const asked = texts.requestAccess(askedText(denied), Description, AccessorID);
  if (rules === undefined) return [asked, texts.requestId(denied.RequestID)].join("\n");
  const search = new URLSearchParams({ rules, description: texts.requestedBy(AccessorID) }).toString();
  const path = `${inScope({ partition, namespace }, "policies", "new").slice(1)}?${search}`;
  const link = `${location.origin}${BASE_PATH}${path}`;
  return [
    `${asked} ${texts.requestRule}`,
    "",
    rules,
    "",
    texts.requestDraft(link),
    texts.requestId(denied.RequestID),
  ].join("\n");
}

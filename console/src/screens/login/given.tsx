/** Fields for the login to explain: a JWT, claims written by hand, or a login that was denied recently. */
import { SegmentedControl, Select, Stack, Text, Textarea, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { usePlace } from "../../base/place.ts";
import type { AuditRecord } from "../../kit/audit-record.ts";
import { Card } from "../../kit/object-screen.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { Time } from "../../kit/time.tsx";
import classes from "./login.module.css";
import { refusedQuery, type LoginDraft, type Method } from "./queries.ts";
import * as texts from "../../texts/login.ts";

export interface Given {
  readonly method: string;
  readonly way: "jwt" | "claims" | "refused";
  readonly jwt: string;
  readonly claims: string;
  /** The refused login that it is about, where one was chosen. */
  readonly refused?: AuditRecord | undefined;
}

export const EMPTY_GIVEN: Given = { method: "", way: "jwt", jwt: "", claims: "" };

/** Returns the request to the server, and a problem when the input is invalid. Incomplete input gives neither. */
export function askedOf(
  { method, way, jwt, claims }: Given,
  draft: Readonly<Record<string, unknown>> | undefined,
): { asked: LoginDraft | undefined; problem: string | undefined } {
  const rest = { AuthMethod: method, ...(draft === undefined ? {} : { BindingRule: draft }) };
  if (way === "jwt") {
    // One that was copied from a terminal has line breaks in it.
    const token = jwt.replaceAll(/\s/g, "");
    return { asked: token === "" ? undefined : { ...rest, BearerToken: token }, problem: undefined };
  }
  if (way === "refused" || claims.trim() === "") return { asked: undefined, problem: undefined };
  try {
    const identity: unknown = JSON.parse(claims);
    if (typeof identity !== "object" || identity === null || Array.isArray(identity))
      throw new Error(texts.notAnObject);
    return { asked: { ...rest, Identity: identity as Record<string, unknown> }, problem: undefined };
  } catch (error) {
    return { asked: undefined, problem: texts.claimsInvalid((error as Error).message) };
  }
}

const EXAMPLES: Readonly<Record<string, object>> = {
  kubernetes: { serviceaccount: { namespace: "default", name: "web", uid: "" } },
  "aws-iam": { entity_name: "deployer", entity_id: "", account_id: "123456789012" },
};
const CLAIMS = { value: { repository: "example/web" }, list: { groups: ["ops"] } };

interface Props {
  readonly methods: readonly Method[];
  readonly given: Given;
  change(given: Given): void;
  readonly problem: string | undefined;
}

/** The card. */
export function GivenCard({ methods, given, change, problem }: Props) {
  const type = methods.find(({ Name }) => Name === given.method)?.Type ?? "jwt";
  const choose = (way: Given["way"]) =>
    change({
      ...given,
      way,
      claims: given.claims === "" ? JSON.stringify(EXAMPLES[type] ?? CLAIMS, undefined, 2) : given.claims,
    });
  return (
    <Card title={texts.inputTitle}>
      <Stack gap="sm">
        <Select
          label={texts.authMethod}
          data={methods.map(({ Name, DisplayName, Type }) => ({
            value: Name,
            label: `${DisplayName === undefined || DisplayName === "" ? Name : `${DisplayName} (${Name})`} · ${Type}`,
          }))}
          value={given.method}
          allowDeselect={false}
          searchable={methods.length > 8}
          onChange={(method) => change({ ...given, method: method ?? given.method, refused: undefined })}
        />
        <SegmentedControl
          size="xs"
          aria-label={texts.input}
          value={given.way}
          onChange={(way) => choose(way)}
          data={[
            { value: "jwt", label: type === "aws-iam" ? texts.bearerToken : texts.jwt },
            { value: "claims", label: texts.claims },
            { value: "refused", label: texts.deniedLogins },
          ]}
        />
        {given.way === "jwt" && <JwtField jwt={given.jwt} change={(jwt) => change({ ...given, jwt })} />}
        {given.way === "claims" && given.refused !== undefined && <About refused={given.refused} />}
        {given.way === "claims" && (
          <ClaimsField claims={given.claims} problem={problem} change={(claims) => change({ ...given, claims })} />
        )}
        {given.way === "refused" && (
          <Refused
            choose={(refused) => {
              const known = methods.find(({ Name }) => Name.toLowerCase() === refused.Name?.toLowerCase());
              const claims = JSON.stringify(claimsOf(known?.Type ?? type, refused), undefined, 2);
              change({ ...given, method: known?.Name ?? given.method, way: "claims", claims, refused });
            }}
          />
        )}
      </Stack>
    </Card>
  );
}

function JwtField({ jwt, change }: { jwt: string; change: (jwt: string) => void }) {
  return (
    <Textarea
      label={texts.jwt}
      description={texts.jwtHint}
      placeholder={texts.jwtExample}
      rows={6}
      className={classes.mono ?? ""}
      autoComplete="off"
      spellCheck={false}
      value={jwt}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

interface ClaimsFieldProps {
  readonly claims: string;
  readonly problem: string | undefined;
  change(claims: string): void;
}

function ClaimsField({ claims, problem, change }: ClaimsFieldProps) {
  return (
    <Textarea
      label={texts.claimsLabel}
      description={texts.claimsHint}
      autosize
      minRows={8}
      maxRows={20}
      className={classes.mono ?? ""}
      spellCheck={false}
      value={claims}
      error={problem}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

/** Returns claims to start with: an example, or the service account that the record names. */
function claimsOf(type: string, refused: AuditRecord): object {
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(subjectOf(refused));
  if (type !== "kubernetes" || account === null) return EXAMPLES[type] ?? CLAIMS;
  return { serviceaccount: { namespace: account[1], name: account[2], uid: "" } };
}

/** Data about the login from its audit record, in addition to the claims that the user completes. */
function About({ refused }: { refused: AuditRecord }) {
  return (
    <Text size="xs" component="div">
      {texts.deniedAt}
      <Time value={refused.Time} />
      {claimedBy(refused)}: {reasonOf(refused)}
      <Text size="xs" c="dimmed" component="div">
        {texts.deniedClaims}
      </Text>
    </Text>
  );
}

/** Records of refused logins. A record never holds the credential, so its claims are to be given by hand. */
function Refused({ choose }: { choose(record: AuditRecord): void }) {
  const query = useQuery(refusedQuery(usePlace()));
  if (query.isError) return <Refusal error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined) return null;
  if (query.data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {texts.deniedLoginsEmpty}
      </Text>
    );
  }
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {texts.deniedLoginsHint}
      </Text>
      {query.data.map((record, index) => (
        <UnstyledButton
          key={record.Hash ?? `${record.Time} ${index}`}
          className={classes.refused}
          onClick={() => choose(record)}
        >
          <Text size="sm" fw={550} component="span">
            <bdi>{record.Name === undefined || record.Name === "" ? texts.unknownMethod : record.Name}</bdi>
          </Text>{" "}
          <Text size="xs" c="dimmed" component="span">
            <Time value={record.Time} />
            {claimedBy(record)}
          </Text>
          <Text size="xs" component="div">
            {reasonOf(record)}
          </Text>
        </UnstyledButton>
      ))}
    </div>
  );
}

function subjectOf({ Actor: { Identity: identity }, Detail: detail }: AuditRecord): string {
  const subject = identity ?? detail?.["subject"];
  return typeof subject === "string" ? subject : "";
}

function claimedBy(record: AuditRecord): string {
  const subject = subjectOf(record);
  return subject === "" ? "" : texts.deniedSubject(subject);
}

function reasonOf({ Detail: detail }: AuditRecord): string {
  const reason = detail?.["reason"];
  return typeof reason === "string" ? reason : "";
}

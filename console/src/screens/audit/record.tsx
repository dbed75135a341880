/** One record: a line, and behind it what was different and who it was. */
import { Badge, Collapse, Group, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useId } from "react";
import { whyPath } from "../../base/address.ts";
import { Actor } from "../../kit/actor.tsx";
import type { AuditRecord } from "../../kit/audit-record.ts";
import { Changes } from "../../kit/changes.tsx";
import { CopyButton } from "../../kit/copy.tsx";
import { changesOfDelta, unfolded } from "../../kit/delta.ts";
import { Icon } from "../../kit/icons.tsx";
import { A } from "../../kit/link.tsx";
import { Field, Fields } from "../../kit/object-screen.tsx";
import { iconOfAction, pathOfRecord, RecordLine } from "../../kit/records.tsx";
import { visible } from "../../kit/visible.ts";
import classes from "./audit.module.css";
import * as texts from "../../texts/audit.ts";

const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", hourCycle: "h23" });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

/** A record in the list. */
export function RecordItem({ record }: { record: AuditRecord }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  const at = Date.parse(record.Time);
  return (
    <li className={classes.record}>
      <UnstyledButton
        className={classes.head}
        onClick={toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        data-outcome={record.Outcome}
      >
        <time className={classes.at} dateTime={record.Time} title={Number.isNaN(at) ? "" : EXACT.format(at)}>
          {Number.isNaN(at) ? record.Time : CLOCK.format(at)}
        </time>
        <Icon name={record.Outcome === "refused" ? "lock" : iconOfAction(record.Action)} size={15} />
        <span>
          <RecordLine record={record} isPlain />
          <Places record={record} />
        </span>
        <Icon name={isOpen ? "up" : "down"} size={14} />
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && <Body record={record} />}
      </Collapse>
    </li>
  );
}

/** Partition and namespace of the record, when they are not `default`. */
function Places({ record }: { record: AuditRecord }) {
  const { Namespace: namespace = "", Partition: partition = "" } = record;
  const places = [partition, namespace].filter((name) => name !== "" && name !== "default");
  if (places.length === 0) return null;
  return (
    <Badge ml={8} size="sm">
      <bdi>{places.join(" / ")}</bdi>
    </Badge>
  );
}

function Body({ record }: { record: AuditRecord }) {
  const changes = unfolded(changesOfDelta(record.Changes));
  const detail = Object.entries(record.Detail ?? {});
  return (
    <div className={classes.body}>
      <div>
        {changes.length > 0 && <Changes changes={changes} />}
        {changes.length === 0 && detail.length === 0 && (
          <Text size="sm" c="dimmed">
            {texts.noDetails}
          </Text>
        )}
        {detail.length > 0 && (
          <Fields>
            {detail.map(([name, value]) => (
              <Field key={name} name={name}>
                <span style={{ whiteSpace: "pre-wrap" }}>
                  {typeof value === "string" ? value : JSON.stringify(value, undefined, 2)}
                </span>
              </Field>
            ))}
          </Fields>
        )}
      </div>
      <Facts record={record} />
    </div>
  );
}

function Facts({ record }: { record: AuditRecord }) {
  const { Actor: actor, RequestID: requestId = "", Hash: hash, Chain: chain, Seq: seq } = record;
  const { AccessorID: accessor = "" } = actor;
  const path = pathOfRecord(record);
  return (
    <Fields>
      <Field name={texts.object}>
        {path === undefined ? (
          <span className="mono">{record.ID}</span>
        ) : (
          <A to={path} underline="always">
            <bdi>{record.Name === undefined || record.Name === "" ? record.ID : record.Name}</bdi>
          </A>
        )}
      </Field>
      <Field name={texts.token}>
        {accessor !== "" && (
          <>
            <Actor actor={{ AccessorID: accessor }} /> <span className="mono">{accessor}</span>
          </>
        )}
      </Field>
      <Field name={texts.authMethod}>{actor.AuthMethod}</Field>
      <Field name={texts.identity}>{actor.Identity}</Field>
      <Field name={texts.address}>{actor.Address}</Field>
      <Field name={texts.userAgent}>{actor.UserAgent}</Field>
      <Field name={texts.changeReason}>{visible(record.ChangeReason ?? "")}</Field>
      <Field name={texts.route}>{record.Route}</Field>
      <Field name={texts.requestId}>
        {requestId !== "" && (
          <Group gap={6}>
            <span className="mono">{requestId}</span>
            <CopyButton value={requestId} what={texts.requestIdCopied} />
            {record.Outcome === "refused" && (
              <A to={whyPath(requestId)} underline="always">
                {texts.explainDenial}
              </A>
            )}
          </Group>
        )}
      </Field>
      <Field name={texts.chain}>{chain === undefined ? "" : texts.chainPosition(chain, seq)}</Field>
      <Field name={texts.hash}>
        {hash !== undefined && (
          <Group gap={4} wrap="nowrap">
            <span className="mono">{hash}</span>
            <CopyButton value={hash} what={texts.hashCopied} />
          </Group>
        )}
      </Field>
    </Fields>
  );
}

/** The table of effective permissions: places, kinds of things and names, with what is allowed. */
import { Badge, Text } from "@mantine/core";
import { placeOfObject, usePlace } from "../../base/place.ts";
import { Icon } from "../../kit/icons.tsx";
import { A } from "../../kit/link.tsx";
import { HiddenMark } from "../why/decision.tsx";
import type { Cell, Row } from "./queries.ts";
import classes from "./effective.module.css";
import * as texts from "../../texts/effective.ts";

interface TableProps {
  readonly rows: readonly Row[];
  readonly isCompared: boolean;
  /** Whether policies can be opened: those of an earlier time may be gone. */
  readonly isLinked: boolean;
}

const ACCESSES = [
  { access: "read", title: texts.read },
  { access: "list", title: texts.list },
  { access: "write", title: texts.write },
] as const;

/** All rows, in a table for each place. */
export function Table({ rows, isCompared, isLinked }: TableProps) {
  const groups = Map.groupBy(rows, placeText);
  return [...groups].map(([place, group]) => (
    <section key={place} className={classes.group} aria-label={place}>
      <h2 className={classes.title}>{place}</h2>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{texts.resource}</th>
            <th scope="col">{texts.name}</th>
            {ACCESSES.map(({ access, title }) => (
              <th key={access} scope="col" className={classes.access}>
                {title}
              </th>
            ))}
            <th scope="col" className={classes.access}>
              {texts.deny}
            </th>
            <th scope="col">{texts.through}</th>
          </tr>
        </thead>
        <tbody>
          {group.map((row) => (
            <Lines
              key={`${row.Resource} ${row.Segment ?? ""}${row.Prefix === true ? "*" : ""}`}
              row={row}
              {...{ isCompared, isLinked }}
            />
          ))}
        </tbody>
      </table>
    </section>
  ));
}

/** Things that are in no partition, and things that are in a partition and in none of its namespaces. */
const OF_SERVER: ReadonlySet<string> = new Set(["organization", "workspace", "operator", "keyring", "partition"]);
const OF_PARTITION: ReadonlySet<string> = new Set(["namespace", "mesh", "peering", "agent", "event", "query"]);

function placeText({ Resource, Namespace, NamespacePrefix, Partition = "", PartitionPrefix }: Row): string {
  if (OF_SERVER.has(Resource) || Namespace === undefined) return texts.wholeServer;
  const partition = named(Partition, PartitionPrefix, texts.inPartition, texts.inOtherPartitions);
  if (OF_PARTITION.has(Resource)) return partition;
  const namespace = named(Namespace, NamespacePrefix, texts.inNamespace, texts.inOthers);
  return Partition === "default" && PartitionPrefix !== true ? namespace : texts.within(namespace, partition);
}

function named(name: string, isPrefix: true | undefined, text: (name: string) => string, others: string): string {
  if (isPrefix === true && name === "") return others;
  return text(isPrefix === true ? `${name}*` : name);
}

function Lines({ row, isCompared, isLinked }: { row: Row } & Omit<TableProps, "rows">) {
  return (
    <>
      <Line row={row} cells={row.Decisions} isLinked={isLinked} which={isCompared ? texts.first : undefined} />
      {isCompared && <Line row={row} cells={row.With ?? []} isLinked={isLinked} which={texts.second} />}
    </>
  );
}

interface LineProps {
  readonly row: Row;
  readonly cells: readonly Cell[];
  readonly isLinked: boolean;
  /** Which of two subjects it is about; undefined for one alone. */
  readonly which: string | undefined;
}

function Line({ row, cells, isLinked, which }: LineProps) {
  const isDeny = cells.some(({ Rule }) => Rule?.Policy === "deny");
  return (
    <tr data-differs={row.Differs === true}>
      <td className={classes.resource}>{which !== texts.second && row.Resource}</td>
      <th scope="row" className={classes.name}>
        {which !== texts.second && <Name row={row} />}
        {which !== undefined && (
          <Text span size="xs" c="dimmed" className={classes.which ?? ""}>
            {which}
          </Text>
        )}
        {which === texts.first && row.Differs === true && <Badge size="xs">{texts.differs}</Badge>}
      </th>
      {ACCESSES.map(({ access, title }) => (
        <td key={access} className={classes.access} data-access={title}>
          <Mark cells={cells} access={access} />
        </td>
      ))}
      <td className={classes.access} data-access={texts.deny}>
        {isDeny && <Sign name="close" title={texts.denied} isAllowed={false} />}
      </td>
      <td className={classes.through}>
        {cells.map((cell, index) => (
          <Through key={index} cell={cell} isLinked={isLinked} />
        ))}
      </td>
    </tr>
  );
}

function Name({ row: { Segment = "", Prefix } }: { row: Row }) {
  if (Segment === "")
    return (
      <Text inherit span c="dimmed">
        {Prefix === true ? texts.allNames : texts.whole}
      </Text>
    );
  return (
    <span className="mono" title={Prefix === true ? texts.startingWith : undefined}>
      {Segment}
      {Prefix === true && "*"}
    </span>
  );
}

function Mark({ cells, access }: { cells: readonly Cell[]; access: "read" | "list" | "write" }) {
  const cell = cells.find(({ Accesses }) => Accesses.includes(access));
  if (cell === undefined) return null;
  const isAllowed = cell.Allowed.includes(access);
  return (
    <Sign name={isAllowed ? "check" : "close"} title={isAllowed ? texts.allowed : texts.denied} isAllowed={isAllowed} />
  );
}

function Sign({ name, title, isAllowed }: { name: "check" | "close"; title: string; isAllowed: boolean }) {
  return (
    <span role="img" aria-label={title} title={title} data-allowed={isAllowed} className={classes.sign}>
      <Icon name={name} size={14} />
    </span>
  );
}

function Through({ cell, isLinked }: { cell: Cell; isLinked: boolean }) {
  const place = usePlace();
  if (cell.Path === undefined) return <Text size="xs">{texts.byDefaultPolicy}</Text>;
  return cell.Path.map(({ ID, Name: name, Places = [], Links, ...policy }) => (
    <div key={ID}>
      {ID === "hidden" ? (
        <HiddenMark what={texts.policy} />
      ) : isLinked && Links.every(({ Kind }) => Kind !== "identity") ? (
        <A to={placeOfObject(place, policy).path("policies", ID)}>{name}</A>
      ) : (
        name
      )}
      <Text span size="xs" c="dimmed">
        {[...Places.map((at) => texts.atLine(at.Line)), ...Links.flatMap(wayOf)].map((each) => ` ${each}`).join(",")}
      </Text>
    </div>
  ));
}

function wayOf({
  Kind,
  Name: name = "",
  Namespace = "",
}: NonNullable<Cell["Path"]>[number]["Links"][number]): string[] {
  if (Kind === "role") return [texts.viaRole(name)];
  if (Kind === "identity") return [texts.viaIdentity(name)];
  return Kind === "default" ? [texts.viaDefault(Namespace)] : [];
}

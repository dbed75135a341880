/** The page and the forms of a kind of objects. */
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Search } from "../base/address.ts";
import { usePathParameter, usePlace, type Place } from "../base/place.ts";
import { useCommands, useWhy } from "./commands.ts";
import { OfferedItem, OfferedLink, useOffer } from "./denied.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { FormScreen } from "./form-screen.tsx";
import { History } from "./history.tsx";
import { createPlan, deletePlan, oneQuery, updatePlan, versionQuery, type Kind, type Marked } from "./kind.ts";
import type { Members } from "./plan.ts";
import { MoreMenu } from "./more-menu.tsx";
import { ObjectPending } from "./object-pending.tsx";
import { ObjectScreen, type ObjectTab } from "./object-screen.tsx";
import { useMay } from "./rights.ts";
import { trashedOf } from "./undo.tsx";
import { Uses, UsesNote } from "./uses.tsx";
import * as texts from "../texts/kit-objects.ts";

interface ObjectProps<T extends Marked, V extends object> {
  readonly kind: Kind<T, V>;
  about?(object: T): ReactNode;
  marks?(object: T): ReactNode;
  overview(object: T): ReactNode;
  /** Tabs behind the overview. */
  tabs?(object: T): readonly ObjectTab[];
  /** Buttons in front of the others. */
  tools?(object: T): ReactNode;
  /** Whether it can be neither changed nor deleted, which is not offered then. */
  isFixed?(object: T): boolean;
  /** Whether it cannot be deleted, though it can be changed. */
  isKept?(object: T): boolean;
  /** Warning in the delete dialog, in addition to the uses of the object. */
  warning?(object: T): ReactNode;
  /** Name that the user must type to delete an object, for kinds whose deletion deletes other objects too. */
  typed?(object: T): string;
  /** Scope of its audit records, when it differs from the scope of the page. */
  readonly historyAt?: "home";
  /** Partition of its audit records, when it differs from the partition of the page. */
  historyIn?(object: T): string;
}

/** The page of one object: what it is, what uses it, what was done to it. */
export function KindObject<T extends Marked, V extends object>(props: ObjectProps<T, V>) {
  const { kind } = props;
  const place = usePlace();
  const key = usePathParameter("key");
  const query = useQuery(oneQuery(kind.named, place, key));
  const object = query.data;
  const mayWrite = useMay(kind.write);
  const up = { to: place.path(kind.named.noun), title: kind.named.plural };
  if (object === undefined) return <ObjectPending query={query} up={up} />;
  return (
    <ObjectScreen
      title={kind.named.title(object)}
      query={query}
      up={up}
      about={props.about?.(object)}
      marks={props.marks?.(object)}
      actions={<Actions {...props} object={object} />}
      tabs={[
        { id: "overview", title: texts.overviewTab, icon: "eye", content: props.overview(object) },
        ...(props.tabs?.(object) ?? []),
        ...usesTabs(kind, object),
        {
          id: "history",
          title: texts.historyTab,
          icon: "history",
          content: (
            <History
              kind={kind.record}
              id={kind.named.key(object)}
              isHome={props.historyAt === "home"}
              partition={props.historyIn?.(object)}
              isByName={kind.isRecordedByName === true}
              restore={
                mayWrite && props.isFixed?.(object) !== true
                  ? (version) => `${place.path(kind.named.noun, key, "edit")}?version=${version}`
                  : undefined
              }
            />
          ),
        },
      ]}
    />
  );
}

function usesTabs<T extends Marked, V extends object>(kind: Kind<T, V>, object: T): readonly ObjectTab[] {
  const { uses, named } = kind;
  if (uses === undefined) return [];
  const title = uses === "namespace" ? texts.contentsTab : texts.usedByTab;
  const content = <Uses of={uses} id={named.key(object)} name={named.title(object)} links={kind.policies?.(object)} />;
  return [{ id: "uses", title, icon: "link", content }];
}

function Actions<T extends Marked, V extends object>(props: ObjectProps<T, V> & { readonly object: T }) {
  const { kind, object, tools, isFixed, isKept, warning, typed } = props;
  const place = usePlace();
  const [isDeleting, { open, close }] = useDisclosure(false);
  const offer = useOffer(kind.write);
  const mayWrite = offer.isKnown && offer.denial === undefined;
  const { noun, singular } = kind.named;
  const key = kind.named.key(object);
  const mayChange = isFixed?.(object) !== true;
  const mayDelete = mayChange && isKept?.(object) !== true;
  const canChange = mayWrite && mayChange;
  const canDelete = mayWrite && mayDelete;
  const edit = place.path(noun, key, "edit");
  const duplicate = `${place.path(noun, "new")}?from=${encodeURIComponent(key)}`;
  const called = texts.named(singular, kind.named.title(object));
  const why = useWhy(place.scope, texts.checkAccessCommand(called), kind.why?.query(key));
  useCommands([
    ...(canChange ? [{ title: texts.editCommand(called), icon: "edit", act: edit } as const] : []),
    ...(mayWrite ? [{ title: texts.duplicateCommand(called), icon: "copy", act: duplicate } as const] : []),
    ...(canDelete ? [{ title: texts.deleteCommand(called), icon: "trash", act: open } as const] : []),
    ...why,
  ]);
  return (
    <>
      {tools?.(object)}
      {mayChange && (
        <OfferedLink offer={offer} to={edit} icon="edit">
          {texts.edit}
        </OfferedLink>
      )}
      <OfferedLink offer={offer} to={duplicate} icon="copy" variant="default">
        {texts.duplicate}
      </OfferedLink>
      {offer.isKnown && mayDelete && (
        <>
          <MoreMenu>
            <OfferedItem denial={offer.denial} icon="trash" isDanger act={open}>
              {texts.deleteLabel}
            </OfferedItem>
          </MoreMenu>
          <DeleteDialog
            what={called}
            isOpen={isDeleting}
            close={close}
            then={place.path(noun)}
            plan={deletePlan(kind, object)}
            typed={typed?.(object)}
            trashed={trashedOf(kind.record, key)}
          >
            {warning?.(object)}
            {kind.uses !== undefined && isDeleting && <UsesNote of={kind.uses} id={key} />}
          </DeleteDialog>
        </>
      )}
    </>
  );
}

/** The form of a new one; `?from=` names one that it begins as, other parameters what it begins with. */
export function KindCreate<T extends Marked, V extends object>({
  kind,
  begin,
  extra,
}: {
  kind: Kind<T, V>;
  begin?(search: Search): Partial<V>;
  extra?(values: V): ReactNode;
}) {
  const place = usePlace();
  const search = useSearch({ strict: false }) as Search;
  const { from } = search;
  const { noun, singular, plural } = kind.named;
  const original = useQuery({ ...oneQuery(kind.named, place, from ?? ""), enabled: from !== undefined });
  const up = { to: place.path(noun), title: plural };
  if (from !== undefined && original.data === undefined) return <ObjectPending query={original} up={up} />;
  const initial =
    original.data === undefined ? { ...kind.empty, ...begin?.(search) } : kind.copyOf(kind.valuesOf(original.data));
  return (
    <FormScreen
      title={texts.newTitle(singular)}
      about={kind.aboutNew}
      up={up}
      write={kind.write}
      initial={initial}
      validate={(values) => kind.check(values, true)}
      fields={(form) => kind.fields(form, true)}
      {...(kind.secrets === undefined ? {} : { secrets: kind.secrets })}
      members={kind.members}
      plan={(members) => createPlan(kind, members)}
      object={(answer) => ({ name: texts.named(singular, kind.named.title(answer as T)) })}
      saved={(answer) => place.path(noun, kind.named.key(answer as T))}
      saveLabel={texts.create(singular)}
      failed={texts.createFailed(singular)}
      {...(extra === undefined ? {} : { extra })}
    />
  );
}

/** Query for a proposal, and the members of the object that it changes. */
export interface ProposalQuery {
  readonly queryKey: readonly unknown[];
  queryFn(context: { signal: AbortSignal }): Promise<unknown>;
  select(found: unknown): Members;
}

const NO_PROPOSAL: ProposalQuery = {
  queryKey: ["no-proposal"],
  queryFn: async () => Promise.resolve({}),
  select: () => ({}),
};

/** The form of an edit, which follows what others do to the object. */
export function KindEdit<T extends Marked, V extends object>({
  kind,
  extra,
  proposal,
}: {
  kind: Kind<T, V>;
  extra?(values: V, object: T): ReactNode;
  /** Members with which the edit begins, where the address asks for a proposal. */
  proposal?(place: Place, key: string, search: Search): ProposalQuery | undefined;
}) {
  const place = usePlace();
  const key = usePathParameter("key");
  const { noun, singular, plural } = kind.named;
  const query = useQuery(oneQuery(kind.named, place, key));
  const object = query.data;
  const search = useSearch({ strict: false }) as Search;
  const { version } = search;
  const asked = proposal?.(place, key, search);
  const proposed = useQuery({ ...(asked ?? NO_PROPOSAL), enabled: asked !== undefined, staleTime: Infinity });
  const earlier = useQuery({
    ...versionQuery(place, kind.record, key, version ?? ""),
    enabled: version !== undefined,
  });
  const up = { to: place.path(noun), title: plural };
  if (object === undefined) return <ObjectPending query={query} up={up} />;
  if (version !== undefined && earlier.data === undefined) return <ObjectPending query={earlier} up={up} />;
  if (asked !== undefined && proposed.data === undefined) return <ObjectPending query={proposed} up={up} />;
  const begin = earlier.data ?? (asked === undefined ? undefined : proposed.data);
  const here = place.path(noun, key);
  const values = kind.valuesOf(object);
  const before = kind.members(values);
  return (
    <FormScreen
      title={texts.editTitle(kind.named.title(object))}
      up={{ to: here, title: singular.charAt(0).toUpperCase() + singular.slice(1) }}
      write={kind.write}
      initial={values}
      edited={{ values, mark: String(object.ModifyIndex) }}
      {...(begin === undefined ? {} : { begin: kind.valuesOf({ ...object, ...begin }) })}
      validate={(given) => kind.check(given, false)}
      fields={(form) => kind.fields(form, false)}
      {...(kind.secrets === undefined ? {} : { secrets: kind.secrets })}
      members={kind.members}
      plan={(changed, mark) => updatePlan(kind, key, { before, changed, mark })}
      query={query}
      object={(answer) => ({ name: texts.named(singular, kind.named.title((answer ?? object) as T)) })}
      saved={() => here}
      saveLabel={texts.saveChanges}
      failed={texts.saveFailed(texts.named(singular, kind.named.title(object)))}
      {...(extra === undefined ? {} : { extra: (given: V) => extra(given, object) })}
    />
  );
}

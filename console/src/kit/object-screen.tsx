/** An object as a screen: what it is, what it has to do with others, what was done to it. */
import { Anchor, Box, Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Search } from "../base/address.ts";
import { Gone, useIsGone, type Reading } from "./gone.tsx";
import { Icon, type IconName } from "./icons.tsx";
import classes from "./object.module.css";
import { PageHead } from "./page-head.tsx";
import * as texts from "../texts/kit-objects.ts";

export interface ObjectTab {
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly content: ReactNode;
}

interface ObjectScreenProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly marks?: ReactNode;
  readonly up: { readonly to: string; readonly title: string };
  readonly actions?: ReactNode;
  /** Query that read the object, and reads it again after changes. */
  readonly query: Reading;
  readonly tabs: readonly ObjectTab[];
}

const HISTORY = "history";

/** The screen of an object. Which tab is open is in the address. */
export function ObjectScreen({ tabs, query, actions, ...head }: ObjectScreenProps) {
  const isGone = useIsGone(query);
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const open = tabs.find(({ id }) => id === search["tab"]) ?? tabs[0];
  const choose = (id: string | null) =>
    void navigate({ to: ".", replace: true, search: { tab: id === tabs[0]?.id ? "" : (id ?? "") } });
  return (
    <section aria-label={head.title}>
      <PageHead {...head} actions={isGone ? undefined : actions} />
      {isGone && (
        <Box mb="md">
          <Gone query={query}>
            {tabs.some(({ id }) => id === HISTORY) && (
              <Anchor component="button" size="sm" onClick={() => choose(HISTORY)}>
                {texts.showHistory}
              </Anchor>
            )}
          </Gone>
        </Box>
      )}
      <Tabs value={open?.id ?? null} onChange={choose} keepMounted={false}>
        <Tabs.List mb="md" className={classes.tabs}>
          {tabs.map(({ id, title, icon }) => (
            <Tabs.Tab key={id} value={id} leftSection={<Icon name={icon} size={14} />}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ id, content }) => (
          <Tabs.Panel key={id} value={id}>
            {/* Disables changes when the object is gone. Text that the user wrote stays readable. */}
            <fieldset className={classes.content} disabled={isGone && id !== HISTORY} role="presentation">
              {content}
            </fieldset>
          </Tabs.Panel>
        ))}
      </Tabs>
    </section>
  );
}

/** Fields with their names. A field without a value is left out, unless it says what that means. */
export function Fields({ children }: { children: ReactNode }) {
  return <dl className={classes.fields}>{children}</dl>;
}

export function Field({ name, hint, children }: { name: string; hint?: string; children: ReactNode }) {
  if (children === undefined || children === null || children === "" || children === false) return null;
  return (
    <div className={classes.field}>
      <dt title={hint}>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Fields that belong together, under a heading of their own. */
export function Card({ title, tools, children }: { title?: string; tools?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.card} aria-label={title}>
      {title !== undefined && (
        <header className={classes.cardHead}>
          <h2>{title}</h2>
          {tools}
        </header>
      )}
      <div className={classes.cardBody}>{children}</div>
    </section>
  );
}

/** Content of an object, and a column of facts at its side. What the content does moves no fact. */
export function WithFacts({ facts, children }: { facts: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.withFacts}>
      <div className={classes.main}>{children}</div>
      <div className={classes.main}>{facts}</div>
    </div>
  );
}

/** Facts that few users need, folded. */
export function Advanced({ isOpen = false, children }: { isOpen?: boolean; children: ReactNode }) {
  return (
    <details className={classes.advanced} open={isOpen}>
      <summary>{texts.advanced}</summary>
      {children}
    </details>
  );
}

/** Cards, in as many columns as fit. */
export function Cards({ children }: { children: ReactNode }) {
  return <div className={classes.cards}>{children}</div>;
}

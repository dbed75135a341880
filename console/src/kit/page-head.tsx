/** Head of every screen: title, summary, actions. */
import { Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "./icons.tsx";
import { A } from "./link.tsx";
import classes from "./page-head.module.css";
import { visible } from "./visible.ts";

interface PageHeadProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  /** Link to the list that contains this object. */
  readonly up?: { readonly to: string; readonly title: string };
  /** Elements next to the title, such as badges. */
  readonly marks?: ReactNode;
}

/** The head of a screen. */
export function PageHead({ title, about, actions, up, marks }: PageHeadProps) {
  return (
    <header className={classes.head}>
      {up !== undefined && (
        <A to={up.to} className={classes.up}>
          <Icon name="left" size={13} /> {up.title}
        </A>
      )}
      <Group gap="sm" wrap="wrap" className={classes.text}>
        <Title order={1} className={classes.title}>
          {visible(title)}
        </Title>
        {marks}
      </Group>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      {about !== undefined && (
        <Text c="dimmed" size="sm" component="div" className={classes.about}>
          {about}
        </Text>
      )}
    </header>
  );
}

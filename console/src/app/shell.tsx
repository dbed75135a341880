/** Around every screen: where one is, where one can go. */
import { AppShell, Burger, Group, ScrollArea, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useRouterState } from "@tanstack/react-router";
import { Suspense, useEffect, useRef, type ReactNode } from "react";
import { ScreenPending } from "../kit/screen-pending.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Banners } from "./banners.tsx";
import { Brand } from "../kit/brand.tsx";
import { ColorSchemeSwitch } from "./color-scheme.tsx";
import { Help } from "./help.tsx";
import { Navigation } from "./navigation.tsx";
import { PaletteButton } from "./palette-button.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { ScopeSwitch } from "./scope-switch.tsx";
import { Link } from "@tanstack/react-router";
import classes from "./shell.module.css";
import * as texts from "../texts/app.ts";

/** The frame of the console. */
export function Shell({ children }: { children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const main = useRef<HTMLElement>(null);
  useEffect(close, [path, close]);
  useShortcuts();
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 216, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding={{ base: "md", sm: "lg" }}
    >
      <AppShell.Header className={classes.header}>
        <a className={classes.skip} href={`${path}#main`} onClick={(event) => skipTo(event, main.current)}>
          {texts.skipToContent}
        </a>
        <Burger
          opened={isOpen}
          onClick={toggle}
          hiddenFrom="sm"
          size="sm"
          aria-label={isOpen ? texts.closeNavigation : texts.openNavigation}
        />
        <UnstyledButton
          renderRoot={(props) => <Link {...props} to="/" />}
          className={classes.brand}
          aria-label={texts.tesseraHome}
        >
          <Brand hasName={false} />
        </UnstyledButton>
        <ScopeSwitch />
        <Group gap={4} ml="auto" wrap="nowrap">
          <PaletteButton />
          <ColorSchemeSwitch />
          <Help />
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar}>
        <ScrollArea type="auto" scrollbarSize={6} offsetScrollbars="present">
          <Navigation />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <Banners />
        <Suspense fallback={<ScreenPending />}>{children}</Suspense>
      </AppShell.Main>
    </AppShell>
  );
}

function skipTo(event: { preventDefault(): void }, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}

/** Links within the console, as Mantine's parts. */
import { Anchor, Button, type AnchorProps, type ButtonProps } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { visible } from "./visible.ts";

interface To {
  /** Such as `place.path("tokens")`; may have a query. */
  readonly to: string;
  readonly children: ReactNode;
  /** -1 where another element is in the order of tabs for it, such as the row of a table. */
  readonly tabIndex?: number;
}

/** A path with its query apart, as the router wants them. */
export function partsOf(to: string): { to: string; search: Record<string, string> } {
  const [path = "", query = ""] = to.split("?", 2);
  return { to: path, search: Object.fromEntries(new URLSearchParams(query)) };
}

/** A link in a text or a table. */
export function A({ to, children, ...rest }: To & AnchorProps) {
  const parts = partsOf(to);
  return (
    <Anchor
      inherit={rest.size === undefined}
      underline="hover"
      {...rest}
      renderRoot={(props) => <Link {...props} {...asLink(parts)} />}
    >
      {typeof children === "string" ? visible(children) : children}
    </Anchor>
  );
}

/** A link that looks like a button. */
export function LinkButton({ to, children, ...rest }: To & ButtonProps) {
  const parts = partsOf(to);
  return (
    <Button {...rest} renderRoot={(props) => <Link {...props} {...asLink(parts)} />}>
      {children}
    </Button>
  );
}

/** Addresses are made by functions here, so the router need not know each of them by its type. */
export function asLink({ to, search }: { to: string; search: Record<string, string> }): { to: string; search: never } {
  return { to, search: search as never };
}

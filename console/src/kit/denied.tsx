/** Actions that the token may not do: shown where they would be, disabled, with the reason. */
import { Button, Menu, Text, Tooltip, type ButtonProps } from "@mantine/core";
import { cloneElement, type ReactElement, type ReactNode } from "react";
import { Icon, type IconName } from "./icons.tsx";
import { LinkButton } from "./link.tsx";
import { useLacks, useMay, type Right } from "./rights.ts";
import * as texts from "../texts/kit-lists.ts";

/** Whether an action is allowed. */
export interface Offer {
  /** False until the server has answered: nothing is shown until then. */
  readonly isKnown: boolean;
  /** Reason why the token may not do it; undefined when it may. */
  readonly denial: string | undefined;
}

/** Returns the reason why the token may not do it. Undefined when it may, and until that is known. */
export function useDenial(right: Right | undefined): string | undefined {
  const lacks = useLacks(right);
  return lacks && right !== undefined ? texts.permissionLacks(right.resource, right.access) : undefined;
}

/** Returns whether the token may do it. An undefined permission is allowed. */
export function useOffer(right: Right | undefined): Offer {
  const may = useMay(right);
  const denial = useDenial(right);
  return { isKnown: may || denial !== undefined, denial };
}

interface DisablableProps {
  readonly "aria-disabled"?: boolean;
  readonly "data-disabled"?: boolean;
  readonly onClick?: (event: { preventDefault(): void }) => void;
}

interface DeniableProps {
  /** Undefined for an action that is allowed. */
  readonly reason: string | undefined;
  /** A button or an icon of Mantine. */
  readonly children: ReactElement<DisablableProps>;
}

/**
 * A button that a reason disables. It stays in the order of the Tab key, so that the reason can be read with the keyboard and by
 * screen readers.
 */
export function Deniable({ reason, children }: DeniableProps) {
  if (reason === undefined) return children;
  const disabled = cloneElement(children, {
    "aria-disabled": true,
    "data-disabled": true,
    onClick: (event) => event.preventDefault(),
  });
  return (
    <Tooltip label={reason} multiline maw={280} events={{ hover: true, focus: true, touch: true }}>
      {disabled}
    </Tooltip>
  );
}

interface OfferedLinkProps extends ButtonProps {
  readonly offer: Offer;
  readonly to: string;
  readonly icon: IconName;
  readonly children: ReactNode;
}

/** A link that looks like a button, or the disabled button in its place. */
export function OfferedLink({ offer: { isKnown, denial }, to, icon, children, ...rest }: OfferedLinkProps) {
  if (!isKnown) return null;
  const look = { ...rest, leftSection: <Icon name={icon} size={14} /> };
  if (denial === undefined) {
    return (
      <LinkButton to={to} {...look}>
        {children}
      </LinkButton>
    );
  }
  return (
    <Deniable reason={denial}>
      <Button {...look}>{children}</Button>
    </Deniable>
  );
}

interface OfferedItemProps {
  readonly denial: string | undefined;
  readonly icon: IconName;
  readonly isDanger?: boolean;
  act(): void;
  readonly children: string;
}

/** An item of a menu, with the reason below where it is disabled. */
export function OfferedItem({ denial, icon, isDanger = false, act, children }: OfferedItemProps) {
  const left = { leftSection: <Icon name={icon} /> };
  if (denial === undefined) {
    return (
      <Menu.Item {...left} {...(isDanger && { color: "red" })} onClick={act}>
        {children}
      </Menu.Item>
    );
  }
  return (
    <Menu.Item {...left} aria-disabled closeMenuOnClick={false}>
      {children}
      <Text size="xs" c="dimmed" maw={240}>
        {denial}
      </Text>
    </Menu.Item>
  );
}

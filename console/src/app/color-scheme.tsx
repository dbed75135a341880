/** Light, dark, or as the system has it. */
import { ActionIcon, Menu, Tooltip, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { Icon } from "../kit/icons.tsx";
import * as texts from "../texts/app.ts";

/** Color schemes that a user can choose. */
export const SCHEMES = [
  { value: "auto", label: texts.systemScheme },
  { value: "light", label: texts.lightScheme },
  { value: "dark", label: texts.darkScheme },
] as const;

/** The switch of the colour scheme. */
export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme("light");
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={texts.colorScheme}>
          <ActionIcon size="lg" aria-label={texts.colorScheme}>
            <Icon name={shown === "dark" ? "moon" : "sun"} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as typeof colorScheme)}>
          {SCHEMES.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

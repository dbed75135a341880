/** Light, dark, or as the system has it. */
import { ActionIcon, Menu, Tooltip, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { Icon } from "../kit/icons.tsx";

/** Color schemes that a user can choose. */
export const SCHEMES = [
  { value: "auto", label: "As the system" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;

/** The switch of the colour scheme. */
export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme("light");
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Tooltip label="Colour scheme">
          <ActionIcon size="lg" aria-label="Colour scheme">
            <Icon name={shown === "dark" ? "moon" : "sun"} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {SCHEMES.map(({ value, label }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={colorScheme === value}
            onClick={() => setColorScheme(value)}
            rightSection={colorScheme === value ? <Icon name="check" size={14} /> : undefined}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** How the console looks: one family of teal, quiet greys, small sizes, contrast of AA in both schemes. */
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";
import * as texts from "../texts/app.ts";

const teal: MantineColorsTuple = [
  "#ebf6f6",
  "#d6ecec",
  "#aed8d9",
  "#82c2c4",
  "#5db0b3",
  "#3a9a9e",
  "#1f8489",
  "#14747a",
  "#0f6167",
  "#0a4d52",
];

const dark: MantineColorsTuple = [
  "#dfe3e8",
  "#c3c9d1",
  "#a3acb8",
  "#7c8794",
  "#3a424c",
  "#2a3038",
  "#20252b",
  "#171a1f",
  "#111418",
  "#0b0d10",
];

/** Darker than Mantine's, so that it can be read on white. */
const red: MantineColorsTuple = [
  "#fdecec",
  "#f9d5d5",
  "#f2a9a9",
  "#ea7b7b",
  "#e58a8a",
  "#d64545",
  "#cc3333",
  "#c22a2a",
  "#ab2222",
  "#921a1a",
];

const small = { defaultProps: { size: "sm" } };

/** Mantine's theme. */
export const theme = createTheme({
  colors: { teal, red, dark },
  primaryColor: "teal",
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  defaultRadius: "sm",
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.25rem" },
  headings: {
    fontWeight: "620",
    sizes: {
      h1: { fontSize: "1.375rem", lineHeight: "1.3" },
      h2: { fontSize: "1.0625rem", lineHeight: "1.4" },
      h3: { fontSize: "0.9375rem", lineHeight: "1.4" },
    },
  },
  respectReducedMotion: true,
  cursorType: "pointer",
  // By their names and not by `extend`: what is imported here is in everybody's first load.
  components: {
    Alert: { styles: { title: { color: "var(--mantine-color-text)" } } },
    Button: { defaultProps: { size: "xs" } },
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray" } },
    Badge: { defaultProps: { variant: "default", radius: "sm", tt: "none", fw: 500 } },
    Tooltip: { defaultProps: { openDelay: 250, withArrow: true, multiline: true } },
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.45 },
        closeButtonProps: { "aria-label": texts.close },
        // It is the head of the dialog, and not of the page.
        attributes: { header: { role: "none" } },
      },
      styles: { title: { fontWeight: 600, lineHeight: 1.35 } },
    },
    // Its placeholder for the focus would be an element of the menu that is no item.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": texts.close } } },
    TextInput: small,
    Textarea: small,
    NumberInput: small,
    Select: { ...small, styles: { input: { textOverflow: "ellipsis" } } },
  },
});

/** Colours of which Mantine's own are too pale to be read by everybody. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { "--row-height": "40px", "--header-height": "48px" },
  light: {
    "--mantine-color-dimmed": "#586270",
    "--mantine-color-placeholder": "#6b7480",
    "--mantine-color-error": "#c22a2a",
    "--warning": "#94480a",
    "--surface": "#ffffff",
    "--surface-sunken": "#f6f7f8",
    "--line": "#e1e5e9",
    "--line-strong": "#c9d0d7",
    "--row-hover": "#f2f6f6",
    "--row-selected": "#e4f2f2",
    "--added": "#e2f4e6",
    "--removed": "#fbe5e5",
    "--added-text": "#1b5e2c",
    "--removed-text": "#8f1d1d",
  },
  dark: {
    "--mantine-color-dimmed": "#a3acb8",
    "--mantine-color-placeholder": "#8b95a1",
    "--mantine-color-error": "#ff8f8f",
    "--mantine-color-anchor": "#82c2c4",
    "--warning": "#f0b26b",
    "--surface": "#1b1f24",
    "--surface-sunken": "#14171b",
    "--line": "#2a3038",
    "--line-strong": "#3a424c",
    "--row-hover": "#21272d",
    "--row-selected": "#1c3335",
    "--added": "#173322",
    "--removed": "#3d1d1f",
    "--added-text": "#a9e2b8",
    "--removed-text": "#f5b5b5",
  },
});

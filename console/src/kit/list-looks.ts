/** Columns, density and panel of lists, which the browser remembers. */
import { useLocalStorage } from "@mantine/hooks";

export type Density = "comfortable" | "compact";

/** Height of a row in pixels. */
export const ROW_HEIGHTS: Readonly<Record<Density, number>> = { comfortable: 40, compact: 30 };

/** Returns the density of all lists, and a function that changes it. */
export function useDensity(): readonly [Density, (density: Density) => void] {
  const [kept, keep] = useLocalStorage({
    key: "tessera-density",
    defaultValue: "comfortable",
    getInitialValueInEffect: false,
  });
  return [kept === "compact" ? "compact" : "comfortable", keep];
}

/** Returns whether lists show the panel of a row beside them, and a function that changes it. */
export function useKeptPanel(): readonly [boolean, (isOpen: boolean) => void] {
  const [kept, keep] = useLocalStorage({ key: "tessera-panel", defaultValue: "", getInitialValueInEffect: false });
  return [kept === "open", (isOpen) => keep(isOpen ? "open" : "")];
}

/** Width from which the panel has room beside a list. */
export const PANEL_FITS = "(min-width: 75em)";

/** Returns the remembered columns of a list, separated by commas and empty for the default, and a function that changes them. */
export function useKeptColumns(noun: string): readonly [string, (columns: string) => void] {
  const [kept, keep] = useLocalStorage({
    key: `tessera-columns-${noun}`,
    defaultValue: "",
    getInitialValueInEffect: false,
  });
  return [typeof kept === "string" ? kept : "", keep];
}

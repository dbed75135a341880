/** The console's icons: drawn for it, as lines in a square of 24. */
import type { CSSProperties } from "react";

const PATHS = {
  home: "M4 11l8-7 8 7M6 9.5V20h12V9.5M10 20v-6h4v6",
  tag: "M4 4h8l8 8-8 8-8-8zM8.5 8.5h.01",
  workspace: "M4 5h16v10H4zM9 20h6M12 15v5",
  project: "M3 7h6l2 2h10v10H3z",
  organization: "M4 20V5h9v15M13 9h7v11M7 9h3M7 13h3M7 17h3M16 13h1M16 17h1M3 20h18",
  key: "M8 10a4 4 0 1 1 0 8 4 4 0 0 1 0-8M11 11L20 4M16.5 7l2.5 3M13.5 9.3l1.8 2.3",
  policy: "M6 3h9l4 4v14H6zM14 3v5h5M9 12h6M9 16h6",
  role: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8M5 20c.5-4 3-6 7-6s6.5 2 7 6",
  method: "M10 4H5v16h5M14 8l4 4-4 4M18 12H9",
  rule: "M5 6h5v5H5zM14 13h5v5h-5zM10 8.5h3.5a3 3 0 0 1 3 3V13",
  namespace: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5",
  partition: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  template: "M5 4h14v16H5zM5 9h14M10 9v11",
  audit: "M12 4a8 8 0 1 1-7.5 5.2M4 4v5h5M12 8v4.5l3 2",
  why: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.900-1.1 1.8M12 16.5h.01",
  workbench: "M9 3v6l-5 9a2 2 0 0 0 2 3h12a2 2 0 0 0 2-3l-5-9V3M8 3h8M7 15h10",
  session: "M4 5h16v11H4zM9 20h6M8 9l2.5 1.5L8 12M12.5 12.5H16",
  search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14M16 16l4.5 4.5",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12.5l4.5 4.5L19 7.5",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  panel: "M4 5h16v14H4zM14 5v14",
  columns: "M4 5h16v14H4zM9.5 5v14M14.5 5v14",
  filter: "M4 5h16l-6.5 8v6l-3-1.5V13z",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5",
  help: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.900-1.1 1.8M12 16.5h.01",
  down: "M6 9l6 6 6-6",
  up: "M6 15l6-6 6 6",
  right: "M9 6l6 6-6 6",
  left: "M15 6l-6 6 6 6",
  more: "M5 11.5v1M12 11.5v1M19 11.5v1M4.5 12h1M11.5 12h1M18.5 12h1",
  alert: "M12 4l9 16H3zM12 10v5M12 17.5h.01",
  lock: "M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3",
  out: "M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9",
  code: "M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14",
  history: "M12 4a8 8 0 1 1-7.5 5.2M4 4v5h5M12 8v4.5l3 2",
  link: "M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1",
  refresh: "M20 6v5h-5M4 18v-5h5M6 9a7 7 0 0 1 12-2l2 4M18 15a7 7 0 0 1-12 2l-2-4",
  menu: "M4 7h16M4 12h16M4 17h16",
  eye: "M2.5 12C5 7.5 8 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.5 6.5-9.5 6.5s-7-2-9.5-6.5M12 9.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5",
  clock: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17M12 8v4.5l3 2",
  terminal: "M4 5h16v14H4zM7.5 9.5L10 12l-2.5 2.5M12.5 15H16",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof PATHS;

/** An icon. It says nothing to screen readers: what it stands beside, or stands on, has a name. */
export function Icon({ name, size = 16, style }: { name: IconName; size?: number; style?: CSSProperties }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      style={{ flex: "none", ...style }}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

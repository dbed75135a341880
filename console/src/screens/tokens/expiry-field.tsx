/** When a new token expires: after a usual time, at the end of a day, after a typed time, or never. */
import { Group, Select, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { DEFAULT_TTL, ttlUntil, UNCHOSEN } from "./expiry.ts";
import * as texts from "../../texts/tokens.ts";

const PRESETS = [
  { value: "168h", label: texts.week },
  { value: "720h", label: texts.month },
  { value: "2160h", label: texts.quarter },
  { value: UNCHOSEN, label: texts.onDate },
  { value: "other", label: texts.otherTtl },
  { value: "", label: texts.never },
];

interface ExpiryProps {
  /** TTL; empty for none. */
  readonly value: string;
  onChange(ttl: string): void;
  readonly error?: ReactNode;
}

/** The field. Its value is a TTL, whatever the user chooses it by. */
export function ExpiryField({ value, onChange, error }: ExpiryProps) {
  const [way, setWay] = useState(() => (PRESETS.some((preset) => preset.value === value) ? value : "other"));
  const [day, setDay] = useState("");
  const [today] = useState(() => dayOf(Date.now()));
  const choose = (next: string | null) => {
    setWay(next ?? DEFAULT_TTL);
    setDay("");
    onChange(next === "other" ? texts.ttlExample : (next ?? DEFAULT_TTL));
  };
  return (
    <Group gap="sm" align="flex-end">
      <Select label={texts.expires} data={PRESETS} value={way} onChange={choose} allowDeselect={false} maw={240} />
      {way === "other" && (
        <TextInput
          label={texts.ttl}
          placeholder={texts.ttlExample}
          value={value}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {way === UNCHOSEN && (
        <TextInput
          type="date"
          label={texts.lastDay}
          value={day}
          error={error}
          min={today}
          onChange={(event) => {
            setDay(event.currentTarget.value);
            onChange(ttlUntil(event.currentTarget.value, Date.now()) ?? UNCHOSEN);
          }}
        />
      )}
    </Group>
  );
}

function dayOf(time: number): string {
  const at = new Date(time);
  return new Date(time - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

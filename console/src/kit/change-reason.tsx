/** Reason for a change of many permissions: the impact requests it, and the form sends it with the write. */
import { Textarea } from "@mantine/core";
import { createContext, useCallback, useContext, useEffect, useRef, useState, type ReactNode } from "react";
import * as texts from "../texts/kit-forms.ts";

/** State of the request: the impact is not known yet, or it requires a reason or none. */
export type ReasonState = "none" | "loading" | "requested";

const Request = createContext<(state: ReasonState) => void>(() => undefined);

/** Tells the form or dialog around it whether the change requires a reason. */
export function useReasonRequest(state: ReasonState): void {
  const request = useContext(Request);
  useEffect(() => request(state), [request, state]);
  useEffect(() => () => request("none"), [request]);
}

/** Limit of the server. */
const LONGEST = 500;

/** Returns the reason that is typed, its field, and `confirm`, which runs a write when nothing is missing. */
export function useChangeReason() {
  const [state, setState] = useState<ReasonState>("none");
  const [text, setText] = useState("");
  const [complaints, setComplaints] = useState(0);
  const [isWaiting, setWaiting] = useState(false);
  const waiting = useRef<() => void>(undefined);
  const field = useRef<HTMLTextAreaElement>(null);
  const typed = useRef("");
  const complain = useCallback(() => setComplaints((count) => count + 1), []);
  // After the field is drawn, which may be by the change that complains.
  useEffect(() => {
    if (complaints > 0) field.current?.focus();
  }, [complaints]);
  const request = useCallback(
    (next: ReasonState) => {
      setState(next);
      if (next === "loading") return;
      const run = waiting.current;
      waiting.current = undefined;
      setWaiting(false);
      if (run === undefined) return;
      if (next === "requested" && typed.current === "") complain();
      else run();
    },
    [complain],
  );
  const reason = state === "requested" ? text.trim() : "";
  const confirm = (run: () => void) => {
    if (state === "loading") {
      waiting.current = run;
      setWaiting(true);
    } else if (state === "requested" && reason === "") complain();
    else run();
  };
  const input = state === "requested" && (
    <Textarea
      ref={field}
      label={texts.reason}
      description={texts.reasonHint}
      withAsterisk
      autosize
      minRows={2}
      mt="md"
      maxLength={LONGEST}
      value={text}
      error={complaints > 0 && reason === "" ? texts.reasonMissing : undefined}
      onChange={(event) => {
        const value = event.currentTarget.value.replaceAll(/\s/g, " ");
        typed.current = value.trim();
        setText(value);
      }}
    />
  );
  return { reason, input, confirm, isWaiting, request };
}

/** Receives the requests of the impact that it contains. */
export function ReasonRequests({ request, children }: { request(state: ReasonState): void; children: ReactNode }) {
  return <Request.Provider value={request}>{children}</Request.Provider>;
}

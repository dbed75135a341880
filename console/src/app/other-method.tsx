/** Signing in by an auth method that is named by hand: of another namespace, or where the server offers none. */
import { Button, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { useState, type SyntheticEvent } from "react";
import { DEFAULT_SCOPE, scopeOfAddress } from "../base/address.ts";
import { JwtField, loginBy } from "./jwt-form.tsx";
import type { SignInMethod } from "../base/session.ts";
import { Leaves, type FormProps } from "./sign-in-form.tsx";
import * as texts from "../texts/app.ts";

interface OtherMethodProps extends FormProps {
  /** Whether the server has namespaces and partitions. */
  readonly isEnterprise: boolean;
  /** Whether there is a page below, which a provider takes the place of. */
  readonly isOver: boolean;
  /** Goes to the provider of a method of type oidc. */
  leave(method: SignInMethod): void;
}

/** Form for the scope and the name of an auth method, and for the JWT of a method of type jwt. */
export function OtherMethod({ isEnterprise, isOver, isBusy, submit, leave }: OtherMethodProps) {
  const [asked, setAsked] = useState(() => ({ ...scopeOfAddress(), name: "", jwt: "" }));
  const [type, setType] = useState("oidc");
  const write = (name: keyof typeof asked) => (value: string) => setAsked((now) => ({ ...now, [name]: value }));
  const field = (name: keyof typeof asked, label: string) => (
    <TextInput
      label={label}
      value={asked[name]}
      onChange={(event) => write(name)(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
      className="mono"
    />
  );
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    const method = { Name: asked.name.trim(), Type: type, ...(isEnterprise ? placed(asked) : {}) };
    if (type === "oidc") leave(method);
    else submit(loginBy(method, asked.jwt));
  };
  const isWhole = asked.name.trim() !== "" && (type === "oidc" || asked.jwt.trim() !== "");
  return (
    <form onSubmit={send} aria-label={texts.otherMethod}>
      <Stack gap="sm">
        {isEnterprise && field("partition", texts.partition)}
        {isEnterprise && field("namespace", texts.namespace)}
        {field("name", texts.methodName)}
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label={texts.methodType}
          value={type}
          onChange={setType}
          data={["oidc", "jwt"]}
        />
        {type === "oidc" && isOver && <Leaves />}
        {type === "jwt" && <JwtField value={asked.jwt} onChange={write("jwt")} />}
        <Button type="submit" size="sm" loading={isBusy} disabled={!isWhole}>
          {texts.signInWithMethod}
        </Button>
      </Stack>
    </form>
  );
}

function placed({ partition, namespace }: { partition: string; namespace: string }) {
  return {
    Partition: partition.trim() || DEFAULT_SCOPE.partition,
    Namespace: namespace.trim() || DEFAULT_SCOPE.namespace,
  };
}

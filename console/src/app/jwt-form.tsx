/** Sign-in with a JWT. Few users need it, so its code loads when they open it. */
import { Button, Select, Stack, Textarea } from "@mantine/core";
import { useState, type SyntheticEvent } from "react";
import { nameOf, type FormProps } from "./sign-in-form.tsx";
import type { Credentials, SignInMethod } from "../base/session.ts";
import * as texts from "../texts/app.ts";

/** The auth method, and the JWT for it. */
export function JwtForm({ methods, isBusy, submit }: FormProps & { methods: readonly SignInMethod[] }) {
  const [index, setIndex] = useState("0");
  const [text, setText] = useState("");
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    const method = methods[Number(index)];
    if (method === undefined) return;
    submit(loginBy(method, text));
  };
  return (
    <form onSubmit={send}>
      <Stack gap="sm">
        <Select
          label={texts.authMethod}
          data={methods.map((method, at) => ({ value: String(at), label: nameOf(method) }))}
          value={index}
          onChange={(value) => setIndex(value ?? "0")}
          allowDeselect={false}
        />
        <JwtField value={text} onChange={setText} />
        <Button type="submit" size="sm" loading={isBusy} disabled={text.trim() === ""}>
          {texts.signIn}
        </Button>
      </Stack>
    </form>
  );
}

/** Text field for a JWT. */
export function JwtField({ value, onChange }: { value: string; onChange(value: string): void }) {
  return (
    <Textarea
      label={texts.jwt}
      placeholder={texts.jwtExample}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      rows={5}
      autoComplete="off"
      spellCheck={false}
      className="mono"
    />
  );
}

/** Returns the credentials for a sign-in with an auth method of type jwt. */
export function loginBy({ Name, Namespace, Partition }: SignInMethod, jwt: string): Credentials {
  return {
    AuthMethod: Name,
    // A JWT that was copied from a terminal has line breaks in it.
    BearerToken: jwt.replaceAll(/\s/g, ""),
    ...(Namespace === undefined ? {} : { Namespace }),
    ...(Partition === undefined ? {} : { Partition }),
  };
}

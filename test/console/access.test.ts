/** The screens of access control in a browser: each kind is made, looked at, changed and deleted as people do it. */
import { createClient } from "@tessera-server/client";
import { expect, it } from "vitest";
import { COPIED, pathOfCopied, withoutOwn } from "./copies.ts";
import { option } from "./forms.ts";
import { signIn } from "./open.ts";
import { typeRules } from "./draft-rules.ts";
import { inBrowser, title, useConsole } from "./use-console.ts";

const HOSTILE = "<script>alert(1)</script> 🔑 مفتاح =1+1";

const at = useConsole({ isSeeded: true });

inBrowser("screens of access control", () => {
  it("makes a policy and a role of it, changes the role after a diff, shows what uses the policy and what was done", async () => {
    const { page, go } = await at.open("access/default/default/policies/new");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("mailers");
    await page.getByLabel("Description", { exact: true }).fill(HOSTILE);
    await typeRules(page, 'service "mail" {\n  policy = "write"\n}\n');
    await page.getByRole("button", { name: "Create policy" }).click();
    await title(page, "mailers");
    await expect.poll(async () => page.getByText(HOSTILE, { exact: true }).count()).toBe(1);
    const made = await at.client.policies.readByName({ name: "mailers" });
    expect([made.Description, made.Rules]).toEqual([HOSTILE, 'service "mail" {\n  policy = "write"\n}\n']);

    await go("access/default/default/roles/new");
    await page.getByLabel("Name", { exact: true }).fill("x".repeat(256));
    await page.getByPlaceholder("Type to search").fill("mailers");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Create role" }).click();
    await title(page, "x".repeat(256));
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Description", { exact: true }).fill("Whoever sends mail");
    await page.getByLabel("Name", { exact: true }).fill("senders");
    const changes = page.getByRole("region", { name: "Changes", exact: true });
    await expect.poll(async () => changes.textContent()).toContain("senders");
    await page.getByRole("button", { name: "Save changes (2)" }).click();
    await title(page, "senders");
    await page.getByRole("tab", { name: "History" }).click();
    await page.getByText("added: ").first().waitFor({ state: "attached" });
    await expect.poll(async () => page.getByText("Whoever sends mail").count()).toBe(1);

    await go(`access/default/default/policies/${made.ID}?tab=uses`);
    await page.getByRole("link", { name: "senders" }).waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByText("1 role", { exact: true }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await title(page, "Policies");
    expect((await at.client.roles.readByName({ name: "senders" })).Policies ?? []).toEqual([]);
  });

  for (const copied of COPIED) {
    const { noun, plural, make, read, use, said, left } = copied;
    it(`duplicates one of ${plural.toLowerCase()} with all that it has, and deletes it after it was said what depends on it`, async () => {
      const { page, go } = await at.open();
      const name = `copied-${noun}`;
      const key = await make(at.client, name);
      const original = await read(at.client, key);
      await go(pathOfCopied(copied, key));
      await page.getByRole("link", { name: "Duplicate" }).click();
      await page.getByRole("button", { name: /^Create / }).click();
      if (noun === "tokens") await page.getByRole("button", { name: "I saved the secret" }).click();
      await page.getByRole("tab", { name: "Overview" }).waitFor();
      const copy = decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1) ?? "");
      expect(copy).not.toBe(key);
      expect(withoutOwn(await read(at.client, copy))).toEqual(withoutOwn(original));
      expect(await read(at.client, key)).toEqual(original);

      const users = await use?.(at.client, name);
      await go(pathOfCopied(copied, key));
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      const dialog = page.getByRole("dialog");
      for (const words of said) await expect.poll(async () => dialog.textContent()).toContain(words);
      expect(await read(at.client, key)).toEqual(original);
      const typed = dialog.getByRole("textbox", { name: /^Type .* to confirm$/ });
      if (["auth-methods", "namespaces", "partitions"].includes(noun)) await typed.fill(name);
      await dialog.getByRole("button", { name: "Delete" }).click();
      await title(page, plural);
      await expect.poll(async () => read(at.client, key)).toBe("gone");
      if (users !== undefined) await expect.poll(users).toEqual(left);
      expect(await read(at.client, copy)).not.toBe("gone");
    });
  }

  it("shows as Terraform where a token is made, and when it ends", async () => {
    const { page } = await at.open("access/default/payments/tokens/new");
    await page.getByRole("textbox", { name: "Description", exact: true }).fill("ci");
    await option(page, "Expires", "after another time");
    await page.getByRole("textbox", { name: "TTL" }).fill("1h30m");
    await page.getByRole("tab", { name: "Terraform" }).click();
    const code = page.getByLabel("Code for Terraform");
    await expect.poll(async () => code.textContent()).toContain('resource "consul_acl_token" "ci" {');
    const lines = ((await code.textContent()) ?? "").split("\n").map((line) => line.trim().replace(/ +=/, " ="));
    expect(lines).toContain('namespace = "payments"');
    expect(lines.join("\n")).not.toContain("partition");
    const [, ends = ""] = /expiration_time = "(.+)"/.exec(lines.join("\n")) ?? [];
    const minutes = (Date.parse(ends) - Date.now()) / 60_000;
    expect([minutes > 80, minutes <= 91]).toEqual([true, true]);
  });

  it("offers to change the namespace default, and not to delete it", async () => {
    const { page } = await at.open("access/default/default/namespaces/default");
    await title(page, "default");
    await page.getByRole("link", { name: "Edit" }).waitFor();
    expect(await page.getByRole("button", { name: "More" }).count()).toBe(0);
  });

  it("rotates a secret, finds the old one among leaked ones, revokes by a filter after a preview", async () => {
    const { page, go } = await at.open();
    const token = await at.client.tokens.create({ body: { Description: "Goes soon, first" } });
    await at.client.tokens.create({ body: { Description: "Goes soon, second" } });
    await go(`access/default/default/tokens/${token.AccessorID}`);
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Rotate secret" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
    const secret = (await page.locator("[data-secret]").textContent()) ?? "";
    await page.getByRole("button", { name: "I saved the secret" }).click();
    expect(secret).toMatch(/^[0-9a-f-]{36}$/);
    expect(secret).not.toBe(token.SecretID);
    const own = createClient({ address: at.url, token: secret });
    expect((await own.tokens.readOwn()).AccessorID).toBe(token.AccessorID);

    await go("access/default/default/tokens/leaked");
    await page.getByLabel("Secrets", { exact: true }).fill(`not-one\n${token.SecretID}\n${secret}`);
    await page.getByRole("button", { name: "Check 3 secrets" }).click();
    await page.getByText("2 secrets are valid.").waitFor();
    await expect.poll(async () => page.getByText(/Line 2: .*old secret/).count()).toBe(1);

    await go("access/default/default/tokens/revoke");
    await page.getByLabel("Description contains").fill("Goes soon");
    await page.getByRole("button", { name: "Revoke 2 tokens" }).click();
    await page.getByText("Revoked 2 of 2 tokens.").waitFor({ timeout: 30_000 });
    await expect(own.tokens.readOwn()).rejects.toThrow();

    await go("access/default/default/templated-policies/builtin%2Fservice");
    await page.getByLabel("Name", { exact: true }).fill("checkout");
    await expect
      .poll(async () => page.getByLabel("policy rules", { exact: true }).textContent())
      .toContain('service "checkout"');
  });

  it("offers a reader nothing that writes, and shows a search, a sort and columns from the address alone", async () => {
    const reader = await at.client.tokens.create({ body: { Description: "Reads", Policies: [{ Name: "auditors" }] } });
    const window = await at.openSignedOut();
    await window.go("access/default/default/roles?q=w&sort=-Name&columns=name,id");
    await signIn(window, reader.SecretID);
    const { page } = window;
    await page.getByRole("link", { name: "web-team" }).waitFor();
    expect(await page.getByRole("columnheader").allTextContents()).toEqual(
      ["Name", "ID"].map((name) => expect.stringContaining(name)),
    );
    expect(await page.getByRole("link", { name: "New role" }).count()).toBe(0);
    await window.go(`access/default/default/roles/${at.seeded.role}`);
    await title(page, "web-team");
    expect(await page.getByRole("link", { name: /Edit|Duplicate/ }).count()).toBe(0);
  });
});

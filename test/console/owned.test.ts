/** The console changes an object that a directory of declared files owns only after somebody has said to take it over. */
import { expect, it } from "vitest";
import { text } from "./forms.ts";
import { editor, policy } from "./objects.ts";
import { inBrowser, useConsole } from "./use-console.ts";

const at = useConsole({});

inBrowser("incident 81: an object that a directory owns", () => {
  it("is saved after its owner was shown and Take over was chosen, and that counts once", async () => {
    const name = "owned-in-files";
    const id = await policy.setUp(at.client, name);
    const Objects = [`policy default/default/${name}`];
    const { ID } = await at.client.declarations.create({ body: { Name: "harbour", Objects } });
    const now = async () => (await at.client.policies.read({ id })).Description;
    try {
      const { page } = await at.open(editor("policies").path({ name, id }));
      const save = page.getByRole("button", { name: /^Save changes/ });
      const refused = page.getByRole("alert").filter({ hasText: "Managed by harbour" });
      for (const description of ["mine", "mine again"]) {
        const before = await now();
        if (description !== "mine") await page.goto(page.url().replace(/\/policies\/.*/, `/policies/${id}/edit`));
        await text(page, "Description", description);
        await save.click();
        await refused.waitFor();
        expect(await now()).toBe(before);
        await refused.getByRole("button", { name: "Take over" }).click();
        await save.click();
        await expect.poll(now).toBe(description);
      }
    } finally {
      await at.client.declarations.delete({ id: ID });
      await at.client.policies.delete({ id });
    }
  });
});

/** The program as its next version might be: the same with two migrations more. */
import { MIGRATIONS } from "../../src/storage/migrations/migrate.ts";
import type { Migration } from "../../src/storage/migrations/migration.ts";
import { NEXT_MIGRATIONS } from "../support/next-migrations.ts";

(MIGRATIONS as Migration[]).push(...NEXT_MIGRATIONS);
await import("../../src/main.ts");

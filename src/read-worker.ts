/** The file of SQLite's threads for long reads, and of what is worked on there. */
import { ALIKE_TAGS } from "./tags/pool/alike/groups.ts";
import { EXACT_NAMES, SUBJECTS_WITH_ACCESS } from "./authzen/find.ts";
import { IDENTITIES_WITH_ACCESS } from "./authzen/identities.ts";
import { WHO_MAY } from "./explain/access/find.ts";
import { WHO_CHANGES } from "./explain/effect/find.ts";
import { TOKEN_TEXTS } from "./acl/tokens/list-text.ts";
import { KEY_COVERAGE } from "./tags/rules/coverage.ts";
import { COVERAGE_OF_DAY } from "./tags/rules/days/count.ts";
import { PROJECT_COVERAGE } from "./tags/rules/projects.ts";
import { DRAFT_EFFECT } from "./tags/rules/draft.ts";
import { FALLING_SHORT, SHORTCOMINGS } from "./tags/rules/report.ts";
import { serveReads } from "./storage/sqlite/reading-thread.ts";
import { EXPORT_TEXTS } from "./tags/files/export-text.ts";
import { TIGHTEN_POLICY, TIGHTEN_ROLE } from "./use/tighten/find.ts";
import { REPLAY } from "./use/replay/find.ts";
import { WORKSPACE_TEXTS } from "./workspaces/list-text.ts";

serveReads([
  SUBJECTS_WITH_ACCESS,
  IDENTITIES_WITH_ACCESS,
  EXACT_NAMES,
  WHO_MAY,
  WHO_CHANGES,
  TIGHTEN_POLICY,
  TIGHTEN_ROLE,
  REPLAY,
  TOKEN_TEXTS,
  ALIKE_TAGS,
  EXPORT_TEXTS,
  DRAFT_EFFECT,
  FALLING_SHORT,
  KEY_COVERAGE,
  COVERAGE_OF_DAY,
  PROJECT_COVERAGE,
  SHORTCOMINGS,
  WORKSPACE_TEXTS,
]);

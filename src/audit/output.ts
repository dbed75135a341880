/** All that becomes of audit records behind the answers: heads are signed, sinks are fed, what is too old is pruned. */
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { MetricRegistry } from "../metrics.ts";
import type { ClockWatch } from "../storage/clock/watch.ts";
import type { Database } from "../storage/database.ts";
import { type Background, startRemoval } from "../storage/operator/removal.ts";
import { createTargets } from "../outbound/targets.ts";
import { startHeads } from "../records/heads.ts";
import { oldAuditRecords } from "../records/retention.ts";
import { createFileSink } from "../records/sinks/file.ts";
import { followAudit, type SinkProgress } from "../records/sinks/follow.ts";
import type { AuditSink } from "../records/sinks/sink.ts";
import { createWebhookSink } from "../records/sinks/webhook.ts";

type OutputConfig = Pick<
  Config,
  | "auditFile"
  | "auditWebhook"
  | "auditWebhookSecret"
  | "auditRetention"
  | "auditRefusedReads"
  | "outboundAllow"
  | "nameServers"
>;

/** How it is, for the metrics. */
export interface AuditOutputProgress {
  /** Chains that do not hold what was signed. */
  brokenChains(): number;
  file?: () => SinkProgress;
  webhook?: () => SinkProgress;
}

/** Progress of a sink before anything has started. */
export const NOTHING_GIVEN: SinkProgress = { behindRecords: 0, behindSeconds: 0, failures: 0 };

export interface AuditOutput extends AuditOutputProgress, Background {
  /** Begins the file anew, which was given another name. */
  reopen(): void;
}

/** Starts it. @param clock by which records are pruned */
export function startAuditOutput(
  db: Database,
  config: OutputConfig,
  log: Logger,
  clock: Pick<ClockWatch, "pruningNow" | "holding">,
): AuditOutput {
  const heads = startHeads(db, {
    onBroken: (chain, seq) =>
      log.error({ chain, seq }, "the chain of audit records is not what was signed: see tessera audit verify"),
    onError: (error) => log.error({ err: error }, "heads of audit records cannot be signed"),
  });
  const feed = (name: string, sink: AuditSink) =>
    followAudit(db, sink, {
      onState: (failure) => {
        if (failure === undefined) log.info(`the audit ${name} takes records again`);
        else log.error({ reason: failure }, `the audit ${name} does not take records; they are kept until it does`);
      },
      onError: (error) => log.error({ err: error }, `the audit ${name} cannot be fed`),
    });
  const { auditFile, auditWebhook: url, auditWebhookSecret: secret } = config;
  const fileSink = auditFile === undefined ? undefined : createFileSink(auditFile);
  const file = fileSink && feed("file", fileSink);
  const ask = createTargets(config)("audit webhook");
  const webhook = url === undefined ? undefined : feed("webhook", createWebhookSink({ url, secret, ask, now: db.now }));
  const retention = {
    keepMs: config.auditRetention,
    keepRefusedReadsMs: config.auditRefusedReads,
    now: clock.pruningNow,
  };
  const removal = startRemoval(db, clock.holding(oldAuditRecords(db, retention)), (error) =>
    log.error({ err: error }, "old audit records cannot be removed"),
  );
  return {
    brokenChains: heads.broken,
    ...(file && { file: () => file.progress() }),
    ...(webhook && { webhook: () => webhook.progress() }),
    reopen: () => fileSink?.reopen(),
    async stop() {
      await Promise.all([heads, removal, file, webhook].map(async (work) => work?.stop()));
    },
  };
}

/** Adds the numbers of the sinks that there are. */
export function measureAuditOutput({ gauge }: Pick<MetricRegistry, "gauge">, progress: AuditOutputProgress): void {
  gauge(
    "tessera_audit_broken_chains",
    "Chains of audit records that do not hold what a server has signed",
    progress.brokenChains,
  );
  for (const name of ["file", "webhook"] as const) {
    const read = progress[name];
    if (read === undefined) continue;
    const prefix = `tessera_audit_${name}`;
    const records = "Audit records that the sink has still to be given";
    gauge(`${prefix}_behind_records`, records, () => read().behindRecords);
    gauge(`${prefix}_behind_seconds`, "Age of the oldest of them", () => read().behindSeconds);
    gauge(`${prefix}_failures`, "Deliveries of this process that the sink did not take", () => read().failures);
  }
}

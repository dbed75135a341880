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
    onBroken: (chain, seq) => log.error({ chain, seq }, "audit chain verification failed; run tessera audit verify"),
    onError: (error) => log.error({ err: error }, "cannot sign audit chains"),
  });
  const feed = (name: string, sink: AuditSink) =>
    followAudit(db, sink, {
      onState: (failure) => {
        if (failure === undefined) log.info(`audit ${name} available again`);
        else log.error({ reason: failure }, `audit ${name} unavailable; records are queued`);
      },
      onError: (error) => log.error({ err: error }, `cannot send records to the audit ${name}`),
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
    log.error({ err: error }, "cannot delete old audit records"),
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
  gauge("tessera_audit_broken_chains", "Number of audit chains that failed verification", progress.brokenChains);
  for (const name of ["file", "webhook"] as const) {
    const read = progress[name];
    if (read === undefined) continue;
    const prefix = `tessera_audit_${name}`;
    const records = "Number of audit records that wait for the sink";
    gauge(`${prefix}_behind_records`, records, () => read().behindRecords);
    gauge(
      `${prefix}_behind_seconds`,
      "Age of the oldest audit record that waits for the sink",
      () => read().behindSeconds,
    );
    gauge(`${prefix}_failures`, "Number of failed deliveries of this process to the sink", () => read().failures);
  }
}

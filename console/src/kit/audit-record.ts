/** A record of audit, as `GET /v1/audit` has it. */
export interface AuditRecord {
  readonly Time: string;
  readonly Outcome: "done" | "refused";
  readonly Action: string;
  readonly Kind: string;
  readonly ID: string;
  readonly Name?: string;
  readonly Namespace?: string;
  readonly Partition?: string;
  /** Name of the organization, for records of an organization. */
  readonly Organization?: string;
  readonly Actor: {
    readonly AccessorID?: string;
    readonly AuthMethod?: string;
    readonly Identity?: string;
    readonly Address?: string;
    readonly UserAgent?: string;
  };
  readonly RequestID?: string;
  readonly Route?: string;
  /** In the delta format of jsondiffpatch. */
  readonly Changes?: unknown;
  readonly Detail?: Readonly<Record<string, unknown>>;
  /** Its place in its chain, for who sees all of that. */
  readonly Chain?: string;
  readonly Seq?: number;
  readonly Hash?: string;
  /** It is not what was written, so its content is left out. */
  readonly Damaged?: boolean;
}

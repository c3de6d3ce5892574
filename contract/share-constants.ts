export const shareLimits = {
  /** The outputs of one link. */
  outputs: 8,
  minSeconds: 60,
  /** Links of an account that work at the same time. */
  perAccount: 1_000,
} as const;

/** Why somebody reports a shared file. */
const reportReasons = ["intimate", "person", "illegal", "copyright", "other"] as const;
export type ReportReason = (typeof reportReasons)[number];

/** `removing`: the file is barred, and its copies are being deleted. */
const reportStatuses = ["open", "removing", "removed", "dismissed"] as const;
export type ReportStatus = (typeof reportStatuses)[number];

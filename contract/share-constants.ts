export const shareLimits = {
  /** Most outputs of one link. */
  outputs: 8,
  minSeconds: 60,
  /** Most active links of an account. */
  perAccount: 1_000,
} as const;

/** Reasons for reporting a shared file. */
export const reportReasons = ["intimate", "person", "illegal", "copyright", "other"] as const;
export type ReportReason = (typeof reportReasons)[number];

/** `removing`: the file is barred, and its copies are being deleted. */
export const reportStatuses = ["open", "removing", "removed", "dismissed"] as const;
export type ReportStatus = (typeof reportStatuses)[number];

export const reportLimits = {
  commentLength: 2_000,
  emailLength: 254,
  /** Reports from one client address per hour. */
  perHour: 10,
  /** Open reports of one link, and of all links of an account. */
  openPerLink: 20,
  openPerAccount: 1_000,
} as const;

/** Texts of a report, for its schema and its form. */
export const reportFields = {
  comment: { maxLength: reportLimits.commentLength },
  email: { maxLength: reportLimits.emailLength, pattern: "^[^\\s@]+@[^\\s@]+$" },
} as const;

export const reportReasonLabels: Record<ReportReason, string> = {
  intimate: "An intimate image, shown without consent",
  person: "It shows or imitates a person who does not want that",
  illegal: "It is illegal",
  copyright: "It violates a copyright or trademark",
  other: "Something else",
};

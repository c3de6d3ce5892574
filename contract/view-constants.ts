/** The lists of the console whose filters can be saved as a view. */
export const viewLists = ["predictions", "deliveries", "requests"] as const;
export type ViewList = (typeof viewLists)[number];

/** Texts of a view, for its schema and its form. */
export const viewFields = { name: { minLength: 1, maxLength: 60, pattern: "\\S" } } as const;

export const viewLimits = {
  /** Most views that the account shares, and most that one member keeps. */
  perOwner: 50,
  filters: 20,
  filterNameLength: 40,
  filterLength: 600,
} as const;

/**
 * The constants of the status page. They are apart from the schemas because pages do not need the schemas.
 */

/** How many days of history the status page shows. */
export const statusDays = 30;

export const serviceStates = ["operational", "degraded", "down"] as const;
export type ServiceState = (typeof serviceStates)[number];

export const incidentImpacts = ["minor", "major", "maintenance"] as const;
export type IncidentImpact = (typeof incidentImpacts)[number];

export const incidentStatuses = ["investigating", "identified", "monitoring", "resolved"] as const;
export type IncidentStatus = (typeof incidentStatuses)[number];

export const incidentBounds = {
  models: 100,
  updates: 50,
  /** Most unresolved incidents. */
  open: 20,
  /** Most resolved incidents on the status page. */
  past: 20,
  /** How far in the past or future an incident may start. */
  startDays: 366,
} as const;

/** Texts of an incident, for its schemas and its forms. */
export const incidentFields = {
  title: { minLength: 1, maxLength: 200, pattern: "\\S" },
  text: { minLength: 1, maxLength: 2_000, pattern: "\\S" },
} as const;

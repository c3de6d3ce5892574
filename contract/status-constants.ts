/** The constants of the status page, without their schemas, which pages do not need. */

/** How many days the page looks back. */
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
  /** Incidents that are not resolved. */
  open: 20,
  /** Resolved ones on the status page. */
  past: 20,
  /** How far its start may be in the past or future. */
  startDays: 366,
} as const;

/** Texts of an incident, for its schemas and its forms. */
export const incidentFields = {
  title: { minLength: 1, maxLength: 200, pattern: "\\S" },
  text: { minLength: 1, maxLength: 2_000, pattern: "\\S" },
} as const;

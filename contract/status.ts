import { type Static, Type } from "typebox";
import { regionNames } from "./catalog-constants.ts";
import { closed, Deleted, ListOf, NoQuery, Nullable, PageQuery, Timestamp } from "./list.ts";
import type { Routes } from "./routes/route.ts";
import {
  incidentBounds,
  incidentFields,
  incidentImpacts,
  incidentStatuses,
  serviceStates,
  statusDays,
} from "./status-constants.ts";

const Share = Nullable(
  Type.Number({
    minimum: 0,
    maximum: 1,
    description: "share of valid runs that succeeded; null: no runs",
  }),
);

const State = Type.Enum(serviceStates, { description: "now" });

const Past = {
  state: State,
  share: Share,
  days: Type.Array(Type.Object({ day: Type.String({ format: "date" }), share: Share }), {
    description: `the last ${statusDays} days (UTC), oldest first`,
  }),
};

const StatusModel = Type.Object({
  model: Type.String(),
  display_name: Type.Optional(Type.String()),
  ...Past,
});
export type StatusModel = Static<typeof StatusModel>;

const StatusRegion = Type.Object({
  region: Type.Enum(regionNames),
  name: Type.String(),
  ...Past,
});
export type StatusRegion = Static<typeof StatusRegion>;

const IncidentUpdate = Type.Object({
  id: Type.String(),
  object: Type.Literal("incident_update"),
  status: Type.Enum(incidentStatuses),
  text: Type.String(),
  at: Timestamp,
});

export const Incident = Type.Object({
  id: Type.String(),
  object: Type.Literal("incident"),
  title: Type.String(),
  impact: Type.Enum(incidentImpacts),
  status: Type.Enum(incidentStatuses, { description: "state after the last update" }),
  models: Type.Array(Type.String(), { description: "affected models or regions; empty: all" }),
  regions: Type.Array(Type.Enum(regionNames), { description: "affected models or regions; empty: all" }),
  started_at: Timestamp,
  resolved_at: Nullable(Timestamp),
  created_at: Timestamp,
  updates: Type.Array(IncidentUpdate, { description: "newest first" }),
});
export type Incident = Static<typeof Incident>;

export const IncidentList = ListOf(Incident);

export const Status = Type.Object({
  object: Type.Literal("status"),
  at: Timestamp,
  state: Type.Enum(serviceStates, { description: "current state of all models together" }),
  models: Type.Array(StatusModel),
  regions: Type.Array(StatusRegion),
  incidents: Type.Array(Incident, {
    description: `current and announced incidents, then those resolved in the last ${statusDays} days`,
  }),
});
export type Status = Static<typeof Status>;

const Title = Type.String(incidentFields.title);

const Text = Type.String(incidentFields.text);

const Models = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  maxItems: incidentBounds.models,
  uniqueItems: true,
});

const Regions = Type.Array(Type.Enum(regionNames), { maxItems: regionNames.length, uniqueItems: true });

const StartedAt = Type.String({
  format: "date-time",
  description: "start; may be in the future, as for a maintenance; now by default",
});

export const IncidentCreate = Type.Object(
  {
    title: Title,
    impact: Type.Enum(incidentImpacts),
    models: Type.Optional(Models),
    regions: Type.Optional(Regions),
    started_at: Type.Optional(StartedAt),
    status: Type.Optional(Type.Enum(incidentStatuses, { default: "investigating" })),
    text: Text,
  },
  closed,
);
export type IncidentCreate = Static<typeof IncidentCreate>;

export const IncidentUpdateCreate = Type.Object(
  {
    status: Type.Enum(incidentStatuses, {
      description: "`resolved` ends the incident; another state reopens it",
    }),
    text: Text,
  },
  closed,
);
export type IncidentUpdateCreate = Static<typeof IncidentUpdateCreate>;

export const IncidentChange = Type.Object(
  {
    title: Type.Optional(Title),
    impact: Type.Optional(Type.Enum(incidentImpacts)),
    models: Type.Optional(Models),
    regions: Type.Optional(Regions),
    started_at: Type.Optional(StartedAt),
  },
  { ...closed, minProperties: 1 },
);
export type IncidentChange = Static<typeof IncidentChange>;

export const statusRoutes = {
  "GET /status": {
    summary: "Read the status of models and regions now and in the last 30 days, with incidents",
    extension: true,
    query: NoQuery,
    answers: { 200: Status },
  },
  "GET /public/status": {
    summary: "Read the status page without a credential, if the operator publishes it",
    public: true,
    limitedByAddress: true,
    extension: true,
    query: NoQuery,
    answers: { 200: Status },
  },
} as const satisfies Routes;

export const incidentRoutes = {
  "GET /operator/incidents": {
    summary: "List the incidents of the status page",
    operator: true,
    extension: true,
    query: PageQuery,
    answers: { 200: IncidentList },
  },
  "POST /operator/incidents": {
    summary: "Write an incident, or announce a maintenance",
    operator: true,
    extension: true,
    idempotent: true,
    byClick: true,
    body: IncidentCreate,
    answers: { 201: Incident },
  },
  "PATCH /operator/incidents/{id}": {
    summary: "Correct an incident",
    operator: true,
    extension: true,
    byClick: true,
    body: IncidentChange,
    answers: { 200: Incident },
  },
  "DELETE /operator/incidents/{id}": {
    summary: "Delete an incident with its updates",
    operator: true,
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
  "POST /operator/incidents/{id}/updates": {
    summary: "Update an incident or resolve it",
    operator: true,
    extension: true,
    idempotent: true,
    byClick: true,
    body: IncidentUpdateCreate,
    answers: { 201: Incident },
  },
} as const satisfies Routes;

import { Deleted, NoQuery, PageQuery } from "../list.ts";
import {
  Incident,
  IncidentChange,
  IncidentCreate,
  IncidentList,
  IncidentUpdateCreate,
  Status,
} from "../status.ts";
import type { Routes } from "./route.ts";

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
    byClick: true,
    body: IncidentUpdateCreate,
    answers: { 201: Incident },
  },
} as const satisfies Routes;

import { NoQuery, PageQuery } from "../list.ts";
import { OperatorAccountList, OperatorAccountQuery } from "../operator/accounts.ts";
import { ConfigurationChange, ConfigurationChangeList } from "../operator/changes.ts";
import { ProvidersFileExport, ProvidersFileImport, ProvidersFileImported } from "../operator/file.ts";
import { OperatorFirstSteps } from "../operator/first-steps.ts";
import { HealthQuery, HealthReport } from "../operator/health.ts";
import {
  RouteMapAll,
  RouteMapAllResult,
  RoutePreview,
  RoutePreviewRequest,
  RouteTable,
  RouteTableUpdate,
} from "../operator/routes.ts";
import { SigningStatus } from "../operator/signing.ts";
import { ReceiptKeys } from "../receipts.ts";
import type { Routes } from "./route.ts";

export const operatorAccountRoutes = {
  "GET /operator/accounts": {
    summary: "Find accounts by name, to choose which may use a model",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: OperatorAccountQuery,
    answers: { 200: OperatorAccountList },
  },
} as const satisfies Routes;

export const operatorHealthRoutes = {
  "GET /operator/health": {
    summary: "Read the health of the upstreams over the last minutes",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: HealthQuery,
    answers: { 200: HealthReport },
  },
} as const satisfies Routes;

export const operatorFirstStepsRoutes = {
  "GET /operator/first_steps": {
    summary: "Read which first steps of a new installation are done, and its public addresses",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: OperatorFirstSteps },
  },
} as const satisfies Routes;

export const operatorSigningRoutes = {
  "GET /operator/signing": {
    summary: "Read whether outputs are signed, and with which certificate",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: SigningStatus },
  },
} as const satisfies Routes;

export const operatorReceiptRoutes = {
  "GET /operator/receipt_keys": {
    summary: "List the public keys of receipts, as /.well-known/gatehouse-receipts.json shows them",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: ReceiptKeys },
  },
  "POST /operator/receipt_keys/rotate": {
    summary: "Sign receipts with a new key from now on; the old public key is kept",
    operator: true,
    extension: true,
    byClick: true,
    answers: { 200: ReceiptKeys },
  },
} as const satisfies Routes;

export const changeRoutes = {
  "GET /operator/changes": {
    summary: "List the changes of the configuration",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: PageQuery,
    answers: { 200: ConfigurationChangeList },
  },
  "POST /operator/changes/{id}/undo": {
    summary: "Undo a change, unless something later changed the same thing",
    operator: true,
    extension: true,
    byClick: true,
    answers: { 200: ConfigurationChange },
  },
} as const satisfies Routes;

export const operatorFileRoutes = {
  "GET /operator/file": {
    summary: "Export the console's providers and routes as a providers file, without keys",
    operator: true,
    extension: true,
    byClick: true,
    query: NoQuery,
    answers: { 200: ProvidersFileExport },
  },
  "POST /operator/file": {
    summary: "Import a providers file into the console",
    operator: true,
    extension: true,
    byClick: true,
    body: ProvidersFileImport,
    answers: { 200: ProvidersFileImported },
  },
} as const satisfies Routes;

export const operatorRouteRoutes = {
  "GET /operator/routes": {
    summary: "List the routes, which map operations to providers",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: RouteTable },
  },
  "PUT /operator/routes": {
    summary: "Replace the console's routes",
    operator: true,
    extension: true,
    body: RouteTableUpdate,
    answers: { 200: RouteTable },
  },
  "POST /operator/routes/map": {
    summary: "Map every model with an operation to one upstream model",
    operator: true,
    extension: true,
    byClick: true,
    body: RouteMapAll,
    answers: { 200: RouteMapAllResult },
  },
  "POST /operator/routes/preview": {
    summary: "Show what a route would send, without sending it",
    operator: true,
    extension: true,
    byClick: true,
    body: RoutePreviewRequest,
    answers: { 200: RoutePreview },
  },
} as const satisfies Routes;

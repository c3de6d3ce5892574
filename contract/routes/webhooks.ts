import { Type } from "typebox";
import { EventFeed, EventFeedQuery, EventTypeList } from "../event-feed.ts";
import { Deleted, NoQuery, PageQuery, SearchedPageQuery } from "../list.ts";
import { Resend, ResendCreate, ResendList } from "../resends.ts";
import {
  BulkRetry,
  BulkRetryResult,
  Delivery,
  DeliveryDetail,
  DeliveryList,
  DeliveryQuery,
  Endpoint,
  EndpointCreate,
  EndpointList,
  EndpointUpdate,
  EndpointWithSecret,
  RotateSecret,
} from "../webhook.ts";
import { eventStream } from "./answers.ts";
import type { Routes } from "./route.ts";

/** Endpoints, and the log of what was sent to them. */
export const webhookRoutes = {
  "POST /webhooks/endpoints": {
    summary: "Register an endpoint; the secret is in this answer only",
    permission: "endpoints:manage",
    idempotent: true,
    location: "/v1/webhooks/endpoints/{id}",
    body: EndpointCreate,
    answers: { 201: EndpointWithSecret },
    replayed: Endpoint,
  },
  "GET /webhooks/endpoints": {
    summary: "List endpoints",
    permission: "endpoints:read",
    extension: true,
    fromBrowser: true,
    query: SearchedPageQuery,
    answers: { 200: EndpointList },
  },
  "GET /webhooks/endpoints/{id}": {
    summary: "Read an endpoint and its health",
    permission: "endpoints:read",
    extension: true,
    fromBrowser: true,
    answers: { 200: Endpoint },
  },
  "PATCH /webhooks/endpoints/{id}": {
    summary: "Change, disable or enable an endpoint",
    permission: "endpoints:manage",
    extension: true,
    body: EndpointUpdate,
    answers: { 200: Endpoint },
  },
  "DELETE /webhooks/endpoints/{id}": {
    summary: "Delete an endpoint",
    permission: "endpoints:manage",
    extension: true,
    answers: { 200: Deleted },
  },
  "POST /webhooks/endpoints/{id}/rotate_secret": {
    summary: "Rotate the signing secret",
    permission: "endpoints:manage",
    extension: true,
    idempotent: true,
    body: Type.Optional(RotateSecret),
    answers: { 200: EndpointWithSecret },
    replayed: Endpoint,
  },
  "POST /webhooks/endpoints/{id}/test": {
    summary: "Send a test event",
    permission: "endpoints:test",
    extension: true,
    idempotent: true,
    answers: { 202: Delivery },
  },
  "GET /webhooks/deliveries": {
    summary: "List deliveries",
    permission: "deliveries:read",
    fromBrowser: true,
    query: DeliveryQuery,
    answers: { 200: DeliveryList },
  },
  "GET /webhooks/deliveries/{id}": {
    summary: "Read a delivery and its attempts",
    permission: "deliveries:read",
    extension: true,
    fromBrowser: true,
    answers: { 200: DeliveryDetail },
  },
  "POST /webhooks/deliveries/{id}/retry": {
    summary: "Retry a failed delivery",
    permission: "deliveries:retry",
    idempotent: true,
    location: "/v1/webhooks/deliveries/{id}",
    answers: { 202: Delivery },
  },
  "POST /webhooks/deliveries/{id}/resend": {
    summary: "Send a delivered event again",
    permission: "deliveries:retry",
    extension: true,
    idempotent: true,
    location: "/v1/webhooks/deliveries/{id}",
    answers: { 202: Delivery },
  },
  "POST /webhooks/endpoints/{id}/resend": {
    summary: "Send the events of a time again, or count them",
    permission: "deliveries:retry",
    extension: true,
    fromBrowser: true,
    idempotent: true,
    location: "/v1/webhooks/resends/{id}",
    body: ResendCreate,
    answers: { 202: Resend },
  },
  "GET /webhooks/endpoints/{id}/resends": {
    summary: "List what was sent again to an endpoint",
    permission: "deliveries:read",
    extension: true,
    fromBrowser: true,
    query: PageQuery,
    answers: { 200: ResendList },
  },
  "GET /webhooks/resends/{id}": {
    summary: "Read how far sending again has come",
    permission: "deliveries:read",
    extension: true,
    fromBrowser: true,
    answers: { 200: Resend },
  },
  "POST /webhooks/resends/{id}/stop": {
    summary: "Stop sending again",
    permission: "deliveries:retry",
    extension: true,
    answers: { 200: Resend },
  },
  "GET /webhooks/event-types": {
    summary: "List the types of events, with schemas and examples",
    permission: "endpoints:read",
    extension: true,
    query: NoQuery,
    answers: { 200: EventTypeList },
  },
  "GET /events": {
    summary: "Read events in their order, without an endpoint",
    permission: "events:listen",
    extension: true,
    query: EventFeedQuery,
    answers: { 200: EventFeed },
  },
  "POST /webhooks/deliveries/retry": {
    summary: "Retry many failed deliveries",
    permission: "deliveries:retry",
    extension: true,
    fromBrowser: true,
    body: BulkRetry,
    answers: { 200: BulkRetryResult },
  },
} as const satisfies Routes;

export const listenRoutes = {
  "GET /webhooks/listen": {
    summary: "Follow the account's events as server-sent events",
    permission: "events:listen",
    extension: true,
    stream: true,
    otherAnswers: { 200: eventStream("An event per webhook event; its data is what a webhook gets") },
  },
} as const satisfies Routes;

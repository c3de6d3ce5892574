import "server-only";
import { cache } from "react";
import type { StoryReads } from "../../webhooks/delivery-story.ts";
import { everyEndpoint } from "../../webhooks/stopped-endpoints.ts";
import { requestRoute } from "./request.ts";

/** All endpoints of the account. Cached, so that Home and its frame share the requests. */
export const getEndpoints = cache(() =>
  everyEndpoint((query) => requestRoute("GET /webhooks/endpoints", { query })),
);

/** Reads a delivery's history on the server. */
export const serverStoryReads: StoryReads = {
  one: (id) => requestRoute("GET /webhooks/deliveries/{id}", { params: { id } }),
  list: (query) => requestRoute("GET /webhooks/deliveries", { query }),
};

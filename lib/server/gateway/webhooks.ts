import "server-only";
import type { StoryReads } from "../../webhooks/delivery-story.ts";
import { requestRoute } from "./request.ts";

/** Reads a delivery's history on the server. */
export const serverStoryReads: StoryReads = {
  one: (id) => requestRoute("GET /webhooks/deliveries/{id}", { params: { id } }),
  list: (query) => requestRoute("GET /webhooks/deliveries", { query }),
};

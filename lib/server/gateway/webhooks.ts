import "server-only";
import type { StoryReads } from "../../webhooks/delivery-story.ts";
import { requestRoute } from "./request.ts";

/** A delivery's history, read on the server. */
export const serverStoryReads: StoryReads = {
  one: (id) => requestRoute("GET /webhooks/deliveries/{id}", { params: { id } }),
  list: (query) => requestRoute("GET /webhooks/deliveries", { query }),
};

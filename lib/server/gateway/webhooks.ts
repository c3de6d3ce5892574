import "server-only";
import type { StoryDoor } from "../../webhooks/delivery-story.ts";
import { requestRoute } from "./request.ts";

/** A delivery's history, read on the server. */
export const serverStoryDoor: StoryDoor = {
  one: (id) => requestRoute("GET /webhooks/deliveries/{id}", { params: { id } }),
  list: (query) => requestRoute("GET /webhooks/deliveries", { query }),
};

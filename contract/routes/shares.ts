import { Deleted } from "../list.ts";
import { OutputShares, Share, ShareCreate, Shared, ShareList, ShareQuery } from "../shares.ts";
import { bytesOf, noBody } from "./answers.ts";
import type { Routes } from "./route.ts";

/** Links that show outputs to people without an account (extensions). */
export const shareRoutes = {
  "GET /shares": {
    summary: "List the active links",
    permission: "outputs:share",
    extension: true,
    fromBrowser: true,
    query: ShareQuery,
    answers: { 200: ShareList },
  },
  "GET /outputs/{id}/shares": {
    summary: "List the active links to an output, and the options of a new link",
    permission: "outputs:share",
    extension: true,
    fromBrowser: true,
    query: ShareQuery,
    answers: { 200: OutputShares },
  },
  "POST /outputs/{id}/shares": {
    summary: "Create a link to an output, or to several for comparison",
    permission: "outputs:share",
    extension: true,
    body: ShareCreate,
    answers: { 201: Share },
  },
  "DELETE /outputs/{id}/shares/{share_id}": {
    summary: "Revoke a link, which stops working at once",
    permission: "outputs:share",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;

const file = bytesOf("*/*", "The file's bytes");

/**
 * The public routes of the links. The token in the path is the credential; gated outputs also need a
 * signed-in person.
 */
export const sharedRoutes = {
  "GET /shared/{token}": {
    summary: "Open a link",
    public: true,
    limitedByAddress: true,
    extension: true,
    answers: { 200: Shared },
  },
  "GET /shared/{token}/files/{number}": {
    summary: "Download a file of a link by its number, counted from 1",
    public: true,
    limitedByAddress: true,
    extension: true,
    fromBrowser: true,
    otherAnswers: { 200: file, 206: file, 416: noBody("The range is outside the file") },
  },
} as const satisfies Routes;

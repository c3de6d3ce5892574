import { Deleted } from "../list.ts";
import { OutputShares, Share, ShareCreate, Shared, ShareList, ShareQuery } from "../shares.ts";
import { bytesOf, noBody } from "./answers.ts";
import type { Routes } from "./route.ts";

/** Links to outputs for people without an account (extensions). */
export const shareRoutes = {
  "GET /shares": {
    summary: "List the links that work",
    permission: "outputs:share",
    extension: true,
    fromBrowser: true,
    query: ShareQuery,
    answers: { 200: ShareList },
  },
  "GET /outputs/{id}/shares": {
    summary: "List the links to an output that work, and what a new one may be",
    permission: "outputs:share",
    extension: true,
    fromBrowser: true,
    query: ShareQuery,
    answers: { 200: OutputShares },
  },
  "POST /outputs/{id}/shares": {
    summary: "Make a link to an output, or to several for comparison",
    permission: "outputs:share",
    extension: true,
    body: ShareCreate,
    answers: { 201: Share },
  },
  "DELETE /outputs/{id}/shares/{share_id}": {
    summary: "Revoke a link: it stops working at once",
    permission: "outputs:share",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;

const file = bytesOf("*/*", "The bytes");

/**
 * The public side of the links. The token in the path is the credential; gated outputs need a signed-in
 * person, too.
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
    summary: "Download a file of a link, counted from 1",
    public: true,
    limitedByAddress: true,
    extension: true,
    fromBrowser: true,
    otherAnswers: { 200: file, 206: file, 416: noBody("The range is outside the file") },
  },
} as const satisfies Routes;

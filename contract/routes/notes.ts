import { Deleted, PageQuery } from "../list.ts";
import { Note, NoteList, NoteWrite } from "../notes.ts";
import type { Routes } from "./route.ts";

/** Notes on predictions (extensions). */
export const predictionNoteRoutes = {
  "GET /predictions/{id}/notes": {
    summary: "List the notes on a prediction",
    permission: "predictions:read",
    extension: true,
    fromBrowser: true,
    query: PageQuery,
    answers: { 200: NoteList },
  },
  "POST /predictions/{id}/notes": {
    summary: "Leave a note on a prediction",
    permission: "predictions:note",
    extension: true,
    idempotent: true,
    byClick: true,
    body: NoteWrite,
    answers: { 201: Note },
  },
  "PATCH /predictions/{id}/notes/{note_id}": {
    summary: "Change your note on a prediction",
    permission: "predictions:note",
    extension: true,
    byClick: true,
    body: NoteWrite,
    answers: { 200: Note },
  },
  "DELETE /predictions/{id}/notes/{note_id}": {
    summary: "Delete your note on a prediction; owners may delete any note",
    permission: "predictions:note",
    extension: true,
    fromBrowser: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;

/** The same routes for notes on deliveries. */
export const deliveryNoteRoutes = {
  "GET /webhooks/deliveries/{id}/notes": {
    summary: "List the notes on a delivery",
    permission: "deliveries:read",
    extension: true,
    fromBrowser: true,
    query: PageQuery,
    answers: { 200: NoteList },
  },
  "POST /webhooks/deliveries/{id}/notes": {
    summary: "Leave a note on a delivery",
    permission: "deliveries:note",
    extension: true,
    idempotent: true,
    byClick: true,
    body: NoteWrite,
    answers: { 201: Note },
  },
  "PATCH /webhooks/deliveries/{id}/notes/{note_id}": {
    summary: "Change your note on a delivery",
    permission: "deliveries:note",
    extension: true,
    byClick: true,
    body: NoteWrite,
    answers: { 200: Note },
  },
  "DELETE /webhooks/deliveries/{id}/notes/{note_id}": {
    summary: "Delete your note on a delivery; owners may delete any note",
    permission: "deliveries:note",
    extension: true,
    fromBrowser: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
